import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileCacheStore, pruneCaches } from '../../../src/node/cacheStore';
import { RecordingLogger } from './recordingLogger';
import { tempFolder } from './tempFolder';

const BYTES = new Uint8Array([1, 2, 3, 250]);

async function onlyFile(folder: string): Promise<string> {
  const names = await readdir(folder);
  expect(names).toHaveLength(1);
  return path.join(folder, names[0]!);
}

describe('FileCacheStore', () => {
  it('gives back what was saved, in another process too', async () => {
    const folder = path.join(await tempFolder(), 'not', 'made', 'yet');
    await new FileCacheStore(folder, new RecordingLogger()).save('index', BYTES);
    expect(await new FileCacheStore(folder, new RecordingLogger()).load('index')).toEqual(BYTES);
  });

  it('keeps and checks megabytes', async () => {
    const folder = await tempFolder();
    const store = new FileCacheStore(folder, new RecordingLogger());
    const bytes = new Uint8Array(3 * 1024 * 1024 + 7).fill(5);
    await store.save('index', bytes);
    expect(Buffer.from((await store.load('index'))!).equals(bytes)).toBe(true);
    const file = await onlyFile(folder);
    await writeFile(file, (await readFile(file)).fill(6, 2 * 1024 * 1024, 2 * 1024 * 1024 + 1));
    expect(await store.load('index')).toBeUndefined();
  });

  it('has nothing, silently, before the first save', async () => {
    const logger = new RecordingLogger();
    expect(await new FileCacheStore(await tempFolder(), logger).load('index')).toBeUndefined();
    expect(logger.lines).toEqual([]);
  });

  it('keeps empty blobs and any key apart', async () => {
    const store = new FileCacheStore(await tempFolder(), new RecordingLogger());
    await store.save('../a', new Uint8Array());
    await store.save('a', BYTES);
    expect(await store.load('../a')).toEqual(new Uint8Array());
    expect(await store.load('a')).toEqual(BYTES);
  });

  it.each([
    ['a changed byte', (found: Buffer) => found.fill(0xff, found.length - 1)],
    ['a cut end', (found: Buffer) => found.subarray(0, found.length - 1)],
    ['bytes behind the end', (found: Buffer) => Buffer.concat([found, Buffer.from('x')])],
    ['another version', (found: Buffer) => found.fill(0x39, 7, 8)],
    ['an empty file', () => Buffer.alloc(0)],
  ])('treats %s as nothing, says so, and is whole after the next save', async (_name, damage) => {
    const folder = await tempFolder();
    const logger = new RecordingLogger();
    const store = new FileCacheStore(folder, logger);
    await store.save('index', BYTES);
    const file = await onlyFile(folder);
    await writeFile(file, damage(await readFile(file)));
    expect(await store.load('index')).toBeUndefined();
    expect(logger.lines).toEqual([expect.stringContaining('"index" is damaged')]);
    await store.save('index', BYTES);
    expect(await store.load('index')).toEqual(BYTES);
  });

  it('does not take one entry for another when a file was renamed', async () => {
    const folder = await tempFolder();
    const store = new FileCacheStore(folder, new RecordingLogger());
    await store.save('other', BYTES);
    const content = await readFile(await onlyFile(folder));
    await store.save('index', new Uint8Array([9]));
    for (const name of await readdir(folder)) await writeFile(path.join(folder, name), content);
    expect(await store.load('index')).toBeUndefined();
  });

  it('logs a save that fails, without throwing and without leftovers', async () => {
    const root = await tempFolder({ file: 'in the way' });
    const logger = new RecordingLogger();
    await new FileCacheStore(path.join(root, 'file'), logger).save('index', BYTES);
    expect(logger.lines).toEqual([expect.stringContaining('could not be written')]);
    expect(await readdir(root)).toEqual(['file']);
  });

  it('survives many saves of one key at once', async () => {
    const folder = await tempFolder();
    const store = new FileCacheStore(folder, new RecordingLogger());
    const blobs = Array.from({ length: 20 }, (_, index) => new Uint8Array(1000).fill(index));
    await Promise.all(blobs.map((blob) => store.save('index', blob)));
    expect(blobs).toContainEqual(await store.load('index'));
    await onlyFile(folder);
  });

  it('removes temporary files that a crash left, and no young ones', async () => {
    const folder = await tempFolder({ 'old.bin.1.tmp': '', 'young.bin.2.tmp': '' });
    await utimes(path.join(folder, 'old.bin.1.tmp'), new Date(0), new Date(0));
    await new FileCacheStore(folder, new RecordingLogger()).save('index', BYTES);
    const names = await readdir(folder);
    expect(names).toContain('young.bin.2.tmp');
    expect(names).not.toContain('old.bin.1.tmp');
  });
});

describe('pruneCaches', () => {
  it('removes caches that were not used for long, keeps the own one and what is no cache', async () => {
    const parent = await tempFolder({ 'a.txt': '' });
    const old = 'aaaaaaaaaaaaaaaa';
    for (const name of [old, 'bbbbbbbbbbbbbbbb', 'cccccccccccccccc', 'something else']) {
      await mkdir(path.join(parent, name));
      await utimes(path.join(parent, name), new Date(0), new Date(0));
    }
    await utimes(path.join(parent, 'bbbbbbbbbbbbbbbb'), new Date(90_000), new Date(90_000));
    await pruneCaches(parent, 'cccccccccccccccc', 50_000, 100_000);
    expect((await readdir(parent)).sort()).toEqual(['a.txt', 'bbbbbbbbbbbbbbbb', 'cccccccccccccccc', 'something else']);
  });
});

import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileCacheStore } from '../../../src/node/cacheStore';
import { RecordingLogger } from '../../support/recordingLogger';
import { tempFolder } from '../../support/tempFolder';

const HEAD = new TextEncoder().encode('{"what":"is in it"}');
const BODY = new Uint8Array([1, 2, 3, 250]);
const PREFIX_BYTES = 80;

async function onlyFile(folder: string): Promise<string> {
  const names = await readdir(folder);
  expect(names).toHaveLength(1);
  return path.join(folder, names[0]!);
}

async function make() {
  const folder = await tempFolder();
  const logger = new RecordingLogger();
  return { folder, logger, store: new FileCacheStore(folder, logger) };
}

describe('FileCacheStore', () => {
  it('gives back what was saved, in another process too', async () => {
    const folder = path.join(await tempFolder(), 'not', 'made', 'yet');
    await new FileCacheStore(folder, new RecordingLogger()).save('a-1', HEAD, BODY);
    const other = new FileCacheStore(folder, new RecordingLogger());
    expect(Buffer.from((await other.readHead('a-1'))!)).toEqual(Buffer.from(HEAD));
    expect(Buffer.from((await other.readBody('a-1'))!)).toEqual(Buffer.from(BODY));
  });

  it('keeps heads and bodies of any size, and says what they take', async () => {
    const { store } = await make();
    const sizes = [0, 1, 100_000, 3 * 1024 * 1024 + 7];
    for (const size of sizes) {
      // Incompressible, so that it is read in more than one piece.
      const bytes = Uint8Array.from({ length: size }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 13);
      const sizeBytes = await store.save('big', bytes, bytes);
      expect(Buffer.from((await store.readHead('big'))!).equals(bytes)).toBe(true);
      expect(Buffer.from((await store.readBody('big'))!).equals(bytes)).toBe(true);
      expect(await store.list()).toEqual([{ name: 'big', sizeBytes, idleMs: expect.any(Number) }]);
    }
  });

  it('gives a body in a buffer of its own, which may move to another thread', async () => {
    const { store } = await make();
    await store.save('a', HEAD, BODY);
    const body = (await store.readBody('a'))!;
    expect(body.buffer.byteLength).toBe(BODY.length);
  });

  it('has nothing, silently, before the first save', async () => {
    const logger = new RecordingLogger();
    const store = new FileCacheStore(path.join(await tempFolder(), 'none'), logger);
    expect(await store.list()).toEqual([]);
    expect(await store.readHead('a')).toBeUndefined();
    expect(await store.readBody('a')).toBeUndefined();
    await store.remove(['a']);
    expect(logger.lines).toEqual([]);
  });

  it('refuses names that lead elsewhere', async () => {
    const { store } = await make();
    await expect(store.remove(['../a'])).rejects.toThrow('no name of a pack');
  });

  it.each([
    ['a changed head', (found: Buffer) => found.fill(0xff, PREFIX_BYTES, PREFIX_BYTES + 1)],
    ['a changed size', (found: Buffer) => found.fill(0x01, 8, 9)],
    ['another version', (found: Buffer) => found.fill(0x39, 7, 8)],
    ['an empty file', () => Buffer.alloc(0)],
    ['foreign bytes', () => Buffer.from('x'.repeat(5000))],
  ])('treats %s as no pack, says so, removes it, and is whole after the next save', async (_name, damage) => {
    const { folder, logger, store } = await make();
    for (const read of ['readHead', 'readBody'] as const) {
      await store.save('a', HEAD, BODY);
      const file = await onlyFile(folder);
      await writeFile(file, damage(await readFile(file)));
      expect(await store[read]('a')).toBeUndefined();
      expect(await readdir(folder)).toEqual([]);
    }
    expect(logger.lines.filter((line) => line.startsWith('warn'))).toEqual([expect.stringContaining('damaged')]);
    await store.save('a', HEAD, BODY);
    expect(await store.readBody('a')).toBeDefined();
  });

  it.each([
    ['a changed byte', (found: Buffer) => found.fill(0xff, found.length - 1)],
    ['a cut end', (found: Buffer) => found.subarray(0, found.length - 1)],
    ['bytes behind the end', (found: Buffer) => Buffer.concat([found, Buffer.from('x')])],
  ])('treats a body with %s as none', async (_name, damage) => {
    const { folder, store } = await make();
    await store.save('a', HEAD, BODY);
    const file = await onlyFile(folder);
    await writeFile(file, damage(await readFile(file)));
    expect(await store.readBody('a')).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  it('does not take one pack for another when a file was renamed', async () => {
    const { folder, store } = await make();
    await store.save('other', HEAD, BODY);
    await writeFile(path.join(folder, 'a.pack'), await readFile(await onlyFile(folder)));
    expect(await store.readHead('a')).toBeUndefined();
    expect(await store.readBody('a')).toBeUndefined();
  });

  it('warns once of what cannot be written, and leaves nothing behind', async () => {
    const root = await tempFolder({ file: 'in the way' });
    const logger = new RecordingLogger();
    const store = new FileCacheStore(path.join(root, 'file'), logger);
    for (const name of ['a', 'b', 'c']) expect(await store.save(name, HEAD, BODY)).toBeUndefined();
    expect(logger.lines.filter((line) => line.startsWith('warn'))).toEqual([
      expect.stringContaining('could not be written (EEXIST'),
    ]);
    expect(await readdir(root)).toEqual(['file']);
  });

  it('reads a folder that cannot be written', async () => {
    const { folder, logger, store } = await make();
    await store.save('a', HEAD, BODY);
    const file = await onlyFile(folder);
    await utimes(file, new Date(0), new Date(0));
    await chmod(file, 0o400);
    await chmod(folder, 0o500);
    const body = await store.readBody('a');
    await chmod(folder, 0o700);
    expect(body).toBeDefined();
    expect(logger.lines.filter((line) => line.startsWith('warn'))).toEqual([]);
  });

  it('writes a use down, so that the least recently used can be told', async () => {
    const { folder, store } = await make();
    await store.save('a', HEAD, BODY);
    const file = await onlyFile(folder);
    await utimes(file, new Date(0), new Date(0));
    await store.readHead('a');
    expect((await stat(file)).mtimeMs).toBe(0);
    await store.readBody('a');
    expect((await stat(file)).mtimeMs).toBeGreaterThan(0);
  });

  it('survives many saves and removals of one pack at once', async () => {
    const { folder, logger, store } = await make();
    const other = new FileCacheStore(folder, logger);
    await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const one = i % 2 === 0 ? store : other;
        await one.save('a', HEAD, BODY);
        if (i % 5 === 0) await one.remove(['a']);
        const body = await one.readBody('a');
        if (body) expect(Buffer.from(body)).toEqual(Buffer.from(BODY));
      }),
    );
    await store.save('a', HEAD, BODY);
    await onlyFile(folder);
    expect(logger.lines).toEqual([]);
  });

  it('removes what a crash left, and no young temporary file', async () => {
    const folder = await tempFolder({ 'old.pack.1.tmp': '', 'young.pack.2.tmp': '' });
    await utimes(path.join(folder, 'old.pack.1.tmp'), new Date(0), new Date(0));
    await mkdir(path.join(folder, 'folder.pack'));
    await new FileCacheStore(folder, new RecordingLogger()).save('a', HEAD, BODY);
    expect((await readdir(folder)).sort()).toEqual(['a.pack', 'folder.pack', 'young.pack.2.tmp']);
  });

  it.skipIf(process.platform === 'win32')('does not wait for a pipe in the place of a pack', async () => {
    const { folder, store } = await make();
    execFileSync('mkfifo', [path.join(folder, 'a-1.pack')]);
    expect(await store.list()).toEqual([]);
    expect(await store.readHead('a-1')).toBeUndefined();
    execFileSync('mkfifo', [path.join(folder, 'a-2.pack')]);
    expect(await store.readBody('a-2')).toBeUndefined();
  });
});

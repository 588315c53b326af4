import { link, mkdir, readdir, readFile, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { makeDraft } from '../../../../src/core/observations/observation';
import { ConfinedFolder } from '../../../../src/node/records/confinedFolder';
import { JsonlObservationLog } from '../../../../src/node/records/fileLogs';
import type { HoldWay } from '../../../../src/node/records/heldFolder';
import { tempFolder } from '../../../support/tempFolder';
import { until } from '../../../support/until.mjs';

/** What another program does right before a file is opened, by the file's name; once. */
const { before } = vi.hoisted(() => ({ before: new Map<string, () => Promise<void>>() }));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const open: typeof real.open = async (file, ...more) => {
    const name = String(file).slice(String(file).lastIndexOf('/') + 1);
    const act = before.get(name);
    before.delete(name);
    await act?.();
    return real.open(file, ...more);
  };
  return { ...real, open };
});

const WAYS: readonly HoldWay[] = process.platform === 'linux' ? ['descriptor', 'path'] : ['path'];

let root: string;
let outside: string;

const at = (relative: string) => path.join(root, relative);

/** Puts a link to `outside` in place of the folder. */
async function swap(): Promise<void> {
  await rename(at('own'), at('moved'));
  await symlink(outside, at('own'));
}

async function bytesOutside(): Promise<number> {
  const names = await readdir(outside);
  const texts = await Promise.all(names.map((name) => readFile(path.join(outside, name), 'utf8')));
  return texts.join('').length;
}

beforeEach(async () => {
  before.clear();
  root = await tempFolder({ 'own/log': 'mine\n' });
  outside = await tempFolder();
});

describe.each(WAYS)('held by %s', (way) => {
  const open = (relative = 'own', create = false) => ConfinedFolder.open(root, relative, { create, way });

  it('makes missing folders, but not the workspace', async () => {
    const folder = await open('a/b/c', true);
    await folder.createWith('x', 'text');
    await folder.close();
    expect(await readFile(at('a/b/c/x'), 'utf8')).toBe('text');
    const gone = ConfinedFolder.open(at('gone'), 'a', { create: true, way });
    await expect(gone).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await readdir(root)).not.toContain('gone');
  });

  it.each(['../own', '/etc', 'own//x', 'own/../..', 'a\0b'])('refuses %j', async (relative) => {
    await expect(open(relative, true)).rejects.toMatchObject({ reason: 'outside' });
  });

  it.each([
    ['', 'outside'],
    ['.', 'outside'],
    ['..', 'outside'],
    ['../log', 'outside'],
    ['a/b', 'outside'],
    ['.git', 'git'],
  ])('takes bare names only, not %j', async (name, reason) => {
    const folder = await open();
    try {
      for (const work of [
        () => folder.read(name),
        () => folder.append(name, 0o644),
        () => folder.createWith(name, ''),
        () => folder.overwrite(name, ''),
        () => folder.stat(name),
        () => folder.remove(name),
        () => folder.rename('log', name),
        () => folder.rename(name, 'log'),
      ])
        await expect(work()).rejects.toMatchObject({ reason });
    } finally {
      await folder.close();
    }
    expect(await readFile(at('own/log'), 'utf8')).toBe('mine\n');
  });

  it('makes no folder behind a link, one that leads nowhere neither', async () => {
    await symlink(outside, at('away'));
    await symlink(path.join(outside, 'made'), at('nowhere'));
    for (const relative of ['away/a/b', 'nowhere', 'nowhere/a'])
      await expect(open(relative, true)).rejects.toMatchObject({ reason: 'link' });
    expect(await readdir(outside)).toEqual([]);
  });

  it('never empties a file before it knows it', async () => {
    await link(at('own/log'), at('own/other'));
    const folder = await open();
    await expect(folder.overwrite('other', '')).rejects.toMatchObject({ reason: 'hardLink', path: 'own/other' });
    await folder.close();
    expect(await readFile(at('own/log'), 'utf8')).toBe('mine\n');
  });

  it('reads no more than asked for', async () => {
    await writeFile(at('own/log'), 'x'.repeat(100));
    const folder = await open();
    expect(await folder.readStart('log', 10)).toMatchObject({ bytes: Buffer.from('x'.repeat(10)), sizeBytes: 100 });
    await expect(folder.readWhole('log', 99)).rejects.toMatchObject({ reason: 'tooLarge' });
    expect(await folder.readWhole('log', 100)).toHaveLength(100);
    await folder.close();
  });

  it.each<[string, string, (folder: ConfinedFolder) => Promise<unknown>]>([
    ['createWith', 'fresh', (folder) => folder.createWith('fresh', 'secret')],
    ['overwrite', 'log', (folder) => folder.overwrite('log', 'secret')],
    [
      'append',
      'log',
      async (folder) => {
        const file = await folder.append('log', 0o644);
        await file.writeFile('secret').finally(() => file.close());
      },
    ],
  ])('writes nothing outside when its place becomes a link between look and %s', async (_, name, work) => {
    const folder = await open();
    before.set(name, swap);
    const done = work(folder);
    if (way === 'path') await expect(done).rejects.toMatchObject({ reason: 'link' });
    else await done;
    await folder.close();
    expect(await bytesOutside()).toBe(0);
    if (way === 'descriptor') expect(await readdir(outside)).toEqual([]);
  });

  it('writes nothing through a link that appears in place of the file', async () => {
    await writeFile(path.join(outside, 'victim'), '');
    const folder = await open();
    before.set('log', async () => {
      await unlink(at('own/log'));
      await symlink(path.join(outside, 'victim'), at('own/log'));
    });
    await expect(folder.append('log', 0o644)).rejects.toMatchObject({ reason: 'link' });
    await folder.close();
    expect(await bytesOutside()).toBe(0);
  });

  it('opens what has taken the file’s place meanwhile, as a lock’s next holder does', async () => {
    await writeFile(at('next'), 'next');
    const folder = await open();
    before.set('log', () => rename(at('next'), at('own/log')));
    const file = await folder.read('log');
    expect(await file.readFile('utf8')).toBe('next');
    await file.close();
    await folder.close();
  });
});

describe('where the system follows links by itself', () => {
  it('looks again after it opened', async () => {
    vi.resetModules();
    vi.doMock('node:fs', async (original) => {
      const real = await original<typeof import('node:fs')>();
      const { O_NOFOLLOW: _, O_NONBLOCK: __, O_DIRECTORY: ___, ...constants } = real.constants;
      return { ...real, constants };
    });
    try {
      const windows = await import('../../../../src/node/records/confinedFolder');
      await writeFile(path.join(outside, 'victim'), 'theirs');
      const folder = await windows.ConfinedFolder.open(root, 'own', { way: 'path' });
      const put = async () => {
        await unlink(at('own/log'));
        await symlink(path.join(outside, 'victim'), at('own/log'));
      };
      before.set('log', put);
      await expect(folder.append('log', 0o644)).rejects.toMatchObject({ reason: 'link' });
      await expect(folder.overwrite('log', '')).rejects.toMatchObject({ reason: 'link' });
      expect(await readFile(path.join(outside, 'victim'), 'utf8')).toBe('theirs');
      await folder.close();
    } finally {
      vi.doUnmock('node:fs');
    }
  });
});

describe.runIf(process.platform === 'linux')('a folder that is swapped for a link again and again', () => {
  const RACE_WRITES = 150;
  /** A writer may make the folder anew in the moment that there is neither; that one goes. */
  const SWAPPER = `
    const { renameSync, rmSync, symlinkSync, unlinkSync } = require('node:fs');
    const { parentPort, workerData } = require('node:worker_threads');
    const { own, moved, outside } = workerData;
    const stop = new Int32Array(workerData.stop);
    const clear = () => rmSync(own, { recursive: true, force: true });
    const insist = (work) => {
      for (;;) {
        try {
          return work();
        } catch {
          try {
            clear();
          } catch {
            // A writer is at work in it.
          }
        }
      }
    };
    while (Atomics.load(stop, 0) === 0) {
      renameSync(own, moved);
      insist(() => symlinkSync(outside, own));
      unlinkSync(own);
      insist(() => renameSync(moved, own));
    }
    parentPort.postMessage('done');`;

  it('leads no write out', async () => {
    await mkdir(at('.context-budget'));
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const workerData = { own: at('.context-budget'), moved: at('moved'), outside, stop: stop.buffer };
    const swapper = new Worker(SWAPPER, { eval: true, workerData });
    const ended = new Promise((resolve, reject) => swapper.once('message', resolve).once('error', reject));
    const log = new JsonlObservationLog({
      realRoot: root,
      path: '.context-budget/observations.jsonl',
      way: 'descriptor',
    });
    const write = () =>
      log.append([makeDraft({ ts: '2026-02-03 21:23:34', summary: 'x' })]).then(
        () => true,
        () => false,
      );
    for (let attempt = 0; attempt < RACE_WRITES; attempt++) await write();
    await until('one was written', write);
    Atomics.store(stop, 0, 1);
    await ended;
    expect(await readdir(outside)).toEqual([]);
  });
});

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { chmod, rename, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { unreadable } from '../../../src/core/text/decode';
import { NodeFileSource, openFileSource } from '../../../src/node/fileSource';
import { HOST, platformOf } from '../../../src/node/platform';
import { tempFolder } from '../../support/tempFolder';
import { until } from '../../support/until.mjs';

const LIMIT = 1000;
/** Of a folder that is swapped meanwhile: a quarter of a second's. */
const SWAPPED_READS = 300;

afterEach(() => {
  vi.restoreAllMocks();
});

async function readText(source: NodeFileSource, file: string): Promise<string> {
  const read = await source.read(file, LIMIT);
  return read.kind === 'ok' ? new TextDecoder().decode(read.bytes) : read.kind;
}

describe('NodeFileSource', () => {
  it('reads into what was given back, and nothing of the file before shows', async () => {
    const texts = { 'a.ts': 'a longer text', 'b.ts': 'short', 'c.ts': 'the longest of the texts' };
    const source = new NodeFileSource(await tempFolder(texts), HOST, true);
    for (const [file, text] of Object.entries(texts)) {
      const read = await source.read(file, LIMIT);
      if (read.kind !== 'ok') throw new Error(read.kind);
      expect(new TextDecoder().decode(read.bytes)).toBe(text);
      source.reuse(read.bytes);
    }
    const [one, other] = await Promise.all([source.read('a.ts', LIMIT), source.read('b.ts', LIMIT)]);
    expect(one.kind === 'ok' && other.kind === 'ok' && one.bytes.buffer !== other.bytes.buffer).toBe(true);
  });

  it('reads a file whole and lists a folder by name', async () => {
    const root = await tempFolder({ 'b.md': 'bee', 'a.md': 'ay', 'sub/c.md': 'sea' });
    const source = new NodeFileSource(root);
    expect(source.rootName).toBe(path.basename(root));
    expect(await readText(source, 'sub/c.md')).toBe('sea');
    expect(await source.list('')).toEqual({
      kind: 'ok',
      entries: [
        { name: 'a.md', kind: 'file' },
        { name: 'b.md', kind: 'file' },
        { name: 'sub', kind: 'folder' },
      ],
    });
  });

  it('stamps a file anew whenever its content changes, even with its old size and time', async () => {
    const root = await tempFolder({ 'a.ts': 'one', 'sub/b.ts': 'bee' });
    await symlink('a.ts', path.join(root, 'link.ts'));
    for (const mayBlock of [false, true]) {
      const source = new NodeFileSource(root, HOST, mayBlock);
      const stampOf = () => source.stamp('a.ts');
      const before = await stampOf();
      expect(before?.sizeBytes).toBe(3);
      expect(await stampOf()).toEqual(before);
      const { atime, mtime } = fs.statSync(path.join(root, 'a.ts'));
      fs.writeFileSync(path.join(root, 'a.ts'), mayBlock ? 'two' : 'six');
      fs.utimesSync(path.join(root, 'a.ts'), atime, mtime);
      expect(await stampOf()).not.toEqual(before);
      expect((await source.stamp('sub/b.ts'))?.sizeBytes).toBe(3);
      for (const other of ['link.ts', 'sub', 'gone.ts', '../a.ts', '.git/config'])
        expect(await source.stamp(other)).toBeUndefined();
      expect((await source.list('sub')).kind).toBe('ok');
    }
  });

  it('reads an empty file and one of exactly the limit, and refuses one byte more by its size', async () => {
    const root = await tempFolder({ empty: '', exact: 'x'.repeat(LIMIT), over: 'x'.repeat(LIMIT + 1) });
    const source = new NodeFileSource(root);
    expect(await readText(source, 'empty')).toBe('');
    expect(await readText(source, 'exact')).toHaveLength(LIMIT);
    expect(await source.read('over', LIMIT)).toEqual({ kind: 'tooLarge', sizeBytes: LIMIT + 1 });
  });

  it('says what is missing, in words without a path', async () => {
    const root = await tempFolder({ 'a.md': '' });
    const source = new NodeFileSource(root);
    expect(await source.read('none.md', LIMIT)).toEqual({ kind: 'missing' });
    expect(await source.read('a.md/below', LIMIT)).toEqual({ kind: 'missing' });
    expect(await source.list('none')).toEqual({ kind: 'missing' });
    expect(await source.read('', LIMIT)).toEqual({ kind: 'unreadable', message: unreadable('isFolder') });
  });

  it('asks whether it may read what it opened, by its real path, and calls what it may not missing', async () => {
    const root = await tempFolder({ 'local/a.md': 'hidden', 'shown/a.md': 'shown' });
    await symlink('local', path.join(root, 'link'));
    const source = new NodeFileSource(root);
    const asked: string[] = [];
    const mayRead = async (realPath: string): Promise<boolean> => {
      asked.push(realPath);
      return realPath.startsWith('shown/');
    };
    expect(await source.read('link/a.md', LIMIT, mayRead)).toEqual({ kind: 'missing' });
    expect(await source.read('shown/a.md', LIMIT, mayRead)).toMatchObject({ kind: 'ok' });
    expect(asked).toEqual(['local/a.md', 'shown/a.md']);
  });

  it('asks about more files at once than may be open, by looking at folders and links itself', async () => {
    const root = await tempFolder({ 'a.md': 'text' });
    const source = new NodeFileSource(root);
    const mayRead = async (realPath: string): Promise<boolean> => {
      const [listed, led] = await Promise.all([source.list(''), source.resolveLink(realPath)]);
      return listed.kind === 'ok' && led.kind === 'file';
    };
    const reads = await Promise.all(Array.from({ length: 100 }, () => source.read('a.md', LIMIT, mayRead)));
    expect(new Set(reads.map(({ kind }) => kind))).toEqual(new Set(['ok']));
  });

  it('follows a link inside the root and tells where it leads', async () => {
    const root = await tempFolder({ 'real/a.md': 'ay' });
    await symlink('real', path.join(root, 'link'));
    await symlink('real/a.md', path.join(root, 'a-link.md'));
    const source = new NodeFileSource(root);
    expect(await source.resolveLink('link')).toEqual({ kind: 'folder', realPath: 'real' });
    expect(await source.resolveLink('a-link.md')).toEqual({ kind: 'file', realPath: 'real/a.md' });
    expect(await readText(source, 'link/a.md')).toBe('ay');
  });

  it('never follows a link out of the root, however it is reached', async () => {
    const outside = await tempFolder({ 'secret.md': 'secret' });
    const parent = await tempFolder({ 'root/a.md': '', 'root-neighbour/a.md': '' });
    const root = path.join(parent, 'root');
    await symlink(outside, path.join(root, 'out'));
    await symlink(path.join(outside, 'secret.md'), path.join(root, 'out.md'));
    // A neighbour whose name begins with the root's own is outside too.
    await symlink(`${root}-neighbour`, path.join(root, 'neighbour'));
    const source = new NodeFileSource(root);
    for (const link of ['out', 'out.md', 'out/secret.md', 'neighbour']) {
      expect(await source.resolveLink(link)).toEqual({ kind: 'outside' });
      expect(await source.read(link, LIMIT)).toEqual({ kind: 'unreadable', message: unreadable('outside') });
    }
    expect(await source.list('out')).toEqual({ kind: 'unreadable', message: unreadable('outside') });
    expect(await source.read('../x', LIMIT)).toEqual({ kind: 'unreadable', message: unreadable('outside') });
  });

  describe.each([
    ['where the system tells what a descriptor stands for', 'linux'],
    ['where only paths can be compared', 'darwin'],
  ] as const)('with a folder that is swapped for a link, %s', (_where, platform) => {
    async function swapped(mayBlock: boolean, use: (source: NodeFileSource) => Promise<unknown>) {
      const outside = await tempFolder({ 'a.md': 'secret', 'sub/a.md': 'secret' });
      const root = await tempFolder({ 'sub/a.md': 'ours' });
      const source = new NodeFileSource(root, platformOf(platform), mayBlock);
      // The folder's place is known from now on.
      expect(await readText(source, 'sub/a.md')).toBe('ours');
      await rename(path.join(root, 'sub'), path.join(root, 'before'));
      await symlink(outside, path.join(root, 'sub'));
      return use(source);
    }

    it.each([true, false])('reads nothing outside (may block: %s)', async (mayBlock) => {
      const reads = [];
      for (let at = 0; at < 40; at++) reads.push(await swapped(mayBlock, (source) => readText(source, 'sub/a.md')));
      expect(reads).toEqual(Array.from({ length: 40 }, () => 'unreadable'));
    });

    it('lists nothing outside, and tells nothing of what is there', async () => {
      const refused = { kind: 'unreadable', message: unreadable('outside') };
      expect(await swapped(false, (source) => source.list('sub'))).toEqual(refused);
      expect(await swapped(false, (source) => source.list('sub/sub'))).toEqual(refused);
      expect(await swapped(false, (source) => source.resolveLink('sub/a.md'))).toEqual({ kind: 'outside' });
    });

    it.each(['list', 'read', 'resolveLink'] as const)('gives nothing away while it is swapped: %s', async (way) => {
      const outside = await tempFolder({ 'secret.md': 'secret', 'a.md': 'secret', kind: 'a file' });
      const root = await tempFolder({ 'sub/a.md': 'ours', 'sub/kind/a.md': 'a folder' });
      const source = new NodeFileSource(root, platformOf(platform), false);
      const real = fs.promises.realpath;
      // Swapped as soon as its place was found, before anything is opened.
      vi.spyOn(fs.promises, 'realpath').mockImplementationOnce(async (file) => {
        const place = await real(file);
        await rename(path.join(root, 'sub'), path.join(root, 'before'));
        await symlink(outside, path.join(root, 'sub'));
        return place;
      });
      const ways = {
        list: async () => JSON.stringify(await source.list('sub')),
        read: () => readText(source, 'sub/a.md'),
        resolveLink: async () => JSON.stringify(await source.resolveLink('sub/kind')),
      };
      expect(await ways[way]()).not.toMatch(/secret|"kind":"file","realPath"/);
    });

    it('reads on where the folder is swapped for one inside', async () => {
      const root = await tempFolder({ 'sub/a.md': 'old', 'next/a.md': 'new' });
      const source = new NodeFileSource(root, platformOf(platform), true);
      expect(await readText(source, 'sub/a.md')).toBe('old');
      await rm(path.join(root, 'sub'), { recursive: true });
      await symlink('next', path.join(root, 'sub'));
      expect(await readText(source, 'sub/a.md')).toBe('new');
    });
  });

  it.runIf(process.platform === 'linux')('reads nothing outside while a folder is swapped all the time', async () => {
    const outside = await tempFolder({ 'a.md': 'secret', 'secret.md': '' });
    const root = await tempFolder({ 'sub/a.md': 'ours' });
    const source = new NodeFileSource(root, platformOf('linux'), true);
    const swapping = `
      const { renameSync } = require('node:fs');
      const { workerData: { sub, folder, link } } = require('node:worker_threads');
      for (;;) { renameSync(sub, folder); renameSync(link, sub); renameSync(sub, link); renameSync(folder, sub); }`;
    const places = { sub: path.join(root, 'sub'), folder: path.join(root, 'folder'), link: path.join(root, 'link') };
    await symlink(outside, places.link);
    const worker = new Worker(swapping, { eval: true, workerData: places });
    const seen = new Set<string>();
    const look = async () => {
      seen.add(await readText(source, 'sub/a.md'));
      seen.add(JSON.stringify(await source.list('sub')));
      return seen.has('ours') && seen.size > 2;
    };
    try {
      for (let round = 0; round < SWAPPED_READS; round++) await look();
      await until('it was read, and it was refused', look);
    } finally {
      await worker.terminate();
    }
    expect([...seen].join('\n')).not.toContain('secret');
  });

  it("never reads git's own files, by any name or link, but for its ignore rules", async () => {
    const root = await tempFolder({
      '.git/config': 'token',
      '.git/info/exclude': '*.log',
      'sub/.git': 'gitdir: ../.git/modules/sub',
      'other/.GIT/config': 'token',
      'other/GIT~1/config': 'token',
      'other/.git. ./config': 'token',
      'other/.git::$INDEX_ALLOCATION/config': 'token',
      'other/.g\u200cit/config': 'token',
      '.github/a.md': 'ours',
      '.gitignore': 'ours',
      'repo.git/a.md': 'ours',
    });
    await symlink('.git', path.join(root, 'folder-link'));
    await symlink('.git/config', path.join(root, 'link.md'));
    await symlink('../config', path.join(root, '.git/info/link'));
    const source = new NodeFileSource(root);
    const refused = { kind: 'unreadable', message: unreadable('ofGit') };
    const hidden = ['.GIT', 'GIT~1', '.git. .', '.git::$INDEX_ALLOCATION', '.g\u200cit'];
    const folders = ['.git', 'folder-link', ...hidden.map((name) => `other/${name}`)];
    for (const folder of folders) {
      expect(await source.read(`${folder}/config`, LIMIT)).toEqual(refused);
      expect(await source.list(folder)).toEqual(refused);
    }
    for (const file of ['link.md', 'sub/.git', '.git/info/link', 'folder-link/config'])
      expect(await source.read(file, LIMIT)).toEqual(refused);
    for (const file of ['.github/a.md', '.gitignore', 'repo.git/a.md'])
      expect(await readText(source, file)).toBe('ours');
    expect(await readText(source, '.git/info/exclude')).toBe('*.log');
  });

  it('ends at links that dangle or lead in a circle', async () => {
    const root = await tempFolder();
    await symlink('b', path.join(root, 'a'));
    await symlink('a', path.join(root, 'b'));
    await symlink('nowhere', path.join(root, 'dangling'));
    const source = new NodeFileSource(root);
    expect(await source.resolveLink('a')).toEqual({ kind: 'missing' });
    expect(await source.resolveLink('dangling')).toEqual({ kind: 'missing' });
    expect(await source.read('dangling', LIMIT)).toEqual({ kind: 'missing' });
    expect(await source.read('a', LIMIT)).toEqual({ kind: 'unreadable', message: unreadable('circle') });
  });

  it('does not wait for a pipe that nobody writes to, nor read a socket', async () => {
    const root = await tempFolder();
    execFileSync('mkfifo', [path.join(root, 'pipe')]);
    const server = createServer().listen(path.join(root, 'socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    const source = new NodeFileSource(root);
    const refused = { kind: 'unreadable', message: unreadable('notRegular') };
    expect(await source.read('pipe', LIMIT)).toEqual(refused);
    expect(await source.read('socket', LIMIT)).toEqual(refused);
    expect((await source.list('')).kind === 'ok' && (await source.list(''))).toMatchObject({
      entries: [{ kind: 'other' }, { kind: 'other' }],
    });
    server.close();
  });

  it('says when it may not read a file or a folder', async () => {
    const root = await tempFolder({ 'locked.md': 'x', 'closed/a.md': 'x' });
    await chmod(path.join(root, 'locked.md'), 0o000);
    await chmod(path.join(root, 'closed'), 0o000);
    const source = new NodeFileSource(root);
    const refused = { kind: 'unreadable', message: unreadable('noPermission') };
    try {
      // The superuser may read everything, so there the same calls must succeed.
      const isSuperuser = process.getuid?.() === 0;
      expect(await source.read('locked.md', LIMIT)).toMatchObject(isSuperuser ? { kind: 'ok' } : refused);
      expect(await source.list('closed')).toMatchObject(isSuperuser ? { kind: 'ok' } : refused);
    } finally {
      await chmod(path.join(root, 'closed'), 0o700);
    }
  });

  it('reads thousands of files at once without running out of descriptors', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `f${index}`);
    const root = await tempFolder(Object.fromEntries(names.map((name) => [name, name])));
    const source = new NodeFileSource(root);
    const wanted = Array.from({ length: 4000 }, (_, index) => names[index % names.length]!);
    expect(await Promise.all(wanted.map((name) => readText(source, name)))).toEqual(wanted);
  });
});

describe('openFileSource', () => {
  it('takes the real place of a folder behind a link', async () => {
    const root = await tempFolder({ 'real/a.md': 'ay' });
    await symlink('real', path.join(root, 'link'));
    const { files, realRoot } = await openFileSource(path.join(root, 'link'));
    expect(realRoot).toBe(path.join(root, 'real'));
    expect(files.rootName).toBe('real');
    expect(await readText(files, 'a.md')).toBe('ay');
  });

  it('rejects a file and a missing folder', async () => {
    const root = await tempFolder({ 'a.md': '' });
    await expect(openFileSource(path.join(root, 'a.md'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(openFileSource(path.join(root, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

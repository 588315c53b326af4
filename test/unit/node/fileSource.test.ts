import { execFileSync } from 'node:child_process';
import { chmod, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { unreadable } from '../../../src/core/text/unreadable';
import { isPlainPath, NodeFileSource, openFileSource } from '../../../src/node/fileSource';
import { tempFolder } from './tempFolder';

const LIMIT = 1000;

async function readText(source: NodeFileSource, file: string): Promise<string> {
  const read = await source.read(file, LIMIT);
  return read.kind === 'ok' ? new TextDecoder().decode(read.bytes) : read.kind;
}

describe('NodeFileSource', () => {
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

describe('isPlainPath', () => {
  it('knows drives, streams and backslashes on Windows alone', () => {
    for (const name of ['C:/x', 'a\\..\\b', 'a.md:stream']) {
      expect(isPlainPath(name, 'win32')).toBe(false);
      expect(isPlainPath(name, 'linux')).toBe(true);
    }
  });

  it('refuses what climbs, starts at the root or hides a NUL', () => {
    for (const name of ['..', 'a/../b', '/etc', './a', 'a//b', 'a\0b']) expect(isPlainPath(name, 'linux')).toBe(false);
  });
});

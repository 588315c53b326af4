import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { walkFiles } from '../../../../src/core/files/walk';
import { openFileSource } from '../../../../src/node/fileSource';
import { MemoryFiles } from '../../../support/memoryFiles';
import { tempFolder } from '../../../support/tempFolder';

const walk = async (nodes: ConstructorParameters<typeof MemoryFiles>[0]) =>
  (await walkFiles(new MemoryFiles(nodes))).files;

describe('walkFiles', () => {
  test('lists files of all folders in the order of their code units', async () => {
    expect(await walk({ 'b/c.ts': '', 'a.ts': '', 'b.ts': '', 'B.ts': '', 'b/a/z.ts': '', 'é.ts': '' })).toEqual([
      'B.ts',
      'a.ts',
      'b.ts',
      'b/a/z.ts',
      'b/c.ts',
      'é.ts',
    ]);
  });

  test('an empty folder has no files and no problem', async () => {
    expect(await walkFiles(new MemoryFiles())).toMatchObject({ files: [], problems: [], isComplete: true });
  });

  test('never enters version control, packages and caches, even when a rule brings them back', async () => {
    const files = new MemoryFiles({
      '.gitignore': '!node_modules\n!.git\n',
      'node_modules/x/index.js': '',
      'sub/node_modules/y.js': '',
      '.git/config': '',
      '.svn/entries': '',
      '.hg/store': '',
      '.vscode-test/vscode/x': '',
      'py/__pycache__/a.pyc': '',
      'worktree/.git': 'gitdir: elsewhere',
      'src/a.ts': '',
    });
    expect((await walkFiles(files)).files).toEqual(['.gitignore', 'src/a.ts']);
    expect(files.lists).not.toContain('node_modules');
  });

  test('does not enter ignored folders', async () => {
    const files = new MemoryFiles({ '.gitignore': 'out/\n', 'out/deep/a.js': '', 'a.ts': '' });
    expect((await walkFiles(files)).files).toEqual(['.gitignore', 'a.ts']);
    expect(files.lists).toEqual(['']);
  });

  test('a deeper .gitignore overrules the ones above it and .git/info/exclude', async () => {
    expect(
      await walk({
        '.git/info/exclude': '*.log\n*.tmp\n',
        '.gitignore': '*.gen.ts\n!keep.tmp\n',
        'a.log': '',
        'keep.tmp': '',
        'b.tmp': '',
        'a.gen.ts': '',
        'sub/.gitignore': '!*.gen.ts\n!b.log\nlocal.ts\n',
        'sub/a.gen.ts': '',
        'sub/b.log': '',
        'sub/local.ts': '',
        'local.ts': '',
      }),
    ).toEqual(['.gitignore', 'keep.tmp', 'local.ts', 'sub/.gitignore', 'sub/a.gen.ts', 'sub/b.log']);
  });

  test('what lies in an ignored folder cannot be brought back; what lies in a folder brought back is there', async () => {
    expect(
      await walk({
        '.gitignore': 'closed/\nopened/\n!closed/a.ts\n',
        'closed/a.ts': '',
        'sub/.gitignore': '!opened/\n',
        'sub/opened/a.ts': '',
        'sub/opened/deep/b.ts': '',
        'opened/c.ts': '',
      }),
    ).toEqual(['.gitignore', 'sub/.gitignore', 'sub/opened/a.ts', 'sub/opened/deep/b.ts']);
  });

  test('an ignore file in UTF-16 holds, as Windows editors write it', async () => {
    const utf16 = Uint8Array.from([0xff, 0xfe, ...[...'*.log\r\n'].flatMap((char) => [char.charCodeAt(0), 0])]);
    expect(await walk({ '.gitignore': utf16, 'a.log': '', 'a.ts': '' })).toEqual(['.gitignore', 'a.ts']);
  });

  test('links to folders are not followed, loops included; links to files count by their own path', async () => {
    const result = await walkFiles(
      new MemoryFiles({
        '.gitignore': 'secret/\n',
        'AGENTS.md': 'hi',
        'CLAUDE.md': { linkTo: 'AGENTS.md' },
        'a/loop': { linkTo: 'a' },
        'a/up': { linkTo: '' },
        'a/self': { linkTo: 'a/self' },
        'a/b.ts': '',
        'a/dangling.ts': { linkTo: 'gone.ts' },
        'a/outside.ts': { linkTo: '/etc/passwd' },
        'a/hidden.ts': { linkTo: 'secret/key.ts' },
        'a/package.ts': { linkTo: 'node_modules/x.ts' },
        'secret/key.ts': '',
        'node_modules/x.ts': '',
      }),
    );
    expect(result.files).toEqual(['.gitignore', 'AGENTS.md', 'CLAUDE.md', 'a/b.ts']);
    expect([...result.links]).toEqual([['CLAUDE.md', 'AGENTS.md']]);
    expect([...result.folderLinks]).toEqual([
      ['a/loop', 'a'],
      ['a/up', ''],
    ]);
    expect(result.problems).toEqual([]);
  });

  test('folders that begin a repository are told, submodules too, and nothing of Git is listed', async () => {
    const nodes = { '.git/HEAD': 'x', 'a.ts': '', 'lib/.git': 'gitdir: ../x', 'lib/b.ts': '', 'c/d.ts': '' };
    const { files, repositories } = await walkFiles(new MemoryFiles(nodes));
    expect(files).toEqual(['a.ts', 'c/d.ts', 'lib/b.ts']);
    expect(repositories).toEqual(['', 'lib']);
  });

  test('a folder that cannot be read is a problem that names it; the rest is listed', async () => {
    const result = await walkFiles(
      new MemoryFiles({ 'a.ts': '', 'private/keys': { unreadable: 'no permission to read it' }, 'private/b.ts': '' }),
    );
    expect(result.files).toEqual(['a.ts', 'private/b.ts']);
    expect(result.problems).toMatchObject([
      {
        kind: 'file',
        severity: 'warning',
        message: 'The folder private/keys could not be read: no permission to read it. Its files are left out.',
        path: 'private/keys',
        line: undefined,
      },
    ]);
  });

  // Other systems take no such names.
  test.runIf(process.platform === 'linux')(
    'names that are not UTF-8 are told once a folder, and the rest is listed',
    async () => {
      const folder = await tempFolder({ '.gitignore': 'out-*\n', 'a.ts': '', 'b/real-\ufffd.ts': '', 'b/c.ts': '' });
      const lay = (name: string) => writeFile(Buffer.from(`${folder}/${name}`, 'latin1'), '');
      for (const name of ['\xff.ts', 'b/a\xc3.ts', 'b/\xfe', 'out-\xff']) await lay(name);
      await mkdir(Buffer.from(`${folder}/\xfd`, 'latin1'));
      const { files: source } = await openFileSource(folder);
      const { files, problems, isComplete } = await walkFiles(source);
      expect(files).toEqual(['.gitignore', 'a.ts', 'b/c.ts', 'b/real-\ufffd.ts']);
      expect(isComplete).toBe(true);
      expect(problems.map(({ message, path }) => [message, path])).toEqual([
        ['2 names in one folder are not UTF-8, so they are left out: \ufffd is one. Rename them.', undefined],
        ['2 names in one folder are not UTF-8, so they are left out: b/a\ufffd.ts is one. Rename them.', undefined],
      ]);
      const { files: blocking } = await openFileSource(folder, { mayBlock: true });
      expect(await blocking.list('b')).toEqual(await source.list('b'));
    },
  );

  test('a root that cannot be read is a problem without a path', async () => {
    const { files, problems } = await walkFiles(new MemoryFiles({ '': { unreadable: 'no permission to read it' } }));
    expect(files).toEqual([]);
    expect(problems.map(({ message, path }) => [message, path])).toEqual([
      ['The folder could not be read: no permission to read it. Its files are left out.', undefined],
    ]);
  });

  test('an ignore file that cannot be read is a problem, and its folder is listed', async () => {
    const { files, problems } = await walkFiles(new MemoryFiles({ 'a/.gitignore': { sizeBytes: 9e9 }, 'a/b.ts': '' }));
    expect(files).toEqual(['a/.gitignore', 'a/b.ts']);
    expect(problems.map((problem) => problem.message)).toEqual([
      'a/.gitignore could not be read, so its rules are not applied.',
    ]);
  });

  test('stops at the cap, says so once, and keeps the same files whatever the order of listing', async () => {
    const nodes = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${at % 6}/d${at % 3}/${at}.ts`, '']));
    const capped = await walkFiles(new MemoryFiles(nodes), { maxFiles: 25 });
    expect(capped.files).toHaveLength(25);
    // The first by name.
    expect(new Set(capped.files.map((file) => path.dirname(file)))).toEqual(new Set(['f0/d0', 'f1/d1', 'f2/d2']));
    expect(capped.isComplete).toBe(false);
    expect(capped.problems.map((problem) => problem.message)).toEqual([
      'More than 25 files: the rest is left out. To choose what is left out, list data folders in .gitignore.',
    ]);
    class Reversed extends MemoryFiles {
      override async list(folder: string) {
        const read = await super.list(folder);
        return read.kind === 'ok' ? { ...read, entries: read.entries.toReversed() } : read;
      }
    }
    expect((await walkFiles(new Reversed(nodes), { maxFiles: 25 })).files).toEqual(capped.files);
    const serial = await walkFiles(new MemoryFiles(nodes), { maxFiles: 25, concurrency: 1 });
    expect(serial.files).toEqual(capped.files);
    expect((await walkFiles(new MemoryFiles(nodes), { maxFiles: 60 })).isComplete).toBe(true);
  });

  test('stops at as many folders and links, which need not hold a file', async () => {
    const files = new MemoryFiles({
      a: { linkTo: 'z' },
      b: { linkTo: 'z' },
      'c/d/e/f/x.ts': '',
      'c/g/y.ts': '',
      z: '',
    });
    const { files: found, problems, isComplete } = await walkFiles(files, { maxFiles: 4 });
    expect(found).toEqual(['z']);
    expect(isComplete).toBe(false);
    expect(problems.map(({ message }) => message)).toEqual([
      'More than 4 folders and links: the rest is left out. To choose what is left out, list data folders in .gitignore.',
    ]);
  });

  test('lists at most `concurrency` folders at once', async () => {
    const files = new MemoryFiles(Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`d${at}/a.ts`, ''])));
    await walkFiles(files, { concurrency: 4 });
    expect(files.mostListing).toBe(4);
  });

  test('with a clock, a folder of thousands of files does not hold its thread', async () => {
    const nodes = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`${at}.ts`, '']));
    let pauses = 0;
    const clock = {
      now: () => 0,
      schedule(callback: () => void) {
        pauses++;
        queueMicrotask(callback);
        return { dispose() {} };
      },
    };
    const { files } = await walkFiles(new MemoryFiles(nodes), { clock });
    expect(files).toHaveLength(2000);
    expect(pauses).toBeGreaterThanOrEqual(7);
  });

  test('a cancelled walk stops listing and says that it is incomplete', async () => {
    const files = new MemoryFiles({ 'a/b/c.ts': '', 'd.ts': '' });
    const caller = new AbortController();
    const list = files.list.bind(files);
    files.list = (folder) => {
      caller.abort();
      return list(folder);
    };
    const result = await walkFiles(files, {}, caller.signal);
    expect(result.isComplete).toBe(false);
    expect(files.lists).toEqual(['']);
  });

  test('ends on a disk with links in circles', async () => {
    const root = await tempFolder({ 'a/b/c.md': '', 'AGENTS.md': '' });
    await symlink(root, path.join(root, 'a/b/up'));
    await symlink('../b', path.join(root, 'a/b/self'));
    await symlink('two', path.join(root, 'one'));
    await symlink('one', path.join(root, 'two'));
    await symlink('AGENTS.md', path.join(root, 'CLAUDE.md'));
    const { files, links, problems } = await walkFiles((await openFileSource(root)).files);
    expect(files).toEqual(['AGENTS.md', 'CLAUDE.md', 'a/b/c.md']);
    expect([...links]).toEqual([['CLAUDE.md', 'AGENTS.md']]);
    expect(problems).toEqual([]);
  });
});

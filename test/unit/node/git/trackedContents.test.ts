/** Contents that Git's index tells unread are those that lie on the disk, whatever was done to the files since. */
import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { NEVER_ABORTED } from '../../../../src/core/ports/ports';
import { openFileSource } from '../../../../src/node/fileSource';
import { OwnGitDirectory } from '../../../../src/node/git/gitDirectory';
import { parseIndex, TrackedContents } from '../../../../src/node/git/trackedContents';
import { NodeProcessRunner } from '../../../../src/node/process/processRunner';
import { tempFolder } from '../../../support/tempFolder';
import { SILENT } from '../../../support/workspaceFakes';
import { appendConfig, canary, git } from './gitWorld';

const TEXT = 'export const a = 1;\n';
const SAME_SIZE = 'export const a = 2;\n';
const FILES = { 'a.ts': TEXT, 'b.ts': 'export const bb = 1;\n', 'sub/c.ts': 'export const ccc = 1;\n' };

/** Longer than a tick of the clock of any file system that tests run on. */
const TICK_MS = 40;

/** The index is written later than the files were: else none of them is told, as in a checkout of one tick. */
async function age(root: string): Promise<void> {
  await setTimeout(TICK_MS);
  git(root, 'update-index', '--force-write-index');
}

/** A repository with the files; `before` is what it has besides when they are added. */
async function repositoryOf(
  files: Readonly<Record<string, string>> = FILES,
  before: (root: string) => unknown = () => undefined,
): Promise<string> {
  const root = await tempFolder(files);
  git(root, 'init', '-q', '-b', 'main');
  await before(root);
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'first');
  await age(root);
  return root;
}

/** The names that are told unread, by path; each file of the disk has `told` and `real`. */
async function namesIn(root: string, paths: readonly string[] = Object.keys(FILES)) {
  const { files, realRoot } = await openFileSource(root);
  const cacheFolder = path.join(await tempFolder(), 'cache');
  const processes = new NodeProcessRunner(realRoot, process.env);
  const gitDirectories = new OwnGitDirectory({ realRoot, cacheFolder, logger: SILENT });
  const contents = new TrackedContents({ realRoot, processes, gitDirectories, logger: SILENT });
  const unread = await contents.openUnread(NEVER_ABORTED);
  processes.dispose();
  const names: Record<string, { readonly told: string | undefined; readonly real: string }> = {};
  for (const file of paths) {
    const stamp = await files.stamp(file);
    const told = stamp && unread?.nameOf(file, stamp);
    names[file] = { told, real: contents.nameOf(readFileSync(path.join(root, file))) };
  }
  return { names, isOpen: unread !== undefined, nameOf: (text: string) => contents.nameOf(Buffer.from(text)) };
}

/** Which files are told; each that is told is told right. */
async function toldIn(root: string, paths?: readonly string[]): Promise<readonly string[]> {
  const { names } = await namesIn(root, paths);
  const told = Object.entries(names).filter(([, name]) => name.told !== undefined);
  for (const [file, name] of told) expect(name.told, file).toBe(name.real);
  return told.map(([file]) => file);
}

describe('contents of a checkout', () => {
  it('are named as their blobs and sizes, by the index as by their bytes', async () => {
    const root = await repositoryOf();
    expect(await toldIn(root)).toEqual(Object.keys(FILES));
    const { names } = await namesIn(root);
    expect(names['a.ts']?.told).toBe(`${git(root, 'hash-object', 'a.ts').slice(0, 16)}00000014`);
  });

  it('are told at another path, in a linked work tree and below the top', async () => {
    const origin = await repositoryOf();
    const clone = path.join(await tempFolder(), 'elsewhere');
    execFileSync('git', ['clone', '-q', origin, clone]);
    await age(clone);
    expect(await toldIn(clone)).toEqual(Object.keys(FILES));
    const linked = path.join(await tempFolder(), 'linked');
    git(origin, 'worktree', 'add', '-q', linked, '-b', 'other');
    await age(linked);
    expect(await toldIn(linked)).toEqual(Object.keys(FILES));
    expect(await toldIn(path.join(clone, 'sub'), ['c.ts'])).toEqual(['c.ts']);
  });

  it('are not told of a copy, where the file system says something else of each file', async () => {
    const root = await repositoryOf();
    const copy = path.join(await tempFolder(), 'copy');
    execFileSync('cp', ['-a', root, copy]);
    expect(await toldIn(copy)).toEqual([]);
    git(copy, 'status');
    await age(copy);
    expect(await toldIn(copy)).toEqual(Object.keys(FILES));
  });

  const REST = ['b.ts', 'sub/c.ts'];
  const edits: Readonly<Record<string, (root: string, file: string) => unknown>> = {
    'an edit of the same size': (_, file) => writeFileSync(file, SAME_SIZE),
    'an edit of the same size that keeps the time of the content': (_, file) => {
      const { atime, mtime } = statSync(file);
      writeFileSync(file, SAME_SIZE);
      utimesSync(file, atime, mtime);
    },
    'another file of the same size and time in its place': async (root, file) => {
      const { atime, mtime } = statSync(file);
      const other = path.join(root, 'other');
      writeFileSync(other, SAME_SIZE);
      utimesSync(other, atime, mtime);
      renameSync(other, file);
    },
    '--assume-unchanged': (root, file) => {
      git(root, 'update-index', '--assume-unchanged', 'a.ts');
      writeFileSync(file, SAME_SIZE);
    },
    '--skip-worktree': (root, file) => {
      git(root, 'update-index', '--skip-worktree', 'a.ts');
      writeFileSync(file, SAME_SIZE);
    },
    'core.trustctime off': (root, file) => {
      git(root, 'config', 'core.trustctime', 'false');
      const { atime, mtime } = statSync(file);
      writeFileSync(file, SAME_SIZE);
      utimesSync(file, atime, mtime);
    },
    'an index that has another content without the file': (root) => {
      const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: root, input: SAME_SIZE });
      git(root, 'update-index', '--cacheinfo', `100644,${blob.toString().trim()},a.ts`);
    },
    'a file that is only meant to be added': (root) => {
      git(root, 'rm', '-q', '--cached', 'a.ts');
      git(root, 'add', '-N', 'a.ts');
    },
    'a file in conflict': (root, file) => {
      git(root, 'checkout', '-qb', 'theirs');
      writeFileSync(file, SAME_SIZE);
      git(root, 'commit', '-qam', 'theirs');
      git(root, 'checkout', '-q', 'main');
      writeFileSync(file, 'export const a = 3;\n');
      git(root, 'commit', '-qam', 'ours');
      expect(() => execFileSync('git', ['merge', '-q', 'theirs'], { cwd: root, stdio: 'pipe' })).toThrow();
    },
    'a link in its place': (_, file) => {
      rmSync(file);
      symlinkSync('b.ts', file);
    },
  };
  it.each(Object.entries(edits))('are told of all files but the one with %s', async (_, edit) => {
    const root = await repositoryOf();
    await edit(root, path.join(root, 'a.ts'));
    await setTimeout(TICK_MS);
    git(root, 'update-index', '--force-write-index');
    expect((await toldIn(root)).filter((file) => file !== 'a.ts')).toEqual(REST);
    expect(await toldIn(root)).not.toContain('a.ts');
  });

  it('are not told of files as new as the index: a second edit in the same tick would leave no trace', async () => {
    const root = await repositoryOf();
    const seconds = Math.floor(lstatSync(path.join(root, 'a.ts')).mtimeMs) / 1000;
    utimesSync(path.join(root, '.git/index'), seconds, seconds);
    expect(await toldIn(root)).toEqual([]);
  });
});

describe('contents that Git converts', () => {
  it('are never told as the blob where line ends were converted', async () => {
    const mixed = { ...FILES, 'a.ts': 'one\ntwo\n', 'none.ts': 'export const none = 1;' };
    const origin = await repositoryOf(mixed);
    const clone = path.join(await tempFolder(), 'crlf');
    execFileSync('git', ['clone', '-q', '-c', 'core.autocrlf=true', origin, clone]);
    await age(clone);
    expect(readFileSync(path.join(clone, 'a.ts'), 'utf8')).toBe('one\r\ntwo\r\n');
    const { names, nameOf } = await namesIn(clone, Object.keys(mixed));
    expect(names['a.ts']?.told).not.toBe(nameOf('one\ntwo\n'));
    expect(names['a.ts']?.told).not.toBe(names['a.ts']?.real);
    // Without an end of line there is nothing to convert.
    expect(names['none.ts']?.told).toBe(names['none.ts']?.real);
  });

  it('are not told where a filter, an encoding or an id may have made others of the same size', async () => {
    const attributes = '*.ts filter=swap\n*.txt working-tree-encoding=ISO-8859-2\n*.c ident\n*.big filter=lfs\n';
    const files = {
      '.gitattributes': attributes,
      'a.ts': TEXT,
      'b.txt': 'plain\n',
      'c.c': `$Id: ${'0'.repeat(40)} $\n`,
      'd.big': 'version https://git-lfs.github.com/spec/v1\n',
      'e.py': 'e = 1\n',
      'sub/.gitattributes': '*.py -ident\nf.py !ident\n',
      'sub/f.py': 'f = 1\n',
      'sub/g.py': 'g = 1\n',
    };
    const root = await repositoryOf(files, (at) => {
      git(at, 'config', 'filter.swap.smudge', 'tr 1 2');
      git(at, 'config', 'filter.swap.clean', 'tr 2 1');
    });
    rmSync(path.join(root, 'a.ts'));
    git(root, 'checkout', '-q', 'a.ts');
    await age(root);
    expect(readFileSync(path.join(root, 'a.ts'), 'utf8')).toBe(SAME_SIZE);
    expect(await toldIn(root, Object.keys(files))).toEqual([
      '.gitattributes',
      'e.py',
      'sub/.gitattributes',
      'sub/f.py',
    ]);
  });

  it('are not told where attributes lie in the repository itself', async () => {
    const root = await repositoryOf();
    await mkdir(path.join(root, '.git/info'), { recursive: true });
    await writeFile(path.join(root, '.git/info/attributes'), '*.ts filter=swap\n');
    expect((await namesIn(root)).isOpen).toBe(false);
  });
});

describe('asking', () => {
  it('runs nothing that the repository names, and leaves its index as it is', async () => {
    const { script, hasRun, reset } = await canary();
    const root = await repositoryOf({ ...FILES, '.gitattributes': 'a.ts filter=evil diff=evil\n' });
    appendConfig(
      root,
      `[core]\n\tfsmonitor = ${script}\n\thooksPath = ${path.dirname(script)}\n\tpager = ${script}\n`,
      `[filter "evil"]\n\tclean = ${script}\n\tsmudge = ${script}\n`,
      `[diff "evil"]\n\ttextconv = ${script}\n\tcommand = ${script}\n[alias]\n\tls-files = !${script}\n`,
    );
    writeFileSync(path.join(root, 'a.ts'), SAME_SIZE);
    // Git itself would run it.
    git(root, 'status', '--short');
    expect(hasRun()).toBe(true);
    reset();
    const index = readFileSync(path.join(root, '.git/index'));
    expect(await toldIn(root)).toEqual(['b.ts', 'sub/c.ts']);
    expect(hasRun()).toBe(false);
    expect(readFileSync(path.join(root, '.git/index'))).toEqual(index);
  });
});

describe('nothing is told', () => {
  it('of a folder without Git, without an index or with a split one', async () => {
    expect((await namesIn(await tempFolder(FILES))).isOpen).toBe(false);
    const without = await repositoryOf();
    rmSync(path.join(without, '.git/index'));
    expect((await namesIn(without)).isOpen).toBe(false);
    const split = await repositoryOf();
    git(split, 'update-index', '--split-index');
    expect((await namesIn(split)).isOpen).toBe(false);
  });

  it('wrongly by a damaged index', async () => {
    const root = await repositoryOf();
    const index = path.join(root, '.git/index');
    const whole = readFileSync(index);
    for (let at = 0; at < whole.length; at += 23) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 0x55;
      await writeFile(index, bytes);
      const { names } = await namesIn(root);
      const real = Object.values(names).map((name) => name.real);
      // What is damaged in an id is the name of no content.
      for (const name of Object.values(names)) {
        if (name.told !== name.real) expect(real).not.toContain(name.told);
      }
    }
    await writeFile(index, 'no index');
    expect((await namesIn(root)).isOpen).toBe(false);
  });

  it('of files of another repository: a submodule, or a `.git` that leads elsewhere', async () => {
    const module = await repositoryOf({ 'm.ts': 'export const m = 1;\n' });
    const root = await repositoryOf(FILES, (at) => {
      git(at, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', module, 'module');
    });
    expect(await toldIn(root, [...Object.keys(FILES), 'module/m.ts'])).toEqual(Object.keys(FILES));
    const thief = await tempFolder(FILES);
    await writeFile(path.join(thief, '.git'), `gitdir: ${path.join(root, '.git')}\n`);
    expect((await namesIn(thief)).isOpen).toBe(false);
  });

  it('by ids of another kind', async () => {
    const root = await tempFolder(FILES);
    git(root, 'init', '-q', '--object-format=sha256');
    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'first');
    await age(root);
    expect(await toldIn(root)).toEqual([]);
  });
});

describe('what Git prints of its index', () => {
  const STATE =
    '  ctime: 1:500000000\n  mtime: 2:250000000\n  dev: 1\tino: 7\n  uid: 0\tgid: 0\n  size: 20\tflags: 0\n';
  const id = 'a'.repeat(40);

  it('is read whatever a path holds', () => {
    const odd = ' 0\tname\nwith lines';
    const output = `100644 ${id} 0\t${odd}\0${STATE}120000 ${id} 0\tlink\0${STATE}100755 ${id} 2\tb\0${STATE}`;
    const name = `${'a'.repeat(16)}00000014`;
    expect([...parseIndex(output)]).toEqual([[odd, { name, ino: 7, sizeBytes: 20, mtimeMs: 2250, ctimeMs: 1500 }]]);
  });

  it('is worth nothing in another form', () => {
    for (const other of [STATE.replace('ino', 'inode'), `${STATE}  more: 1\n`, '', STATE.slice(3)]) {
      expect(parseIndex(`100644 ${id} 0\ta\0${other}100644 ${id} 0\tb\0${STATE}`).get('b')).toBeUndefined();
    }
    expect(parseIndex('')).toEqual(new Map());
  });
});

it('a file that grows between two looks is told as it was at each', async () => {
  const root = await repositoryOf();
  await appendFile(path.join(root, 'a.ts'), 'more\n');
  expect(await toldIn(root)).toEqual(['b.ts', 'sub/c.ts']);
});

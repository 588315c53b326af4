/** What an untrusted folder's `.git` may say, and that nothing of it runs, connects, or is read from elsewhere. */
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../support/tempFolder';
import {
  appendBytes,
  appendConfig,
  canary,
  changeFile,
  commit,
  git,
  readTrusted,
  readUntrusted,
  repository,
} from './gitWorld';

const BAD_NAME = Buffer.from([0xff]);

/** Each has the folder's own git run a program: what the folder plants, given the program. */
const PROGRAMS: Readonly<Record<string, (at: string, script: string) => void>> = {
  'a filter whose name is no text': (at, script) => {
    appendConfig(at, '[filter "', BAD_NAME, `"]\n\tclean = ${script}\n`);
    appendBytes(path.join(at, '.gitattributes'), 'a.ts filter=', BAD_NAME, '\n');
  },
  'a filter whose name has a line break': (at, script) => {
    appendConfig(at, `[filter "a=b"]\n\tclean = ${script}\n`);
    appendBytes(path.join(at, '.git/info/attributes'), 'a.ts filter=a=b\n');
  },
  'a filter process of an included file': (at, script) => {
    appendConfig(at, '[include]\n\tpath = more\n');
    writeFileSync(path.join(at, '.git/more'), `[filter "two"]\n\tprocess = ${script}\n\trequired = true\n`);
    appendBytes(path.join(at, '.gitattributes'), 'a.ts filter=two\n');
  },
  'a filter included for this folder': (at, script) => {
    appendConfig(at, `[includeIf "gitdir:${at}/"]\n\tpath = more\n`);
    writeFileSync(path.join(at, '.git/more'), `[filter "x"]\n\tclean = ${script}\n`);
    appendBytes(path.join(at, '.gitattributes'), 'a.ts filter=x\n');
  },
  'a filter of a work tree’s own config': (at, script) => {
    appendConfig(at, '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n');
    writeFileSync(path.join(at, '.git/config.worktree'), `[filter "x"]\n\tclean = ${script}\n`);
    appendBytes(path.join(at, '.gitattributes'), 'a.ts filter=x\n');
  },
  'attributes in a file that the config names': (at, script) => {
    writeFileSync(path.join(at, 'attributes'), '* filter=x\n');
    appendConfig(at, `[core]\n\tattributesFile = ${at}/attributes\n[filter "x"]\n\tclean = ${script}\n`);
  },
  'a file system monitor': (at, script) => appendConfig(at, `[core]\n\tfsmonitor = ${script}\n`),
  'a hook of the index': (at, script) => {
    copyFileSync(script, path.join(at, '.git/hooks/post-index-change'));
    // The index is written only where something is to be refreshed.
    writeFileSync(path.join(at, 'src/b.ts'), '1\n');
  },
  'a hook in a folder that the config names': (at, script) => {
    mkdirSync(path.join(at, 'hooks'));
    copyFileSync(script, path.join(at, 'hooks/post-index-change'));
    appendConfig(at, `[core]\n\thooksPath = ${at}/hooks\n`);
    writeFileSync(path.join(at, 'src/b.ts'), '1\n');
  },
  'a text conversion': (at, script) => {
    appendConfig(at, `[diff "x"]\n\ttextconv = ${script}\n[log]\n\tdiffMerges = on\n`);
    appendBytes(path.join(at, '.gitattributes'), '*.ts diff=x\n');
  },
  'a diff program': (at, script) => appendConfig(at, `[diff]\n\texternal = ${script}\n`),
};

/** The user's own git, as a terminal would run it. */
function plainGit(at: string): void {
  for (const args of [['status'], ['diff'], ['log', '-p', '--ext-diff', '-1']]) {
    spawnSync('git', args, { cwd: at, env: { PATH: process.env.PATH, HOME: '/nonexistent' }, timeout: 10_000 });
  }
}

describe('programs that an untrusted folder names', () => {
  it.each(Object.keys(PROGRAMS))('does not run %s', async (name) => {
    const at = await repository();
    const { script, hasRun, reset } = await canary();
    PROGRAMS[name]?.(at, script);
    changeFile(at);
    const read = await readUntrusted(at);
    expect(hasRun()).toBe(false);
    expect(read).toMatchObject({ kind: 'text' });
    expect((read as { readonly changedPaths: readonly string[] }).changedPaths).toContain('a.ts');
    // The trap works.
    plainGit(at);
    expect(hasRun()).toBe(true);
    reset();
  });

  it('runs nothing for signatures, pagers, aliases, editors and credentials', async () => {
    const at = await repository();
    const { script, hasRun } = await canary();
    appendConfig(at, `[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${script}\n[core]\n\tpager = ${script}\n`);
    appendConfig(at, `\tsshCommand = ${script}\n\taskPass = ${script}\n\teditor = ${script}\n`);
    appendConfig(at, `[alias]\n\tstatus = !${script}\n\tlog = !${script}\n[credential]\n\thelper = ${script}\n`);
    appendConfig(at, `[trace2]\n\teventTarget = ${script}.trace\n[pager]\n\tlog = ${script}\n\tstatus = ${script}\n`);
    changeFile(at);
    expect(await readUntrusted(at)).toMatchObject({ kind: 'text' });
    expect(hasRun()).toBe(false);
    expect(existsSync(`${script}.trace`)).toBe(false);
  });

  it('does not ask a submodule, whose own config could name programs', async () => {
    const inner = await repository();
    const at = await repository();
    git(at, 'submodule', '--quiet', 'add', inner, 'sub');
    commit(at, 'submodule');
    const { script, hasRun } = await canary();
    appendBytes(path.join(at, '.git/modules/sub/config'), `[core]\n\tfsmonitor = ${script}\n`);
    writeFileSync(path.join(at, 'sub/a.ts'), '2\n');
    expect(await readUntrusted(at)).toMatchObject({ kind: 'text', changedPaths: [] });
    expect(hasRun()).toBe(false);
    plainGit(at);
    expect(hasRun()).toBe(true);
  });
});

/** A server of this machine that counts who comes. */
async function listener() {
  let count = 0;
  const server = createServer((socket) => {
    count++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { port, count: () => count, close: () => new Promise((resolve) => server.close(resolve)) };
}

const REMOTES: Readonly<Record<string, (port: number) => string>> = {
  ftp: (port) => `[protocol "ftp"]\n\tallow = always\n[remote "origin"]\n\turl = ftp://127.0.0.1:${port}/x\n`,
  ftps: (port) => `[protocol "ftps"]\n\tallow = always\n[remote "origin"]\n\turl = ftps://127.0.0.1:${port}/x\n`,
  http: (port) => `[protocol "http"]\n\tallow = always\n[remote "origin"]\n\turl = http://127.0.0.1:${port}/x\n`,
  git: (port) => `[protocol "git"]\n\tallow = always\n[remote "origin"]\n\turl = git://127.0.0.1:${port}/x\n`,
  vcs: (port) =>
    `[protocol "ftp"]\n\tallow = always\n[remote "origin"]\n\tvcs = ftp\n\turl = ftp://127.0.0.1:${port}/x\n`,
  insteadOf: (port) =>
    `[protocol "ftp"]\n\tallow = always\n[remote "origin"]\n\turl = safe:x\n[url "ftp://127.0.0.1:${port}/"]\n\tinsteadOf = safe:\n`,
};

function helperOf(kind: string): string {
  return kind === 'vcs' || kind === 'insteadOf' ? 'ftp' : kind;
}

/** The user's own git, while the server answers. */
function plainStatus(at: string): Promise<void> {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent' };
  return new Promise((resolve) => {
    execFile('git', ['status'], { cwd: at, env, timeout: 10_000 }, () => resolve());
  });
}

describe('the network, with objects that a partial clone left at its remote', () => {
  it.each(Object.keys(REMOTES))(
    'is not used: %s',
    async (kind) => {
      const at = await repository();
      const server = await listener();
      appendConfig(at, '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n');
      appendConfig(at, REMOTES[kind]?.(server.port) ?? '', '[remote "origin"]\n\tpromisor = true\n');
      const tree = git(at, 'rev-parse', 'HEAD^{tree}').trim();
      const lost = path.join(at, '.git/objects', tree.slice(0, 2), tree.slice(2));
      chmodSync(lost, 0o644);
      rmSync(lost);
      git(at, 'read-tree', '--empty');
      expect(await readUntrusted(at)).toEqual({ kind: 'refused' });
      expect(await readTrusted(at)).toMatchObject({ kind: 'absent' });
      expect(server.count()).toBe(0);
      // The trap works, with the remote helpers that this git has.
      await plainStatus(at);
      const isKnown =
        kind === 'git' || existsSync(path.join(git(at, '--exec-path').trim(), `git-remote-${helperOf(kind)}`));
      expect(server.count() > 0).toBe(isKnown);
      await server.close();
    },
    30_000,
  );
});

/** Each leads git to the repository `other`, which is none of the folder's. */
const ELSEWHERE: Readonly<Record<string, (at: string, other: string) => void>> = {
  'a .git file': (at, other) => writeFileSync(path.join(at, '.git'), `gitdir: ${other}/.git\n`),
  'a .git link': (at, other) => symlinkSync(path.join(other, '.git'), path.join(at, '.git')),
  'a .git file by a link of the folder': (at, other) => {
    symlinkSync(path.join(other, '.git'), path.join(at, 'way'));
    writeFileSync(path.join(at, '.git'), 'gitdir: way\n');
  },
  'a work tree that the repository does not list': (at, other) => {
    const own = path.join(at, 'own');
    mkdirSync(own);
    copyFileSync(path.join(other, '.git/HEAD'), path.join(own, 'HEAD'));
    writeFileSync(path.join(own, 'commondir'), `${other}/.git\n`);
    writeFileSync(path.join(own, 'gitdir'), `${at}/.git\n`);
    writeFileSync(path.join(at, '.git'), 'gitdir: own\n');
  },
  'the place of another work tree': (at, other) => {
    git(other, 'worktree', 'add', '-q', `${at}-tree`);
    writeFileSync(path.join(at, '.git'), `gitdir: ${other}/.git/worktrees/${path.basename(at)}-tree\n`);
  },
  'a commondir in a .git folder': (at, other) => {
    git(at, 'init', '-q');
    writeFileSync(path.join(at, '.git/commondir'), `${other}/.git\n`);
  },
  'a core.worktree': (at, other) => {
    git(at, 'init', '-q');
    appendConfig(at, `[core]\n\tworktree = ${other}\n`);
  },
  alternates: (at, other) => {
    git(at, 'init', '-q');
    writeFileSync(path.join(at, '.git/objects/info/alternates'), `${other}/.git/objects\n`);
    writeFileSync(path.join(at, '.git/refs/heads/main'), git(other, 'rev-parse', 'HEAD'));
  },
  'an object folder that is a link': (at, other) => {
    git(at, 'init', '-q');
    rmSync(path.join(at, '.git/objects'), { recursive: true });
    symlinkSync(path.join(other, '.git/objects'), path.join(at, '.git/objects'));
    writeFileSync(path.join(at, '.git/refs/heads/main'), git(other, 'rev-parse', 'HEAD'));
  },
  'refs that are a link': (at, other) => {
    git(at, 'init', '-q');
    cpSync(path.join(other, '.git/objects'), path.join(at, '.git/objects'), { recursive: true });
    rmSync(path.join(at, '.git/refs/heads'), { recursive: true });
    symlinkSync(path.join(other, '.git/refs/heads'), path.join(at, '.git/refs/heads'));
  },
  'a ref by a path that leads out': (at, other) => {
    git(at, 'init', '-q');
    cpSync(path.join(other, '.git/objects'), path.join(at, '.git/objects'), { recursive: true });
    const up = path.relative(path.join(at, '.git'), path.join(other, '.git/refs/heads/main'));
    writeFileSync(path.join(at, '.git/HEAD'), `ref: refs/../${up}\n`);
  },
  'an index that is a link': (at, other) => {
    git(at, 'init', '-q');
    symlinkSync(path.join(other, '.git/index'), path.join(at, '.git/index'));
  },
};

describe('a repository that an untrusted folder leads to', () => {
  it.each(Object.keys(ELSEWHERE))('is not shown: %s', async (name) => {
    const other = await repository();
    const at = await tempFolder({ 'mine.ts': '1\n' });
    ELSEWHERE[name]?.(at, other);
    const read = await readUntrusted(at);
    expect(read).toEqual({ kind: 'refused' });
  });

  it('is shown where the folder is trusted, as the user’s git does', async () => {
    const other = await repository();
    const at = await tempFolder();
    writeFileSync(path.join(at, '.git'), `gitdir: ${other}/.git\n`);
    expect((await readTrusted(at)).kind).toBe('text');
  });

  it('is not a place of the environment either', async () => {
    const other = await repository();
    const at = await tempFolder();
    const env = {
      ...process.env,
      GIT_DIR: path.join(other, '.git'),
      GIT_WORK_TREE: other,
      GIT_INDEX_FILE: path.join(other, '.git/index'),
      GIT_OBJECT_DIRECTORY: path.join(other, '.git/objects'),
    };
    expect(await readUntrusted(at, env)).toEqual({ kind: 'absent' });
    expect(await readTrusted(at, env)).toEqual({ kind: 'absent' });
    const own = await repository();
    expect(await readUntrusted(own, env)).toEqual(await readUntrusted(own));
    expect(await readTrusted(own, env)).toEqual(await readTrusted(own));
  });
});

describe('an index with paths that lead out', () => {
  it.each(['..', 'src/../..', ''])('does not have git look there: %j', async (way) => {
    const at = await repository();
    const outside = await tempFolder({ secret: 'said\n' });
    const hostile = way === '' ? path.join(outside, 'secret') : `${way}/${path.basename(outside)}/secret`;
    // A path of the same length is added, and then changed in the file.
    const added = 'x'.repeat(hostile.length);
    writeFileSync(path.join(at, added), 'other\n');
    git(at, 'add', added);
    rmSync(path.join(at, added));
    const index = path.join(at, '.git/index');
    const bytes = readFileSync(index).subarray(0, -20);
    bytes.set(Buffer.from(hostile), bytes.indexOf(added));
    writeFileSync(index, Buffer.concat([bytes, createHash('sha1').update(bytes).digest()]));
    changeFile(at);
    expect(await readUntrusted(at)).toMatchObject({ kind: 'text', changedPaths: ['a.ts'] });
    // The trap works.
    expect(git(at, 'status', '--porcelain')).toContain('/secret');
  });
});

function pipe(file: string): void {
  rmSync(file, { force: true, recursive: true });
  mkdirSync(path.dirname(file), { recursive: true });
  expect(spawnSync('mkfifo', [file]).status).toBe(0);
}

describe('pipes in an untrusted .git', () => {
  it.each([
    'HEAD',
    'index',
    'config',
    'packed-refs',
    'refs/heads/main',
    'info/exclude',
    'shallow',
    'commondir',
    'sharedindex.0000000000000000000000000000000000000000',
    'objects/pack/pack-1.idx',
    'objects/info/commit-graph',
    'objects/info/alternates',
    'objects',
  ])('hold nothing up: %s', async (name) => {
    const at = await repository();
    if (name === 'packed-refs') rmSync(path.join(at, '.git/refs/heads/main'));
    pipe(path.join(at, '.git', name));
    const started = performance.now();
    const read = await readUntrusted(at);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(read.kind).toBe(name === 'info/exclude' || name === 'shallow' ? 'text' : 'refused');
  });

  it('hold nothing up: the object that HEAD names, and the .git file itself', async () => {
    const at = await repository();
    const hash = git(at, 'rev-parse', 'HEAD').trim();
    pipe(path.join(at, '.git/objects', hash.slice(0, 2), hash.slice(2)));
    expect(await readUntrusted(at)).toEqual({ kind: 'refused' });
    const other = await tempFolder();
    pipe(path.join(other, '.git'));
    expect(await readUntrusted(other)).toEqual({ kind: 'absent' });
  });
});

describe('PATH', () => {
  it.each(['', '.', 'bin', './bin', '{folder}', '{folder}/bin', '{link}'])(
    'with %j runs no git of the folder',
    async (entry) => {
      const at = await repository();
      const { script, hasRun } = await canary();
      mkdirSync(path.join(at, 'bin'));
      for (const file of ['git', 'bin/git']) copyFileSync(script, path.join(at, file));
      const link = path.join(await tempFolder(), 'link');
      symlinkSync(path.join(at, 'bin'), link);
      const first = entry.replace('{folder}', at).replace('{link}', link);
      const env = { ...process.env, PATH: `${first}:${process.env.PATH}` };
      expect((await readUntrusted(at, env)).kind).toBe('text');
      expect(hasRun()).toBe(false);
      // The trap works: this is how a system looks a program up.
      spawnSync('/bin/sh', ['-c', 'git status'], { cwd: at, env });
      expect(hasRun()).toBe(true);
    },
  );
});

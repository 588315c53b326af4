/** An ordinary repository, whatever its layout, is the same with and without trust. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MISSING_WITHOUT_TRUST } from '../../../../src/core/pipeline/collect/gitQuestions';
import type { GitRead } from '../../../../src/core/pipeline/collect/gitSource';
import { phrase } from '../../../../src/core/text/phrase';
import { tempFolder } from '../../../support/tempFolder';
import { appendConfig, changeFile, commit, git, readDates, readTrusted, readUntrusted, repository } from './gitWorld';

/** Without the line on what is missing, and without what only a trusted folder shows. */
function lines(read: GitRead): readonly string[] {
  if (read.kind !== 'text') return [read.kind];
  const text = read.text.replace(', upstream not read', '');
  return text.split('\n').filter((line) => line !== MISSING_WITHOUT_TRUST);
}

const LAYOUTS: Readonly<Record<string, () => Promise<string>>> = {
  'a plain repository with changes of every kind': async () => {
    const at = await repository();
    for (const name of ['c.ts', 'd.ts', 'e.ts']) writeFileSync(path.join(at, name), `${name}\n`);
    commit(at, 'second');
    changeFile(at);
    git(at, 'mv', 'c.ts', 'src/renamed.ts');
    git(at, 'rm', '-q', 'd.ts');
    chmodSync(path.join(at, 'e.ts'), 0o755);
    mkdirSync(path.join(at, 'new'));
    writeFileSync(path.join(at, 'new/x.ts'), '');
    writeFileSync(path.join(at, 'secret.log'), '');
    writeFileSync(path.join(at, '.git/info/exclude'), '*.log\n');
    return at;
  },
  'packed refs and objects': async () => {
    const at = await repository();
    commit(at, 'second');
    git(at, 'gc', '-q');
    expect(existsSync(path.join(at, '.git/refs/heads/main'))).toBe(false);
    return at;
  },
  'a detached HEAD': async () => {
    const at = await repository();
    git(at, 'checkout', '-q', '--detach');
    return at;
  },
  'a branch whose name has folders': async () => {
    const at = await repository();
    git(at, 'checkout', '-q', '-b', 'feat/ünï/x.y');
    return at;
  },
  'no commit yet': async () => {
    const at = await tempFolder({ 'a.ts': '1' });
    git(at, 'init', '-q');
    git(at, 'add', 'a.ts');
    return at;
  },
  'a conflict': async () => {
    const at = await repository();
    git(at, 'checkout', '-q', '-b', 'other');
    changeFile(at);
    commit(at, 'theirs');
    git(at, 'checkout', '-q', 'main');
    writeFileSync(path.join(at, 'a.ts'), '3\n');
    commit(at, 'ours');
    expect(() => git(at, 'merge', 'other')).toThrow();
    return at;
  },
  'a subfolder': async () => {
    const at = await repository();
    changeFile(at);
    writeFileSync(path.join(at, 'src/b.ts'), '2\n');
    writeFileSync(path.join(at, 'src/new.ts'), '2\n');
    return path.join(at, 'src');
  },
  'a linked work tree': async () => {
    const at = path.join(await tempFolder(), 'tree');
    git(await repository(), 'worktree', 'add', '-q', '-b', 'side', at);
    changeFile(at);
    return at;
  },
  'a linked work tree of a bare repository with settings of its own': async () => {
    const bare = path.join(await tempFolder(), 'bare.git');
    git(await repository(), 'clone', '-q', '--bare', '.', bare);
    git(bare, 'config', 'extensions.worktreeConfig', 'true');
    git(bare, 'config', '--unset', 'core.bare');
    git(bare, 'config', '--file', 'config.worktree', 'core.bare', 'true');
    const at = path.join(await tempFolder(), 'tree');
    git(bare, 'worktree', 'add', '-q', '-b', 'side', at);
    git(at, 'config', '--worktree', 'core.autocrlf', 'input');
    changeFile(at);
    return at;
  },
  'a submodule': async () => {
    const at = await repository();
    git(at, 'submodule', '--quiet', 'add', await repository(), 'lib/sub');
    writeFileSync(path.join(at, 'lib/sub/a.ts'), '2\n');
    return path.join(at, 'lib/sub');
  },
  'a repository that lies beside its .git file': async () => {
    const at = await repository();
    renameSync(path.join(at, '.git'), path.join(at, '.repository'));
    writeFileSync(path.join(at, '.git'), 'gitdir: ./.repository\n');
    return at;
  },
  'SHA-256': () => repository('--object-format=sha256'),
  'a shallow clone': async () => {
    const origin = await repository();
    for (const message of ['two', 'three', 'four']) commit(origin, message);
    const at = await tempFolder();
    git(at, 'clone', '-q', '--depth=2', `file://${origin}`, '.');
    git(at, 'checkout', '-q', '--detach');
    return at;
  },
  'a clone without blobs': async () => {
    const origin = await repository();
    git(origin, 'config', 'uploadpack.allowFilter', 'true');
    const at = await tempFolder();
    git(at, 'clone', '-q', '--filter=blob:none', `file://${origin}`, '.');
    git(at, 'checkout', '-q', '--detach');
    changeFile(at);
    return at;
  },
  'a sparse checkout': async () => {
    const at = await repository();
    git(at, 'sparse-checkout', 'set', '--cone', '--sparse-index', 'src');
    writeFileSync(path.join(at, 'src/b.ts'), '2\n');
    return at;
  },
  'a symbolic ref to a branch': async () => {
    const at = await repository();
    git(at, 'symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    git(at, 'symbolic-ref', 'HEAD', 'refs/heads/alias');
    return at;
  },
  'an index of another version with an untracked cache': async () => {
    const at = await repository();
    git(at, 'update-index', '--index-version', '4', '--untracked-cache');
    writeFileSync(path.join(at, 'new.ts'), '');
    git(at, 'status');
    return at;
  },
  'a split index': async () => {
    const at = await repository();
    git(at, 'update-index', '--split-index');
    writeFileSync(path.join(at, 'new.ts'), '');
    git(at, 'add', 'new.ts');
    expect(readdirSync(path.join(at, '.git')).some((name) => name.startsWith('sharedindex.'))).toBe(true);
    return at;
  },
  'a bare repository': async () => {
    const at = path.join(await tempFolder(), 'bare.git');
    git(await repository(), 'clone', '-q', '--bare', '.', at);
    return at;
  },
  'no repository': () => tempFolder({ 'a.ts': '' }),
};

describe('an ordinary repository', () => {
  it.each(Object.keys(LAYOUTS))('is the same with and without trust: %s', async (name) => {
    const at = (await LAYOUTS[name]?.()) ?? '';
    const [untrusted, trusted] = [await readUntrusted(at), await readTrusted(at)];
    expect(lines(untrusted)).toEqual(lines(trusted));
    expect(untrusted).toMatchObject({ kind: trusted.kind, ...('note' in trusted ? { note: trusted.note } : {}) });
    const expected = name === 'a bare repository' || name === 'no repository' ? 'absent' : 'text';
    expect(trusted.kind).toBe(expected);
  });

  it('loses its upstream without trust, and says so', async () => {
    const origin = await repository();
    const at = await tempFolder();
    git(at, 'clone', '-q', origin, '.');
    commit(at, 'ours');
    const [untrusted, trusted] = [await readUntrusted(at), await readTrusted(at)];
    expect(lines(trusted)[0]).toBe('SUMMARY:OK:On main, 1 ahead of origin/main: clean');
    const text = untrusted.kind === 'text' ? untrusted.text : '';
    expect(text).toMatch(/^SUMMARY:OK:On main, upstream not read: clean\n/);
    expect(text).toContain(MISSING_WITHOUT_TRUST);
  });

  it.each<readonly [string, (at: string) => void]>([
    ['a newer format', (at) => appendConfig(at, '[core]\n\trepositoryformatversion = 7\n')],
    [
      'refs in tables',
      (at) => appendConfig(at, '[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = reftable\n'),
    ],
    ['a config that git cannot read', (at) => appendConfig(at, '[core\n')],
  ])('of a rare format is not read without trust: %s', async (_name, change) => {
    const at = await repository();
    change(at);
    expect(await readUntrusted(at)).toEqual({ kind: 'refused' });
  });

  it('is left as it is', async () => {
    const at = await repository();
    // Same content, newer time: a plain `git status` would now rewrite the index.
    writeFileSync(path.join(at, 'a.ts'), '1\n');
    const before = readFileSync(path.join(at, '.git/index'));
    const names = () => readdirSync(path.join(at, '.git'), { recursive: true }).sort();
    const all = names();
    expect(await readUntrusted(at)).toMatchObject({ note: phrase('clean') });
    expect(readFileSync(path.join(at, '.git/index')).equals(before)).toBe(true);
    expect(names()).toEqual(all);
  });
});

describe('days of last commits', () => {
  /** A repository of two folders, committed on a day each, opened at `app/` or at its root. */
  async function dated(): Promise<string> {
    const at = await repository();
    for (const [day, name] of [
      ['2026-01-30', 'app/memory/old.md'],
      ['2026-02-03', 'app/memory/ünï "x".md'],
      ['2026-02-04', 'other.md'],
    ] as const) {
      mkdirSync(path.join(at, path.dirname(name)), { recursive: true });
      writeFileSync(path.join(at, name), `${name}\n`);
      commit(at, name, `${day}T23:30:00+09:00`);
    }
    return at;
  }

  it('are known with trust and without, by paths below the opened folder, of the asked folders alone', async () => {
    const at = await dated();
    const inRoot = { 'app/memory/old.md': '2026-01-30', 'app/memory/ünï "x".md': '2026-02-03' };
    expect(await readDates(at, ['app/memory/'])).toEqual({ trusted: inRoot, untrusted: inRoot });
    const inApp = { 'memory/old.md': '2026-01-30', 'memory/ünï "x".md': '2026-02-03' };
    expect(await readDates(path.join(at, 'app'), ['memory/'])).toEqual({ trusted: inApp, untrusted: inApp });
    expect(await readDates(path.join(at, 'app'), [''])).toEqual({ trusted: inApp, untrusted: inApp });
  });

  it('are none without a repository or commits', async () => {
    expect(await readDates(await tempFolder(), ['a/'])).toEqual({ trusted: {}, untrusted: {} });
    const empty = await tempFolder();
    git(empty, 'init', '-q');
    expect(await readDates(empty, ['a/'])).toEqual({ trusted: {}, untrusted: {} });
  });
});

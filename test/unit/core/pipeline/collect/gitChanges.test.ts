import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ChangesError, parseDiff, readChanges } from '../../../../../src/core/pipeline/collect/gitChanges';
import { NEVER_ABORTED, neverRan, type ProcessOutcome, type ProcessRunner } from '../../../../../src/core/ports/ports';
import { inEnglish } from '../../../../../src/core/text/phrase';
import { NodeProcessRunner } from '../../../../../src/node/process/processRunner';
import { tempFolder } from '../../../../support/tempFolder';
import { commit, git } from '../../../node/git/gitWorld';

function runner(at: string): ProcessRunner {
  return new NodeProcessRunner(at, { PATH: process.env.PATH, HOME: '/nonexistent' });
}

const changesOf = (at: string, base?: string) => readChanges(runner(at), true, base, NEVER_ABORTED);

const reasonOf = async (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => 'no error',
    (error: unknown) => (ChangesError.is(error) ? `${error.reason}: ${error.message}` : String(error)),
  );

async function world(files: Readonly<Record<string, string>>): Promise<string> {
  const at = await tempFolder(files);
  git(at, 'init', '-q', '--template=');
  commit(at, 'first');
  return at;
}

const write = (at: string, name: string, text: string): void => writeFileSync(path.join(at, name), text);

describe('readChanges', () => {
  it('reads commits of a branch, staged, unstaged and untracked files since the merge base', async () => {
    const at = await world({ 'a.ts': 'a\nb\nc\n', 'b.ts': '1\n', 'c.ts': '1\n', 'gone.ts': 'x\n' });
    git(at, 'checkout', '-q', '-b', 'work');
    write(at, 'a.ts', 'a\nB\nc\n');
    commit(at, 'second');
    git(at, 'checkout', '-q', 'main');
    write(at, 'b.ts', 'of main alone\n');
    commit(at, 'third');
    git(at, 'checkout', '-q', 'work');
    write(at, 'c.ts', '1\n2\n3\n');
    git(at, 'add', 'c.ts');
    write(at, 'c.ts', '1\n2\n');
    write(at, 'new.ts', 'n\n');
    rmSync(path.join(at, 'gone.ts'));
    const { base, files, note } = await changesOf(at);
    expect([base, note]).toEqual(['main', undefined]);
    expect(files).toEqual([
      { path: 'a.ts', oldPath: 'a.ts', kind: 'changed', hunks: [{ start: 2, lines: 1, removed: 1 }] },
      { path: 'c.ts', oldPath: 'c.ts', kind: 'changed', hunks: [{ start: 2, lines: 1, removed: 0 }] },
      { path: 'gone.ts', oldPath: 'gone.ts', kind: 'deleted', hunks: [{ start: 0, lines: 0, removed: 1 }] },
      { path: 'new.ts', oldPath: 'new.ts', kind: 'added', hunks: undefined },
    ]);
  });

  it('prefers the main branch of the remote, and says its name', async () => {
    const at = await world({ 'a.ts': '1\n' });
    git(at, 'update-ref', 'refs/remotes/origin/trunk', 'HEAD');
    git(at, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk');
    write(at, 'a.ts', '2\n');
    commit(at, 'second');
    const { base, files } = await changesOf(at);
    expect([base, files.map((file) => file.path)]).toEqual(['origin/trunk', ['a.ts']]);
  });

  it('reads names with blanks, quotes, line ends and text beyond ASCII, and lines that look like headers', async () => {
    const names = ['x y.ts', 'q"t.ts', 'häß.ts', '-p.ts', ' lead.ts', 'a b/c d.ts'];
    // No safe path of a folder: nothing else in the product reads such files either.
    const unsafe = ['line\n.ts', 'tab\t.ts', 'back\\.ts'];
    const at = await world(Object.fromEntries([...names, ...unsafe].map((name) => [name, '-- a/other.ts\nb\n'])));
    for (const name of [...names, ...unsafe]) write(at, name, '++ b/other.ts\n@@ -1 +9,9 @@\nb\n');
    const { files } = await changesOf(at);
    expect(files.map((file) => file.path)).toEqual([...names].sort());
    for (const { hunks } of files) expect(hunks).toEqual([{ start: 1, lines: 2, removed: 1 }]);
  });

  it('follows renames, and leaves out binaries’ lines, modes, links and submodules', async () => {
    const text = Array.from({ length: 30 }, (_, line) => `line ${line}\n`).join('');
    const at = await world({ 'old.ts': text, 'bin.ts': 'a\0b\n', 'mode.ts': 'm\n' });
    git(at, 'mv', 'old.ts', 'now.ts');
    write(at, 'now.ts', `${text}more\n`);
    write(at, 'bin.ts', 'c\0d\n');
    chmodSync(path.join(at, 'mode.ts'), 0o755);
    symlinkSync('mode.ts', path.join(at, 'link.ts'));
    git(at, 'add', '-A');
    git(at, 'update-index', '--add', '--cacheinfo', `160000,${git(at, 'rev-parse', 'HEAD').trim()},sub`);
    const { files } = await changesOf(at);
    expect(files).toEqual([
      { path: 'bin.ts', oldPath: 'bin.ts', kind: 'changed', hunks: undefined },
      { path: 'mode.ts', oldPath: 'mode.ts', kind: 'changed', hunks: [] },
      { path: 'now.ts', oldPath: 'old.ts', kind: 'changed', hunks: [{ start: 31, lines: 1, removed: 0 }] },
    ]);
  });

  it('is about the opened folder alone, below the repository’s root, and ignores diff settings', async () => {
    const top = await world({ 'app/a.ts': '1\n', 'lib/b.ts': '1\n' });
    git(top, 'config', 'diff.noprefix', 'true');
    git(top, 'config', 'diff.external', 'false');
    git(top, 'config', 'color.ui', 'always');
    write(top, 'app/a.ts', '2\n');
    write(top, 'lib/b.ts', '2\n');
    const { files } = await changesOf(path.join(top, 'app'));
    expect(files).toEqual([
      { path: 'a.ts', oldPath: 'a.ts', kind: 'changed', hunks: [{ start: 1, lines: 1, removed: 1 }] },
    ]);
  });

  it('works on a detached HEAD', async () => {
    const at = await world({ 'a.ts': '1\n' });
    git(at, 'checkout', '-q', '--detach');
    write(at, 'a.ts', '2\n');
    expect((await changesOf(at)).files).toHaveLength(1);
  });

  it('says what is wrong: trust, no repository, no commit, no such base, nothing in common', async () => {
    const at = await world({ 'a.ts': '1\n' });
    expect(await reasonOf(readChanges(runner(at), false, undefined, NEVER_ABORTED))).toContain('untrusted: ');
    expect(await reasonOf(readChanges(undefined, true, undefined, NEVER_ABORTED))).toContain('untrusted: ');
    const plain = await tempFolder({ 'a.ts': '1\n' });
    expect(await reasonOf(changesOf(plain))).toContain('noRepository: ');
    expect(await reasonOf(changesOf(plain, 'main'))).toContain('noRepository: ');
    git(plain, 'init', '-q', '--template=');
    expect(await reasonOf(changesOf(plain, 'HEAD'))).toContain('noRepository: ');
    for (const unknown of ['nowhere', 'HEAD~1', 'HEAD^', 'HEADS'])
      expect(await reasonOf(changesOf(at, unknown))).toContain(`noBase: Git knows no commit "${unknown}"`);
    for (const odd of ['--output=x', '-h', 'a..b', 'a b', 'HEAD:a.ts', '', 'x'.repeat(600)])
      expect(await reasonOf(changesOf(at, odd))).toContain('is no name of a branch');
    git(at, 'branch', '-m', 'main', 'work');
    git(at, 'checkout', '-q', '--orphan', 'alone');
    commit(at, 'unrelated');
    expect(await reasonOf(changesOf(at, 'work'))).toContain('no commit in common');
  });

  it.each<readonly [string, Partial<ProcessOutcome>, string]>([
    ['there is no Git', { kind: 'notStarted', errorCode: 'ENOENT' }, 'Git is not installed'],
    ['Git takes too long', { kind: 'timedOut' }, 'Git took too long to say what changed. Try again.'],
    [
      'Git fails, by its last line',
      { kind: 'exited', exitCode: 3, stderr: 'warning: odd\nfatal: broken\n' },
      'Git could not say what changed: fatal: broken',
    ],
    ['Git says nothing', { kind: 'flooded' }, 'Git could not say what changed: flooded'],
    [
      'Git may not be started',
      { kind: 'notStarted', errorCode: 'EACCES' },
      'Git could not say what changed: notStarted',
    ],
  ])('says so when %s', async (_, outcome, words) => {
    const processes: ProcessRunner = { run: async () => ({ ...neverRan('notStarted'), ...outcome }) };
    expect(await reasonOf(readChanges(processes, true, undefined, NEVER_ABORTED))).toContain(`failed: ${words}`);
  });

  it('knows the files of a diff that is too large, without their lines', async () => {
    const outcome = (stdout: string): ProcessOutcome => ({
      ...neverRan('notStarted'),
      kind: 'exited',
      exitCode: 0,
      stdout,
    });
    const asked: string[] = [];
    const processes: ProcessRunner = {
      run: async ({ argv, maxOutputBytes }) => {
        const words = argv.join(' ');
        asked.push(words);
        if (words.includes('merge-base')) return outcome(`${'a'.repeat(40)}\n`);
        if (words.includes('--patch')) {
          expect(maxOutputBytes).toBeLessThanOrEqual(16_000_000);
          return { ...neverRan('notStarted'), kind: 'flooded' };
        }
        return words.includes(' diff ') ? outcome(`:100644 100644 a b M\0a.ts\0${'9\t9\ta.ts'}\0`) : outcome('');
      },
    };
    const { files, note } = await readChanges(processes, true, 'main', NEVER_ABORTED);
    expect([files, note && inEnglish(note)]).toEqual([
      [{ path: 'a.ts', oldPath: 'a.ts', kind: 'changed', hunks: undefined }],
      'The diff is too large to read: all definitions of changed files are listed.',
    ]);
    expect(asked).toHaveLength(4);
  });
});

describe('where the default base cannot be compared with', () => {
  const shown = async (at: string, base?: string) => {
    const { base: against, files, note } = await changesOf(at, base);
    return {
      against,
      files: files.map(({ path: name, hunks }) => [name, hunks?.length]),
      note: note && inEnglish(note),
    };
  };

  /** A repository with a branch `work` that changed `a.ts`, to clone from. */
  async function origin(): Promise<string> {
    const at = await world({ 'a.ts': 'a\nb\n', 'b.ts': '1\n' });
    git(at, 'config', 'uploadpack.allowFilter', 'true');
    git(at, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
    git(at, 'checkout', '-q', '-b', 'work');
    write(at, 'a.ts', 'a\nB\n');
    commit(at, 'second');
    git(at, 'checkout', '-q', 'main');
    write(at, 'b.ts', '2\n');
    commit(at, 'third');
    return at;
  }

  async function clone(...options: readonly string[]): Promise<string> {
    const at = path.join(await tempFolder({}), 'clone');
    git(path.dirname(at), 'clone', '-q', '--no-local', '--branch', 'work', ...options, `file://${await origin()}`, at);
    return at;
  }

  it('lists what is not committed without a main branch, and says so', async () => {
    const at = await world({ 'a.ts': '1\n', 'b.ts': '1\n' });
    git(at, 'branch', '-m', 'main', 'work');
    write(at, 'b.ts', '2\n');
    expect(await shown(at)).toEqual({
      against: 'HEAD',
      files: [['b.ts', 1]],
      note: 'No origin/HEAD, main or master to compare with: only uncommitted changes are listed.',
    });
  });

  it('lists what is not committed in a shallow clone without the common commit, also on a detached HEAD', async () => {
    const at = await clone('--depth=1', '--no-single-branch');
    write(at, 'b.ts', '1\n2\n');
    const expected = {
      against: 'HEAD',
      files: [['b.ts', 1]],
      note: 'HEAD cannot be compared with origin/main in this clone (shallow or partial): only uncommitted changes are listed.',
    };
    expect(await shown(at)).toEqual(expected);
    git(at, 'checkout', '-q', '--detach');
    expect(await shown(at)).toEqual(expected);
    // Who names a base is told that it does not work.
    expect(await reasonOf(changesOf(at, 'origin/main'))).toContain('in a shallow clone, run "git fetch --unshallow"');
  });

  it('lists all of the changed files in a clone without old texts, and asks no remote for them', async () => {
    const at = await clone('--filter=blob:none');
    expect(await shown(at)).toEqual({
      against: 'origin/main',
      files: [['a.ts', undefined]],
      note: 'Git lacks old texts in this clone: all definitions of changed files are listed.',
    });
    write(at, 'b.ts', '1\n2\n');
    expect((await shown(at)).files).toEqual([
      ['a.ts', undefined],
      ['b.ts', undefined],
    ]);
    expect((await shown(at, 'origin/main')).files).toHaveLength(2);
  });

  it('lists what is not committed in a clone without old folders', async () => {
    const at = await clone('--filter=tree:0');
    write(at, 'b.ts', '1\n2\n');
    const { against, files, note } = await shown(at);
    expect([against, files]).toEqual(['HEAD', [['b.ts', 1]]]);
    expect(note).toContain('(shallow or partial)');
  });

  it('lists all of a changed file whose old text is damaged', async () => {
    const at = await world({ 'a.ts': 'a\nb\n' });
    write(at, 'a.ts', 'a\nB\n');
    const hash = git(at, 'rev-parse', 'HEAD:a.ts').trim();
    rmSync(path.join(at, '.git/objects', hash.slice(0, 2), hash.slice(2)));
    const { files, note } = await shown(at);
    expect(files).toEqual([['a.ts', undefined]]);
    expect(note).toContain('Git lacks old texts');
  });
});

describe('parseDiff', () => {
  it('passes over what it does not know, and ends', () => {
    for (const odd of ['', '\0', ':x', 'a\0b\0', ':100644 100644 a b R090\0a', '\0\0diff --git', '3\t3\t\0a'])
      expect(parseDiff(odd).length).toBeLessThan(2);
  });
});

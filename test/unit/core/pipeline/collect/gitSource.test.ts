import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { SectionCollector } from '../../../../../src/core/pipeline/collect/collector';
import { MISSING_WITHOUT_TRUST } from '../../../../../src/core/pipeline/collect/gitQuestions';
import {
  type GitRead,
  readGit,
  readHead,
  readHistory,
  readTrackedIgnored,
} from '../../../../../src/core/pipeline/collect/gitSource';
import { describeFailure } from '../../../../../src/core/pipeline/route/route';
import { type GitDirectorySource, NEVER_ABORTED } from '../../../../../src/core/ports/ports';
import { inEnglish, phrase } from '../../../../../src/core/text/phrase';
import { NodeProcessRunner } from '../../../../../src/node/process/processRunner';
import { MemoryFiles } from '../../../../support/memoryFiles';
import { FakeProcesses } from './fakeProcesses';

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const at = realpathSync(mkdtempSync(path.join(tmpdir(), 'cb-git-')));
  made.push(at);
  return at;
}

function git(cwd: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...identity, '-c', 'commit.gpgSign=false', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

function commit(cwd: string, message: string): void {
  git(cwd, 'add', '-A');
  git(cwd, 'commit', '-q', '--allow-empty', '-m', message);
}

function repository(): string {
  const at = folder();
  git(at, 'init', '-q');
  writeFileSync(path.join(at, 'a.ts'), '1\n');
  writeFileSync(path.join(at, 'b.ts'), '1\n');
  commit(at, 'first commit');
  return at;
}

const read = (at: string): Promise<GitRead> => readGit(new NodeProcessRunner(at), undefined, true, NEVER_ABORTED);

async function textOf(at: string): Promise<string[]> {
  const result = await read(at);
  return result.kind === 'text' ? [inEnglish(result.note), ...result.text.trimEnd().split('\n')] : [result.kind];
}

const READY: GitDirectorySource = {
  open: () =>
    Promise.resolve({
      kind: 'ready',
      variables: { GIT_DIR: '/own' },
      workTree: '/top',
      prefix: 'app/',
      isPartial: false,
    }),
};

describe('readGit, with git itself', () => {
  test('a clean working tree is one sentence and the last five subjects', async () => {
    const at = repository();
    for (let n = 2; n <= 7; n++) commit(at, `commit ${n}`);
    expect(await textOf(at)).toEqual([
      'clean',
      'SUMMARY:OK:On main: clean',
      '---',
      'Last commits:',
      '- commit 7',
      '- commit 6',
      '- commit 5',
      '- commit 4',
      '- commit 3',
    ]);
  });

  test('changes are grouped: staged, changed, untracked, renamed, with strange names on one line', async () => {
    const at = repository();
    writeFileSync(path.join(at, 'a.ts'), '2\n');
    git(at, 'mv', 'b.ts', 'c.ts');
    writeFileSync(path.join(at, 'ünï côde.ts'), '');
    writeFileSync(path.join(at, 'two\nlines.ts'), '');
    mkdirSync(path.join(at, 'new'));
    writeFileSync(path.join(at, 'new/x.ts'), '');
    expect(await textOf(at)).toEqual([
      '5 changed',
      'SUMMARY:OK:On main: 1 staged, 1 changed, 3 untracked',
      '---',
      'Staged:',
      '- R c.ts (was b.ts)',
      'Changed:',
      '- M a.ts',
      'Untracked:',
      '- new/',
      '- two lines.ts',
      '- ünï côde.ts',
      'Last commits:',
      '- first commit',
    ]);
  });

  test('behind its upstream it warns, with the distance both ways', async () => {
    const origin = repository();
    const at = folder();
    git(at, 'clone', '-q', origin, '.');
    commit(origin, 'theirs 1');
    commit(origin, 'theirs 2');
    commit(at, 'ours');
    expect((await textOf(at))[1]).toBe('SUMMARY:OK:On main, 1 ahead of origin/main: clean');
    git(at, 'fetch', '-q');
    expect((await textOf(at)).slice(0, 2)).toEqual([
      '2 behind main',
      'SUMMARY:WARN:On main, 1 ahead and 2 behind origin/main: clean',
    ]);
  });

  test('conflicts are an alert that names the files', async () => {
    const at = repository();
    git(at, 'checkout', '-q', '-b', 'other');
    writeFileSync(path.join(at, 'a.ts'), 'other\n');
    commit(at, 'other');
    git(at, 'checkout', '-q', 'main');
    writeFileSync(path.join(at, 'a.ts'), 'main\n');
    commit(at, 'main');
    expect(() => git(at, 'merge', 'other')).toThrow();
    expect((await textOf(at)).slice(0, 5)).toEqual([
      '1 conflict',
      'SUMMARY:ALERT:On main: 1 file in conflict',
      '---',
      'In conflict:',
      '- a.ts',
    ]);
  });

  test('a detached HEAD and a repository without commits are said so', async () => {
    const at = repository();
    git(at, 'checkout', '-q', '--detach');
    expect((await textOf(at))[1]).toBe('SUMMARY:OK:Detached HEAD: clean');
    const empty = folder();
    git(empty, 'init', '-q');
    expect(await textOf(empty)).toEqual(['clean', 'SUMMARY:OK:On main: clean', '---']);
  });

  test('in a folder below the repository’s root, paths are the folder’s own and other folders do not count', async () => {
    const at = repository();
    mkdirSync(path.join(at, 'pkg/src'), { recursive: true });
    writeFileSync(path.join(at, 'pkg/src/x.ts'), '');
    commit(at, 'pkg');
    writeFileSync(path.join(at, 'pkg/src/x.ts'), 'changed');
    writeFileSync(path.join(at, 'a.ts'), 'changed too');
    expect((await textOf(path.join(at, 'pkg'))).slice(1, 5)).toEqual([
      'SUMMARY:OK:On main: 1 changed',
      '---',
      'Changed:',
      '- M src/x.ts',
    ]);
  });

  test('no repository, and no git, mean no section', async () => {
    expect(await read(folder())).toEqual({ kind: 'absent' });
    const missing = new FakeProcesses(() => ({ kind: 'notStarted', errorCode: 'ENOENT', exitCode: undefined }));
    for (const isTrusted of [true, false]) {
      expect(await readGit(missing, READY, isTrusted, NEVER_ABORTED)).toEqual({ kind: 'absent' });
    }
  });

  test('does not touch the repository: the index stays as it is', async () => {
    const at = repository();
    // Same content, newer time: a plain `git status` would now rewrite the index.
    writeFileSync(path.join(at, 'a.ts'), '1\n');
    const before = execFileSync('stat', ['-c', '%y %i', path.join(at, '.git/index')], { encoding: 'utf8' });
    await read(at);
    expect(execFileSync('stat', ['-c', '%y %i', path.join(at, '.git/index')], { encoding: 'utf8' })).toBe(before);
  });
});

describe('readHistory', () => {
  test('tells what commits say and which files below the folder each touched, merges and mass edits left out', async () => {
    const at = repository();
    mkdirSync(path.join(at, 'src'));
    writeFileSync(path.join(at, 'src', 'c.ts'), '1\n');
    writeFileSync(path.join(at, 'a.ts'), '2\n');
    commit(at, 'second');
    writeFileSync(path.join(at, 'a.ts'), '3\n');
    for (let n = 0; n <= 100; n++) writeFileSync(path.join(at, `many${n}.ts`), '1\n');
    commit(at, 'mass edit');
    const ask = (folder: string) => readHistory(new NodeProcessRunner(folder), NEVER_ABORTED);
    expect(await ask(at)).toEqual({
      churn: [
        ['a.ts', 2],
        ['b.ts', 1],
        ['src/c.ts', 1],
      ],
      messages: [
        ['second', [0, 2]],
        ['first commit', [0, 1]],
      ],
    });
    expect(await ask(path.join(at, 'src'))).toEqual({ churn: [['c.ts', 1]], messages: [['second', [0]]] });
    expect(await ask(folder())).toEqual({ churn: [], messages: [] });
  });

  test('the commit of a trusted folder is known, of another it is not asked', async () => {
    const at = repository();
    const runner = new NodeProcessRunner(at);
    expect(await readHead(runner, true, NEVER_ABORTED)).toBe(git(at, 'rev-parse', 'HEAD').trim());
    expect(await readHead(runner, false, NEVER_ABORTED)).toBeUndefined();
    expect(await readHead(new NodeProcessRunner(folder()), true, NEVER_ABORTED)).toBeUndefined();
  });
});

describe('readTrackedIgnored', () => {
  test('names what is tracked although it is ignored, below the folder', async () => {
    const at = repository();
    mkdirSync(path.join(at, 'pkg/memory'), { recursive: true });
    writeFileSync(path.join(at, '.gitignore'), 'memory/\n');
    for (const name of ['kept é.md', 'other.md']) writeFileSync(path.join(at, 'pkg/memory', name), 'x');
    git(at, 'add', '-f', 'pkg/memory/kept é.md');
    const asked = (below: string) => readTrackedIgnored(new NodeProcessRunner(below), undefined, true, NEVER_ABORTED);
    expect(await asked(at)).toEqual(['pkg/memory/kept é.md']);
    expect(await asked(path.join(at, 'pkg'))).toEqual(['memory/kept é.md']);
    expect(await asked(folder())).toEqual([]);
  });

  test('untrusted, asks by a git directory of its own and takes no path that leads out', async () => {
    const stdout = 'memory/a.md\0../b.md\0/c.md\0.git/config\0';
    const processes = new FakeProcesses(() => ({ stdout }));
    expect(await readTrackedIgnored(processes, READY, false, NEVER_ABORTED)).toEqual(['memory/a.md']);
    expect(processes.requests[0]?.git).toEqual({
      isTrusted: false,
      variables: { GIT_DIR: '/own', GIT_WORK_TREE: '/top' },
    });
    expect(await readTrackedIgnored(processes, undefined, false, NEVER_ABORTED)).toEqual([]);
    expect(processes.requests).toHaveLength(1);
  });
});

describe('readGit, with a git that misbehaves', () => {
  test('a status that hangs or floods is a failure with its outcome', async () => {
    for (const kind of ['timedOut', 'flooded'] as const) {
      const processes = new FakeProcesses((argv) => (argv.includes('status') ? { kind, exitCode: undefined } : {}));
      expect(await readGit(processes, undefined, true, NEVER_ABORTED)).toMatchObject({
        kind: 'failed',
        outcome: { kind },
      });
    }
  });

  test('a log that fails costs only its lines', async () => {
    const processes = new FakeProcesses((argv) =>
      argv.includes('status') ? { stdout: '# branch.head main\0? x.ts\0' } : { exitCode: 1, stdout: 'junk' },
    );
    expect(await readGit(processes, undefined, true, NEVER_ABORTED)).toEqual({
      kind: 'text',
      text: 'SUMMARY:OK:On main: 1 untracked\n---\nUntracked:\n- x.ts\n',
      note: phrase('{0} changed', '1'),
      changedPaths: ['x.ts'],
    });
  });

  test('names the files that are worked on, below the folder, without deleted ones and folders', async () => {
    const change = (letters: string, file: string) => `1 ${letters} N... 100644 100644 100644 aa bb ${file}\0`;
    const status = `# branch.head main\0${change('M.', 'app/a.ts')}${change('.M', 'app/a.ts')}${change('.D', 'app/gone.ts')}? app/new.ts\0? app/logs/\0`;
    const processes = new FakeProcesses((argv) => {
      if (argv.includes('status')) return { stdout: status };
      return argv.includes('--show-prefix') ? { stdout: 'app/\n' } : {};
    });
    expect(await readGit(processes, undefined, true, NEVER_ABORTED)).toMatchObject({
      changedPaths: ['a.ts', 'new.ts'],
    });
  });

  test('many paths are counted whole and listed in part', async () => {
    const stdout = Array.from({ length: 70 }, (_, at) => `? f${at}\0`).join('');
    const processes = new FakeProcesses((argv) => (argv.includes('status') ? { stdout } : {}));
    const result = await readGit(processes, undefined, true, NEVER_ABORTED);
    const lines = result.kind === 'text' ? result.text.trimEnd().split('\n') : [];
    expect(lines[0]).toBe('SUMMARY:OK:Detached HEAD: 70 untracked');
    expect(lines).toHaveLength(54);
    expect(lines.at(-1)).toBe('- and 20 more');
  });
});

describe('readGit in a folder that is not trusted', () => {
  const status = '# branch.head main\0? app/x.ts\0';
  const answers = (argv: readonly string[]) => (argv.includes('status') ? { stdout: status } : {});

  test('asks by a git directory of its own, and says what is missing', async () => {
    const processes = new FakeProcesses(answers);
    expect(await readGit(processes, READY, false, NEVER_ABORTED)).toMatchObject({
      kind: 'text',
      text: `SUMMARY:OK:On main, upstream not read: 1 untracked\n---\nUntracked:\n- x.ts\n${MISSING_WITHOUT_TRUST}\n`,
    });
    expect(processes.requests.map(({ git }) => git)).toEqual([
      { isTrusted: false, variables: { GIT_DIR: '/own', GIT_WORK_TREE: '/top' } },
      { isTrusted: false, variables: { GIT_DIR: '/own' } },
    ]);
  });

  test('runs no git where there is no such directory', async () => {
    const processes = new FakeProcesses(answers);
    const none = (kind: 'absent' | 'refused'): GitDirectorySource => ({ open: () => Promise.resolve({ kind }) });
    expect(await readGit(processes, undefined, false, NEVER_ABORTED)).toEqual({ kind: 'refused' });
    expect(await readGit(processes, none('refused'), false, NEVER_ABORTED)).toEqual({ kind: 'refused' });
    expect(await readGit(processes, none('absent'), false, NEVER_ABORTED)).toEqual({ kind: 'absent' });
    expect(processes.requests).toEqual([]);
  });

  test('an untrusted repository that leads elsewhere is a section that says so, without alarm', async () => {
    const processes = new FakeProcesses(answers);
    const collector = new SectionCollector({ files: new MemoryFiles(), processes, editor: undefined });
    const sections = await collector.collect([definition], { ...context, isTrusted: false });
    expect(sections[0]?.body).toEqual({ kind: 'failed', failure: { kind: 'gitNotTrusted' } });
    expect(describeFailure({ kind: 'gitNotTrusted' })).toMatchObject({ status: 'OK', isNotRun: false });
  });
});

const definition = {
  id: 'git',
  title: 'git',
  priority: 'P2',
  source: { kind: 'builtin', builtin: 'git' },
  keepRecent: undefined,
  onDemand: false,
  keywords: [],
  isDiscovered: true,
} as const;
const context = { isTrusted: true, choices: { pinned: [], excluded: [], onDemand: [] }, files: [] };

describe('git in the collector', () => {
  test('is asked again after a save or a git event, not otherwise', async () => {
    const processes = new FakeProcesses((argv) => (argv.includes('status') ? { stdout: '# branch.head main\0' } : {}));
    const collector = new SectionCollector({ files: new MemoryFiles(), processes, editor: undefined });
    const collect = () => collector.collect([definition], context);
    expect((await collect())[0]).toMatchObject({ note: phrase('clean'), body: { kind: 'text' } });
    for (const kind of ['editors', 'diagnostics', 'commands'] as const) collector.invalidate({ kind });
    await collect();
    expect(processes.count('status')).toBe(1);
    collector.invalidate({ kind: 'git' });
    await collect();
    collector.invalidate({ kind: 'files', paths: ['a.ts'] });
    await collect();
    expect(processes.count('status')).toBe(3);
  });

  test('cancelled, it is pending and asked again', async () => {
    let isSlow = true;
    const processes = new FakeProcesses(() => (isSlow ? { kind: 'cancelled', exitCode: undefined } : {}));
    const collector = new SectionCollector({ files: new MemoryFiles(), processes, editor: undefined });
    expect((await collector.collect([definition], context))[0]?.body.kind).toBe('pending');
    isSlow = false;
    expect((await collector.collect([definition], context))[0]?.body.kind).toBe('text');
  });
});

import { execFile, execFileSync } from 'node:child_process';
import { appendFile, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { FakeKeys } from '../../fixtures/fakeSecrets';
import { type CliResult, CliWorld } from '../../support/cliWorld';
import { exactTokenizer } from '../../support/exactTokenizer';
import { tempFolder } from '../../support/tempFolder';

/** A log as orchestrating agents write it: Chinese headers, one malformed row (a cell too many). */
const PROGRESS = `# PROGRESS

| 时间(YYYY-MM-DD HH:mm:ss) | Task ID | Subagent | Phase | 做了什么 | 结果/证据 | 下一步 |
|---|---|---|---|---|---|---|
| 2026-02-03 22:26:40 | - | orchestrator | other | 初始化大任务 | 初始化完成 | 执行 T001 |
| 2026-02-03 23:02:51 | T001 | verifier | verify | 运行 \`make check\` | FAIL：ruff E501 | implementers 修复 |
| 2026-02-03 23:05:21 | T001 | implementers | fix | a | b | c | d |
| 2026-02-03 23:15:54 | T001 | verifier | verify | 重跑 \`make a | make b\` | PASS | 执行 T002 |
`;
const FILES = {
  'PROGRESS.md': PROGRESS,
  '.gitignore': 'runs/\n',
  'runs/one/task.json': JSON.stringify({
    task_id: 'T002',
    title: 'Add a guard',
    status: 'PASS',
    finished_at: '2026-02-04T00:12:20Z',
  }),
  'src/a.ts': 'export const a = 1;\n',
};

const LOG = '.context-budget/observations.jsonl';
let world: CliWorld;
let root: string;

beforeEach(async () => {
  world = await CliWorld.create();
  root = await tempFolder(FILES);
});

const run = (...argv: readonly string[]): Promise<CliResult> => world.run(argv, { cwd: root });
const json = async (...argv: readonly string[]) => JSON.parse((await run(...argv, '--json')).out);

describe('ingest', () => {
  it('takes events of the run logs once, ignored folders included, and names malformed rows', async () => {
    const first = await run('ingest');
    expect(first).toMatchObject({ code: 0, out: expect.stringMatching(/\n4 observations added from 2 files\n$/) });
    expect(first.out).toContain(
      'PROGRESS.md: 3 entries, 3 new; 6 of 7 lines understood; first not understood: 7: | 2026',
    );
    expect(first.err).toContain('PROGRESS.md:7: the row has 8 cells, its table has 7 columns');
    expect((await run('ingest')).out).toContain('\n0 observations added from 2 files\n');
    await appendFile(path.join(root, 'PROGRESS.md'), '| 2026-02-04 01:00:00 | T003 | planner | plan | next | | |\n');
    expect(await json('ingest')).toMatchObject({ added: 1, ids: [5], problems: [{ path: 'PROGRESS.md', line: 7 }] });
    const { version, files } = await json('ingest');
    expect(version).toBe('ingest.v1');
    expect(files).toEqual([
      {
        ...{ path: 'PROGRESS.md', entries: 4, added: 0, lines: 8, unread: 1 },
        first_unread: { line: 7, text: '| 2026-02-03 23:05:21 | T001 | implementers | fix | a | b | c | d |' },
      },
      { path: 'runs/one/task.json', entries: 1, added: 0, lines: 1, unread: 0, first_unread: null },
    ]);
  });

  it('knows entries again after edits above them, and after the file was written anew', async () => {
    const log = (above: string) => `# Progress\n${above}\n- set up the repository\n- tests pass\n`;
    const file = path.join(root, 'PROGRESS.md');
    await writeFile(file, log(''));
    expect(await json('ingest', 'PROGRESS.md')).toMatchObject({ added: 2, ids: [1, 2] });
    expect((await run('index')).out).toMatch(/^2 \| ~\d{4}-\d\d-\d\d \| - \| event \| tests pass \|/);
    await writeFile(file, log('\n- an entry above\n- tests pass'));
    await utimes(file, new Date(), new Date('2026-01-01T12:00:00Z'));
    expect(await json('ingest', 'PROGRESS.md')).toMatchObject({ added: 2, ids: [3, 4] });
    const dated = '## 2026-02-04\n\n- tests pass\n\n## 2026-02-03\n\n- tests pass\n';
    await writeFile(file, dated.slice(dated.indexOf('## 2026-02-03')));
    expect(await json('ingest', 'PROGRESS.md')).toMatchObject({ added: 0 });
    await writeFile(file, dated);
    expect(await json('ingest', 'PROGRESS.md')).toMatchObject({ added: 0 });
  });

  it('dates entries by git blame in a trusted folder, by the file in others', async () => {
    const file = path.join(root, 'PROGRESS.md');
    await writeFile(file, '- set up the repository\n');
    const git = (...argv: readonly string[]) =>
      promisify(execFile)('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...argv], {
        cwd: root,
        env: {
          ...process.env,
          GIT_AUTHOR_DATE: '2026-02-03T23:30:00-0500',
          GIT_COMMITTER_DATE: '2026-02-05T00:00:00Z',
        },
      });
    await git('init', '-q');
    await git('add', 'PROGRESS.md');
    await git('commit', '-qm', 'a');
    await appendFile(file, '- not committed yet\n');
    await run('ingest', 'PROGRESS.md', '--trust');
    const rows = (await json('index')).observations.items;
    expect(
      rows.map((row: { summary: string; time: string; time_from: string }) => [row.summary, row.time_from]),
    ).toEqual(
      expect.arrayContaining([
        ['set up the repository', 'blame'],
        ['not committed yet', 'file'],
      ]),
    );
    expect((await run('index')).out).toContain(' | ~2026-02-03 | - | event | set up the repository | ');
    const other = await tempFolder({ 'PROGRESS.md': '- set up the repository\n' });
    await world.run(['ingest', 'PROGRESS.md'], { cwd: other });
    const { out } = await world.run(['index', '--json'], { cwd: other });
    expect(JSON.parse(out).observations.items[0]).toMatchObject({ time_from: 'file', precision: 'day' });
  });

  it('takes a named file, relative to the current folder, and refuses one that is not there', async () => {
    const result = await world.run(['ingest', 'task.json', '--root', root], { cwd: path.join(root, 'runs/one') });
    expect(result).toMatchObject({ code: 0, out: expect.stringContaining('1 observation added from 1 file\n') });
    expect(await run('ingest', 'NOTES.md')).toMatchObject({
      code: 2,
      out: '',
      err: 'error: NOTES.md: the file does not exist in the folder.\n',
    });
  });

  it('says what a named file is that it does not read', async () => {
    const outside = await tempFolder({ 'log.md': '' });
    const at = (name: string): string => path.join(root, name);
    execFileSync('mkfifo', [at('pipe')]);
    await symlink(path.join(outside, 'log.md'), at('out.md'));
    await symlink('gone.md', at('dangling.md'));
    await symlink('loop.md', at('loop.md'));
    for (const [given, why] of [
      ['runs', 'this is a folder, not a file'],
      ['pipe', 'this is not a regular file'],
      ['out.md', 'this link leads out of the folder'],
      ['dangling.md', 'what this link leads to does not exist'],
      ['loop.md', 'its links form a loop'],
      [path.join(outside, 'log.md'), 'this is outside the folder'],
    ] as const)
      expect(await run('ingest', given)).toEqual({ code: 2, out: '', err: `error: ${given}: ${why}.\n` });
  });
});

describe('observe', () => {
  it('prints the id alone, and keeps what was said', async () => {
    const said = ['--task-id', 'T1', '--actor', 'me', '--phase', 'fix', '--file', 'src/a.ts#L1', 'src/b.ts'];
    const first = await world.run(['observe', '--summary', 'Tests fail', '--detail', '-', ...said], {
      cwd: root,
      input: 'line one\nline two\n',
    });
    expect(first).toEqual({ code: 0, out: '1\n', err: '' });
    expect(await json('observe', '--summary', 'again')).toEqual({ version: 'observe.v1', id: 2 });
    const [item] = (await json('detail', '--ids', '1')).observations.items;
    expect(item).toMatchObject({ id: 1, task_id: 'T1', actor: 'me', phase: 'fix', summary: 'Tests fail' });
    expect(item.refs.files).toEqual(['src/a.ts#L1', 'src/b.ts']);
    expect(item.detail).toContain('line one\nline two\n');
    const some = await json('detail', '--ids', '1#L1-L1');
    expect(some.observations.items[0].detail).not.toContain('line two');
    const both = await json('detail', '--ids', '1,1#L1-L1');
    expect(both.observations.items[0].detail).toContain('line one\nline two\n');
  });

  it('keeps a command with its exit code, a type and a time', async () => {
    const said = ['--command', 'npm test', '--exit-code', '1', '--time', '2026-02-03T21:23:34+08:00'];
    expect(await run('observe', '--summary', 'Tests', ...said)).toMatchObject({ code: 0, out: '1\n' });
    const [line = ''] = (await readFile(path.join(root, LOG), 'utf8')).split('\n');
    expect(JSON.parse(line)).toMatchObject({
      ...{ ts: '2026-02-03 13:23:34', precision: 'second', time_from: 'text', instant: '2026-02-03T13:23:34Z' },
      ...{ type: 'command', refs: { files: [], commands: ['npm test (exit 1)'], urls: [] } },
    });
    await run('observe', '--summary', 'A day', '--type', 'note', '--time', '2026-02-04');
    expect((await run('index')).out).toContain('2 | 2026-02-04 | - | note | A day | ');
    expect(await run('observe', '--summary', 'x', '--time', 'at noon')).toMatchObject({ code: 2, out: '' });
    expect(await run('observe', '--summary', 'x', '--exit-code', '1')).toMatchObject({ code: 2, out: '' });
    expect(await run('observe', '--summary', 'x', '--command', 'a', '--exit-code', 'one')).toMatchObject({
      code: 2,
      out: '',
    });
  });

  it('refuses an empty summary, and a log that is something else', async () => {
    expect(await run('observe', '--summary', '  ')).toMatchObject({ code: 2, out: '' });
    expect(await run('observe')).toMatchObject({ code: 2, out: '' });
    await writeFile(path.join(root, '.context-budget.json'), '');
    const config = JSON.stringify({ version: 1, observations: { path: 'src/a.ts' } });
    const other = await tempFolder({ ...FILES, '.context-budget/config.json': config });
    const result = await world.run(['observe', '--summary', 'x'], { cwd: other });
    expect(result).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('src/a.ts contains something other'),
    });
    expect(await readFile(path.join(other, 'src/a.ts'), 'utf8')).toBe(FILES['src/a.ts']);
  });

  it('says what a killed writer left behind', async () => {
    await run('observe', '--summary', 'first');
    await appendFile(path.join(root, LOG), '{"schema_version":"obs.v1","id":2,');
    const result = await run('observe', '--summary', 'second');
    expect(result).toMatchObject({ code: 0, out: '2\n', err: expect.stringContaining(`${LOG}.torn`) });
  });
});

describe('index, timeline and detail', () => {
  beforeEach(async () => {
    await run('ingest');
  });

  it('lists rows, newest first, and by what is looked for', async () => {
    const { out, code } = await run('index');
    expect(code).toBe(0);
    expect(out.split('\n').map((line) => line.split(' | ').slice(0, 5).join(' | '))).toEqual([
      '4 | 2026-02-04 00:12 | T002 | task | Add a guard → PASS',
      '3 | 2026-02-03 23:15 | T001 | verify | 重跑 make a ¦ make b → PASS',
      '2 | 2026-02-03 23:02 | T001 | verify | 运行 make check → FAIL：ruff E501',
      '1 | 2026-02-03 22:26 | - | other | 初始化大任务 → 初始化完成',
      '',
    ]);
    expect((await run('index', '--query', '初始化')).out).toMatch(/^1 \| .*\n$/);
    expect((await run('index', '--task-id', 'T001', '--limit', '1')).out).toMatch(/^3 \| .*\n$/);
    const none = await run('index', '--query', 'zebra');
    expect(none).toMatchObject({ code: 0, out: '', err: expect.stringContaining('No match') });
  });

  it('gives JSON whose counts are of the text form', async () => {
    const text = (await run('index')).out;
    const payload = await json('index');
    expect(payload).toMatchObject({ version: 'context_payload.v2', mode: 'index', profile: 'default' });
    expect(payload.observations.source).toBe('jsonl');
    expect(payload.observations.items[0]).toEqual({
      id: 4,
      ...{ precision: 'second', time_from: 'text', instant: '2026-02-04T00:12:20Z' },
      type: 'task',
      task_id: 'T002',
      time: '2026-02-04 00:12:20',
      actor: '',
      phase: '',
      summary: 'Add a guard → PASS',
      refs: { files: ['runs/one/task.json#L1'], commands: [], urls: [] },
      detail_tokens: expect.any(Number),
    });
    expect(payload.budget.tokens).toBe(exactTokenizer('o200k_base').count(text));
    expect(payload.budget.chars).toBe(text.length);
  });

  it('says which words of a query it knows, and how many of all observations match', async () => {
    const found = await json('index', '--query', 'guard 初始化 verifer');
    expect(found.match).toEqual({
      known: ['guard', '初始化'],
      unknown: ['verifer'],
      nearest: { verifer: ['verifier', 'verify'] },
    });
    expect(found.notes).toEqual(['index-only; 2 of 4 observations match; ask for detail by id']);
    expect(found.budget.tokens).toBe(
      exactTokenizer('o200k_base').count((await run('index', '--query', 'guard 初始化 verifer')).out),
    );
    const none = await json('index', '--query', 'zebra');
    expect(none.match).toEqual({ known: [], unknown: ['zebra'], nearest: { zebra: [] } });
    expect(none.notes).toEqual(['index-only; 0 of 4 observations match; ask for detail by id']);
    expect((await run('index', '--query', 'gurd')).err).toContain('No match for: gurd. Unknown here, with the nearest');
    expect((await json('index', '--query', '!?')).match).toEqual({ known: [], unknown: ['!?'], nearest: {} });
    expect(await json('index')).not.toHaveProperty('match');
    const ofTask = await json('index', '--task-id', 'T001');
    expect(ofTask).not.toHaveProperty('match');
    expect(ofTask.notes).toEqual(['index-only; 2 of 4 observations match; ask for detail by id']);
  });

  it('names no secret as a near word', async () => {
    const key = `ghp_${new FakeKeys(7).random(36)}`;
    await run('observe', '--summary', 'rotated', '--detail', `token ${key} was revoked`);
    const nearest = async (word: string) => (await json('index', '--query', word)).match.nearest[word];
    expect(await nearest(`${key}x`)).toEqual([]);
    expect(await nearest('revokd')).toEqual(['revoked']);
  });

  it.each([
    ['long', 'x'.repeat(90)],
    ['longer than a row', `${'word '.repeat(100)}end`],
    ['spaced', ' T  1\n'],
  ])('finds a %s task as it was given', async (_, task) => {
    await run('observe', '--summary', 'one', '--task-id', task);
    await run('observe', '--summary', 'another', '--task-id', `${task}2`);
    for (const command of ['timeline', 'index']) {
      const { items } = (await json(command, '--task-id', task)).observations;
      expect(items.map(({ summary }: { summary: string }) => summary)).toEqual(['one']);
    }
  });

  it('shows a timeline around an id or of a task, and names what is not there', async () => {
    const ids = async (...argv: readonly string[]) =>
      (await json('timeline', ...argv)).observations.items.map(({ id }: { id: number }) => id);
    expect(await ids('--id', '2', '--window', '3')).toEqual([1, 2, 3]);
    expect(await ids('--task-id', 'T001')).toEqual([2, 3]);
    expect(await run('timeline', '--id', '99')).toMatchObject({ code: 1, out: '', err: expect.stringContaining('99') });
    expect(await run('timeline')).toMatchObject({ code: 2, out: '' });
    expect(await run('timeline', '--id', '1', '--task-id', 'T001')).toMatchObject({ code: 2 });
  });

  it('serves every kind of handle in one request, and names unknown ids', async () => {
    const { code, out, err } = await run('detail', '--ids', '2,99,file:src/a.ts');
    expect(code).toBe(1);
    expect(err).toContain('99');
    expect(out).toContain('``` 2 2026-02-03 23:02:51 · T001 · verifier · verify\n');
    expect(out).toContain('结果/证据: FAIL：ruff E501\n');
    expect(out).toContain('files: PROGRESS.md#L6\n');
    expect(out).toContain('export const a = 1;\n');
    const payload = await json('detail', '--ids', '2,99,file:src/a.ts');
    expect(payload.observations.items.map(({ id }: { id: number }) => id)).toEqual([2]);
    expect(payload.sections.map(({ handle }: { handle: string }) => handle)).toEqual(['file:src/a.ts']);
  });

  it('serves all that is named, whatever the limit of the profile, and goes down to rows beyond the cap', async () => {
    const profiles = { few: { top_k: { detail: 1 } }, small: { budget_tokens: 160 } };
    await writeFile(path.join(root, '.context-budget/config.json'), JSON.stringify({ version: 1, profiles }));
    const few = await json('detail', '--ids', '1,2,3', '--profile', 'few');
    expect(few.budget.downgrade_applied).toEqual([]);
    expect(few.observations.items.every((item: { detail?: string }) => item.detail !== undefined)).toBe(true);
    const { err } = await run('detail', '--ids', '1,2,3', '--profile', 'small');
    expect(err).toContain('because the payload is full: ');
    expect(err).not.toContain('the limit');
  });

  it('holds what one handle leads to beyond those named to the limit, and says so', async () => {
    const config = JSON.stringify({ version: 1, profiles: { few: { top_k: { detail: 1 } } } });
    await writeFile(path.join(root, '.context-budget/config.json'), config);
    const overloads = 'export function twice(a: string): void {}\n\nexport function twice(a: number): void {}\n';
    await writeFile(path.join(root, 'src/twice.ts'), overloads);
    const { out, err } = await run('detail', '--ids', 'sym:src/twice.ts:twice', '--profile', 'few');
    expect(err).toContain(
      'left out because of the limit of 1 (top_k.detail); name them in --ids: file:src/twice.ts#L3-L3\n',
    );
    expect(out).toContain('left out, ask again: file:src/twice.ts#L3-L3');
    const all = await run('detail', '--ids', 'file:src/twice.ts#L1-L1', 'file:src/twice.ts#L3-L3', '--profile', 'few');
    expect(all).toMatchObject({ code: 0, err: '' });
    expect(all.out).toContain('a: number');
  });

  it('has its place in both payloads, with the same rows in text and JSON', async () => {
    for (const kind of [[], ['--expanded']]) {
      const { out } = await run('payload', ...kind);
      expect(out).toContain('<observations>\n4 | 2026-02-04 00:12 | T002');
      const payload = await json('payload', ...kind);
      expect(payload.observations.items.map(({ id }: { id: number }) => id)).toEqual([4, 3, 2, 1]);
      expect(payload.budget.tokens).toBe(exactTokenizer('o200k_base').count(out));
    }
    expect((await run('payload')).out).toContain('OK | observations | 4 observations, newest 2026-02-04 00:12:');
    expect((await run('detail', '--ids', 'section:observations')).out).toContain('3 | 2026-02-03 23:15');
  });
});

describe('observations beyond the limits of rows', () => {
  const days = Array.from({ length: 60 }, (_, at) => {
    const day = new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10);
    return `- ${day} finished step ${at + 1} of the login rework\n`;
  });
  const config = (profile: object) => JSON.stringify({ version: 1, profiles: { default: profile } });

  beforeEach(async () => {
    root = await tempFolder({ 'PROGRESS.md': `# Progress\n\n${days.join('')}` });
    await run('ingest');
  });

  it('are counted with the handle that lists them, as a cut', async () => {
    const roomy = config({ index_tokens: 5000, max_per_source_tokens: { observations: 5000 } });
    await writeFile(path.join(root, '.context-budget/config.json'), roomy);
    const { out } = await run('payload', '--expanded');
    expect(out).toMatch(/\n21 \| .*\n… 20 older entries: section:observations#L41\n<\/observations>\n/);
    const { budget, sections, observations } = await json('payload', '--expanded');
    const section = sections.find(({ id }: { id: string }) => id === 'observations');
    expect(section).toMatchObject({ disclosure: 'summary', reason: '40 of 60' });
    expect(section.tokens).toBe(exactTokenizer('o200k_base').count(`<observations>\n${section.text}</observations>\n`));
    const cut = budget.cuts.find(({ id }: { id: string }) => id === 'observations');
    expect(cut).toMatchObject({ tokens: section.tokens, left_out: { entries: 20 }, reason: '40 of 60' });
    const detail = await json('detail', '--ids', 'section:observations');
    expect(detail.details[0].lines_total).toBe(60);
    expect(cut.tokens_full).toBe(section.tokens_full);
    expect(section.tokens_full).toBeGreaterThan(section.tokens * 1.4);
    expect(observations.items).toHaveLength(40);
    const rest = await run('detail', '--ids', 'section:observations#L41');
    expect(rest.out).toMatch(/^[^\n]*\n20 \| .*\n1 \| [^\n]*\n```\n$/s);
    expect((await run('payload')).out).toMatch(/… 20 older entries: section:observations#L41\n<\/observations>\n/);
  });

  it('are said by index, with the way to the rest', async () => {
    const { err } = await run('index', '--limit', '5');
    expect(err).toContain('5 of 60 observations; 55 more: context-budget detail --ids section:observations#L6\n');
    expect((await run('index', '--query', 'login', '--limit', '5')).err).toContain(
      '55 more: narrow the query, or raise --limit\n',
    );
    expect((await run('index', '--query', 'login', '--limit', '60')).err).toContain(
      "more: narrow the query, or raise the profile's",
    );
    const named = JSON.stringify({ version: 1, sections: [{ id: 'events', builtin: 'observations' }] });
    await writeFile(path.join(root, '.context-budget/config.json'), named);
    expect((await run('index', '--limit', '5')).err).toContain('--ids section:events#L6\n');
    const all = { index_tokens: 9000, top_k: { index: 60 }, max_per_source_tokens: { observations: 9000 } };
    await writeFile(path.join(root, '.context-budget/config.json'), config(all));
    expect(await run('index')).toMatchObject({ code: 0, err: '' });
    expect((await json('payload', '--expanded')).sections).toContainEqual(
      expect.objectContaining({ id: 'observations', disclosure: 'full' }),
    );
  });
});

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CliResult, CliWorld } from '../../support/cliWorld';
import { tempFolder } from '../../support/tempFolder';

const LOG = {
  relay_context: {
    goal: ' 登录测试通过 ',
    constraints: ['No retries', ''],
    current_blockers: ['Redis is shared'],
    controller_route_summary: 'planner → implementer, step 2',
  },
  execution_logs: [
    { status: 'DONE', message: 'Built the index' },
    { status: 'running', task_id: 'T2' },
  ],
  session: 7,
};
const LEDGER = { latest_instruction: 'Find the race', tasks: [{ task_id: 'T2', status: 'running' }], state: 'STALE' };
const FILES = {
  'log.json': JSON.stringify(LOG),
  'ledger.json': JSON.stringify(LEDGER),
  'list.json': '[]',
  'bad.json': '{"a": "some text that is long enough to be told by its place",\n"b"}',
  'deep.json': `{"x": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
};
let world: CliWorld;
let root: string;

beforeEach(async () => {
  world = await CliWorld.create();
  root = await tempFolder(FILES);
});

const run = (...argv: readonly string[]): Promise<CliResult> => world.run(['compact', ...argv], { cwd: root });

describe('compact', () => {
  it('prints the compacted log alone, and on stderr what was dropped and what is missing', async () => {
    const { code, out, err } = await run('log.json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      relay_context: {
        goal: '登录测试通过',
        constraints: ['No retries'],
        current_blockers: ['Redis is shared'],
        controller_route_summary: 'planner → implementer, step 2',
      },
      execution_logs: [LOG.execution_logs[1]],
      session: 7,
      repeated: [],
      alarms: [],
      self_check: { complete: false, missing: ['latest_instruction'] },
      summary: expect.stringContaining('Missing: latest_instruction'),
    });
    expect(err).toContain('dropped 2 items: relay_context.constraints empty 1, execution_logs finished 1');
    expect(err).toContain('missing in the log and the ledger: latest_instruction');
    expect((await run('log.json', '--quiet')).err).toBe('');
  });

  it('reads stdin, and its own output gives the same again', async () => {
    const first = await run('log.json', '--ledger', 'ledger.json');
    for (const argv of [['-'], []]) {
      const again = await world.run(['compact', ...argv, '--ledger', 'ledger.json'], { cwd: root, input: first.out });
      expect(again).toMatchObject({ code: 0, out: first.out, err: '' });
    }
    const ledger = await world.run(['compact', 'log.json', '--ledger', '-'], {
      cwd: root,
      input: FILES['ledger.json'],
    });
    expect(ledger.out).toBe(first.out);
    expect(JSON.parse(first.out).self_check).toEqual({ complete: true, missing: [] });
  });

  it('prints numbers over 2^53 as they came', async () => {
    const input = '{"goal":{"channel":1234567890123456789},"execution_logs":[{"at":1e400,"status":"open"}]}';
    const { out } = await world.run(['compact', '--quiet'], { cwd: root, input });
    expect(out).toContain('"channel": 1234567890123456789\n');
    expect(out).toContain('"at": 1e400,\n');
    expect((await world.run(['compact'], { cwd: root, input: out })).out).toBe(out);
  });

  it('drops what is equal once secrets are masked, lists it, and gives the same again', async () => {
    const logs = ['4a', '4b', '4c'].map((end) => ({
      status: end === '4c' ? 'open' : 'failed',
      message: `push with ghp_16C7e42F292c6912E7710c838347Ae178B${end} refused`,
    }));
    const argv = ['compact', '--explain'];
    const first = await world.run(argv, { cwd: root, input: JSON.stringify({ goal: 'g', execution_logs: logs }) });
    const { execution_logs, repeated } = JSON.parse(first.out);
    const message = 'push with [masked: GitHub token] refused';
    expect(execution_logs).toEqual([
      { status: 'failed', message },
      { status: 'open', message },
    ]);
    expect(repeated).toEqual([{ list: 'execution_logs', index: 0, count: 1 }]);
    expect(first.err).toContain(
      `(a newer entry is the same except for times and counts):\n  execution_logs: ${message}\n`,
    );
    const again = await world.run(argv, { cwd: root, input: first.out });
    expect(again.out).toBe(first.out);
  });

  it('keeps a number that a secret begins with', async () => {
    const input = '{"goal":"password: \\"98765432109876543210-aXq\\"","constraints":[98765432109876543210]}';
    const { out } = await world.run(['compact'], { cwd: root, input });
    expect(out).toContain('[masked: password]');
    expect(JSON.parse(out).relay_context.constraints).toEqual([98765432109876543210n].map(Number));
  });

  it('masks what --explain lists and --check quotes', async () => {
    const key = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
    const done = { task_id: 'T2', status: 'done', message: `pushed with ${key}` };
    const input = JSON.stringify({ goal: 'g', tasks: [{ task_id: 'T1', status: 'running' }], execution_logs: [done] });
    const explained = await world.run(['compact', '--explain'], { cwd: root, input });
    expect(explained.err).toContain('pushed with [masked: GitHub token]');
    const checked = await world.run(['compact', '-', '--check', `T1 is done with ${key}.`], { cwd: root, input });
    expect(checked.out).toContain('[masked: GitHub token]');
    expect(explained.err + checked.out).not.toContain(key);
  });

  it('prints the summary with --text', async () => {
    expect((await run('log.json', '--ledger', 'ledger.json', '--text')).out).toBe(
      'Goal: 登录测试通过\nConstraints: No retries\nLatest instruction: Find the race\nCurrent blockers: Redis is shared\n' +
        'Controller route: planner → implementer, step 2\nNext: implementer\n',
    );
  });

  it('explains what was dropped, where essentials come from and what fires', async () => {
    const { err, out } = await run('log.json', '--ledger', 'ledger.json', '--explain');
    expect(JSON.parse(out).session).toBe(7);
    for (const line of [
      'dropped 1, finished (finished by its status, state, outcome or result):\n  execution_logs[0]: Built the index\n',
      'latest_instruction: from ledger\n',
      'unchanged: session\n',
      'trigger recovery: entered STALE\n',
      '2 items dropped; complete\n',
    ]) {
      expect(err).toContain(line);
    }
    const config = await tempFolder({
      'log.json': FILES['log.json'],
      '.context-budget/config.json': '{"relay": {"max_tokens": 10}}',
    });
    const long = await world.run(['compact', 'log.json', '--explain'], { cwd: config });
    expect(long.err).toMatch(/trigger length: the log has \d+ tokens, more than 10\n/);
  });

  it('lists each of very many unknown keys', async () => {
    const keys = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, at]));
    const input = JSON.stringify({ relay_context: { goal: 'g', ...keys } });
    const { err } = await world.run(['compact', '--explain'], { cwd: root, input });
    expect(err).toContain('\n  relay_context.k19999: 19999\n');
    expect(err).toContain('20,000 items dropped');
  });

  it('lists what it cannot write', async () => {
    const { code, out, err } = await run('deep.json', '--explain');
    expect(code).toBe(0);
    expect(Object.keys(JSON.parse(out))).toEqual(['relay_context', 'repeated', 'alarms', 'self_check', 'summary']);
    expect(err).toContain('dropped 1, too_deep (nested more than 200 deep):\n  x: a list');
  });

  it.each([
    [['none.json'], 'none.json: the file does not exist.'],
    [['list.json'], 'list.json must be a JSON object, but is a list.'],
    [['bad.json'], 'bad.json is not valid JSON: line 2, column 4.'],
    [['log.json', '--ledger', 'list.json'], '--ledger list.json must be a JSON object, but is a list.'],
    [['-', '--ledger', '-'], 'Only one of the log, --ledger and --check can read stdin (-).'],
    [['--ledger', '-'], '--ledger -: give the log as a file'],
    [[], 'stdin is empty; it must be a JSON object.'],
    [['log.json', '--format', 'markdown'], 'compact prints JSON, or its summary with --text.'],
    [['log.json', '--check', ' '], '--check: the message is empty'],
    [['log.json', '--previous', 'ledger.json'], '--previous needs --explain, which prints the triggers.'],
    [['log.json', '--explain', '--previous', '-'], '--previous needs a file name.'],
  ])('%j is wrong usage', async (argv, message) => {
    const result = await run(...argv);
    expect(result).toMatchObject({ code: 2, out: '' });
    expect(result.err).toContain(`error: ${message}`);
  });

  it('asks for a log when nothing is piped in', async () => {
    const result = await world.run(['compact'], { cwd: root, answer: '' });
    expect(result).toMatchObject({ code: 2, err: 'error: Name a relay log, or pipe one in.\n' });
  });
});

describe('compact with what was compacted before', () => {
  const route = { task_id: 'T2', active_lane: 'implementer', active_step: 'S2', next_action: 'run the tests' };
  const before = { latest_instruction: 'Build the index of T1', controller_route_summary: route };
  const logs = [{ status: 'running', task_id: 'T1', message: 'reads files' }];
  const now = { ...before, latest_instruction: 'Work on T2 alone', execution_logs: logs, status_reports: [] };

  it('tells a new instruction and the end of a recovery from the named file, and nothing twice', async () => {
    const log = { ...before, execution_logs: logs, status_reports: [{ status: 'STALE', message: 'no heartbeat' }] };
    await writeFile(path.join(root, 'before.json'), JSON.stringify(log));
    await writeFile(path.join(root, 'now.json'), JSON.stringify(now));
    const first = await run('before.json', '--explain');
    expect(first.err).toContain('trigger recovery: entered STALE\n');
    await writeFile(path.join(root, 'compacted.json'), first.out);
    const second = await run('now.json', '--explain', '--previous', 'compacted.json');
    expect(second.err).toContain('trigger recovery: left STALE\n');
    expect(second.err).toMatch(/trigger new_instruction: the new instruction "Work on T2 alone" shares no task/);
    const same = await run('before.json', '--explain', '--previous', 'compacted.json');
    expect(same.err).toContain('triggers: none\n');
  });

  it('finds the file that the hook keeps, and the state of its ledger', async () => {
    const kept = await run('log.json', '--ledger', 'ledger.json');
    expect(JSON.parse(kept.out).ledger_state).toBe('STALE');
    const folder = await tempFolder({
      'now.json': JSON.stringify(now),
      '.context-budget/relay.json': JSON.stringify(before),
      '.context-budget/relay.compacted.json': kept.out,
    });
    const { err } = await world.run(['compact', 'now.json', '--explain'], { cwd: folder });
    expect(err).toContain('trigger recovery: left STALE\n');
    const broken = await tempFolder({ 'now.json': '{}', '.context-budget/relay.compacted.json': '[]' });
    const result = await world.run(['compact', 'now.json', '--explain'], { cwd: broken });
    expect(result).toMatchObject({ code: 0 });
    expect(result.err).toContain('.context-budget/relay.compacted.json could not be read');
  });
});

describe('compact --check', () => {
  it('goes by maps of roles and steps, and has the JSON of DESIGN 5.6', async () => {
    const lifecycle = { role_lifecycle: { implementer: { S1: 'running', S2: 'done' }, 'step:S3': 'completed' } };
    await writeFile(path.join(root, 'lifecycle.json'), JSON.stringify(lifecycle));
    const { code, out } = await run('--ledger', 'lifecycle.json', '--check', 'S1 is done.', '--json');
    expect(code).toBe(3);
    expect(JSON.stringify(JSON.parse(out))).toBe(
      '{"version":"relay_check.v1","ok":false,"findings":[{"rule":"claims-completion","text":"S1 is done.","ledger":"S1: running"}]}',
    );
    for (const claim of ['S2 is done.', 'S3 is completed.'])
      expect(await run('lifecycle.json', '--check', claim)).toMatchObject({ code: 0 });
  });

  it('names a claim with what the ledger has, and ends with 3', async () => {
    expect(await run('--ledger', 'ledger.json', '--check', 'T2 is done. The worker waits.')).toMatchObject({
      code: 3,
      out: 'claims-completion: T2 is done.\n  ledger: T2: running\n',
    });
    expect(await run('--ledger', 'ledger.json', '--check', 'Task T2 has\n  been completed.')).toMatchObject({
      out: 'claims-completion: Task T2 has been completed.\n  ledger: T2: running\n',
    });
    const json = await run('--ledger', 'ledger.json', '--check', 'T2 已完成。', '--json');
    expect(JSON.parse(json.out)).toEqual({
      version: 'relay_check.v1',
      ok: false,
      findings: [{ rule: 'claims-completion', text: 'T2 已完成。', ledger: 'T2: running' }],
    });
  });

  it('finds nothing in a harmless one, from stdin too, with the ledger of a log', async () => {
    const inner = await tempFolder({ 'inner.json': JSON.stringify({ ledger: { tasks: { T2: 'done' } } }) });
    const result = await world.run(['compact', 'inner.json', '--check', '-'], { cwd: inner, input: 'T2 is done.' });
    expect(result).toMatchObject({ code: 0, out: 'nothing found\n' });
  });
});

describe('the relay section of a payload', () => {
  const payload = async (files: Readonly<Record<string, string>>) => {
    const cwd = await tempFolder({ 'AGENTS.md': 'Rules.\n', ...files });
    const { out } = await world.run(['payload', '--expanded', '--json'], { cwd });
    const { sections } = JSON.parse(out) as { readonly sections: readonly Readonly<Record<string, unknown>>[] };
    return sections.find(({ id }) => id === 'relay');
  };
  const RELAY = '.context-budget/relay.json';

  it('is not there without a log', async () => expect(await payload({})).toBeUndefined());

  it('has the essentials whole, with the ledger, as P0', async () => {
    const section = await payload({ [RELAY]: FILES['log.json'], '.context-budget/ledger.json': FILES['ledger.json'] });
    expect(section).toMatchObject({ priority: 'P0', status: 'OK', disclosure: 'full', reason: '5 of 5 essentials' });
    expect(section?.text).toContain('Latest instruction: Find the race');
    expect(section?.text).toContain('State: STALE');
  });

  it('warns of a missing essential, and raises an alert for what is no JSON', async () => {
    const poor = await payload({ [RELAY]: FILES['log.json'] });
    expect(poor).toMatchObject({ status: 'WARN', summary: 'Missing: latest_instruction' });
    expect(poor?.text).toContain('Goal: 登录测试通过');
    expect(await payload({ [RELAY]: FILES['bad.json'] })).toMatchObject({
      status: 'ALERT',
      summary: '.context-budget/relay.json could not be read: it is not valid JSON: line 2, column 4.',
    });
  });

  it('follows the config', async () => {
    const config = '{ "relay": { "path": "state/log.json" } }';
    expect(await payload({ '.context-budget/config.json': config, 'state/log.json': FILES['log.json'] })).toBeDefined();
  });
});

describe('compact with what was seen', () => {
  const INSTRUCTION = 'Fix the totals of the report';
  const call = { type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'npm test' } };
  const result = { type: 'tool_result', tool_use_id: 'c1', is_error: true, content: 'Error: 1 test failed' };
  /** A session of Claude Code in `folder`: an instruction, a status that is said twice, a test that fails. */
  const transcript = (folder: string): string =>
    [
      { type: 'user', message: { role: 'user', content: INSTRUCTION } },
      {
        type: 'assistant',
        message: { role: 'assistant', content: [{ type: 'text', text: 'Waiting for the suite.' }] },
      },
      { type: 'assistant', message: { role: 'assistant', content: [call] } },
      { type: 'user', message: { role: 'user', content: [result] } },
      {
        type: 'assistant',
        message: { role: 'assistant', content: [{ type: 'text', text: 'Waiting for the suite.' }] },
      },
    ]
      .map((record, at) =>
        JSON.stringify({
          ...record,
          cwd: folder,
          sessionId: '3f2a1c00-0000-4000-8000-00000000000a',
          uuid: `u${at}`,
          timestamp: `2026-08-10T12:00:0${at}.000Z`,
        }),
      )
      .join('\n');
  const observe = (...argv: readonly string[]) => world.run(['observe', ...argv], { cwd: root });

  beforeEach(async () => {
    await writeFile(path.join(root, 'session.jsonl'), `${transcript(root)}\n`);
  });

  it('takes instruction, failures and repeated statuses from a transcript, without a log', async () => {
    const { code, out } = await run('--transcript', 'session.jsonl');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      relay_context: { latest_instruction: INSTRUCTION, current_blockers: ['Bash: Error: 1 test failed (npm test)'] },
      execution_logs: [{ event_type: 'failure', dedup_key: 'npm test', status: 'failed' }],
      status_reports: [{ event_type: 'repeated_status', message: 'Waiting for the suite.', times: 2 }],
      self_check: { missing: ['goal', 'constraints', 'controller_route_summary'] },
    });
  });

  it('joins it with a log and a ledger, whose own essentials stay, and compacting again changes nothing', async () => {
    const argv = ['--transcript', 'session.jsonl', '--ledger', 'ledger.json'];
    const first = await run('log.json', ...argv);
    expect(JSON.parse(first.out)).toMatchObject({
      relay_context: { latest_instruction: 'Find the race', current_blockers: ['Redis is shared'] },
      execution_logs: [LOG.execution_logs[1], { event_type: 'failure' }],
      self_check: { complete: true },
    });
    await writeFile(path.join(root, 'again.json'), first.out);
    expect((await run('again.json', ...argv)).out).toBe(first.out);
  });

  it('takes the same from the folder’s observations', async () => {
    await observe('--summary', 'Make the totals right', '--actor', 'user');
    await observe('--summary', 'the suite failed', '--task-id', 'T1', '--phase', 'verify');
    const { code, out } = await run('--observations', '--text');
    expect(code).toBe(0);
    expect(out).toContain('Latest instruction: Make the totals right\n');
    expect(out).toContain('Current blockers: the suite failed (T1 verify)\n');
    const both = await run('--observations', '--transcript', 'session.jsonl');
    expect(JSON.parse(both.out)).toMatchObject({
      relay_context: { latest_instruction: INSTRUCTION },
      execution_logs: [{ dedup_key: 'npm test' }, { dedup_key: 'T1 verify' }],
    });
  });

  it('says what is wrong with a transcript, and that a check takes none', async () => {
    expect(await run('--transcript', 'none.jsonl')).toMatchObject({ code: 2, out: '' });
    expect((await run('--transcript', 'none.jsonl')).err).toContain(
      '--transcript none.jsonl: the file does not exist.',
    );
    expect((await run('--transcript', 'log.json')).err).toContain('not a transcript of Claude Code, Codex');
    expect(await run('--observations', '--check', 'T3 is done.')).toMatchObject({ code: 2, out: '' });
  });
});

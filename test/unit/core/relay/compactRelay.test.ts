import { describe, expect, it } from 'vitest';
import { compactRelay } from '../../../../src/core/relay/compactRelay';
import { RULED_FIELDS } from '../../../../src/core/relay/dropRules';
import { MAX_DEPTH } from '../../../../src/core/relay/jsonValue';
import { ESSENTIALS } from '../../../../src/core/relay/relayContext';
import { sayPhrase } from '../../../../src/core/text/phrase';
import { IS_LONG } from '../../../support/extent.mjs';

const FULL = {
  goal: 'Login passes 50 runs of 50',
  constraints: ['No retries in tests', '不要修改接口'],
  latest_instruction: 'Find the race in the session store',
  current_blockers: ['Redis 6379 is shared'],
  controller_route_summary: 'planner → implementer → verifier, step 2',
};

describe('essentials', () => {
  it('are trimmed; empty items and unknown keys go, and are listed', () => {
    const { output, findings } = compactRelay({
      relay_context: {
        ...FULL,
        goal: '  Login passes 50 runs of 50\n',
        constraints: [' No retries in tests ', '', ' \u200b', null, '不要修改接口'],
        mood: 'tired',
      },
    });
    expect(output.relay_context).toEqual(FULL);
    expect(Object.keys(output.relay_context)).toEqual([...ESSENTIALS]);
    expect(output.self_check).toEqual({ complete: true, missing: [] });
    expect(findings.dropped).toEqual([
      { field: 'relay_context.constraints', index: 1, rule: 'empty', text: '' },
      { field: 'relay_context.constraints', index: 2, rule: 'empty', text: '' },
      { field: 'relay_context.constraints', index: 3, rule: 'empty', text: '' },
      { field: 'relay_context.mood', index: undefined, rule: 'unknown_key', text: 'tired' },
    ]);
  });

  it('that are missing come from the ledger, its own or the given one, at the top or in its relay_context', () => {
    const own = { relay_context: { goal: FULL.goal }, ledger: { goal: 'other', constraints: FULL.constraints } };
    const given = { constraints: ['x'], relay_context: { ...FULL, goal: 'third' } };
    const alone = compactRelay(own);
    expect(alone.output.relay_context).toEqual({ goal: FULL.goal, constraints: FULL.constraints });
    expect(alone.output.self_check).toEqual({
      complete: false,
      missing: ['latest_instruction', 'current_blockers', 'controller_route_summary'],
    });
    const both = compactRelay(own, { ledger: given });
    expect(both.output.relay_context).toEqual(FULL);
    expect(both.findings.sources).toMatchObject({ goal: 'relay_context', constraints: 'ledger' });
    expect(both.output.ledger).toBe(own.ledger);
    expect(both.findings.passedThrough).toEqual([]);
  });

  it('that are an empty list say "none", whatever the ledger has; a list of blanks says nothing', () => {
    const none = { ...FULL, current_blockers: [] };
    expect(compactRelay({ relay_context: none }).output).toMatchObject({
      relay_context: none,
      self_check: { complete: true },
      summary: expect.stringContaining('Current blockers: none'),
    });
    expect(compactRelay({ relay_context: none }, { ledger: FULL }).output.relay_context).toEqual(none);
    const blank = { ...FULL, current_blockers: [' '] };
    expect(compactRelay({ relay_context: blank }).output.self_check.missing).toEqual(['current_blockers']);
    expect(compactRelay({ relay_context: blank }, { ledger: FULL }).output.relay_context).toEqual(FULL);
  });

  it('keep their type, whatever it is; in another language the kind of what goes is translated', () => {
    const context = {
      goal: ['a', 'b'],
      constraints: 'one',
      latest_instruction: 7,
      current_blockers: [{ id: 'B1' }, 503],
      controller_route_summary: { steps: [{ id: 'S1', of: ['a', ['b']] }] },
    };
    const { output, findings } = compactRelay({ relay_context: context });
    expect(output.relay_context).toEqual(context);
    expect(findings.dropped).toEqual([]);
    expect(
      compactRelay({ relay_context: ['x'] }).findings.dropped.map(
        ({ words }) => words && sayPhrase(words, { 'a list': 'A LIST' }, String),
      ),
    ).toEqual(['A LIST: x']);
  });

  it('at the top move into relay_context, which wins', () => {
    const { output, findings } = compactRelay({
      user_profile: { name: 'Ada' },
      goal: 'Ship',
      constraints: ['x'],
      relay_context: { goal: 'Fix', constraints: ' ' },
      latest_instruction: '',
      updated_at: '2026-02-12',
    });
    expect(output).toMatchObject({
      user_profile: { name: 'Ada' },
      updated_at: '2026-02-12',
      relay_context: { goal: 'Fix', constraints: ['x'] },
    });
    expect(Object.hasOwn(output, 'goal')).toBe(false);
    expect(findings.sources).toMatchObject({
      goal: 'relay_context',
      constraints: 'top_level',
      latest_instruction: 'missing',
    });
    expect(findings.dropped.map(({ field, rule, text }) => [field, rule, text])).toEqual([
      ['relay_context.constraints', 'empty', ''],
      ['latest_instruction', 'empty', ''],
      ['goal', 'overruled', 'Ship'],
    ]);
  });
});

/** The JSON of DESIGN §7 and of `compact` in §5.6, byte for byte. */
const DESIGN = {
  empty: `{ "user_profile": {}, "goal": "", "constraints": [], "latest_instruction": "", "current_blockers": [],
  "controller_route_summary": { "task_id": "", "run_id": "", "active_lane": "", "active_step": "", "next_action": "" }, "updated_at": "" }`,
  blocker: 'blocker: prod DB locked; impact: S1; pending_decision: approve?',
  code: '{status: 502}',
  selfCheck: '"self_check": { "complete": false, "missing": ["latest_instruction"] }',
  repeated:
    '"repeated": [{ "list": "status_reports", "index": 0, "count": 3, "first": "2026-02-12 10:00:00", "last": "2026-02-12 10:04:00" }]',
  alarms: '"alarms": [{ "list": "status_reports", "index": 1, "status": "STALE", "text": "no heartbeat 900 s" }]',
};
/** The keys of the output that a fragment has, as the fragment has them. */
const expectFragment = (output: object, fragment: string) => {
  const wanted = JSON.parse(`{${fragment}}`) as object;
  const keys = new Set(Object.keys(wanted));
  const found = Object.fromEntries(Object.entries(output).filter(([key]) => keys.has(key)));
  expect(JSON.stringify(found)).toBe(JSON.stringify(wanted));
};

describe('the examples of DESIGN', () => {
  it('7: the empty context is missing everything but the lists, which say none', () => {
    expect(JSON.stringify(compactRelay(JSON.parse(DESIGN.empty)).output)).toBe(
      '{"relay_context":{"constraints":[],"current_blockers":[]},"user_profile":{},"updated_at":"","repeated":[],"alarms":[],' +
        '"self_check":{"complete":false,"missing":["goal","latest_instruction","controller_route_summary"]},' +
        '"summary":"Goal: missing\\nConstraints: none\\nLatest instruction: missing\\nCurrent blockers: none\\n' +
        'Controller route: missing\\nNext: missing\\nMissing: goal, latest_instruction, controller_route_summary"}',
    );
  });

  it('7: a code in a dump is kept, and its stack is not', () => {
    const dump = `Traceback (most recent call last):\n  File "a.py", line 3, in f\n${DESIGN.code}`;
    expect(compactRelay({ api_error_dumps: [dump] }).output.api_error_dumps).toEqual([DESIGN.code]);
  });

  it('7: an object is said in one line, and its context complete but for one', () => {
    const blocker = { blocker: 'prod DB locked', impact: 'S1', pending_decision: 'approve?' };
    const route = { task_id: 'T1', run_id: 'R1', active_lane: 'implementer', active_step: 'S2', next_action: 'verify' };
    const context = { goal: 'Ship', constraints: [], current_blockers: [blocker], controller_route_summary: route };
    const { output } = compactRelay(context);
    expectFragment(output, DESIGN.selfCheck);
    expect(output.relay_context).toEqual(context);
    expect(output.summary.split('\n')).toEqual([
      'Goal: Ship',
      'Constraints: none',
      'Latest instruction: missing',
      `Current blockers: ${DESIGN.blocker}`,
      'Controller route: task_id: T1; run_id: R1; active_lane: implementer; active_step: S2; next_action: verify',
      'Next: implementer, step S2: verify',
      'Missing: latest_instruction',
    ]);
  });

  it('5.6: repeated and alarms', () => {
    const report = (minute: number) => ({ status: 'running', task_id: 'T1', ts: `2026-02-12 10:0${minute}:00` });
    const alarm = { status: 'STALE', message: 'no heartbeat 900 s' };
    const { output } = compactRelay({ status_reports: [report(0), report(2), report(4), report(6), alarm] });
    expectFragment(output, DESIGN.repeated);
    expectFragment(output, DESIGN.alarms);
    expect(output.summary).toContain('\nAlarms: STALE: no heartbeat 900 s\n');
  });
});

describe('everything else', () => {
  it('passes through untouched, in its order, and is listed', () => {
    const input = { z: { deep: [1] }, relay_context: FULL, a: null, execution_logs: [] };
    const { output, findings } = compactRelay(input);
    expect(Object.keys(output)).toEqual(
      'relay_context z a execution_logs repeated alarms self_check summary'.split(' '),
    );
    expect(output.z).toBe(input.z);
    expect(findings).toMatchObject({ passedThrough: ['z', 'a'], dropped: [] });
  });

  it('is silent about lists of its own from another state of the log, and no foreign ones', () => {
    const alarm = { status: 'STALE', message: 'no heartbeat 900 s' };
    const { output } = compactRelay({ relay_context: FULL, status_reports: [alarm] });
    expect(output.alarms).toHaveLength(1);
    const later = compactRelay({ ...output, status_reports: [] });
    expect(later.output.alarms).toEqual([]);
    expect(later.findings.dropped.map(({ field }) => field)).toEqual(['summary']);
    const foreign = compactRelay({ relay_context: FULL, alarms: [{ list: 'mine' }], repeated: 'none' });
    expect(foreign.findings.dropped.map(({ field, rule }) => [field, rule])).toEqual([
      ['repeated', 'replaced'],
      ['alarms', 'replaced'],
    ]);
  });

  it('replaces a foreign self_check and summary, says so, and is silent about its own', () => {
    const first = compactRelay({ relay_context: FULL, summary: 'mine', self_check: { complete: false } });
    expect(first.findings.dropped.map(({ field, rule, text }) => [field, rule, text])).toEqual([
      ['self_check', 'replaced', ''],
      ['summary', 'replaced', 'mine'],
    ]);
    const second = compactRelay(first.output);
    expect(second.output).toEqual(first.output);
    expect(second.findings.dropped).toEqual([]);
  });

  it('counts what was dropped by field and rule', () => {
    const log = { status: 'done', message: 'Built the index' };
    expect(compactRelay({ execution_logs: [log, log, { stale: true }] }).findings).toMatchObject({
      counts: [
        { field: 'execution_logs', rule: 'finished', count: 2 },
        { field: 'execution_logs', rule: 'stale_flag', count: 1 },
      ],
      dropped: [{ index: 0, text: 'Built the index' }, { index: 1 }, { index: 2 }],
    });
  });

  it('lists what was dropped of a list in its order, whatever the rule', () => {
    const log = { task: 'T1', message: 'The build waits for a lock' };
    const stale = { stale: true, message: 'Nobody is there' };
    const { dropped } = compactRelay({ execution_logs: [log, stale, log, stale, log] }).findings;
    expect(dropped.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    expect(new Set(dropped.map(({ rule }) => rule)).size).toBe(2);
  });

  it('is not changed: a frozen input is enough', () => {
    const freeze = (value: object): object => {
      for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) freeze(child);
      return Object.freeze(value);
    };
    const input = {
      relay_context: { goal: ' x ' },
      execution_logs: [{ status: 'done' }],
      evidence_paths: ['a', './a'],
    };
    expect(compactRelay(freeze(input)).output.evidence_paths).toEqual(['a']);
  });
});

describe('malformed input', () => {
  it.each([null, [], 'text', 3, true, undefined])('%j is no log', (input) => {
    expect(() => compactRelay(input)).toThrow(
      /A relay log must be a JSON object, but is (?:nothing|a list|a string|a number|true or false)\./,
    );
  });

  it.each(RULED_FIELDS)('%s that is no list passes through untouched', (field) => {
    for (const value of ['text', 7, true, null, { status: 'running' }]) {
      const { output, findings } = compactRelay({ [field]: value });
      expect(output[field]).toBe(value);
      expect(findings).toMatchObject({ dropped: [], passedThrough: [field] });
    }
  });

  it.each(['text', 7, []])('relay_context %j goes, is listed, and the ledger stands in', (value) => {
    const { output, findings } = compactRelay({ relay_context: value, ledger: FULL });
    expect(output.relay_context).toEqual(FULL);
    expect(findings.dropped).toMatchObject([{ field: 'relay_context', rule: 'wrong_type' }]);
  });

  it('cycles go, wherever they are; the same value twice is none', () => {
    const cycle: Record<string, unknown> = { status: 'running' };
    cycle.self = { a: [cycle] };
    const shared = { n: 1 };
    const { output, findings } = compactRelay({
      relay_context: { goal: cycle, constraints: ['a'], extra: cycle },
      ledger: cycle,
      execution_logs: [cycle, { shared, again: shared }],
      other: cycle,
      summary: cycle,
    });
    expect(JSON.parse(JSON.stringify(output))).toMatchObject({ execution_logs: [{ shared, again: shared }] });
    expect(findings.dropped.map(({ field, index, rule }) => [field, index, rule])).toEqual([
      ['relay_context.goal', undefined, 'cycle'],
      ['relay_context.extra', undefined, 'unknown_key'],
      ['ledger', undefined, 'cycle'],
      ['execution_logs', 0, 'cycle'],
      ['other', undefined, 'cycle'],
      ['summary', undefined, 'replaced'],
    ]);
  });

  it('deep nesting goes at 200 levels, and a million levels do no harm', () => {
    const nest = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    const million = nest(1_000_000);
    const { output, findings } = compactRelay({
      fits: nest(MAX_DEPTH),
      deep: nest(MAX_DEPTH + 1),
      relay_context: { goal: million },
      execution_logs: [million, { status: 'running' }],
      api_error_dumps: million,
    });
    expect(JSON.stringify(output)).toContain('"fits"');
    expect(findings.dropped.map(({ field, rule }) => `${field} ${rule}`)).toEqual([
      'relay_context.goal too_deep',
      'deep too_deep',
      'execution_logs too_deep',
      'api_error_dumps too_deep',
    ]);
  });

  it('a value that grows without end when written goes', () => {
    let doubling: unknown = ['x'];
    for (let at = 0; at < 60; at++) doubling = [doubling, doubling];
    expect(compactRelay({ doubling }).findings.dropped).toMatchObject([{ field: 'doubling', rule: 'too_large' }]);
  });

  it('what JSON cannot hold goes', () => {
    const input = { big: 1n, not: Number.NaN, nothing: undefined, run: () => 1, logs: [Symbol('s')] };
    expect(compactRelay(input).findings.dropped.map(({ field, rule }) => `${field} ${rule}`)).toEqual(
      Object.keys(input).map((key) => `${key} not_json`),
    );
  });

  it('many keys pass through or are listed', () => {
    const count = IS_LONG ? 100_000 : 20_000;
    const keys = Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));
    const { output, findings } = compactRelay({
      ...keys,
      relay_context: { ...keys, goal: 'g' },
      execution_logs: [keys],
    });
    expect(findings.passedThrough).toHaveLength(count);
    expect(findings.dropped).toHaveLength(count);
    expect(output.relay_context).toEqual({ goal: 'g' });
  });

  it('__proto__ is a key like any other', () => {
    const text =
      '{"__proto__":{"goal":"evil"},"relay_context":{"__proto__":{"goal":"evil"}},"execution_logs":[{"__proto__":{"status":"done"},"m":1}]}';
    const { output, findings } = compactRelay(JSON.parse(text));
    expect(Object.getPrototypeOf(output)).toBe(Object.prototype);
    expect(findings.passedThrough).toEqual(['__proto__']);
    expect(JSON.stringify(output)).toContain('"__proto__":{"goal":"evil"}');
    expect(output.self_check.missing).toContain('goal');
    expect(output.execution_logs).toHaveLength(1);
    expect(findings.dropped).toMatchObject([{ field: 'relay_context.__proto__', rule: 'unknown_key' }]);
  });
});

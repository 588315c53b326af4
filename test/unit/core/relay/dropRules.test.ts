import { describe, expect, it } from 'vitest';
import { compactRelay } from '../../../../src/core/relay/compactRelay';
import { DROP_RULES } from '../../../../src/core/relay/dropRules';
import { IS_LONG } from '../../../support/extent.mjs';

const event = { event_type: 'step', dedup_key: 'k', step_id: 'S1' };
const TRACE = 'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    raise Boom("E_NOT_THIS")';
const NODE = '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)';
const PAGE = '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>E_PAGE</body></html>';

/**
 * A list, what is left of it, and why: each dropped entry's rule by its place. `left` names places of the input, or gives
 * the entry where it is shortened.
 */
interface Shape {
  readonly why: string;
  readonly list: string;
  readonly entries: readonly unknown[];
  readonly left: readonly unknown[];
  readonly dropped: Readonly<Record<number, string>>;
  readonly repeated?: readonly unknown[];
  readonly alarms?: readonly unknown[];
}

function shape(
  why: string,
  list: string,
  entries: readonly unknown[],
  left: readonly unknown[],
  dropped: Readonly<Record<number, string>>,
  more: Pick<Shape, 'repeated' | 'alarms'> = {},
): Shape {
  return { why, list, entries, left, dropped, ...more };
}

const LOGS = 'execution_logs';
const REPORTS = 'status_reports';
const NOISE = 'failure_noise';
const DUMPS = 'api_error_dumps';
const PATHS = 'evidence_paths';

const FINISHED = [
  'COMPLETED ',
  'complete',
  '✅ Done',
  'success',
  'Succeeded',
  'accepted',
  'resolved',
  'finished',
  'passed',
];
const FINISHED_TOO = ['ok', 'closed', 'merged', '完成', '已完成', '成功', '已通过', 'ｄｏｎｅ', '\tsuccess\u3000'];
const ALARM = { status: 'STALE', message: 'no heartbeat 900 s' };

/** Forms of a time: a newer one and an older one, which orders as text or as seconds and milliseconds would get wrong. */
const TIMES: readonly (readonly [string | number, string | number])[] = [
  ['2026-02-12T10:05:00+00', '2026-02-12T10:00:00+00'],
  ['2026-02-12 10:05:00 CST', '2026-02-12 10:00:00 CST'],
  ['Thu, 12 Feb 2026 10:05:00 GMT', '2026-02-12T10:00:00Z'],
  ['Thu Feb 12 10:05:00 2026', 'Mon Feb  9 10:05:00 2026'],
  ['2026年2月12日10:05', '2026年2月12日10:00'],
  ['2026-02-12 01:05:00 PM', '2026-02-12 11:00:00 AM'],
  ['20260212T100500Z', '20260212T100000Z'],
  [100_000_001, 99_999_999],
  ['100000000001', '99999999999'],
  [1_770_890_700_000_000_000, 1_770_890_699],
];

const SHAPES: readonly Shape[] = [
  // Blank entries and flags.
  shape('blank entries say nothing', LOGS, [null, '', ' \u200b', {}, [], { a: [' ', null] }, 0, false], [6, 7], {
    0: 'empty',
    1: 'empty',
    2: 'empty',
    3: 'empty',
    4: 'empty',
    5: 'empty',
  }),
  shape(
    'the flag stale, as truth value or text',
    REPORTS,
    [
      { m: 1, stale: true },
      { m: 2, stale: ' TRUE' },
      { m: 3, stale: false },
    ],
    [2],
    {
      0: 'stale_flag',
      1: 'stale_flag',
    },
  ),
  shape(
    'the flag resolved',
    NOISE,
    [
      { m: 1, resolved: true },
      { m: 2, resolved: 'no' },
    ],
    [1],
    { 0: 'resolved_flag' },
  ),
  shape('the flag stale goes before every other word', LOGS, [{ status: 'running', stale: true }], [], {
    0: 'stale_flag',
  }),
  // The class finished.
  ...[...FINISHED, ...FINISHED_TOO].map((status) =>
    shape(`a log that is ${JSON.stringify(status)} is finished`, LOGS, [{ status, m: 1 }], [], { 0: 'finished' }),
  ),
  ...['state', 'outcome', 'result'].map((key) =>
    shape(`${key} says finished as well`, LOGS, [{ [key]: 'done', m: 1 }], [], { 0: 'finished' }),
  ),
  shape(
    'other states are not finished',
    LOGS,
    ['running', 'incomplete', 'not done', 'done?', '未完成', '进行中', 'failed'].map((status) => ({ status })),
    [0, 1, 2, 3, 4, 5, 6],
    {},
  ),
  shape('completed, but failed, is a failure', LOGS, [{ status: 'completed', outcome: 'failed' }], [0], {}),
  shape('done in a message is no state', LOGS, [{ message: 'done' }, 'done'], [0, 1], {}),
  shape('an inherited status is none', LOGS, [{ __proto__: { status: 'done' }, m: 1 }], [0], {}),
  shape(
    'reports that are finished say the newest state',
    REPORTS,
    [{ status: 'done' }, { status: '已解决' }],
    [0, 1],
    {},
  ),
  // Failure noise.
  ...['stale', 'Stale', '已过期', 'resolved', 'RESOLVED ', '已解决'].map((status) =>
    shape(`noise that is ${status} goes`, NOISE, [{ status, m: 1 }], [], {
      0: /^r|解/i.test(status) ? 'resolved' : 'stale',
    }),
  ),
  shape(
    'noise says so in its level or state as well',
    NOISE,
    [{ level: 'stale' }, { state: '已解决' }, { health: 'STALE' }],
    [],
    {
      0: 'stale',
      1: 'resolved',
      2: 'stale',
    },
  ),
  shape('other noise stays', NOISE, [{ status: 'open' }, { status: 'accepted' }, '失败'], [0, 1, 2], {}),
  // Health alarms.
  ...['STALE', 'stale', 'Warning', 'LEASE_TAKEOVER', 'lease takeover', '⚠️ WARNING'].map((status) =>
    shape(
      `${status} is an alarm`,
      REPORTS,
      [{ status, message: 'm' }],
      [0],
      {},
      {
        alarms: [
          { list: REPORTS, index: 0, status: status.replace(/^\W+/u, '').toUpperCase().replace(' ', '_'), text: 'm' },
        ],
      },
    ),
  ),
  ...['state', 'level', 'health', 'event_type'].map((key) =>
    shape(
      `an alarm in ${key} of a log`,
      LOGS,
      [{ [key]: 'WARNING', reason: 'slow' }],
      [0],
      {},
      {
        alarms: [{ list: LOGS, index: 0, status: 'WARNING', text: 'slow' }],
      },
    ),
  ),
  shape('an alarm is kept though its log is finished', LOGS, [{ status: 'done', health: 'STALE' }], [0], {}),
  shape(
    'an alarm flagged as stale is an alarm; one flagged as resolved has ended',
    REPORTS,
    [
      { ...ALARM, stale: true },
      { ...ALARM, resolved: true },
    ],
    [0],
    {
      1: 'resolved_flag',
    },
  ),
  shape(
    'an alarm says all that it has where it has no message',
    REPORTS,
    [{ status: 'STALE', role: 'planner', beats: { missed: 3 } }],
    [0],
    {},
    {
      alarms: [{ list: REPORTS, index: 0, status: 'STALE', text: 'status: STALE; role: planner; beats: (missed: 3)' }],
    },
  ),
  shape(
    'a newer alarm replaces an alarm',
    REPORTS,
    [
      { ...event, ...ALARM },
      { ...event, status: 'LEASE_TAKEOVER' },
    ],
    [1],
    {
      0: 'duplicate_key',
    },
  ),
  shape(
    'a newer entry that is neither stands beside the newest alarm',
    REPORTS,
    [
      { ...event, status: 'running' },
      { ...event, ...ALARM },
      { ...event, ...ALARM, n: 2 },
      { ...event, status: 'queued' },
      { ...event, status: 'running' },
    ],
    [2, 4],
    {
      0: 'duplicate_key',
      1: 'duplicate_key',
      3: 'duplicate_key',
    },
    {
      repeated: [
        { list: REPORTS, index: 0, count: 1 },
        { list: REPORTS, index: 1, count: 2 },
      ],
    },
  ),
  shape(
    'a newer finished entry replaces an alarm',
    REPORTS,
    [
      { ...event, ...ALARM },
      { ...event, status: 'done' },
    ],
    [1],
    { 0: 'duplicate_key' },
  ),
  shape(
    'a newer resolved entry ends an alarm',
    REPORTS,
    [
      { ...event, ...ALARM },
      { ...event, status: 'running', resolved: true },
    ],
    [],
    {
      0: 'settled',
      1: 'resolved_flag',
    },
  ),
  shape(
    'a newer stale entry does not',
    REPORTS,
    [
      { ...event, ...ALARM },
      { ...event, status: 'done', stale: true },
    ],
    [0],
    { 1: 'stale_flag' },
  ),
  // Repetitions.
  shape(
    'the newest of an event, exactly as it came, at its place',
    LOGS,
    [{ ...event, m: 1 }, { other: 1 }, { ...event, m: 2 }, 'x'],
    [1, 2, 3],
    { 0: 'duplicate_key' },
    {
      repeated: [{ list: LOGS, index: 1, count: 1 }],
    },
  ),
  shape(
    'the newest by time stands where it stands',
    REPORTS,
    [
      { ...event, ts: '2026-02-12 10:06:00', m: 3 },
      { ...event, ts: '2026-02-12T10:02:00Z', m: 1 },
      { ...event, ts: '2026-02-12T12:04:00+02:00', m: 2 },
    ],
    [0],
    {
      1: 'duplicate_key',
      2: 'duplicate_key',
    },
    {
      repeated: [
        { list: REPORTS, index: 0, count: 2, first: '2026-02-12T10:02:00Z', last: '2026-02-12T12:04:00+02:00' },
      ],
    },
  ),
  ...(['time', 'timestamp', 'at', 'seq'] as const).map((key) =>
    shape(
      `the newest by ${key}`,
      LOGS,
      [
        { ...event, [key]: 9 },
        { ...event, [key]: 10 },
        { ...event, [key]: 1 },
      ],
      [1],
      { 0: 'duplicate_key', 2: 'duplicate_key' },
    ),
  ),
  shape(
    'numbers written as texts are numbers; seconds and milliseconds are one scale',
    LOGS,
    [
      { ...event, at: '1770890400000' },
      { ...event, at: 1_770_890_399 },
    ],
    [0],
    { 1: 'duplicate_key' },
  ),
  shape(
    'times of day are ordered by their hours, minutes, seconds and fractions',
    LOGS,
    [
      { ...event, at: '9:59:59' },
      { ...event, at: '10:00:00.5' },
      { ...event, at: '10:00' },
      { ...event, at: '10:00:00.25' },
    ],
    [1],
    { 0: 'duplicate_key', 2: 'duplicate_key', 3: 'duplicate_key' },
  ),
  shape(
    'the newer of two alarms and ends, in every form of a time',
    REPORTS,
    TIMES.flatMap(([newer, older], at) => {
      const own = { ...event, step_id: `S${at}` };
      return [
        { ...own, ...ALARM, ts: newer },
        { ...own, status: 'done', ts: older },
      ];
    }),
    TIMES.map((_, at) => at * 2),
    Object.fromEntries(TIMES.map((_, at) => [at * 2 + 1, 'duplicate_key'])),
  ),
  ...[
    ['23:58:00', '00:03:00'],
    ['2026-02-12 10:05 CST', '2026-02-12 10:00 PST'],
    ['2026-02-12 10:05:00', 1_770_890_700_000_000_000_000],
  ].map(([older, newer]) =>
    shape(
      `${older} and ${newer} could be in either order: the last is the newest`,
      REPORTS,
      [
        { ...event, status: 'done', ts: older },
        { ...event, ...ALARM, ts: newer },
      ],
      [1],
      { 0: 'duplicate_key' },
    ),
  ),
  shape(
    'a zone west of Greenwich is later there',
    LOGS,
    [
      { ...event, ts: '2026-02-12T10:00:00-05:30' },
      { ...event, ts: '2026-02-12T15:00:00Z' },
    ],
    [0],
    { 1: 'duplicate_key' },
  ),
  shape(
    'a time that not all have orders nothing: the last is the newest',
    LOGS,
    [{ ...event, ts: 9 }, { ...event, ts: 10 }, { ...event }],
    [2],
    { 0: 'duplicate_key', 1: 'duplicate_key' },
  ),
  shape(
    'a time that cannot be read orders nothing',
    LOGS,
    [
      { ...event, ts: 'later' },
      { ...event, ts: 'earlier' },
    ],
    [1],
    { 0: 'duplicate_key' },
  ),
  shape(
    'without all three keys the rest must be the same',
    LOGS,
    [
      { ...event, step_id: null, m: 1 },
      { ...event, step_id: '', m: 1 },
      { event_type: 'step', dedup_key: 'k', m: 1 },
    ],
    [0, 1, 2],
    {},
  ),
  shape(
    'times, counts and uuids make no difference',
    REPORTS,
    [
      { m: 'x', ts: 1, time: 1, timestamp: 1, at: 1, seq: 1, uuid: 'a', count: 3 },
      { m: 'x', ts: 2, time: 2, timestamp: 2, at: 2, seq: 2, uuid: 'b', count: 4 },
    ],
    [1],
    { 0: 'duplicate_json' },
  ),
  shape(
    'an id makes none beside a step, task or type',
    REPORTS,
    [
      { id: 1, task_id: 'T1', m: 'x' },
      { id: 2, task_id: 'T1', m: 'x' },
    ],
    [1],
    { 0: 'duplicate_json' },
  ),
  shape(
    'an id of its own tells entries apart',
    REPORTS,
    [
      { id: 1, m: 'x' },
      { id: 2, m: 'x' },
    ],
    [0, 1],
    {},
  ),
  shape('inside of an entry times and ids are data', REPORTS, [{ d: { ts: 1 } }, { d: { ts: 2 } }], [0, 1], {}),
  shape(
    'the order of keys makes no difference',
    NOISE,
    [
      { a: 1, b: [{ c: 2, d: 3 }] },
      { b: [{ d: 3, c: 2 }], a: 1 },
    ],
    [1],
    { 0: 'duplicate_json' },
  ),
  shape(
    'texts, numbers and types of keys are told apart',
    LOGS,
    [{ ...event, step_id: 1 }, { ...event, step_id: '1' }, 'x', 'x ', 1, '1'],
    [0, 1, 2, 3, 4, 5],
    {},
  ),
  shape('texts repeat each other too', REPORTS, ['仍在运行', 'still running', '仍在运行'], [1, 2], {
    0: 'duplicate_json',
  }),
  shape(
    'a failure that a later entry settles goes with it',
    LOGS,
    [
      { ...event, status: 'failed' },
      { ...event, status: 'done' },
    ],
    [],
    { 0: 'settled', 1: 'finished' },
  ),
  shape(
    'a failure after that is news',
    LOGS,
    [
      { ...event, status: 'done' },
      { ...event, status: 'failed' },
    ],
    [1],
    { 0: 'finished' },
  ),
  shape(
    'by time, not by place',
    LOGS,
    [
      { ...event, status: 'done', ts: 5 },
      { ...event, status: 'failed', ts: 4 },
    ],
    [],
    { 0: 'finished', 1: 'settled' },
  ),
  // Dumps of errors.
  ...[
    TRACE,
    `Error: no\n${NODE}`,
    PAGE,
    { body: PAGE },
    { stack: 'x' },
    { message: TRACE, code: null, hint: ' ' },
    'stack trace of error code returned by the server',
  ].map((dump) =>
    shape(`a dump without a code: ${JSON.stringify(dump).slice(0, 30)}`, DUMPS, [dump], [], {
      0: JSON.stringify(dump).includes('DOCTYPE')
        ? 'html'
        : JSON.stringify(dump).includes('Traceback')
          ? 'traceback'
          : 'stack_trace',
    }),
  ),
  ...[
    'E_TIMEOUT: gateway',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'urllib.error.HTTPError: HTTP Error 503: busy',
    '{"status": 502}',
    '[Errno 111] refused',
    '错误码：1002',
    'reason: quota',
    'Retry-After: 30',
    'error code: E1001',
    'call failed: HTTP 503 Traceback (most recent call last):',
    '\tstatus: 429',
    '\t\tRetry-After: 30\r',
  ].map((line) =>
    shape(`of a dump the line with a code: ${line}`, DUMPS, [`${TRACE}\n${line}\n${NODE}\n${PAGE}`], [line.trim()], {
      0: 'stack_lines',
    }),
  ),
  shape(
    'frames of Go are no codes',
    DUMPS,
    ['goroutine 1 [running]:\nmain.main()\n\t/src/E_TIMEOUT/main.go:42 +0x1d\n\t/src/E_TIMEOUT/main.go:7'],
    [],
    { 0: 'traceback' },
  ),
  shape(
    'a page inside of a tag leaves no other page behind',
    DUMPS,
    ['<ht<html></html>ml> code: 5', '<!doctype<html></html>html> code: 6'],
    ['ml> code: 5', 'html> code: 6'],
    { 0: 'stack_lines', 1: 'stack_lines' },
  ),
  shape(
    'a frame behind a blank of another kind is a frame',
    DUMPS,
    [`${TRACE}\nE_TIMEOUT\n\u00a0at run E_NO:5`],
    ['E_TIMEOUT'],
    { 0: 'stack_lines' },
  ),
  shape(
    'what speaks of a stack beside a code stays as it came',
    DUMPS,
    ['stack trace: E_TIMEOUT', { error: 'stack trace: E_TIMEOUT', more: ['traceback, code: 5'] }],
    [0, 1],
    {},
  ),
  shape(
    'in an object as well; texts without a code go',
    DUMPS,
    [{ at: 1, error: `${TRACE}\nECONNRESET`, body: PAGE }],
    [{ at: 1, error: 'ECONNRESET' }],
    { 0: 'stack_lines' },
  ),
  shape(
    'structured dumps stay exactly as they came',
    DUMPS,
    [
      { code: 'RATE_LIMIT', m: TRACE },
      { status: 502, body: PAGE },
      { error: { errno: 111, stack: NODE } },
      { hint: 'wait', body: PAGE },
      { reason: 'quota', tb: TRACE },
      { retryable: false, tb: TRACE },
    ],
    [0, 1, 2, 3, 4, 5],
    {},
  ),
  shape('plain texts are no dumps', DUMPS, ['the provider refused', 'a < b and c > d', '服务不可用'], [0, 1, 2], {}),
  shape(
    'dumps that say the same once they are shortened are one',
    DUMPS,
    [`${TRACE}\nE_TIMEOUT`, `E_TIMEOUT\n${NODE}`],
    ['E_TIMEOUT'],
    { 0: 'stack_lines', 1: 'stack_lines' },
  ),
  // Evidence.
  shape(
    'blank paths and repeats of one path',
    PATHS,
    ['a/b.md', '', ' ./a//b.md', 'a\\b.md', { path: ' ', note: 'n' }, { path: 'a/b.md' }, { note: 'no path' }],
    [0, 6],
    {
      1: 'empty',
      2: 'duplicate_path',
      3: 'duplicate_path',
      4: 'empty',
      5: 'duplicate_path',
    },
  ),
  ...[
    'logs/api_error_dump_3.json',
    'out/Traceback.txt',
    'out/stack-trace.log',
    'runs/1/lastStderr.log',
    'runs\\1\\STDOUT',
  ].map((path) =>
    shape(`${path} is raw noise`, PATHS, [path, 'reports/result.md'], [1], {
      0:
        /api|trace|std/i.exec(path)?.[0]?.toLowerCase() === 'api'
          ? 'api_error_dump'
          : /traceback/i.test(path)
            ? 'traceback'
            : /stack/.test(path)
              ? 'stacktrace'
              : /err/.test(path)
                ? 'stderr'
                : 'stdout',
    }),
  ),
  shape(
    'other paths stay',
    PATHS,
    ['src/stdoutput/readme.md', 'src/errors/api.md', '证据/截图.png', 7],
    [0, 1, 2, 3],
    {},
  ),
];

describe('lists of a relay log', () => {
  it.each(SHAPES.map((row) => [`${row.list}: ${row.why}`, row] as const))(
    '%s',
    (_, { list, entries, left, dropped, repeated, alarms }) => {
      const { output, findings } = compactRelay({ [list]: entries });
      const right = left.map((one) => (typeof one === 'number' ? entries[one] : one));
      expect(output[list]).toEqual(right);
      const rules = findings.dropped.map(({ index, rule }) => [index, rule]);
      for (const [place, rule] of Object.entries(dropped)) expect(rules).toContainEqual([Number(place), rule]);
      const places = new Set(findings.dropped.map(({ index }) => index));
      expect([...places].map(String).sort()).toEqual(Object.keys(dropped).sort());
      if (repeated) expect(output.repeated).toEqual(repeated);
      if (alarms) expect(output.alarms).toEqual(alarms);
      const again = compactRelay(JSON.parse(JSON.stringify(output)));
      expect(again.output).toEqual(JSON.parse(JSON.stringify(output)));
      expect(again.findings.dropped).toEqual([]);
    },
  );

  it('each rule of the table drops something of them', () => {
    const met = new Set(
      SHAPES.flatMap(({ list, entries }) => compactRelay({ [list]: entries }).findings.dropped).map(
        ({ field, rule }) => `${field} ${rule}`,
      ),
    );
    const rules = new Set(DROP_RULES.map(({ rule }) => rule));
    expect([...rules].filter((rule) => ![...met].some((one) => one.endsWith(` ${rule}`)))).toEqual([]);
    expect(SHAPES.length).toBeGreaterThanOrEqual(60);
  });
});

it('dumps are read in linear time', () => {
  const many = IS_LONG ? 2_000_000 : 500_000;
  const dumps = [
    `code: ${'A'.repeat(many)}a`,
    'CODE-CODEA-CODEA-'.repeat(many / 20),
    `${' '.repeat(many)}x`,
    `${'\t'.repeat(many)}x`,
    `at ${':1'.repeat(many)}x`,
    'code: '.repeat(many / 6),
    '<html '.repeat(many / 6),
  ];
  const { output } = compactRelay({ [DUMPS]: dumps.map((text) => `${TRACE}\n${text}`) });
  expect(output[DUMPS]).toEqual([]);
});

describe('what was compacted before', () => {
  const at = (minute: number, more: object) => ({ ...event, ts: `2026-02-12 10:0${minute}:00`, ...more });

  it('counts on', () => {
    const first = compactRelay({ [REPORTS]: [at(0, { m: 1 }), at(2, { m: 2 }), at(4, { m: 3 })] }).output;
    expect(first.repeated).toEqual([
      { list: REPORTS, index: 0, count: 2, first: '2026-02-12 10:00:00', last: '2026-02-12 10:02:00' },
    ]);
    const list = [...(first[REPORTS] as unknown[]), { m: 'other' }, at(6, { m: 4 })];
    expect(compactRelay({ ...first, [REPORTS]: list }).output.repeated).toEqual([
      { list: REPORTS, index: 1, count: 3, first: '2026-02-12 10:00:00', last: '2026-02-12 10:04:00' },
    ]);
  });

  it('keeps the order of two survivors that they alone would not have', () => {
    const list = [
      { ...event, ...ALARM, ts: 5 },
      { ...event, m: 'no time' },
      { ...event, m: 'last', ts: 3 },
    ];
    const { output } = compactRelay({ [REPORTS]: list });
    expect(output[REPORTS]).toEqual([list[0], list[2]]);
    expect(output.repeated).toEqual([{ list: REPORTS, index: 1, count: 1, by: 'list' }]);
    expect(compactRelay(output).output).toEqual(output);
  });

  it('takes no foreign list for its records', () => {
    const input = { [REPORTS]: [{ m: 1 }], repeated: ['mine', { list: REPORTS, index: 0, count: -1 }], alarms: 'mine' };
    const { output, findings } = compactRelay(input);
    expect(output).toMatchObject({ repeated: [], alarms: [] });
    expect(findings.dropped.map(({ field, rule }) => `${field} ${rule}`)).toEqual([
      'repeated replaced',
      'alarms replaced',
    ]);
  });

  it.each([
    ['by name', { planner: { status: 'running' }, worker: ALARM }, 1],
    ['by name beside other keys', { updated_at: '2026-02-12', status: 'running', worker: ALARM }, 2],
    ['one entry alone', { ...ALARM, last: { status: 'WARNING' } }, 0],
  ])('finds alarms where an object stands for a list: %s', (_, reports, index) => {
    expect(compactRelay({ [REPORTS]: reports }).output).toMatchObject({
      [REPORTS]: reports,
      alarms: [{ list: REPORTS, index, status: 'STALE', text: 'no heartbeat 900 s' }],
    });
  });
});

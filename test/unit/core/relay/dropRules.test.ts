import { describe, expect, it } from 'vitest';
import { compactRelay } from '../../../../src/core/relay/compactRelay';
import { DROP_RULES, type RuledField } from '../../../../src/core/relay/dropRules';

const event = { event_type: 'step', dedup_key: 'k', step_id: 'S1' };
const status = (value: string) => [{ status: value }];

/** For each rule of each field: a list whose entries stay but for the last one, which that rule alone drops. */
const LOSERS: Readonly<Record<RuledField, Readonly<Record<string, readonly unknown[]>>>> = {
  execution_logs: {
    empty: [null],
    completed: status(' COMPLETED '),
    done: status('Done'),
    success: status('\tsuccess\n'),
    accepted: status('ACCEPTED'),
    resolved: status('resolved\u3000'),
    stale: status('ｓｔａｌｅ'),
    resolved_flag: [{ status: 'failed', resolved: true }],
    stale_flag: [{ status: 'running', stale: true }],
    duplicate_key: [
      { ...event, message: 'a' },
      { ...event, message: 'b' },
    ],
    duplicate_json: [
      { a: 1, b: [{ c: 2, d: 3 }] },
      { b: [{ d: 3, c: 2 }], a: 1 },
    ],
  },
  status_reports: {
    empty: [{ message: ' ', tags: [] }],
    resolved: status('已解决'),
    stale: status('stale'),
    resolved_flag: [{ resolved: 'True' }],
    stale_flag: [{ stale: ' true' }],
    duplicate_key: [
      { ...event, step_id: 7, message: 'a' },
      { ...event, step_id: 7, message: 'b' },
    ],
    duplicate_json: ['still running', 'still running'],
  },
  failure_noise: {
    empty: [''],
    resolved: status('Resolved'),
    stale: status('已过期'),
    resolved_flag: [{ resolved: true }],
    stale_flag: [{ stale: true }],
    duplicate_key: [
      { ...event, dedup_key: ' k ' },
      { ...event, more: 1 },
    ],
    duplicate_json: [{ message: '失败' }, { message: '失败' }],
  },
  api_error_dumps: {
    empty: [{ body: '', headers: {} }],
    traceback: ['Traceback (most recent call last):\n  File "a.py", line 3, in f'],
    stack_trace: [{ message: 'Error: no\n    at run (/srv/a.js:10:5)' }],
    html: [{ body: '<!DOCTYPE html><html><h1>502 Bad Gateway</h1></html>' }],
    duplicate_key: [
      { ...event, code: 'E1' },
      { ...event, code: 'E2' },
    ],
    duplicate_json: [
      { code: 429, hint: 'wait' },
      { hint: 'wait', code: 429 },
    ],
  },
  evidence_paths: {
    empty: [' '],
    api_error_dump: ['logs/api_error_dump_3.json'],
    traceback: ['out/traceback.txt'],
    stacktrace: [{ path: 'out/stack-trace.log', note: 'n' }],
    stderr: ['runs/1/lastStderr.log'],
    stdout: ['runs\\1\\STDOUT'],
    duplicate_path: ['a/b.md', './a//b.md'],
  },
};

describe('each rule of the table', () => {
  it('has a list that only it changes', () => {
    const listed = Object.entries(LOSERS).flatMap(([field, rules]) =>
      Object.keys(rules).map((rule) => `${field}/${rule}`),
    );
    expect(listed.sort()).toEqual(DROP_RULES.map(({ field, rule }) => `${field}/${rule}`).sort());
  });

  it.each(DROP_RULES.map(({ field, rule }) => ({ field, rule })))('$field/$rule', ({ field, rule }) => {
    const entries = LOSERS[field][rule]!;
    const { output, findings } = compactRelay({ [field]: entries });
    expect(output[field]).toEqual(entries.slice(0, -1));
    expect(findings.dropped).toMatchObject([{ field, rule, index: entries.length - 1 }]);
    const others = DROP_RULES.filter((other) => other.field !== field || other.rule !== rule);
    expect(compactRelay({ [field]: entries }, { rules: others }).output[field]).toEqual(entries);
  });
});

describe('what stays', () => {
  const KEPT: Readonly<Record<RuledField, readonly unknown[]>> = {
    execution_logs: [
      { status: 'running' },
      { status: 'failed', stale: false },
      { status: 'not done' },
      { status: 'incomplete' },
      { message: 'done' },
      { __proto__: { status: 'done' }, message: 'an inherited status is none' },
      { ...event, message: 'first' },
      { ...event, step_id: 'S2' },
      { ...event, step_id: null, message: 'no step_id: no key' },
      { event_type: 'step', dedup_key: 'k', message: 'nor here' },
      { ...event, step_id: 1 },
      { ...event, step_id: '1' },
      'a bare line',
      3,
      false,
    ],
    status_reports: [{ status: 'completed' }, { status: 'done' }],
    failure_noise: [{ status: 'accepted' }, { status: 'open', error: 'x' }],
    api_error_dumps: [
      { code: 'RATE_LIMIT', message: 'Traceback (most recent call last)' },
      { error: { code: 429, stack: '    at a (b.js:1:2)' } },
      { hint: 'wait a minute', body: '<html></html>' },
      { retryable: false, traceback: 'File "a.py", line 3' },
      { retry_after_ms: 500, html: '<p>busy</p>' },
      'error code: E1001\nTraceback (most recent call last)',
      '{"code": "rate_limit", "trace": "stack trace"}',
      '[Errno 111] Connection refused\nTraceback (most recent call last)',
      '错误码：1002\n堆栈：\n  at foo',
      'a plain text about a failure',
      'a < b and c > d',
    ],
    evidence_paths: [
      'reports/result.md',
      'reports/result.md#L10',
      'src/stdoutput/readme.md',
      'src/errors/api.md',
      '证据/截图.png',
      { note: 'no path' },
      7,
    ],
  };

  it.each(Object.entries(KEPT))('%s', (field, entries) => {
    const { output, findings } = compactRelay({ [field]: entries });
    expect(findings.dropped).toEqual([]);
    expect(output[field]).toEqual(entries);
  });

  it('is no error dump without an error code just because code is mentioned', () => {
    const dumps = [
      'Traceback (most recent call last):\n    code = main()\n    exec(code, globals)',
      'stack trace of error code returned by the server',
      { code: '', hint: ' ', retryable: null, stack: 'Error\n    at f (a.js:1:1)' },
      { message: '<html>', statusText: 'Bad Gateway' },
    ];
    expect(compactRelay({ api_error_dumps: dumps }).output.api_error_dumps).toEqual([]);
  });

  it('is for the key alone to judge where there is one: without that rule even the same JSON stays', () => {
    const entry = { ...event, message: 'same' };
    const rules = DROP_RULES.filter(({ rule }) => rule !== 'duplicate_key');
    expect(compactRelay({ execution_logs: [entry, entry] }, { rules }).output.execution_logs).toHaveLength(2);
    expect(compactRelay({ execution_logs: [entry, entry] }).findings.dropped).toMatchObject([
      { rule: 'duplicate_key' },
    ]);
  });

  it('is one spelling of a path', () => {
    const paths = ['a/b.md', 'a\\b.md', './a/b.md', 'a//b.md', ' a/./b.md '];
    expect(compactRelay({ evidence_paths: paths }).output.evidence_paths).toEqual(['a/b.md']);
  });

  it('is the first of several, and entries that go leave no trace in the search for repetitions', () => {
    const logs = [
      { ...event, status: 'done' },
      { ...event, status: 'failed' },
      { ...event, status: 'running' },
    ];
    expect(compactRelay({ execution_logs: logs }).output.execution_logs).toEqual([logs[1]]);
  });
});

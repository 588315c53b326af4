import { describe, expect, it } from 'vitest';
import { readRunLog } from '../../../../../src/core/observations/ingest/runLog';

/** What rows show, with the line that each came from. */
const read = (text: string, name = 'PROGRESS.md') => {
  const { drafts, problems } = readRunLog(name, text);
  const rows = drafts.map(({ ts, taskId, actor, phase, summary, refs }) =>
    [ts, taskId, actor, phase, summary, refs.files[0]?.split('#')[1]].join(' | '),
  );
  return { rows, problems, drafts };
};

describe('tables', () => {
  it('are read by English and Chinese headers, in any order of columns', () => {
    const english =
      '| Task | Date | Agent | Result | Event |\n|:--|--:|---|---|---|\n| T1 | 2026-02-09 | me | PASS | ran |\n';
    expect(read(english).rows).toEqual(['2026-02-09 00:00:00 | T1 | me |  | ran → PASS | L3']);
    const chinese = '|時間|任務|執行者|階段|事件|結果|\n|-|-|-|-|-|-|\n|2026年2月9日 7:05|T2|主控|驗證|運行|通過|';
    expect(read(chinese).rows).toEqual(['2026-02-09 07:05:00 | T2 | 主控 | 驗證 | 運行 → 通過 | L3']);
  });

  it('keep escaped bars and those in code spans, and whole cells in the detail', () => {
    const { rows, drafts } = read(
      '| Time | What | Result |\n|---|---|---|\n| 2026-02-09 10:00 | `a | b` \\| c | **ok**<br>two |\n',
    );
    expect(rows).toEqual(['2026-02-09 10:00:00 |  |  |  | a | b | c → ok two | L3']);
    expect(drafts[0]?.detail).toBe('What: `a | b` | c\nResult: **ok**\ntwo');
  });

  it('say which rows are malformed, and read the others', () => {
    const { rows, problems } = read(
      '| Time | What |\n|---|---|\n| 2026-02-09 | a |\n| 2026-02-10 | b | c |\n| soon | d |\n| - | e |\n',
    );
    expect(rows.map((row) => row.split(' | ').at(-1))).toEqual(['L3', 'L6']);
    expect(rows[1]).toContain('2026-02-09 00:00:00');
    expect(problems).toEqual([
      { path: 'PROGRESS.md', line: 4, why: 'the row has 3 cells, its table has 2 columns' },
      { path: 'PROGRESS.md', line: 5, why: '"soon" is no time' },
    ]);
  });

  it('are no logs without a time in any row, or without a column of times', () => {
    expect(read('| 时间 | 任务 |\n|---|---|\n| 第1周 | 准备 |\n| 上午 | 编码 |\n')).toMatchObject({
      rows: [],
      problems: [],
    });
    expect(read('| Phase | State |\n|---|---|\n| 1 | done |\n').rows).toEqual([]);
    expect(read('```\n| Time | What |\n|---|---|\n| 2026-02-09 | a |\n```\n').rows).toEqual([]);
  });

  it('take the task from its id and what was done from the next best column', () => {
    const text =
      '| Date / 日期 | Feature ID | Files Changed | Notes / 备注 |\n|---|---|---|---|\n| 2025-11-28 | INIT-1 | a.ts | Set up |\n';
    expect(read(text).rows).toEqual(['2025-11-28 00:00:00 | INIT-1 |  |  | Set up | L3']);
    const sentence = '| 时间 | 任务 | 事实与证据 |\n|---|---|---|\n| 2026-09-24 CST | P3-00：复核 | 对照 |\n';
    expect(read(sentence).rows[0]).toContain('| P3-00 |');
  });
});

describe('a table whose columns say no event', () => {
  it('takes the text of a column that it does not know', () => {
    const text = '| Time | Agent | Weather |\n|---|---|---|\n| 2026-02-09 | me | rain |\n';
    expect(read(text).rows).toEqual(['2026-02-09 00:00:00 |  | me |  | rain | L3']);
  });
});

describe('free timelines', () => {
  it('are dated bullets with what is indented under them', () => {
    const { rows, drafts } = read(
      '# Log\n\n- [2026-02-09] First\n  more of it\n- **2026-02-10 14:30**: Second\n* [x] 2026/02/11 — Third\n- not dated\n',
    );
    expect(rows).toEqual([
      '2026-02-09 00:00:00 |  |  |  | First — more of it | L3',
      '2026-02-10 14:30:00 |  |  |  | Second | L5',
      '2026-02-11 00:00:00 |  |  |  | Third → done | L6',
      '2026-02-11 00:00:00 |  |  |  | not dated | L7',
    ]);
    expect(drafts[0]?.detail).toContain('more of it');
  });

  it('are dated headings: with a title one event, without one event a bullet', () => {
    const text = [
      '## 2026-02-16 18:34 (local) | M1.2',
      '- Status: done',
      '- Done: the review',
      '- Evidence: commit 7bc1588, https://example.org/pr/3.',
      '## 2026-02-17',
      '- 09:15 stand-up',
      '- fixed it',
      '  by hand',
      '### Fixed',
      '- the last one',
      '## Ideas',
      '- not an event',
    ].join('\n');
    const { rows, drafts } = read(text);
    expect(rows).toEqual([
      '2026-02-16 18:34:00 | M1.2 |  |  | the review → done | L1',
      '2026-02-17 09:15:00 |  |  |  | stand-up | L6',
      '2026-02-17 00:00:00 |  |  |  | fixed it — by hand | L7',
      '2026-02-17 00:00:00 |  |  | Fixed | the last one | L10',
    ]);
    expect(drafts[0]?.refs.urls).toEqual(['https://example.org/pr/3']);
    expect(drafts[0]?.detail).toContain('Evidence: commit 7bc1588');
  });

  it('are stamped lines of a day that the title or the name of the file says', () => {
    const lines =
      '[12:39:42] (alex) Check the deployment, please\n[12:40:00] User: again, with all of the details\nand more\n';
    const expected = [
      '2026-03-05 12:39:42 |  | alex |  | Check the deployment, please | L3',
      '2026-03-05 12:40:00 |  | User |  | again, with all of the details | L4',
    ];
    expect(read(`# Notes - 2026-03-05\n\n${lines}`).rows).toEqual(expected);
    expect(read(`# Notes\n\n${lines}`, 'memory/2026-03-05.md').rows).toEqual(expected);
    expect(read(`# Notes\n\n${lines}`).rows).toEqual([]);
  });

  it('are not lost behind a code fence that is never closed', () => {
    expect(read('- 2026-02-09 one event of the log\n```\n- 2026-02-10 another event of it\n').rows).toHaveLength(2);
  });
});

describe('JSON', () => {
  it('task files give the task and the events in it', () => {
    const task = {
      task_id: 'T7',
      title: 'Guard',
      status: 'PASS',
      finishedAt: '2026-02-04T00:12:20.123Z',
      events: [
        { ts: 1_770_163_940, phase: 'verify', message: 'ran', agent: 'v' },
        { note: 'no time of its own', status: 'x' },
      ],
    };
    const { rows, drafts } = read(JSON.stringify(task), 'runs/a.json');
    expect(rows).toEqual([
      '2026-02-04 00:12:20 | T7 |  |  | Guard → PASS | L1',
      '2026-02-04 00:12:20 | T7 | v | verify | ran | L1',
      '2026-02-04 00:00:00 | T7 |  |  | no time of its own → x | L1',
    ]);
    expect(drafts[0]).toMatchObject({ type: 'task', detail: expect.stringContaining('finishedAt: 2026') });
  });

  it('takes rows of data for no log', () => {
    const rows = '{"user":"a","name":"add_revenue"}\n{"user":"b","name":"add_revenue"}\n';
    const found = read(rows, 'events.jsonl');
    expect([found.rows, found.problems.length]).toEqual([[], 1]);
    const told = rows.replace('add_', 'added ');
    expect(readRunLog('events.jsonl', told, { blame: new Map(), file: '2026-02-03' }).drafts).toHaveLength(2);
  });

  it('logs give an event a line, whatever its fields are called, and say which lines are none', () => {
    const lines = [
      '{"ts":"2026-02-09 10:00:00","event":"a"}',
      '{"ts":',
      '',
      '{"x":1,"made":{"plates":2},"timestamp":1770163940}',
      '[1]',
      '{}',
    ].join('\n');
    const { rows, problems } = read(lines, 'log.jsonl');
    expect(rows).toEqual([
      '2026-02-09 10:00:00 |  |  |  | a | L1',
      '2026-02-04 00:12:20 |  |  |  | x: 1, made: {"plates":2} | L4',
    ]);
    expect(problems.map(({ line }) => line)).toEqual([2, 5, 6]);
    const { drafts } = readRunLog('a.jsonl', '{"x":1}\n', { blame: new Map([[1, '2026-02-03']]), file: undefined });
    expect(drafts).toMatchObject([{ ts: '2026-02-03 00:00:00', timeFrom: 'blame', summary: 'x: 1' }]);
    expect(read('{"a":1,\n"b": }', 'x.json').problems).toMatchObject([
      { line: expect.any(Number), why: 'it is not JSON' },
    ]);
  });

  it.each<[what: string, times: readonly unknown[], ts: readonly string[]]>([
    ['a day that the year lacks', ['02-29 14:30', '14:40', ''], ['02-28 00:00:00', '02-28 14:40:00', '02-28 00:00:00']],
    ['microseconds', [1_770_300_000_123_456, '1770300000123456'], ['02-05 14:00:00', '02-05 14:00:00']],
    ['nanoseconds', [1_770_300_000e9, '1770300000000000000'], ['02-05 14:00:00', '02-05 14:00:00']],
    ['numbers of no time', [0, -1, 12_345, 1e30], Array(4).fill('02-28 00:00:00')],
  ])('logs have the day of the line above where a line says none: %s', (_what, times, ts) => {
    const lines = ['2026-02-28 10:00:00', ...times].map((time) => JSON.stringify({ ts: time, event: 'it ran' }));
    const { drafts, problems } = readRunLog('log.jsonl', lines.join('\n'));
    expect(problems).toEqual([]);
    expect(drafts.slice(1).map((draft) => draft.ts)).toEqual(ts.map((time) => `2026-${time}`));
  });

  it('are objects with a name of their own kind, and lists of things with a state under any name', () => {
    const days = { blame: new Map(), file: '2026-02-09' };
    const said = (value: unknown) =>
      readRunLog('tasks.json', JSON.stringify(value, null, 2), days).drafts.map(({ summary }) => summary);
    expect(said([{ task_id: 3, task_name: 'Paint the door' }])).toEqual(['Paint the door']);
    const chapters = [
      { label: 'Walls', state: 'done' },
      { label: 'Roof', state: 'open' },
    ];
    expect(said({ house: 'small', chapters, walls: [{ label: 'north' }] })).toEqual(['Walls → done', 'Roof → open']);
  });
});

describe('entries as people write them', () => {
  /** What a row shows, as `precision time_from`. */
  const one = (text: string, name = 'PROGRESS.md') =>
    readRunLog(name, text).drafts.map(({ ts, precision, timeFrom, taskId, summary }) =>
      [
        ts.slice(0, precision === 'day' ? 10 : precision === 'minute' ? 16 : 19),
        precision,
        timeFrom,
        taskId,
        summary,
      ].join(' | '),
    );

  it.each([
    ['- Fixed the login on 2026-02-03, at last', '2026-02-03 | day | text |  | Fixed the login on 2026-02-03, at last'],
    ['- Feb 5, 2026: set up TASK-12', '2026-02-05 | day | text | TASK-12 | set up TASK-12'],
    ['- 5 Feb 2026 - closed #42', '2026-02-05 | day | text | #42 | closed #42'],
    ['**2026-02-03** — wrote the reader of dates', '2026-02-03 | day | text |  | wrote the reader of dates'],
    [
      '1. 2026-02-03 14:30 numbered and with a minute',
      '2026-02-03 14:30 | minute | text |  | numbered and with a minute',
    ],
    [
      '> 2026-02-03 21:23:34 quoted and with seconds',
      '2026-02-03 21:23:34 | second | text |  | quoted and with seconds',
    ],
    [
      '2026年2月6日 修复并行隔离，忽略缓存目录，验证通过，提交',
      '2026-02-06 | day | text |  | 修复并行隔离，忽略缓存目录，验证通过，提交',
    ],
    [
      '[1770163940] started the first of two builds',
      '2026-02-04 00:12:20 | second | text |  | started the first of two builds',
    ],
    [
      '1770163940123 started the second of two builds',
      '2026-02-04 00:12:20 | second | text |  | started the second of two builds',
    ],
    [
      'Tue Feb  3 21:23:34 UTC 2026 the nightly run passed',
      '2026-02-03 21:23:34 | second | text |  | the nightly run passed',
    ],
  ])('%j', (text, expected) => {
    expect(one(`${text}\n`)).toEqual([expected]);
  });

  it('have the year of blame or file where nobody writes one, at most that day, and no day of another section', () => {
    const text = '## Feb 3\n\nWe wrote the reader of dates.\n\n## Feb 4\n\n- tests pass\n';
    const dates = { blame: new Map([[1, '2026-02-03']]), file: '2026-02-09' };
    const rows = readRunLog('log.md', text, dates).drafts.map(({ ts, timeFrom, summary }) => [
      ts.slice(0, 10),
      timeFrom,
      summary,
    ]);
    expect(rows).toEqual([
      ['2026-02-03', 'context', 'We wrote the reader of dates.'],
      ['2026-02-04', 'context', 'tests pass'],
    ]);
    expect(readRunLog('log.md', '## Dec 30\n\n- tests pass\n', dates).drafts[0]?.ts).toMatch(/^2025-12-30/);
  });

  it('are what lists of done things hold in a log of dates, but not its plans, fields and descriptions', () => {
    const text =
      '# Progress\n\n- **Last updated**: 2026-02-09\n- **Branch**: main (2026-02-08)\n\n## Unreleased\n\n- one\n\n## Next steps\n\n- two\n\n## Tech stack\n\n- three\n\n## 2026-02-03\n\n- four\n';
    const dates = { blame: new Map(), file: '2026-02-10' };
    const rows = readRunLog('log.md', text, dates).drafts.map(({ ts, summary }) => [ts.slice(0, 10), summary]);
    expect(rows).toEqual([
      ['2026-02-10', 'one'],
      ['2026-02-03', 'four'],
    ]);
  });

  it('are lines of a program, levels and all', () => {
    const text =
      '[INFO] 2026-02-03 21:23:34,120 started\n[WARN] 2026-02-03 21:23:35,001 slow\n  at a.ts:12\n[ERROR] 2026-02-03 21:24:00,000 done\n';
    const rows = readRunLog('agent.log', text).drafts.map(({ ts, summary }) => `${ts} ${summary}`);
    expect(rows).toEqual([
      '2026-02-03 21:23:34 [INFO] 2026-02-03 21:23:34,120 started',
      '2026-02-03 21:23:35 [WARN] 2026-02-03 21:23:35,001 slow',
      '2026-02-03 21:24:00 [ERROR] 2026-02-03 21:24:00,000 done',
    ]);
  });

  it('take year and day from what stands above', () => {
    const text =
      '# 2026\n\n## 2026-02-05\n\n- 14:30 ran all of the tests\n- [02-06] wrote down the results\n- 2月7日 修复了并行隔离的问题\n- nothing but words here\n';
    expect(one(text)).toEqual([
      '2026-02-05 14:30 | minute | context |  | ran all of the tests',
      '2026-02-06 | day | context |  | wrote down the results',
      '2026-02-07 | day | context |  | 修复了并行隔离的问题',
      '2026-02-05 | day | context |  | nothing but words here',
    ]);
  });

  it('never invent a time, nor a day where there is none', () => {
    expect(one('- [02-06] no year anywhere\n- 14:30 and no day\n')).toEqual([]);
    expect(one('- may fix this second\n- Sunday release at 3\n- in 2 days\n')).toEqual([]);
    expect(one('- built against revision 2025-11-25 of the protocol\n')).toEqual([]);
  });

  it('are the bullets of a changelog, with its heading as their day', () => {
    const text =
      '# Changelog\n\n## [1.2.0] - 2026-02-03\n\n### Added\n\n- A reader of dates\n\n### Fixed\n\n- The panel (#7)\n';
    expect(one(text)).toEqual([
      '2026-02-03 | day | context |  | A reader of dates',
      '2026-02-03 | day | context | #7 | The panel (#7)',
    ]);
  });

  it('are one account for a run with fields: status, command, files', () => {
    const text =
      '## Run 2026-02-03_212334 (TASK-1)\n\n- Status: failed\n- Command: `npm test`\n- Exit code: 1\n- Files: src/a.ts, `src/b.ts:12`\n- Report: https://example.org/r/1\n';
    const [draft, ...more] = readRunLog('runs.md', text).drafts;
    expect(more).toEqual([]);
    expect(draft).toMatchObject({ ts: '2026-02-03 21:23:34', precision: 'second', timeFrom: 'text', taskId: 'TASK-1' });
    expect(draft?.summary).toContain('→ failed');
    expect(draft?.refs).toEqual({
      files: ['runs.md#L1', 'src/a.ts', 'src/b.ts#L12'],
      commands: ['npm test (exit 1)'],
      urls: ['https://example.org/r/1'],
    });
  });

  it('are check boxes, done and open, wherever they stand', () => {
    const text =
      '# Plan of 2026-02-03\n\n## Next steps\n\n- [x] TASK-1 the parser\n- [ ] TASK-2 the panel\n- an idea\n';
    expect(one(text)).toEqual([
      '2026-02-03 | day | context | TASK-1 | TASK-1 the parser → done',
      '2026-02-03 | day | context | TASK-2 | TASK-2 the panel → open',
    ]);
  });

  it('are called as a link to another file is', () => {
    const text = '# Records\n- [2026-02-03: the parser and its tests](sessions/2026-02-03.md)\n';
    expect(one(text)).toEqual([expect.stringMatching(/the parser and its tests$/)]);
  });

  it('are done where a mark behind an arrow says so, whatever was wrong before', () => {
    const text = '## 2026-02-03\n\n- ❌ Seats lost → ✅ Direct call\n- ❌ Slow -> ✅ fixed\n- ❌ Door\n';
    expect(one(text).map((row) => row.split(' → ').at(-1))).toEqual(['done', 'done', 'open']);
  });

  it('are instants where a zone is named, in UTC', () => {
    const text =
      '- 2026-02-03T21:23:34Z in UTC\n- 2026-02-03 21:23 +08:00 in China\n- 2026-02-03T21:23:34.120-05:00 in New York\n- Tue Feb 3 21:23:34 2026 +0100 in Paris\n- 2026-02-03 21:23 CST nobody knows where\n';
    expect(readRunLog('a.md', text).drafts.map(({ ts, instant }) => [ts, instant])).toEqual([
      ['2026-02-03 21:23:34', '2026-02-03T21:23:34Z'],
      ['2026-02-03 13:23:00', '2026-02-03T13:23:00Z'],
      ['2026-02-04 02:23:34', '2026-02-04T02:23:34.120Z'],
      ['2026-02-03 20:23:34', '2026-02-03T20:23:34Z'],
      ['2026-02-03 21:23:00', undefined],
    ]);
  });

  it('have the day of their line in blame, else of the file, where the file names none', () => {
    const text = '# Progress\n\n- set up the repository\n- wrote the first test\n';
    expect(readRunLog('PROGRESS.md', text)).toMatchObject({ drafts: [], undated: 2 });
    const dates = { blame: new Map([[3, '2026-02-03']]), file: '2026-02-09' };
    const { drafts, undated } = readRunLog('PROGRESS.md', text, dates);
    expect(undated).toBe(0);
    expect(drafts.map(({ ts, precision, timeFrom }) => [ts, precision, timeFrom])).toEqual([
      ['2026-02-03 00:00:00', 'day', 'blame'],
      ['2026-02-09 00:00:00', 'day', 'file'],
    ]);
  });

  it('are objects in JSON, of any list, with ids, ends, commands and their own lines', () => {
    const runs = [
      { id: 'TASK-2', passed: false, verify: 'npm test', exit_code: 1, at: 1_770_163_940_123, files: ['src/a.ts'] },
      { id: 'TASK-3', status: 'done', title: 'The panel', date: '2026-02-05' },
    ];
    const { drafts } = readRunLog('runs/a.json', JSON.stringify({ tasks: runs }, null, 2));
    expect(
      drafts.map(({ ts, precision, taskId, refs }) => [ts, precision, taskId, refs.files[0], ...refs.commands]),
    ).toEqual([
      ['2026-02-04 00:12:20', 'second', 'TASK-2', 'runs/a.json#L3', 'npm test (exit 1)'],
      ['2026-02-05 00:00:00', 'day', 'TASK-3', 'runs/a.json#L13'],
    ]);
  });

  it.each<[what: string, text: string, lines: readonly number[]]>([
    ['escaped', '[\n{"what": "caf\\u00e9\\\\",\n "at": 1770163940},\n{"what": "\\"{[", "at": 1770163941}]', [2, 4]],
    ['of another form', '{"tasks":\n[{"gain" : 1.50, "what":"a"},\n{ "gain":NaN,"what":"b"}]}', [2, 3]],
    ['that come again', '{"runs": [\n{"of": {"x": 1}, "what": "a"},\n{"of": {"x": 1},\n"what": "a"}]}', [2, 3]],
    ['that an object has twice', '{"runs": [\n{"what": "a"}], "runs": "none", "runs": [\n{"what": "b"}]}', [3]],
  ])('point at their lines in JSON, with values %s', (_what, text, lines) => {
    const { drafts } = readRunLog('a.json', text, { blame: new Map(), file: '2026-02-09' });
    expect(drafts.map(({ refs }) => refs.files[0])).toEqual(lines.map((line) => `a.json#L${line}`));
  });

  it('take no longer each in a large JSON file than in a small one', () => {
    // Searching the file once for each event would take minutes.
    const events = Array.from({ length: 40_000 }, () => ({ what: 'a' }));
    const text = JSON.stringify({ events }, null, 2) + ' '.repeat(16_000_000);
    expect(readRunLog('a.json', text)).toMatchObject({ undated: 40_000, problems: [] });
  });

  it('take their time from `when` too', () => {
    const line = '{"error": "HTTP 404 Not Found", "when": "2025-10-08T22:07:20.407Z"}';
    expect(read(line, 'history.jsonl').rows[0]).toMatch(/^2025-10-08 22:07:20/);
  });

  it('are read where a number is NaN, which no JSON has', () => {
    const line = '{"ts": "2026-02-03T10:00:00Z", "summary": "NaN in the loss", "loss": NaN, "gain": -Infinity}';
    expect(read(line, 'runs/a.jsonl').rows).toEqual(['2026-02-03 10:00:00 |  |  |  | NaN in the loss | L1']);
  });

  it('are counted by line, with the first that is not understood', () => {
    const text = '# Log\n\nWe keep a log.\n\n## 2026-02-03\n\n- one thing\n';
    const { lines, unread, firstUnread } = readRunLog('log.md', text);
    expect({ lines, unread, firstUnread }).toEqual({
      lines: 4,
      unread: 1,
      firstUnread: { line: 3, text: 'We keep a log.' },
    });
  });
});

describe('what stands under a heading', () => {
  const heads = (text: string, name = 'memory/2026-02-06.md') =>
    readRunLog(name, text).drafts.map(({ summary, refs }) => `${refs.files[0]?.split('#L')[1]} ${summary}`);

  it.each([
    [
      'fields',
      '## The parser\n\n- Status: merged\n- Problem: dates were lost\n- Scope: one file\n',
      ['1 The parser → merged'],
    ],
    [
      'a count',
      '### 1. The parser\n- reads dates\n- no names\n\n### 2. The panel\n- rows\n',
      ['1 1. The parser', '5 2. The panel'],
    ],
    [
      'a counter',
      '**Decision 1: merge, no rebase**\n- Reason: history stays\n- shorter\n',
      ['1 Decision 1: merge, no rebase'],
    ],
    ['a mark', '### 记账模块 ✅（完整功能）\n- 数据库：SQLite\n- 四个页面\n', ['1 记账模块 ✅（完整功能）']],
    [
      'no act',
      '## 榜单调研\n- 成功抓取了榜单\n- 数据：第一名 63.3%\n- 官网: https://a.example/\n',
      ['1 榜单调研 → 第一名 63.3%'],
    ],
  ])('is one account by %s', (_, text, expected) => {
    expect(heads(text).map((row) => row.replace(/ → .*/, ''))).toEqual(expected.map((row) => row.replace(/ → .*/, '')));
  });

  it.each([
    ['acts', '## Backend\n- Fixed the parser\n- feat(ui): rows\n- PR #34 merged (late)\n- a note\n', [2, 3, 4, 5]],
    ['acts in Chinese', '## 后端\n- 修复解析器\n- 解析器：新增日期\n- 日志已同步\n', [2, 3, 4]],
    ['a group', '### Specs Written\n- `specs/a.md` - a\n- `specs/b.md` - b\n', [2, 3]],
    ['names of their own', '## Shipped tonight\n1. **Digest** - Sundays at nine\n2. **Search** - hybrid\n', [2, 3]],
    [
      'a name that comes again',
      '## 2026-02-06\n- **Update**: 1 chunk\n- **Update**: 2 chunks\n- **Update**: 3 chunks\n',
      [2, 3, 4],
    ],
    ['another language', '## Сервер\n- Налаштовано диск\n- Скрипт збережено\n', [2, 3]],
  ])('is a list of entries by %s', (_, text, lines) => {
    expect(heads(text).map((row) => Number(row.split(' ')[0]))).toEqual(lines);
  });

  it('is no entry where nothing happened: a state, an example, what is to do', () => {
    expect(heads('## Places\n- Repository: a/b\n- Site of it: c\n- four tabs below\n')).toEqual([]);
    expect(heads('## 2026-02-03 (example)\n- Status: done\n- Goal: dates\n', 'log.md')).toEqual([]);
    expect(heads('## Current state (as of 2026-02-03)\n- Fixed the parser\n', 'log.md')).toEqual([]);
    expect(heads('## Potential fixes\n- Add a parser\n\n## Things to verify\n- Fixed dates work\n')).toEqual([]);
  });

  it('is no entry in an essay, which has neither dates nor acts', () => {
    const text = '# Devlog\n\nThe first version was about feel:\n\n- gravity\n- camera follow\n- simple enemies\n';
    expect(readRunLog('DEVLOG.md', text)).toMatchObject({ drafts: [], undated: 0 });
    const log = '# Devlog\n\n- added gravity\n- fixed the camera\n- simple enemies\n';
    expect(readRunLog('DEVLOG.md', log)).toMatchObject({ drafts: [], undated: 3 });
  });

  it('belongs to the account above, but for lists of acts', () => {
    const text =
      '## Session 2026-02-03\n\nWe looked at dates.\n\n### Benefits\n- smaller\n- no clock\n\n### Work on them\n- Fixed the parser\n- Wrote tests\n';
    expect(heads(text, 'log.md')).toEqual(['1 We looked at dates.', '10 Fixed the parser', '11 Wrote tests']);
  });

  it('has the day of an entry above in its own list alone', () => {
    const text = '# Log\n\n## Done\n- [x] the reader (2026-02-03)\n- [x] the panel\n\n## Later\n- [ ] the report\n';
    const { drafts, undated } = readRunLog('log.md', text);
    expect([drafts.map(({ ts, summary }) => `${ts.slice(0, 10)} ${summary}`), undated]).toEqual([
      ['2026-02-03 the reader (2026-02-03) → done', '2026-02-03 the panel → done'],
      1,
    ]);
  });

  it('keeps a paragraph behind a blank line with the item that it is indented under', () => {
    const text =
      '## 2026-02-03\n\n1. **The contract** done\n\n   **Part 1** (10 KB)\n   - File: a.ts\n\n   **Part 2**\n   - File: b.ts\n';
    expect(heads(text, 'log.md')).toEqual(['3 The contract done — Part 1 (10 KB)']);
  });

  it('has a time before a colon or at the end of a heading, and a day inside a name', () => {
    const { drafts: meals } = readRunLog(
      'memory/2026-02-06.md',
      '## Task - 08:28\nate a banana\n\n## Upgrade (4:30 PM UTC)\ndone\n',
    );
    expect(meals.map(({ ts }) => ts)).toEqual(['2026-02-06 08:28:00', '2026-02-06 16:30:00']);
    expect(heads('## What worked (17:05-17:34)\n- Fixed forms\n')).toEqual([]);
    expect(heads('- 22:00: saved the memory of the day\n')).toEqual(['1 saved the memory of the day']);
    const { drafts } = readRunLog('a.txt', 'history:\n- step_2026-02-22-1:\n  description: made the parser steady\n');
    expect(drafts[0]?.ts).toBe('2026-02-22 00:00:00');
  });
});

describe('the level of entries', () => {
  const NO_YEAR = { blame: new Map(), file: '2026-02-09' };
  /** Lines where entries stand. */
  const lines = (text: string, name = 'log.md') =>
    readRunLog(name, text, NO_YEAR).drafts.map(({ refs }) => Number(refs.files[0]?.split('#L')[1]));

  it.each([
    [
      'check boxes at any depth, and no name above them; under a box that is done they are its parts',
      '# Log\n\n1. **Art**\n   - [ ] beach\n   - [x] forest\n- [x] Sound\n  - [x] rain\n- [ ] Door\n  - [x] frame\n',
      [4, 5, 6, 8, 9],
    ],
    [
      'a numbered heading as most beside it, though it holds lists alone',
      '# Log\n\n## 2026-02-03\n\n### 1. Parser\nIt reads dates now.\n\n### 2. Colours\n\n#### Why\n\n- **Admin**: plain\n- **Shop**: bright\n\n### 3. Menu\nIt opens by a key.\n',
      [5, 8, 15],
    ],
    [
      'short days with weeks among them, and a caption above a list of what was done',
      '## 0201\n\n### 今日完成工作\n\n1. 修复标签\n\n## 0125-0129\n\n### 工作内容\n\n1. 增加接口\n\n## 0129\n\n### 今日完成工作\n\n快手\n1. 增加代理\n2. 增加依赖\n\n## 0118-0122\n\n1. 增加爬虫\n\n## 0120\n\n1. 参加会议\n',
      [5, 11, 18, 19, 23, 27],
    ],
    [
      'a numbered heading that says by a mark in brackets that it is done, with ticks on one of its sides',
      '# 記録\n\n## 2026-01-27（続き3）\n\n### Phase 29: ログ表示の修正（完了 ✅）\n\n#### 問題\n表示されない\n\n#### 修正内容\n\n- 経路を変えた\n\n#### 効果\n\n- ✅ 表示される\n- ✅ 記録される\n',
      [5],
    ],
    [
      'a heading that ends in (Completed):',
      '## Day 9 – July 28, 2025\n\n### Reorganization (Completed):\n\n- **Backend**: Moved `app/`\n- **Docs**: Updated\n\n### Status:\n\n- **Backend**: Running\n',
      [3],
    ],
    [
      'a day with a subject, two of three of whose headings come again',
      ['2026-07-01 Checkpoint', '2026-07-01 Audit Archive']
        .map(
          (day, at) =>
            `## ${day}\n\n### Scope\n\n- Correct it.\n\n### Completed\n\n- Added a key\n- Fixed a door\n\n### ${at === 0 ? 'Known Gaps' : 'Findings'}\n\n- One.\n\n`,
        )
        .join(''),
      [1, 16],
    ],
    [
      'a session with fields and a root cause among its headings',
      '# Journal\n\n## Session 2026-05-16 — cleanup of the container\n\n**Agent(s)** : `@cto`\n**Commit** : `fix(ci)`\n\n### Contexte\n\nIl a échoué.\n\n### Root cause\n\nUn conteneur.\n\n### Fix appliqué\n\n| Changement | Rôle |\n|---|---|\n| Nettoyage | Avant |\n\n### Gotcha résolu\n\nUn second commit.\n',
      [3],
    ],
    [
      'no intentions',
      '## Session 001 — 13 April 2026\n\n- Read the note\n\n**Intentions set this session:**\n\n- Write it down\n',
      [3],
    ],
    [
      'items with pictures whose names have a day',
      '# 日记\n\n## 2025.11.2\n\n- 前端圈子界面\n  <img src="a/2025-11-02_09.png" />\n  - 创建圈子\n    <img src="a/2025-11-02_10.png" />\n\n- 前端响应式\n  <img src="a/2025-11-02_11.png" />\n  <img src="a/2025-11-02_12.png" />\n',
      [5, 10],
    ],
    [
      'numbered headings whose sides come again under each, whatever these are called',
      '## 2024-11-11 개발 로그\n\n### ✅ 작업 1: 환경 설정\n**시작 시간**: 19:06\n\n#### 작업 내용\n\n1. 초기화\n2. 도구 추가\n\n#### 생성된 파일\n\n- `uv.lock`: 잠금\n\n### ✅ 작업 2: 스키마\n**시작 시간**: 19:20\n\n#### 작업 내용\n\n1. 모델 정의\n\n#### 생성된 파일\n\n- `db.py`: 연결\n',
      [3, 15],
    ],
    [
      'a day with a subject as most beside it, with its table',
      '# Log\n\n## 2026-02-03 — Parser\n\n### Context\n\nIt was slow.\n\n### Actions\n\nRewrote it.\n\n## 2026-02-04 — All phases implemented\n\n### Context\n\nAs planned.\n\n### Actions\n\n| # | Action | Result |\n|---|---|---|\n| 1 | Added a key | SUCCESS |\n| 2 | Fixed a door | SUCCESS |\n\n## 2026-02-05 — Menu\nIt opens by a key.\n',
      [3, 13, 26],
    ],
    [
      'records of a list, each by the name that comes again',
      '## 2026-02-03\n\n- **What:** Added a parser\n- **Why:** dates\n- **Checks (all of them):** green\n\n- **What:** Fixed a door\n- **Why:** it was shut\n- **Checks (some):** green\n',
      [3, 7],
    ],
    [
      'each item where names do not come again',
      '## 2026-02-03\n\n- **Parser:** added\n- **Door:** fixed\n- **Parser:** tested\n',
      [3, 4, 5],
    ],
    [
      'a day whose subject is that of a commit',
      '# Log\n\n## 2026-02-03: fix(map): no blank line\n\n**Branch:** main\n\n### Done\n\n- Removed a line\n- Added a test\n',
      [3],
    ],
    [
      'a day with a subject whose headings come again under each',
      ['2026-02-03 — Wake', '2026-02-04 — Focus']
        .map(
          (day) =>
            `## ${day}\n\n**Outcome:** Let it wake.\n\n### Implemented\n\n- Added a key\n- Fixed a door\n\n### Validation\n\n- All green\n\n### Next best task\n\nRun it.\n\n`,
        )
        .join(''),
      [1, 18],
    ],
    [
      'items of a week that is called a report',
      '## 周报 - Qi Di - 2026/2/7\n\n### 任务详情\n\n#### 框架工作\n\n1. 截屏组件 -Done\n2. 页面速度 -Doing\n',
      [7, 8],
    ],
    [
      'what was done, in Russian',
      '# 2026-02-03\n\n## Что сделано\n\n- Создан проект\n\n## Статус\n\n- Docker есть\n',
      [5],
    ],
    [
      'what shipped under a state as of a day',
      '## Snapshot (as of 2026-02-03)\n\n### What shipped today\n\n- A parser of dates\n\n### Current status\n\n- All green\n',
      [5],
    ],
    [
      'no assumptions',
      '# Log\n\n## Money and its key assumptions\n\n1. Fixed prices\n\n## 2026-02-03\n\n- Added a key\n',
      [9],
    ],
    [
      'each commit of a list, though kinds come again',
      '## 2026-02-03\n\n- fix: menu crash\n- feat: dark mode\n- fix: login\n- feat: tokens\n- docs: guide\n',
      [3, 4, 5, 6, 7],
    ],
    [
      'each change of releases with names',
      ['1.2.0 - 2026-02-05 - Dark mode', '1.1.0 - 2026-02-03 - Menu']
        .map(
          (name) =>
            `## ${name}\n\n### Added\n\n- Colours\n- Switch\n\n### Changed\n\n- Menu\n\n### Fixed\n\n- Login\n\n`,
        )
        .join(''),
      [5, 6, 10, 14, 20, 21, 25, 29],
    ],
    [
      'what has a time, a box or a group below it, whatever those beside it are',
      '## 2026-02-03 — Parser\nIt reads dates.\n\n## 2026-02-04 — Menu\nIt opens.\n\n## 2026-02-05 — Outage\n\n### 10:00 Alarm\nThe server was down.\n',
      [1, 4, 9],
    ],
    [
      'no empty heading',
      '# Log\n\n## 1. Parser\nFixed dates in it.\n\n## 2. Menu\nAdded keys.\n\n## 3. Colours\n',
      [3, 6],
    ],
    [
      'what is open or has a time below a done box',
      '# Log\n\n- [x] Release\n  - [x] Build\n  - [ ] Announce\n- [x] Parser\n  - [x] 2026-02-02 12:00 finished dates\n',
      [3, 5, 6, 7],
    ],
    [
      'subjects that begin like a state, in Russian',
      '# Журнал\n\n## 2026-02-03\n\n### Команда поиска\n\n- Добавил поиск\n- Исправил ошибку\n',
      [7, 8],
    ],
    [
      'a subject about reports',
      '# Log\n\n## 2026-02-03 — Daily report API\n\n### Problem\nIt failed.\n\n### Solution\nFixed the stream.\n',
      [3],
    ],
    [
      'the deeds of an open phase',
      '# Log\n\n## Phase 1: Parser ⏳\n\n### Completed\n\n- Added dates\n- Added years\n\n### Remaining\n\n- Menu\n',
      [7, 8],
    ],
    [
      'each deed of a day that is called like a commit, without headings below',
      '## 2026-02-03: feat: release day\n\n- Added an endpoint\n- Fixed a crash\n- Removed old code\n',
      [3, 4, 5],
    ],
    [
      'one account of a paragraph with a time, with records below',
      '## 2026-02-03\n\n10:00 Fixed the login and the menu:\n- **What:** Fixed the login\n- **Why:** it failed\n- **What:** Fixed the menu\n- **Why:** it was shut\n',
      [3],
    ],
    [
      'nothing of a plan that says what will change',
      '# Plan\n\n## Next release\n\n### What changed\n\n- Menu moves\n- Colours get darker\n',
      [],
    ],
    ['weeks in French', '# Journal\n\n## Semaine 2\ncréation du compte\n\n## Semaine 3\naccès au cours\n', [3, 6]],
    [
      'no intentions among deeds',
      '## 2024-07-19\n\n- Added a door\n- I should paint it\n- We will need to test it\n- We tested it\n',
      [3, 6],
    ],
    [
      'no checks of a day with a subject, but what is open',
      '## [2026-07-05] 步骤 B3：取消原因持久化\n\n改动已合并。\n\n### 验证方式\n\n- [x] 运行应用\n- [ ] 回归测试\n',
      [1, 8],
    ],
    ['boxes without a bullet', '25/03/2024\n[x] Skeleton\n[] Forms\n', [2, 3]],
    [
      'headings below, and no heading that only names a day and them',
      '## 2026-02-03 - Basics done\n\n### What was done\n#### 1. Core\n- state of the game\n- sounds\n#### 2. Story\n- four weeks\n',
      [4, 7],
    ],
    [
      'a heading over parts of one account',
      '## 2026-02-03 Login\n\n### Problem\nIt failed.\n### Fix\n- Changed the token\n',
      [1],
    ],
    [
      'a marked heading whole',
      '## ✅ Phase 1: Accounts (Complete)\nBuilt the base.\n\n### 1a. Login\n- **OAuth**: Added a flow\n- **Keys**: Stored them\n',
      [1],
    ],
    [
      'headings of sessions without a day',
      '## Previous sessions\n\n### Session 2 - Client\n- Quote page\n- Calculator\n\n### Session 1 - Setup\n- Schema\n',
      [3, 7],
    ],
    [
      'no list of files that logs are in',
      '# Log\n\n## Archive\n\n- [2026-02-01](log/2026-02-01.md)\n- [2026-02-02](log/2026-02-02.md)\n',
      [],
    ],
    [
      'a state that a time is written beside, whatever it says',
      '## [PLANNED] Index\n\n### pending — 2026-02-03T10:00:00Z\n\n### done — 2026-02-04T10:00:00Z\n',
      [3, 5],
    ],
    [
      'what was done under a heading of a state',
      '# 2026-02-03\n\n## Status: complete\n\n### Pages Updated\n- Changed the prices\n- Added photos\n',
      [6, 7],
    ],
    [
      'no answers to the questions of a form',
      '## 2026-02-03\n\n### Check\n1. **What now?** The board\n2. **What is next?** Parts of it\n\n### Done\n- [x] board\n',
      [8],
    ],
    [
      'no list that explains beside a list of boxes',
      '## 2026-02-03\n\n- [x] rules\n\nWays to go on:\n\n- **Search**: a tree of moves\n- **Learning**: needs data\n',
      [3],
    ],
    [
      'headings with a field that is their day',
      '# Kiln log\n\n## Bricks\n\n### ✅ Door\n**Date:** July 19, 2025\n**Action:** Mounted the door\n- hinges\n- seal\n\n### ✅ Roof\n**Date:** July 20, 2025\n**Action:** Laid the roof\n',
      [5, 11],
    ],
    [
      'a subject with fields for its day and state once, with the list below them',
      '# 日志\n\n## 启动\n\n**日期**: 2026-02-03\n**阶段**: 初始化\n\n- 创建目录\n- 配置环境\n- 安装依赖\n',
      [3],
    ],
    [
      'a day with a subject and its sides once, in any language whose sides come again',
      '## 2026-02-03 — Roof fix\n\n### Problem\n1. It leaked\n\n### Changes\n- Added tiles\n- Fixed beams\n\n### Status\n- Done\n\n## 2026-02-04 — 지붕\n\n### 문제\n- 가\n\n### 해결\n- 나\n\n## 2026-02-05 — 벽\n\n### 문제\n- 다\n\n### 해결\n- 라\n',
      [1, 13, 21],
    ],
    [
      'a single item of a subject, whose name comes again elsewhere, in a language whose words are not known',
      '## 2026-02-03 — 지붕\n\n- 문제: 가나다\n\n## 2026-02-04 — 벽을 고쳤다\n\n- 문제: 라마바\n- 해결: 사아자\n\n## 2026-02-05 — 문\n\n- 문제: 차카타\n- 해결: 파하\n',
      [3, 5, 10],
    ],
    [
      'labels as the sides of a subject',
      '## 2026-02-03: 特征工程\n\n**变更文件:**\n- 新增 `a.py`\n- 更新 `b.py`\n\n**实现内容:**\n- 财务比率\n\n**已知限制:**\n- 无\n',
      [1],
    ],
    [
      'a day with a subject, whose headings below are its sides, with boxes or without',
      '## 2026-02-03 — Roof session\n\n### Completed\n- Fixed the tiles\n- Drew the beams\n\n### Next Steps\n- Paint it\n\n## 2026-02-04 — Walls\n\n**Rules kept:**\n- [x] Level\n- [x] Dry\n\n**Result:**\n- They stand.\n',
      [1, 10],
    ],
    [
      'lines that begin with the name of what ran and its time',
      'SAC_2024-11-22_15-49-50 训练evader，无障碍物\n\nSAC_2024-11-22_19-24-21 训练evader，障碍度密度10\n',
      [1, 3],
    ],
    [
      'rows by a column of days and times, whose name is in bold',
      '| **日期时间** | **工作内容** |\n|---|---|\n| 20251022 | 按照文档编写代码 |\n| 20251023 | 完成测试 |\n',
      [3, 4],
    ],
    [
      'lines in bold that begin with a day and a subject, with all that stands below',
      '# Журнал\n\n## Спостереження\n\n**2026-07-22 — перше підключення**\n\nПлата працює.\n\nНалаштування:\n- PlatformIO встановлено\n- Створено проєкт\n\n**2026-07-23 — дві плати**\n\nДругий вузол працює.\n\n1. **Антена.** Без неї тиша.\n2. **Пакет.** Закороткий.\n',
      [5, 13],
    ],
    [
      'no part of a day that other days have too, where it tells no act',
      '## 2026-05-10\n\n### 今日進度\n- 建立登入頁\n\n### 解決方式 / 決定\n- 樣式獨立\n\n## 2026-05-11\n\n### 今日進度\n- 調整首頁\n\n### 解決方式 / 決定\n- 總覽在首頁\n',
      [4, 12],
    ],
    [
      'days that nobody filled in, with all that stands below',
      '# Log\n\n## [2025-01-XX] - Parser\n\n**Built:**\n- Added dates\n\n**Checks:**\n- [✅] All green\n\n## [2025-01-XX] - Menu\n\n**Built:**\n- Added keys\n',
      [3, 11],
    ],
    [
      'nothing of how things stand on a day',
      '# Diary\n\n## Current state — 2026-07-06\n\n### Memory pointers for me\n\n- Read the diary first\n- Added worktrees are listed here\n\n## 2026-07-05 — Parser\n\nIt reads dates.\n',
      [10],
    ],
    [
      'no lessons of a day, in Japanese',
      '## 2026-04-23\n\n### 今日の作業\n- 原因を調査した\n\n### 分かったこと\n- 手順だけがある\n\n### 次回への教訓\n- 順番に確認する\n',
      [4],
    ],
    [
      'boxes below a heading that names a day in a remark alone',
      '## List\n\n### B. Gaps (by the docs of 2026-07-24)\nCore:\n- [x] Ask\n- [x] Stop\n\nGit:\n- [x] Diff\n',
      [5, 6, 9],
    ],
    [
      'tasks by the number and the name that an agent writes above each',
      '---\nTask ID: 1\nAgent: main\nTask: Rebuild the login\n\nWork Log:\n- Analyzed the image\n- Fixed the routes\n\nStage Summary:\n- Three tabs\n\n---\nTask ID: 2\nAgent: main\nTask: Fix the store\n\nWork Log:\n- Updated it\n',
      [2, 14],
    ],
    [
      'a day with a subject in parentheses, and a sitting whose subject is one of words for a state',
      '## 2026-09-23 (세션: 자막 추출과 점수 매기기)\n\n### 한 일\n1. 자막 추출\n2. 릴스 수집\n\n### 테스트 결과\n- 성공\n\n## Day 1 — Local Environment Setup\n\n### What I did\n- Installed all tools\n- Created a repository\n\n### What I learned\n- Use roles\n',
      [1, 10],
    ],
    [
      'nothing of what to mind next time, in Chinese',
      '# 工作汇报\n\n## 2026-02-03\n\n- 完成接入\n\n## 交给下一个 AI 的注意事项\n\n- 不要重复做接入\n- 如果修改了源码，需要重新生成\n\n## 下次开始做什么？\n1. 写测试问卷\n2. 接入接口\n',
      [5],
    ],
    [
      'open tasks of phases, and nothing of a roadmap',
      '# Progress\n\n## Phase 1: Setup\n\n### Tasks\n- [x] Create repo\n\n## Phase 2: Polish ⏳\n\n### Tasks\n- [ ] Write docs\n\n# Roadmap\n\n## Milestone 1: MVP\n\n### Goals\n- Login\n',
      [6, 11],
    ],
    [
      'each change of a release, whatever its only list is called',
      '# Changelog\n\n## [1.1.0] - 2026-02-03 - Aurora\n\n### Added\n- Dark mode\n- Keys\n\n## pkg 1.0.0 - 2026-02-02 - Dawn\n\n### Minor Changes\n- Menu\n- Colours\n\n### Known issues\n- None yet\n',
      [6, 7, 12, 13],
    ],
    [
      'what stands below sittings, days and versions without a name, within a named one',
      '# Log\n\n## Week 2: Parser\n\n### Monday\n- Added login\n\n### Tuesday\n- Fixed cart\n',
      [6, 9],
    ],
    [
      'no chapters about a log, and no task that nobody worked on',
      '# Log format\n\n## 1. Fields\n\nEach line has a level.\n\n## 2. Levels\n\nThere are five levels.\n\nTask ID: 1\nTask: Rebuild login\nStatus: pending\n',
      [],
      'FORMAT.md',
    ],
    [
      'numbered headings of what calls itself a log',
      '# Handoff log\n\n## 1. Problems view\n\nBranch `feat/view`.\n\n**Shipped**\n\n- Rules over typed objects\n- A monitor\n\n**Measured**\n\n- All in 0.3 s\n\n## 2. Menu\n\nBranch `feat/menu`.\n\n**Shipped**\n\n- Keys\n',
      [3, 16],
    ],
    [
      'what days have that are all called the same',
      '## [Shed log] — 2026-02-03\n\n### 1. Roof\n\n- Tiles\n\nCommit: `a1`\n\n### 2. Walls\n\n- Bricks\n\n## [Shed log] — 2026-02-04\n\n### 1. Door\n\n- Of oak\n\nCommit: `b2`\n',
      [3, 9, 15],
    ],
    [
      'headings below a day that are entries themselves',
      '## 2026-02-03 — Phase 1 + Phase 2\n\n### Phase 1: Shed\n- Walls\n- A roof\n\n### Phase 2: Door\n- Of oak\n',
      [3, 7],
    ],
    [
      'marked headings above a table of what belongs to them',
      '# Progress\n\n## Tasks\n\n### Roof ✅\n\n| Task | Status |\n|---|---|\n| Tiles | ✅ Done |\n| Beams | ✅ Done |\n\n### Walls ✅\n\n| Model | Score |\n|---|---|\n| Brick | 0.9 |\n',
      [5, 12],
    ],
    [
      'what stands below a day that a name and a colon introduce',
      '## Registro del Día: 24 de Mayo de 2026\n\n### Tareas\n\n#### 1. Tablero (Completado)\n* Columnas\n\n#### 2. Rutas (Completado)\n* Dos rutas\n',
      [5, 8],
    ],
    [
      'what stands below a subject that has text only as part of it',
      '# 2026-02-03\n\n## Roof repair\nFixed it as the plan says:\n\n### Tiles changed\n- Replaced red ones\n- Removed old ones\n',
      [3],
      'memory/2026-02-03.md',
    ],
    [
      'a record with fields once',
      '## Phase 1: Roof\n\n**Status:** COMPLETED\n**Date:** 2026-02-18\n\n### What was built\n- Beams\n- Tiles\n\n### Tools\n- Saw\n',
      [1],
    ],
    [
      'the changes of a release by their kinds, behind an introduction too',
      '# [1.2.0](https://x.y/1) (2026-02-03)\n\nThe first one with a roof.\n\n### Features\n\n* roof\n* beams\n\n# [1.1.0](https://x.y/2) (2026-02-01)\n\n### Reverts\n\n* walls\n',
      [7, 8, 14],
    ],
    [
      'the changes that a release tool lists below headings in items',
      '# app\n\n## 0.7.0\n\n### Minor Changes\n\n- ### Features\n  - add a roof (0b20093)\n  - add beams (2a1dd7b)\n\n  ### Bug Fixes\n  - Fix a wall (a726b32)\n',
      [8, 9, 12],
    ],
    [
      'headings that say that they are done',
      '# Progress\n\n## Plan Mode - ✅ COMPLETE\n\n## ✅ COMPLETED: Roof\n- Tiles are on it\n\n## Session Summary\n\n**Phase 2: Walls - DONE**\n- Painted: red\n\n## TASK-2: Beams (DONE, 2026-02-03)\n\n### Plan\n1. Saw\n',
      [3, 5, 10, 13],
    ],
    [
      'what stands under quarters and sittings without a name',
      '# 工作日志\n\n## 第一季度\n1. 四万台设备接入\n2. 硬件替换\n\n## 第二季度\n1. 平台的部署\n',
      [4, 5, 8],
    ],
    [
      'a sitting of which only text is told',
      '# dev-log\n\n## Day 2\n\nNothing but rain, and a look at tiles.\n\n### About tiles\n- red\n- blue\n',
      [3],
    ],
    [
      'days of a span',
      'drone log\n\n4/17-30/25 Research and a first model (12 hours)\n\n5/2/25 New frame (2 hours)\n',
      [3, 5],
    ],
    [
      'what was decided below fields of a hand-off',
      'State: review\nNext: merge\nDecisions this session:\n- Three arms, not two\n- Kept the name\n',
      [4, 5],
    ],
    [
      'no form that nobody has filled in, nor a workflow',
      '# 会话\n\n## GitHub 工作流\n- 运行 `build`\n- 清缓存\n\n## Entries\n- Timestamp: YYYY-MM-DDTHH:MM\n- Branch: <branch-name>\n- Task ID: T-XXX-001\n',
      [],
    ],
    [
      'what is seen at a time of day, each under its name, once',
      '## 早上 07:15 - Watch\n- **Line**: up\n- **Mail**: 继续等待\n\n## 晚上 19:00 - Watch\n- **Line**: up\n- **Mail**: 继续等待\n',
      [1, 5],
      'memory/2026-02-03.md',
    ],
    [
      'a heading with a time of day over states under names, behind an emoji too',
      '## 🕘 09:38 - Look around\n\n**Action:** Need to ask\n\n### Door\n- **Left:** shut\n\n## 🕐 13:00 - Look again\n\n### Door\n- **Left:** ajar\n',
      [1, 8],
      'memory/2026-02-03.md',
    ],
    [
      'paragraphs behind a kind in brackets',
      '[Code] Added a door.\n\nStatus: all is well\n\n[Code] Fixed the hinge.\n\n[Test] Opened it by hand:\n  - it holds\n\n[Test] DOOR AT NIGHT\n',
      [1, 5, 7, 10],
    ],
    [
      'Chinese acts behind a place, a means or their subject',
      '## 2026-02-03\n\n### 窗口\n- 在 `src/a.ts` 增加按钮\n- 使用 Node 对脚本做检查\n- 按钮文字改为蓝色\n',
      [4, 5, 6],
    ],
    [
      'days in pairs, with a slash',
      '## 10/10 &10/11\n\n* learn git\n\n## 10/12\n\n* a list\n\n## 10/13&10/14\n\n* a window\n',
      [3, 7, 11],
    ],
    [
      'items of a version and not what explains them',
      '# Log\n\n## Done\n\n- **v1.0.1 shipped** to all the shops in town\n  - one of them said why\n',
      [5],
    ],
    [
      'lines that are a day or a time',
      '2026-02-03 17:04\n- √ 1 the map\n\n18:30\nTried for a long time.\n\n2026-02-04 09:00\nNo more of it.\n',
      [2, 4, 7],
    ],
    [
      'what stands under headings behind a day of its own',
      '# Progress: panel\n\n## Date: December 25, 2025\n\n## Panel rows\n\n### Changes Made\n1. **Rows**\n   - Updated them\n2. **Head**\n   - Fixed it\n',
      [8, 10],
    ],
    [
      'accounts of requests by number',
      '# 2026-03-11\n\n### PR #30\n- 标题：样式\n- 结论：已合入\n\n### PR #31\n- 标题：状态\n- 结论：已合入\n',
      [3, 7],
      'memory/2026-03-11.md',
    ],
    [
      'headings between two rules',
      '====================\nSession: walls\nDate: 2026-02-27\n====================\n\nDrew them, and saw them.\n\n--------------------\nSession: roofs, 2026-02-28\n--------------------\n\nDrew those too.\n',
      [2, 9],
    ],
    [
      'a numbered and marked heading with the marked items below it, in a log without days',
      '# 进度\n\n## 已完成的功能\n\n### 1. 核心模块 ✅\n\n#### 数据模型\n- ✅ 音符\n- ✅ 轨道\n\n## 如何调用\n- `unlock`\n',
      [5],
    ],
    [
      'no rules, procedures and what needs to be done of a day',
      '## 核心规则 - 永久记住！\n- 路径：/mnt\n\n## 每日导入流程\n1. **找文件**: 扫描\n\n## What still needs to be done\n- Fixed path\n\n## 今日工作\n- 导入数据\n',
      [11],
      'memory/2026-02-03.md',
    ],
    ['short days in order', '# 0606\n- scheme chosen\n\n# 0607\n- model\n\n# 0610-0612\n- new design\n', [2, 5, 8]],
    ['entries behind a name', '【zyc】2026.02.03 wrote the reader\n\n【zyc】2026.02.04 wrote tests\n', [1, 3]],
    ['numbers before Chinese', '### 2026-02-03\n1.优化程序\n\n2.上传代码\n', [2, 4]],
    [
      'acts behind their subject',
      '## Deploy\n- Schema pushed, functions deployed\n- Users seeded: two\n- Port scan too slow -- bumped to 300 s\n',
      [2, 3, 4],
      'memory/2026-02-03.md',
    ],
    [
      'acts in lists under a topic of a log without days',
      '# Progress\n\n## Audio\n- Added a mixer\n- Fixed the loop\n\n## Constraints\n- one thread\n- no cloud\n',
      [4, 5],
    ],
    [
      'tasks by number in a log without days',
      '# Plan\n\n## Review\n- Task 1: partial unique index\n- Task 1 review: approved\n- Task 2: two findings\n',
      [4, 5, 6],
    ],
    [
      'tasks that a table says are done',
      '| Task | Status |\n|-|-|\n| T1 base | ✅ done |\n| T2 panel | ⏳ pending |\n',
      [3],
    ],
    [
      'no plans, lessons and descriptions of a day, in Chinese',
      '## 2026-02-03\n\n### 完成内容\n- 日期解析\n\n### 待完善功能\n- 面板\n\n### 技术亮点\n1. **模块化架构**\n   - 独立文件\n\n### 下一步工作方向\n1. 环境搭建\n',
      [4],
    ],
    [
      'no plans and lessons of a day, in Vietnamese and Ukrainian',
      '## 13/04/2026\n\n#### Đã làm\n- Tối ưu hóa prompt\n\n#### Học được\n- Cách đánh giá\n\n#### Kế hoạch tuần tới\n- Hoàn thiện\n\n### 14/04/2026\n\n#### Що далі\n- нова тека\n',
      [4],
    ],
    [
      'no list of scripts or facts under the title of a log',
      '# Session Log\n\n## Scripts and purpose\n- `scan.py`\n- `probe.py`\n\n## Last network facts\n- Local IP: `192.168.1.105`\n',
      [],
    ],
    [
      'no notes of a task, and no way to test it',
      '## 2026-02-03\n\n### Work done:\n- Built the shed\n- Painted the door\n\n### Notes:\n- The old shed was removed by the neighbour\n\n### How to test:\n- Open the door, fix what creaks\n',
      [4, 5],
    ],
    [
      'no notes, conditions and ways to test of a day, in Chinese',
      '## 2026-02-03\n\n### 完成内容：\n- 搭建车棚\n- 油漆大门\n\n### 测试方式：\n- 开门两次\n\n### 备注：\n- 旧车棚已经拆除\n\n### 开工的条件\n- 雨已经停了\n\n### 尚未执行\n- 未安装电灯\n',
      [4, 5],
    ],
    [
      'no notes of a day, in Russian and Japanese',
      '## 2026-02-03\n\n### Готово\n- Построил сарай\n\n### Заметки\n- дверь скрипит\n\n### メモ\n- 扉がきしむ\n',
      [4],
    ],
    [
      'no chapters of a guide without a day, but chapters that tell an act, are marked or done',
      '# Guide\n\n## 1. Shed and door\nA shed for two bicycles.\n\n## 2. Paint\nIt is green.\n\n## 3. Roof\nLaid the roof again.\n\n## 4. Lamp ✅\nA lamp above the door.\n\n## Done\n### 1. Floor\n- of oak\n',
      [9, 12, 16],
      'GUIDE.md',
    ],
    [
      'what is done below a plan, and not the plan',
      '## 2026-02-03\n\n### Todo list\n- Paint the door\n\n#### ✅ Done\n- ✅ Shed\n- ✅ Roof\n\n#### Later\n- Add a lamp\n',
      [7, 8],
    ],
    [
      'no plan of a work, nor tasks in the order of their priority',
      '# 2026-02-03\n\n## 接下来的工作\n\n#### 清单\n1. **下载模型**\n2. **记录结果**\n\n## 修复优先级\n\n**Round 2 马上做:**\n1. 修复大门\n',
      [],
    ],
    [
      'no side of what is to do, is in progress or is known',
      '# 2026-02-03\n\n## In progress\n- Built half of the roof\n\n## Known issues\n- The door creaked\n\n## Blockers/risks to address\n1. **Rain:** Ordered a cover\n\n## Handoff\n- Left the key\n\n## Work done\n- Built the shed\n',
      [16],
    ],
    [
      'no head of a list of what is open, and nothing where nothing was',
      '## 2026-02-03\n- Built the shed\n- Important unresolved work for the next session:\n  1. Paint the door\n- None - only read today\n- 无，今天休息\n- Next leverage point: order the paint before the roof\n- Email policy: never reply\n',
      [2],
    ],
    [
      'no fields of a session, but acts that end in an address',
      '# Session 2026-02-03\n\n- **Session ID**: 7c2\n- **Source**: web\n- Built the shed\n- ✅ Pushed: https://a.example/shed\n- Photos: https://a.example/photos\n',
      [5, 6],
    ],
    [
      'times with an h under a day',
      '# Journal\n\n## 03.05.2026\n**7h30** : Plan of the day.\n\n**8h15** : Two beds dug.\n',
      [4, 6],
    ],
    [
      'days of a short year with a colon, though one is out of order',
      `${Array.from({ length: 11 }, (_, at) => `${at === 5 ? '24.4.13' : `24.3.${at + 1}:`}\nDug bed ${at}.\n`).join('\n')}`,
      Array.from({ length: 11 }, (_, at) => 3 * at + 1),
    ],
    [
      'releases that begin a line, three and more',
      '1.0: First one\n\n1.1：Mended the door\n\n1.2: Mended the roof\n',
      [1, 3, 5],
    ],
    ['no two lines that begin with numbers', '# Notes\n\n1.0: ratio of sand\n\n1.1: ratio of lime\n', []],
    [
      'names in brackets with a state behind',
      '[Phase 1 — Walls] NEEDS REVISION\n- north wall\n\n[Phase 2 — Roof] COMPLETE\n- tiles\n',
      [1, 4],
    ],
    [
      'numbered chapters of a log whose day stands among other fields at its head',
      '# Build log\n**Project:** Shed\n**Date:** 2026-02-03\n\n## Build\n\n### 1. Walls\n- Built the north wall\n- Painted it\n\n### 2. Roof\nTook the old one off.\n',
      [7, 11],
    ],
    [
      'no agent in brackets for what a day is about',
      '# Log\n\n## 2026-02-04 — [Codex / GPT-5]\n- Built the shed\n- Painted it\n\n## 2026-02-03 — [Garden]\nTwo beds.\n',
      [4, 5, 7],
    ],
    [
      'drawn boxes wherever they stand, done and open, as bullets or lines',
      '# Shed\n\n## State\n\n### Walls (1/2)\n- ✅ north\n- ❌ south\n\n### Paid debts\n- ✅ Rust on the hinges → new hinges\n\n## Checks\n\n✅ door\n✅ hinge\n✅ lock\n',
      [6, 7, 10, 14, 15, 16],
    ],
    [
      'no marks of what is told as a whole, and no note beside them away',
      '# 2026-02-03 — Built the roof\n\nIt took the day.\n\n- ✅ Rain stays out\n- ✅ Wind too\n\n# 2026-02-04\n\n- ✅ Door\n- Lock, of brass\n',
      [1, 10, 11],
    ],
    [
      'sides of what is done, and updates of a subject',
      '# 2026-02-03\n\n## Done today\n\n### Configuration\n1. **Two lamps**\n   - one above the door\n2. **One switch**\n\n## Garden updates\n- Verified: the tap drips\n- Two beds of roses\n',
      [6, 8, 11, 12],
    ],
    [
      'lines that end in two returns and a newline',
      '# 2026-02-03\r\r\n- Built the shed\r\r\n- Painted it\r\r\n',
      [2, 3],
    ],
    [
      'a day in bold with a version, or behind the word entry, with what follows',
      '# Log\n\n**2025.6.13 V1.0**\n\nWrote the manual.\n\nEntry 10/22/24:\n    Painted the shed.\n',
      [3, 7],
    ],
    [
      'what a dated name tells where things are said to stand',
      '# Log\n\n## Current state (as of 2026-02-08)\n\n- **Active**: the roof\n- **Last completed (2026-02-07)**:\n  - the walls\n  - the door\n- **Earlier (2026-02-05)**: the floor\n- **Up next (2026-02-09)**: paint\n',
      [7, 8, 9],
    ],
    [
      'a number with the bullets behind it',
      '# Worklog\n\n1. Built walls 2h\n- brick\n- lime\n\n2. Laid the roof 1h\n- slate\n',
      [3, 7],
    ],
    [
      'a heading over a table of fields',
      '## 2026-02-03 Session: roof\n\n| Metric | Value |\n|---|---|\n| Project | shed |\n| Tasks completed | slates, gutter |\n',
      [1],
    ],
    [
      'no description in bold of a text without days',
      '# Status\n\n## Locked design decisions\n\n1. **Shared state:** one file for the team\n2. **Verify gate:** one script for all\n',
      [],
    ],
    [
      'a bare day whose words are in no list',
      '# 2026-02-03\nOpinions:\n1. The door: too low\n2. The roof: blue\n\n# 2026-02-04\n- Painted it\n',
      [1, 7],
    ],
    [
      'a heading with fields that return, in a language without words here',
      '## 2026-02-03 — 창고 지붕 정리 작업\n- **한 일**: 지붕을 고쳤다\n- **결과**: 통과\n\n## 2026-02-04 — 창고 문 정리 작업\n- **한 일**: 문을 달았다\n- **결과**: 통과\n',
      [1, 5],
    ],
    [
      'what is done under labels of another language, but not what is next',
      '## 2026-02-03\n**Erledigt:**\n- Dach überprüft und für den Winter gedeckt, außen gestrichen\n- Tür größer gemacht\n\n**Nächste Schritte:**\n- Fenster\n',
      [3, 4],
    ],
    [
      'a named version with the parts that it has, and each numbered part of one without a name',
      '# 更新日志\n\n## v1.2.0 — 车棚\n\n### 屋顶\n\n#### 1. 屋顶改为双层结构\n- 木板\n\n#### 2. 车门加宽\n- 两米\n\n## v1.1.0\n\n### 屋顶\n\n#### 1. 屋顶改为单层结构\n- 木板\n',
      [3, 17],
    ],
    [
      'days and sittings that are lines without a mark',
      'Devlog\n\nday 1\nRead about boot loaders.\nThought of segments.\n\nday 2\nInstalled an emulator.\n',
      [3, 7],
    ],
    ['no single line such as it', 'Notes\n\nday 1\nRead about boot loaders.\n', []],
    [
      'lines that say who tells what stands below, and when',
      'Team\n---\n\nmisha -- 2018-05-16 12:55:28\nadded a log file\n\nkenL -- 2018-05-17 08:47\nupdated the readme\n',
      [4, 7],
    ],
    [
      'each line of tasks that says its state, in a plan too',
      'A1: DONE — read the rules\nA2: DONE — wrote a page,\nand its index\n\n## Plan\nStatus: WAITING for a review\nB1: FAILED — 2 of 9 tests\nB2: PENDING — next\n',
      [1, 2, 7],
    ],
    ['no single state in a sentence', 'We go on as step 2: done is better than perfect.\n', []],
    [
      'each line of commits with what is indented under it',
      'Trail\n\n7984585  parser: rules\n  - reads all\n\nfc61c65  parser: tests\n  - tests all\n',
      [3, 6],
    ],
    ['no numbers of seven digits', '1234567 people came.\n7654321 people left.\n', []],
    ['lines behind a mark, one below the other', '## Completed\n✅ Roof\n✅ Door\n\nAll is fine.\n', [2, 3]],
    ['no boxes of a legend', '- [ ] 待处理 (Pending)\n- [x] 已完成 (Completed)\n\n- [x] Done with the roof\n', [4]],
    [
      'a done box with the done ones below it, whatever its name looks like',
      '- [x] **Roof**\n  - [x] Tiles\n  - [x] Beams\n',
      [1],
    ],
    [
      'no names in bold that tell nothing',
      '## 2026-02-03\n- 📅 **Daily Summary**\n- Built the roof\n- 📅 **Built the door**\n',
      [3, 4],
    ],
    ['no paths alone', '## 2026-02-03\n- `src/roof.ts` (+140 lines)\n- src/door.ts: painted it red\n', [3]],
    [
      'a path that says what was done, or has something under it',
      '## 2026-02-03\n- Added: src/roof.ts\n- src/door.ts\n  - painted it red\n',
      [2, 3],
    ],
    [
      'rows of days that begin with the day',
      '# Logboek\n\n## 2026\n\n| Datum | Gebeurtenis |\n|---|---|\n| 19-08 | Dak gelegd |\n| 04-08 | Deur geverfd |\n',
      [7, 8],
    ],
    ['a day behind a number of its own', '# Log\n\nD1  2026-02-03 — Tiles for the roof\nWHY  It rains.\n', [3]],
    [
      'nothing of a template but what is ticked',
      '# Worklog\n1. Mark each planned task as Completed, with a result.\n2. Record anything unplanned you shipped.\n\n- PROJECT: {{project}}\n- DATE: {{date}}\n\n## Completed\n{{completed}}\n- [x] Roof\n',
      [10],
    ],
    ['no marks that stand alone', '## Legend\n✅ means done\n\n❌ means failed\n', []],
    [
      'headings between marks',
      '=== Session 1 ===\nBuilt the roof of the shed.\n\n=== Session 2 ===\nPainted the door.\n',
      [1, 4],
    ],
    [
      'lists of short days with weekdays',
      '# 实习\n\n## 0622 周四\n- 立项\n- 选型\n\n## 0623 周五\n- 画图\n',
      [4, 5, 8],
    ],
    [
      'items under items that are short days',
      '- ## 개발일지\n\n  - 0409 (토)\n    1. 헤더\n\n  - 0410 (일)\n    1. 버튼\n',
      [4, 7],
    ],
    ['what stands under an item that is a day', '- 2026-02-03\n  - the roof\n  - the door\n', [2, 3]],
    [
      'accounts that a number counts as incidents',
      '# Log\n\n## Incident 1 — no DNS\n\n### Symptoms\n- no pages\n\n### Fix\n- asked another server\n',
      [3],
    ],
    [
      'a line with a kind beside lines with days',
      '## Log\n\n[INIT]: Project initialized.\n\n[2026-02-03]: Completed the roof.\n\n[2026-02-04]: Completed the door.\n',
      [3, 5, 7],
    ],
    [
      'a day whole where its first sentence tells something and the second introduces a list',
      '## 2026-02-03\nwrote the framework. It has:\n- int run(void)\n- void test(void)\n',
      [1],
    ],
    [
      'no line that says when the log was created',
      '# Log\n\nCreated on 2026-02-03\n\n## 2026-02-04\n- the roof\n',
      [6],
    ],
    [
      'what traditional signs tell, and not what they plan or explain',
      '## 2026-02-03\n\n### 後續計劃\n- 寫測試\n\n### 已完成項目\n- 修復錯誤\n- 實現讀取器\n\n### 環境\n- 目錄結構\n',
      [7, 8],
    ],
    [
      'accounts whose date stands below its name',
      '# LOG\n\n## M1 – The roof\n\n**Date**\n3 February 2026\n\n**Status**\nok\n\n## M2 – The door\n\n**Date**\n4 February 2026\n\n**Status**\nok\n',
      [3, 11],
    ],
    [
      'no heading that only says when and where one worked',
      '# Progress\n\n## Session info\n- Date: 2026-02-03\n- Folder: /a\n\n## Completed\n- Built the roof\n',
      [8],
    ],
    [
      'no state as of a day',
      '# Log\n\n## Current state (2026-02-03)\n\nAll is well.\n\n## 2026-02-03\n- the roof\n',
      [8],
    ],
    [
      'a heading without a day between those with one',
      '# Log\n\n## 2026-02-03: roof\nBuilt it.\n\n## Update: the door\n- Painted it\n- Fixed its lock\n\n## Design\n- A door has a lock\n\n## 2026-02-04: window\nSet it in.\n',
      [3, 7, 8, 13],
    ],
    [
      'accounts of what was wrong and done, among lessons too',
      '## Learnings\n\n### Roof: it leaked\n\n**Issue**: Water came in.\n\n**Solution**: Sealed the joints.\n\n### Seals\n\n**Rule**: Never use old ones.\n\n**Why**: They leak.\n',
      [3],
    ],
    [
      'lists under a heading that says that they are done, in other languages',
      '# Verlauf\n\nDie Hütte wird für den Winter gebaut.\n\n## Erledigt\n- Dach gedeckt\n- Tür gestrichen\n\n## Aufbau der Hütte\n- Wände aus Holz\n',
      [6, 7],
    ],
    [
      'subjects under it',
      '# 作業ログ\n\n## 完了済み作業\n\n### 屋根の実装\nとても良い屋根。\n\n## 次のステップ\n\n### 扉の実装\nまだない。\n',
      [5],
    ],
    [
      'a history under its name',
      '# 장애·수정 이력\n\n- 지붕이 샘 → 이음매를 막음\n- 문이 안 닫힘 → 경첩을 고침\n',
      [3, 4],
    ],
    [
      'no state that is said again in English, and no form',
      '# 進捗\n\n## 1. 現在のステータス (Current Status)\n- とても良い\n\n## 2. 残りの作業 (What is left)\n- 屋根\n',
      [],
    ],
    ['no chapters of a form', '# 進捗テンプレート (Progress Template)\n\n## 1. 屋根について\n- 良い屋根\n', []],
    [
      'sessions in brackets whole',
      '# Log\n\n[Session 1 — Setup — 2026-02-03]\nSTATUS: Complete\nCOMPLETED:\n  - Built the roof\n  - Painted it\nNEXT:\n  - the door\n',
      [3],
    ],
    ['no other words in brackets', '# Log\n\n[draft of the year 2026]\nText.\n', []],
    [
      'lines that come again with another day',
      'by Mika | on 20/02/22 | my log\nDrew the tables.\n\nby Mika | on 21/02/22 | my log\nTried a query.\nIt ran.\n',
      [1, 4],
    ],
    [
      'no fields that come again with another day',
      '# Releases\n\nPublished: 2026-02-03\nby hand\n\nPublished: 2026-02-04\nby hand\n',
      [],
    ],
    [
      'items under a month',
      '# Journal\n\n## Novembre 2022\n- Création du dépôt\n\n## 2022年12月\n- 新しい頁\n',
      [4, 7],
    ],
    ['no plans for a month', '# Roadmap\n\n## Next\n\n### March 2026\n- the roof\n', []],
    [
      'headings that tell what was done, in a log without days',
      '# Found parts for the bot!\n\nI found some motors and bought them.\n\n# Started designing the frame\n\nI drew it twice.\n',
      [1, 5],
    ],
    [
      'no headings that tell what to do',
      '# Build the frame\n\nI built it from wood, you may take steel.\n\n# Put in the motors\n\nWe used two.\n',
      [],
    ],
    [
      'an incident with an id and a day whole',
      '## INC-1: lost keys（2026-07-23）\n\n- **Severity**: low\n- **Session**: 59\n\n### Timeline 2026-07-23\n\n1. Ran it\n2. Saw it\n',
      [1],
    ],
    [
      'lines that begin with a state, and none that is to do',
      '# Log\n\nDONE: roof\nFIXED: door\n\n## 2026-02-03\n- TODO: window\n- [WIP] floor\n- TodoMVC works\n',
      [3, 4, 9],
    ],
    ['no single state in capitals', '# Log\n\nDONE: nothing but this.\n', []],
    [
      'accounts that begin with a field of their day',
      'Date: 2026-02-03\nAuthor: x\nChanges:\n- built the roof\n\nDate: 2026-02-04\nAuthor: y\nChanges:\n- painted it\n',
      [4, 9],
    ],
    [
      'subjects with a day below',
      '# Log\n\n## Roof built\n*2026-02-03*\n\nIt holds.\n\n## Door built\n*2026-02-04*\n\nIt closes.\n',
      [3, 8],
    ],
    ['days below a subject', '# Log\n\n## Roof\n2026-02-03\n- a built\n\n2026-02-04\n- b built\n', [5, 8]],
    ['short days in Japanese', '2/3（月）\n- 屋根を作った\n\n2/4（火）\n- 扉を作った\n', [2, 5]],
    [
      'days that are counted in Korean',
      '# 일지\n\n# 1번째 (1일차)\n지붕을 만들었다.\n\n# 2번째 (2일차)\n문을 만들었다.\n',
      [3, 6],
    ],
    [
      'no summary and no plan',
      '# Günlük\n\n## Genel Durum Özeti\n- çatı iyi\n\n## Future Phases (awaiting direction)\n- kapı\n',
      [],
    ],
    [
      'no period that the log is about, and no details of an account',
      '# Log\n\nAll work on the shed (2026-02-03 ~ 2026-02-06).\n\n## 2026-02-03\n- the roof\n\n### Roof details\n- **Slate:** grey\n- **Nails:** long\n',
      [6],
    ],
    [
      'no item that says what is next or only points somewhere',
      '## 2026-02-03\n- wrote it\n- Next: test it\n- ran it\n- PR: https://a.example/1\n- sent it\n',
      [2, 4, 6],
    ],
  ])('takes %s', (_, text, expected, name?: string) => {
    expect(lines(text, name)).toEqual(expected);
  });

  it('has who tells it and when from the line above', () => {
    const text = 'misha -- 2018-05-16 12:55:28\nadded a log file\n\nken -- 2018-05-17 08:47\n- updated the readme\n';
    expect(read(text).rows).toEqual([
      '2018-05-16 12:55:28 |  | misha |  | added a log file | L1',
      '2018-05-17 00:00:00 |  | ken |  | updated the readme | L5',
    ]);
  });

  it('has the day of a field of the whole file, whatever day it is called, but not the day of an update', () => {
    const day = (field: string) =>
      readRunLog('log.md', `# 车棚\n\n> ${field}：2026-02-03\n\n## 完成\n- ✅ 搭建车棚\n`, NO_YEAR).drafts.map(
        ({ ts }) => ts.slice(0, 10),
      );
    expect(day('完工日期')).toEqual(['2026-02-03']);
    expect(day('最后更新日期')).toEqual(['2026-02-09']);
  });

  it('has the day that a field of another language gives the file', () => {
    const days = (text: string) => readRunLog('log.md', text, NO_YEAR).drafts.map(({ ts }) => ts.slice(0, 10));
    expect(
      days('# Kulübe\n\n**Son güncelleme:** 25 Aralık 2024\n\n## ✅ Tamamlananlar\n\n- ✅ Çatı bitti, kapı boyandı\n'),
    ).toEqual(['2024-12-25']);
    expect(days('# Szopa\n\n## 📅 Data: 24 lipca 2025\n\n## Kroki\n\n### 1. Dach ✅\n- Położono dach\n')).toEqual([
      '2025-07-24',
    ]);
  });

  it('has days of a table by the year of blame or file', () => {
    const text = '| 编号 | 日期 | 标题 |\n|---|---|---|\n| M1 | 02-05 | 屋顶 |\n| M2 | 02-07 | 车门 |\n';
    expect(read(text, 'log.md').rows).toEqual([]);
    expect(
      readRunLog('log.md', text, NO_YEAR).drafts.map(({ ts, summary }) => `${ts.slice(0, 10)} ${summary}`),
    ).toEqual(['2026-02-05 屋顶', '2026-02-07 车门']);
  });

  it('has the hour of a heading without minutes, and a short day in brackets at its end', () => {
    const times = (text: string) => readRunLog('log.md', text, NO_YEAR).drafts.map(({ ts }) => ts.slice(0, 16));
    expect(times('# 02/03/2026 7 PM - Built the roof\n\nSlate by slate.\n')).toEqual(['2026-02-03 19:00']);
    expect(times('# Log\n\n### M1 · Roof（02-05）\n- Built it\n')).toEqual(['2026-02-05 00:00']);
  });

  it('keeps what is listed behind a line with it', () => {
    const log = readRunLog(
      'log.md',
      '2026-02-03 Roof\n  - slate\n    by slate\n\n2026-02-04 Door\n- [ ] paint\n',
      NO_YEAR,
    );
    expect(log.drafts.map(({ summary }) => summary)).toEqual(['Roof — slate', 'Door', 'paint → open']);
    expect(log.drafts[0]?.detail).toContain('by slate');
    expect(log.unread).toBe(0);
  });

  it('has the day behind a weekday, and the start of a span of time', () => {
    const times = (text: string) => readRunLog('log.md', text, NO_YEAR).drafts.map(({ ts }) => ts.slice(0, 16));
    expect(times('### Lundi 3 février\n- Toit construit\n\n### Mon 2 Feb:\n- Porte\n')).toEqual([
      '2026-02-03 00:00',
      '2026-02-02 00:00',
    ]);
    expect(times('## 2026-02-03\n\n08:30-09:15 Built it\n09:15-10:00 Tested it\n')).toEqual([
      '2026-02-03 08:30',
      '2026-02-03 09:15',
    ]);
    expect(times('2026-02-03T02:30-05:00 built it\n')).toEqual(['2026-02-03 07:30']);
  });

  it('knows the day of short days by the year of blame or file, and those with one', () => {
    const days = (text: string) => readRunLog('log.md', text, NO_YEAR).drafts.map(({ ts }) => ts.slice(0, 10));
    expect(days('25.7.14\nStarted it.\n\n25.7.15\nFinished it.\n')).toEqual(['2025-07-14', '2025-07-15']);
    expect(days('# 2026\n\n2026-02-01\n- a start\n\n## 0203\n- b went\n\n## 0204\n- c went\n')).toEqual([
      '2026-02-01',
      '2026-02-03',
      '2026-02-04',
    ]);
    // Numbers of chapters are no days.
    expect(days('## 5.22\n- text\n\n## 1.3\n- text\n\n## 7.1\n- text\n')).not.toContain('2026-05-22');
  });

  it('keeps ids when lines are added above', () => {
    const text = '## 2026-02-03\n\n- [x] Task\n  - [x] part of it\n';
    const said = (log: string) =>
      readRunLog('log.md', log).drafts.map(({ ts, summary, detail }) => [ts, summary, detail]);
    expect(said(`## 2026-02-04\n\n- later\n\n${text}`).slice(1)).toEqual(said(text));
  });
});

it('of two columns for the task the one with the id has it, wherever it stands', () => {
  const rows = (header: string, row: string) =>
    readRunLog('PROGRESS.md', `# Log\n\n${header}\n|-|-|-|\n${row}\n`).drafts.map(({ taskId, summary }) => [
      taskId,
      summary.includes('Write the parser'),
    ]);
  const found = [['T-7', true]];
  expect(rows('| Date | Task | Task ID |', '| 2026-02-03 | Write the parser | T-7 |')).toEqual(found);
  expect(rows('| Date | Task ID | Task |', '| 2026-02-03 | T-7 | Write the parser |')).toEqual(found);
});

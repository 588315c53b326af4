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
      '2026-02-11 00:00:00 |  |  |  | Third | L6',
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
      '### Blockers',
      '- none left',
      '## Ideas',
      '- not an event',
    ].join('\n');
    const { rows, drafts } = read(text);
    expect(rows).toEqual([
      '2026-02-16 18:34:00 | M1.2 |  |  | the review → done | L1',
      '2026-02-17 09:15:00 |  |  |  | stand-up | L6',
      '2026-02-17 00:00:00 |  |  |  | fixed it — by hand | L7',
      '2026-02-17 00:00:00 |  |  | Blockers | none left | L10',
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
      '2026-02-04 00:12:20 | T7 |  |  | no time of its own → x | L1',
    ]);
    expect(drafts[0]).toMatchObject({ type: 'task', detail: expect.stringContaining('finishedAt: 2026') });
  });

  it('logs give an event a line, and say which lines are none', () => {
    const lines = ['{"ts":"2026-02-09 10:00:00","event":"a"}', '{"ts":', '', '{"x":1}'].join('\n');
    const { rows, problems } = read(lines, 'log.jsonl');
    expect(rows).toEqual(['2026-02-09 10:00:00 |  |  |  | a | L1']);
    expect(problems.map(({ line }) => line)).toEqual([2, 4]);
    expect(read('{"a":1,\n"b": }', 'x.json').problems).toMatchObject([
      { line: expect.any(Number), why: 'it is not JSON' },
    ]);
  });
});

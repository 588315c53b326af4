import { describe, expect, it } from 'vitest';
import { checkMessage } from '../../../../src/core/relay/overreach';
import { IS_LONG } from '../../../support/extent.mjs';

/** T1 is done, T2 and T3 are not. */
const LEDGER = {
  goal: 'The login suite passes 50 runs of 50',
  latest_instruction: 'Report when all login tasks are done',
  state: 'STALE',
  tasks: [
    { task_id: 'T1', title: 'Write the failing test', status: 'done' },
    { task_id: 'T2', title: 'Fix the login race', status: 'running' },
    { task_id: 'T3', title: 'Rerun the suite', status: 'blocked' },
  ],
};

const ledgerOf = (text: string, ledger: unknown) => checkMessage(text, ledger).map((finding) => finding.ledger);

describe('a message of a relay', () => {
  it.each([
    ['T2 is done.', 'T2: running'],
    ['Good news: T3 has been completed.', 'T3: blocked'],
    ['T1 and T2 are done.', 'T2: running'],
    ['T1 is done, T2 is done, T3 is blocked.', 'T2: running'],
    ['Completed: T1 and T3.', 'T3: blocked'],
    ['T1 is running and T2 is done.', 'T2: running'],
    ['T9 is complete.', 'T9: not in the ledger'],
    ['Fix the login race: closed.', 'T2: running'],
    ['T2: done', 'T2: running'],
    ['Status of T2: completed.', 'T2: running'],
    ['I confirm that T2 is resolved.', 'T2: running'],
    ['T3 is 100% complete.', 'T3: blocked'],
    ['✅ T3', 'T3: blocked'],
    ['Heads-up, T3 just got accepted.', 'T3: blocked'],
    ['All tasks are done.', 'T2: running, T3: blocked'],
    ['Everything has been merged.', 'T2: running, T3: blocked'],
    ['Done.', 'T2: running, T3: blocked'],
    ['T2 已完成。', 'T2: running'],
    ['任务完成了，可以关闭。', 'T2: running, T3: blocked'],
    ['目前所有任务均已完成。', 'T2: running, T3: blocked'],
    ['执行者还在汇总，但是 T2 已完成。', 'T2: running'],
  ])('claims too much: %s', (text, ledger) => {
    expect(checkMessage(`Hello. ${text}\nBye.`, LEDGER)).toEqual([{ rule: 'claims-completion', text, ledger }]);
  });

  it.each([
    'T1 is done.',
    'T1 已完成，T2 进行中。',
    'T1 is done, T2 is running, T3 is blocked.',
    'Completed: T1. Running: T2. Blocked: T3.',
    'T1 is done and T2 is running.',
    'The worker says T2 is done.',
    'According to the implementer, T2 is finished.',
    'The worker wrote: "T2 is done, all tests pass."',
    'The message `T2 is done` came from the worker.',
    '> T2 is done',
    'Implementer: T2 is done.',
    'T2 is not done yet.',
    "The implementer hasn't finished T2.",
    'Neither T2 nor T3 has been finished.',
    'Is T2 done?',
    'T2 will be done tomorrow.',
    'Once T2 is done, T3 can start.',
    'If the tests pass, T2 is done.',
    'T2 needs to be completed before T3.',
    'T2 is 80% done.',
    '1 of 3 is done.',
    'The list of completed steps is in the ledger.',
    'OK, T2 runs.',
    'Latest instruction: Report when all login tasks are done',
    '执行者说 T2 已经完成。',
    'T2 尚未完成。',
    'T2 完成了吗？',
    '如果测试通过，T2 就完成了。',
    '实现者声称：“T2 已完成”。',
  ])('claims nothing that the ledger does not show: %s', (text) => {
    expect(checkMessage(text, LEDGER)).toEqual([]);
  });

  it.each(['\u2028', '\u2029', '\r', '\r\n'])('reads on behind a line that ends in %j', (end) => {
    expect(ledgerOf(`All good.${end}T2 is done.${end}Bye.`, LEDGER)).toEqual(['T2: running']);
  });

  it('reads steps that share a task once', () => {
    const count = IS_LONG ? 100_000 : 30_000;
    const steps = Array.from({ length: count }, (_, at) => ({ task_id: 'RUN-1', step_id: `S${at}`, status: 'done' }));
    expect(ledgerOf('RUN-1 is done.', { steps })).toEqual([]);
    const title = 'word '.repeat(count);
    expect(ledgerOf(`${title} is done.`, { tasks: [{ task_id: 'T1', title, status: 'done' }] })).toEqual([]);
  });

  it.each(['After T1, T2 was done.', 'Please note that T2 is done.'])('is no denial: %s', (text) => {
    expect(ledgerOf(text, LEDGER)).toEqual(['T2: running']);
  });

  it.each([
    ['T1, T2 and T3 are done.', 'T2: running, T3: blocked'],
    ['T1、T2、T3 已完成。', 'T2: running, T3: blocked'],
    ['T1/T2 已完成，测试仍失败', 'T2: running'],
    ['T1-T3 complete; T4 pending.', 'T2: running, T3: blocked'],
    ['T1～T3 已完成，T4 待处理', 'T2: running, T3: blocked'],
    ['T2 (parser, lexer) is done.', 'T2: running'],
    ['Parser rewrite (T2) is done.', 'T2: running'],
    ['✅ 已完成（T2 完成）', 'T2: running'],
    ['Done: T1, T2', 'T2: running'],
    ['I have completed T2 and am moving on to T3.', 'T2: running'],
    ['我已经完成了 T1 和 T2，接下来做 T3。', 'T2: running'],
    ['T2 was blocked but is now done.', 'T2: running'],
    ['- [x] All subtasks T1-T2 completed', 'T2: running'],
    ['| T2 | done |', 'T2: running'],
    ['All tasks except T2 are done.', 'T3: blocked'],
    ['The verifier is busy; T2 is done.', 'T2: running'],
  ])('is about the tasks beside the claim: %s', (text, ledger) => {
    expect(ledgerOf(text, LEDGER)).toEqual([ledger]);
  });

  it.each([
    '- T1 — done',
    'T1 - done',
    'T1, done.',
    'T1，已完成。',
    'Task T1 has been\ncompleted.',
    'Start T2 now that T1 is done.',
    'T2 依赖已完成的 T1。',
    'The completed task T1 unblocks T2.',
    'T2 depends on T1, which is done.',
    'I completed T1 and moved on to T2.',
    'T2: in progress (T1 done)',
    'T1 is fixed. Done.',
    'Only T2 and T3 are left, everything else is done.',
    'All tests passed.',
    '所有测试通过。',
    'All blockers are resolved.',
    'T2: unit tests pass, integration tests still running.',
    'Fixed the importer; tests pass and lint is clean.',
    'T1.2 is next; T1 is done.',
  ])('is about nothing else: %s', (text) => {
    expect(ledgerOf(text, LEDGER)).toEqual([]);
  });

  it.each([
    '`T2` is done.',
    '**T2** is done without errors.',
    'T2 is done, with no open questions.',
    'T2 已完成，详见报告。',
    'T2 的名称修改已完成。',
    'T2 is done, see the report in docs/t1.md.',
    'T2 已完成，如果有问题请告知。',
    'T2 is done, shall I start T1?',
    'After two retries, T2 is done.',
    'T2已完成。',
    'Task T2 has been\ncompleted and pushed.',
    'Tasks T2 and\nT1 are done.',
  ])('is a claim whatever is said beside it: %s', (text) => {
    expect(ledgerOf(text, LEDGER)).toEqual(['T2: running']);
  });

  it.each([
    'Please mark T2 as done in the ledger.',
    'T2 已完成 60%。',
    'T2 完成后开始 T3。',
    'T2 预计明天完成。',
    'T2 快完成了。',
    'Start T3 after T2 is done.',
    'Goal: T2 and T3 completed by Friday.',
    'T2 is done, the verifier says.',
    'T1 is done, T2 is done, right?',
    '- [ ] T2 done',
  ])('is denied, planned or asked: %s', (text) => {
    expect(ledgerOf(text, LEDGER)).toEqual([]);
  });

  it.each([
    ['Completed:\n- T1 parser\n- T2 lexer\n  - prepares T3\n\nRemaining:\n- T3', ['T2: running']],
    ['## Done\n\n1. T1\n2. T2: lexer\n\n## Next\n\n1. T3', ['T2: running']],
    ['Not done:\n- T2', []],
    ['| Task | Done |\n|---|---|\n| T1 | yes |', []],
    ['T1: done\nT2: running\nT3: blocked', []],
    ['T2: parser\nT1: done', []],
  ])('reads lists below a title, and lines of tables: %j', (text, ledger) => {
    expect(ledgerOf(text, LEDGER)).toEqual(ledger);
  });

  it('names an unknown id beside Chinese, and the places of a letter that is longer in lower case', () => {
    expect(ledgerOf('T9已完成。', LEDGER)).toEqual(['T9: not in the ledger']);
    expect(checkMessage('İİİ, T2 is done.', LEDGER)).toEqual([
      { rule: 'claims-completion', text: 'İİİ, T2 is done.', ledger: 'T2: running' },
    ]);
  });

  it('is held against the status of tasks, steps and roles, and the state', () => {
    const ledger = (status: string, state = '') => ({ state, steps: { 'login-fix': { status } } });
    expect(ledgerOf('login-fix is done.', ledger('Done '))).toEqual([]);
    expect(ledgerOf('login-fix is done.', ledger('closed'))).toEqual([]);
    expect(ledgerOf('login-fix is done.', ledger('failed'))).toEqual(['login-fix: failed']);
    expect(ledgerOf('login-fix is done.', ledger(''))).toEqual(['login-fix: no status']);
    expect(ledgerOf('Everything is done.', ledger('done'))).toEqual([]);
    expect(ledgerOf('Everything is done.', ledger('open', 'completed'))).toEqual([]);
    expect(ledgerOf('TASK-7 is done.', ledger('done'))).toEqual(['TASK-7: not in the ledger']);
    expect(ledgerOf('S1 is done.', { role_lifecycle: { S1: 'running' } })).toEqual(['S1: running']);
    for (const none of [undefined, null, 'x', 7, [], {}]) expect(ledgerOf('All is done.', none)).toEqual(['no tasks']);
  });

  it('names five tasks at most', () => {
    const tasks = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((n) => [`T${n}`, 'open']));
    expect(ledgerOf('All done.', { tasks })).toEqual(['T1: open, T2: open, T3: open, T4: open, T5: open, 2 more']);
  });

  it('is read in linear time', () => {
    const pieces = [
      'T2 is done. ',
      '"',
      '```',
      'I ',
      'if ',
      '，',
      'a',
      '\n',
      'worker says ',
      '> x',
      '1/',
      "'s ",
      '1 of ',
      'T1, ',
      'T1\n',
      '完成',
      '（T2 完成）',
    ];
    for (const piece of pieces)
      expect(Array.isArray(checkMessage(piece.repeat(IS_LONG ? 40_000 : 8_000), LEDGER))).toBe(true);
  });
});

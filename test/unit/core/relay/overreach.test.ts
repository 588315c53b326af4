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
    ];
    for (const piece of pieces)
      expect(Array.isArray(checkMessage(piece.repeat(IS_LONG ? 40_000 : 8_000), LEDGER))).toBe(true);
  });
});

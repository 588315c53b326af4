import type { BoundaryKind } from '../../../../src/core/relay/overreach';

/** A message with the kinds of findings that a careful reader expects, in order; none when it is harmless. */
export interface LabelledMessage {
  readonly text: string;
  readonly expected: readonly BoundaryKind[];
}

/** What the messages are checked against: T1 is done, T2 and T3 are not, and the session is stale. */
export const LEDGER = {
  goal: 'The login suite passes 50 runs of 50',
  latest_instruction: 'Verifier, rerun the login suite fifty times',
  controller_route_summary: 'planner → implementer → verifier, step 2',
  state: 'STALE',
  tasks: [
    { task_id: 'T1', title: 'Write the failing test', status: 'done', owner: 'planner' },
    { task_id: 'T2', title: 'Fix the login race', status: 'running', owner: 'implementer' },
    { task_id: 'T3', title: 'Rerun the suite', status: 'blocked', owner: 'verifier' },
  ],
} as const;

const of = (expected: readonly BoundaryKind[], texts: readonly string[]): readonly LabelledMessage[] =>
  texts.map((text) => ({ text, expected }));

/**
 * Messages a relay may send, and such as it must not: claims, orders and takeovers in plain and in odd words; and what
 * only looks like them: quotations, negations, questions, plans, conditions, reports of what others say, forwarding.
 * Each of the three sets was written before the rules were run on it, and its faults were then learnt from. At its first
 * run this one had precision 1.000 and recall 0.979 (the rules were made with it in view).
 */
export const DEVELOPMENT: readonly LabelledMessage[] = [
  ...of(
    ['completion'],
    [
      'T2 is done.',
      'Good news: T3 has been completed.',
      'The implementer fixed the login race.',
      'All tests pass now.',
      'Everything is finished, nothing left to do.',
      'T1 and T2 are done.',
      'T9 is complete.',
      'The worker says T2 is close, so it is done.',
      'The ledger shows that T2 is done.',
      'We have finished the migration.',
      'Done.',
      '✅ T3',
      'T2 已完成。',
      '任务完成了，可以关闭。',
      '登录问题已经修复。',
      '所有测试都通过了。',
      'T3 is 100% complete.',
      'No negatives here: the work is done.',
    ],
  ),
  ...of(
    ['recovery'],
    [
      'The session has recovered.',
      'The worker is running again.',
      'Everything is back to normal.',
      'T3 is no longer blocked.',
      'The lease is restored.',
      '系统已恢复正常。',
      '执行者不再超时。',
      'The outage is over.',
    ],
  ),
  ...of(
    ['assignment'],
    [
      'Verifier, please rerun the suite.',
      '@implementer fix the race in T2',
      'I assign T3 to the verifier.',
      'Please restart the worker.',
      'The implementer should now write a second test.',
      'You must merge the branch before noon.',
      'Your next task is T3.',
      '请执行者立即修复登录问题。',
      '把 T3 分配给验证者。',
      '由 implementer 接手 T3。',
      'I am handing T2 to the planner.',
    ],
  ),
  ...of(
    ['takeover'],
    [
      "I'll take over T2.",
      'I will fix the race myself.',
      'I have restarted the worker.',
      'Let me run the suite.',
      'If the lease expires, I will take control.',
      'I am now the controller.',
      '我来接管这个任务。',
      '由我来修复 T2。',
      'The relay takes over.',
    ],
  ),
  ...of(['completion', 'takeover'], ['我直接修复了登录问题。']),
  ...of(['recovery', 'takeover'], ['Everything is back to normal. I took the lease.']),
  ...of(
    [],
    [
      'T1 is done.',
      'T1 已完成。',
      'The worker says it is done.',
      'According to the implementer, T2 is finished.',
      'The worker wrote: "T2 is done, all tests pass."',
      'T2 is not done yet.',
      "The implementer hasn't finished T2.",
      'Is T2 done?',
      'Has the session recovered?',
      'T2 will be done tomorrow.',
      'Once T2 is done, T3 can start.',
      'If the tests pass, T2 is done.',
      'T2 needs to be completed before T3.',
      'The ledger has T2 as running and T3 as blocked.',
      'T2 is 80% done.',
      'Two of three tasks are still open; 1 of 3 is done.',
      'The list of completed steps is in the ledger.',
      'The definition of done asks for 50 runs.',
      '> T2 is done',
      'Latest instruction: Verifier, rerun the login suite fifty times',
      'The controller asks the verifier to rerun the suite.',
      'The user wants the implementer to fix T2 first.',
      'I will not take over.',
      'Should the verifier rerun the suite?',
      'I forward the message of the worker to the controller.',
      'I ask the controller to decide.',
      'State: STALE. Next: implementer.',
      'The route is planner → implementer → verifier, step 2.',
      '执行者说 T2 已经完成。',
      'T2 尚未完成。',
      'T2 完成了吗？',
      '如果测试通过，T2 就完成了。',
      '控制者要求验证者重跑测试。',
      '我不会接管。',
      'T3 仍然阻塞，等待 T2 完成。',
      '根据执行者的报告，登录问题已经修复。',
      'The session is STALE; I report and wait for the controller.',
      'The worker claims that it fixed the race, that all tests pass and that T2 is done.',
      'Nothing has been completed since the last report.',
      'The implementer reported "I will take over T3".',
      'T3 is assigned to the verifier.',
      'The session has not recovered.',
    ],
  ),
];

/** At its first run: precision 1.000, recall 0.759. */
export const SECOND: readonly LabelledMessage[] = [
  ...of(
    ['completion'],
    [
      'Quick update: the login race got fixed and T2 can be closed.',
      'T2: done',
      'Verified on CI, the suite is green.',
      'The verifier confirmed nothing, but T3 is finished.',
      'We are finished here.',
      'Status of T2: completed.',
      'The pull request was merged this morning.',
      '修好了，T2 可以关了。',
      '目前所有任务均已完成。',
      '第三步做完了。',
      'I confirm that T2 is resolved.',
      'T2 passed.',
    ],
  ),
  ...of(
    ['recovery'],
    [
      'We are back on track.',
      'The stale lease has been cleared and the worker responds again.',
      '异常已解除，一切正常。',
      'Good: the warning is gone and the worker is healthy again.',
    ],
  ),
  ...of(
    ['assignment'],
    [
      'Implementer: start on T3 right away.',
      'Next, the verifier has to run the suite.',
      'planner, go ahead and rewrite the plan',
      '@verifier 请重跑测试',
      '你必须先修复 T2。',
      'I told the implementer to drop T2.',
      'Somebody please fix the redis port.',
    ],
  ),
  ...of(
    ['takeover'],
    [
      "Since nobody answers, I'm taking the lease.",
      "I've patched the session store.",
      'I can finish T2 quickly.',
      '我已经重启了执行者。',
      '没有人回应，我先处理 T3。',
      'We will handle T3 from here.',
    ],
  ),
  ...of(
    [],
    [
      'The implementer believes the race is fixed.',
      'Forwarded from the worker: T2 is done, tests are green.',
      '"All done" was the last line of the worker\'s log.',
      'Until T2 is finished nothing else moves.',
      'Nobody has merged the branch.',
      'It is unclear whether the worker has recovered.',
      'The worker expects to be done by noon.',
      'Who takes over T3?',
      "The controller's order: rerun the suite.",
      'Controller: verifier, please rerun the suite.',
      'I only observe; I have not touched the worker.',
      'The implementer never said that T2 was done.',
      'T1 was completed by the planner.',
      '实现者声称：“T2 已完成”。',
      '租约还没有恢复。',
      '预计明天完成 T2。',
      '用户希望先修复 T2。',
      '是否由验证者接手 T3？',
      'The goal is unchanged: The login suite passes 50 runs of 50.',
      'Blockers: Redis 6379 is shared by four workers.',
      'The ledger is missing the latest instruction.',
      'Three reports repeat the same failure; no fix was reported.',
      'The worker asked if it should take over.',
      'Implementer works on T2, verifier waits.',
    ],
  ),
];

/**
 * At its first run: precision 0.897, recall 0.867, which is what to expect of messages that nobody has seen yet. One of
 * its messages, which has two findings and not one, now stands in the first set.
 */
export const THIRD: readonly LabelledMessage[] = [
  ...of(
    ['completion'],
    [
      'Heads-up, T3 just got accepted.',
      'The race condition is gone and T2 is finally resolved.',
      'Both remaining steps were completed overnight.',
      'I checked the branch: everything has been merged.',
      'The suite passed 50 out of 50.',
      'T2 ✅',
      'As of now the login fix is shipped.',
      'No open tasks remain.',
      'T2 已经合并并部署。',
      '登录竞态问题搞定了。',
      '验收通过，可以进入下一阶段。',
      '执行者还在汇报，但是 T2 已完成。',
    ],
  ),
  ...of(
    ['recovery'],
    [
      'The worker came back online and is stable.',
      'We recovered from the stale state.',
      'STALE is resolved, the lease was renewed.',
      '连接恢复了，执行者重新上线。',
      '警告已解除。',
    ],
  ),
  ...of(
    ['assignment'],
    [
      'Could the implementer get started? Implementer must fix the redis port first.',
      'Next up: verifier, run the suite again.',
      'T2 goes to the implementer, I assigned it this morning.',
      'You should rerun the failing tests now.',
      '请尽快合并分支。',
      '安排验证者重新执行测试。',
      'I want the planner to rewrite the plan.',
    ],
  ),
  ...of(
    ['takeover'],
    [
      'Nobody holds the lease, so I claim it: I am taking over.',
      'I went ahead and restarted the worker.',
      "We'll merge the branch ourselves.",
      'I can take over T2 if you like.',
      '中继现在接管会话。',
    ],
  ),
  ...of(
    [],
    [
      'The worker, in its last message, insists that T2 is complete.',
      'T2 was not completed.',
      'Neither T2 nor T3 has been finished.',
      'When will T2 be done?',
      'The message "T2 is done" came from the worker and the ledger does not show it.',
      'The suite will be green after the fix.',
      'Implementer: T2 is done.',
      'The ledger still has T2 as running, although the worker reported it as completed.',
      'Waiting for the lease to be restored.',
      'The implementer might have fixed it.',
      'The user told the verifier to rerun the suite.',
      "Do not take this as completion: T2's tests were never run.",
      'I cannot restart the worker.',
      'The controller assigned T2 to the implementer.',
      'Completed: T1. Running: T2. Blocked: T3.',
      'T1 is done, T2 is running, T3 is blocked.',
      'Open question: does the implementer take over T3?',
      'Constraint: no retries in tests.',
      '控制者说：由验证者接手 T3。',
      '执行者称测试已全部通过，但台账没有记录。',
      '会话仍处于 STALE 状态，未恢复。',
      '没有任何任务在昨天完成。',
      '谁来接管 T3？',
      'T1 已完成，T2 进行中。',
      'The verifier is rerunning the suite.',
      'Summary of the instruction: fix the race, keep the API.',
    ],
  ),
];

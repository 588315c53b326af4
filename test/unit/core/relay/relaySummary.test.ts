import { describe, expect, it } from 'vitest';
import { nextActor, summarizeRelay } from '../../../../src/core/relay/relaySummary';

describe('summary', () => {
  const context = {
    goal: 'Ship\nthe login',
    constraints: ['No retries', 'No new API'],
    latest_instruction: '查找竞态',
    current_blockers: [],
    controller_route_summary: 'planner → implementer → verifier, step 2',
  };

  it('answers goal, constraints, instruction, blockers and who acts next', () => {
    expect(summarizeRelay(context, { complete: true, missing: [] })).toBe(
      [
        'Goal: Ship the login',
        'Constraints (2): No retries; No new API',
        'Latest instruction: 查找竞态',
        'Current blockers: none',
        'Controller route: planner → implementer → verifier, step 2',
        'Next: implementer',
      ].join('\n'),
    );
  });

  it('says objects, nested ones and mixed lists in one line; the block, its reach and the decision come first', () => {
    const long = 'word '.repeat(100);
    const blockers = [
      'CI is down',
      { note: long, blocker: long, impact: 'all of S1', pending_decision: { ask: '批准?' } },
    ];
    const text = summarizeRelay(
      { goal: { text: 'Ship', by: { day: 5, who: ['Ada', 'Bob'] }, empty: '' }, current_blockers: blockers },
      { complete: false, missing: [] },
      [
        { list: 'status_reports', index: 0, status: 'WARNING', text: 'slow' },
        { list: 'execution_logs', index: 3, status: 'STALE', text: '' },
      ],
    );
    expect(text).toContain('Goal: text: Ship; by: (day: 5; who: (Ada, Bob))\n');
    expect(text).toMatch(
      /^Current blockers \(2\): CI is down \| blocker: word .*…; impact: all of S1; pending_decision: ask: 批准\?; note: word/m,
    );
    expect(text).toContain('\nAlarms (2): STALE | WARNING: slow\n');
  });

  it('says what is missing', () => {
    const missing = ['goal', 'controller_route_summary'] as const;
    const lines = summarizeRelay({ constraints: ['a'] }, { complete: false, missing }).split('\n');
    expect(lines).toContain('Goal: missing');
    expect(lines.slice(-2)).toEqual(['Next: missing', 'Missing: goal, controller_route_summary']);
  });

  it('stays short whatever the essentials are, shows whole items, and counts the others', () => {
    const long = 'word '.repeat(100_000);
    const many = Array.from({ length: 500 }, (_, at) => `constraint number ${at}`);
    const text = summarizeRelay(
      { goal: long, constraints: many, current_blockers: [long, 'b'], controller_route_summary: long },
      { complete: false, missing: ['latest_instruction'] },
    );
    expect(text.split('\n').length).toBeLessThanOrEqual(10);
    expect(text.length).toBeLessThan(2500);
    expect(text).toMatch(/constraint number 17; and 482 more/);
    expect(text).toMatch(/Current blockers \(2\): word .*…; and 1 more/);
  });
});

describe('who acts next', () => {
  it.each([
    ['next: verifier', 'verifier'],
    ['Next actor: the implementer. Then the verifier.', 'implementer'],
    ['route A; next step is planner', 'planner'],
    ['verifier acts next', 'verifier'],
    ['下一步由 implementer 执行', 'implementer'],
    ['下一步：验证者', '验证者'],
    ['planner → implementer → verifier, step 2', 'implementer'],
    ['planner -> implementer -> verifier (step 3)', 'verifier'],
    ['计划 → 实现 → 验证，第 3 步', '验证'],
  ])('%s: %s', (route, actor) => expect(nextActor(route)).toBe(actor));

  it.each([
    [{ active_lane: 'implementer', active_step: 'S2', next_action: 'test' }, 'implementer, step S2: test'],
    [{ next_actor: 'verifier', active_lane: 'implementer', next_action: 'test' }, 'verifier: test'],
    [{ active_lane: 'implementer', active_step: 'S2', next_action: '' }, 'implementer, step S2'],
    [{ active_lane: '执行者', 下一步: '验证' }, '执行者: 验证'],
    [{ order: 'planner → implementer, step 2' }, 'implementer'],
    [['planner', { next_action: 'test' }], 'test'],
    [['planner → verifier', 'step 2'], 'verifier'],
  ])('%j: %s', (route, actor) => expect(nextActor(route)).toBe(actor));

  it.each(['planner → verifier', 'planner → verifier, step 9', 'nothing yet', '', '下一步：'])(
    '%s: not said',
    (route) => expect(nextActor(route)).toBeUndefined(),
  );

  it('takes no time on hostile routes', () => {
    for (const piece of ['下一步:', 'next ', ' ', '→', 'a'])
      expect(nextActor(piece.repeat(1_000_000))?.length ?? 0).toBeLessThan(61);
  });
});

import { describe, expect, it } from 'vitest';
import { type BoundaryKind, checkMessage } from '../../../../src/core/relay/overreach';
import { IS_LONG } from '../../../support/extent.mjs';
import { DEVELOPMENT, type LabelledMessage, LEDGER, SECOND, THIRD } from './boundaryMessages';

interface Score {
  readonly precision: number;
  readonly recall: number;
  readonly wrong: readonly string[];
}

/** Over findings: right ones of those given, and of those expected. */
function scoreOf(messages: readonly LabelledMessage[]): Score {
  let [given, expectedCount, right] = [0, 0, 0];
  const wrong: string[] = [];
  for (const { text, expected } of messages) {
    const kinds = checkMessage(text, LEDGER).map(({ kind }) => kind);
    given += kinds.length;
    expectedCount += expected.length;
    const open: BoundaryKind[] = [...expected];
    for (const kind of kinds) {
      const at = open.indexOf(kind);
      if (at >= 0) {
        open.splice(at, 1);
        right++;
      }
    }
    if (kinds.join() !== expected.join())
      wrong.push(`${text} → ${kinds.join() || 'nothing'}, not ${expected.join() || 'nothing'}`);
  }
  return { precision: right / given, recall: right / expectedCount, wrong };
}

describe('relay boundary', () => {
  it.each([
    ['development', DEVELOPMENT],
    ['second', SECOND],
    ['third', THIRD],
  ])('tells harmful from harmless messages: %s', (name, messages) => {
    const { precision, recall, wrong } = scoreOf(messages);
    const harmless = messages.filter(({ expected }) => expected.length === 0).length;
    console.log(
      `relay boundary, ${name}: ${messages.length} messages, ${harmless} harmless: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`,
    );
    expect(wrong.join('\n')).toBe('');
    expect(precision).toBeGreaterThanOrEqual(0.95);
    expect(recall).toBeGreaterThanOrEqual(0.95);
    expect(harmless / messages.length).toBeGreaterThan(0.4);
  });

  const completion = (text: string, ledger: unknown) => checkMessage(text, ledger).map(({ fact }) => fact);

  it('gives the whole sentence, the words and the fact', () => {
    expect(checkMessage('Hello. T2 has been completed, I think. Bye.', LEDGER)).toEqual([
      {
        kind: 'completion',
        sentence: 'T2 has been completed, I think.',
        quote: 'has been completed',
        fact: 'the ledger has T2 as "running"',
      },
    ]);
    expect(checkMessage('- 系统已恢复正常。', LEDGER)).toEqual([
      { kind: 'recovery', sentence: '- 系统已恢复正常。', quote: '已恢复', fact: "the ledger's state is STALE" },
    ]);
    expect(checkMessage('I assign T3 to the planner.', LEDGER)).toMatchObject([
      { kind: 'assignment', quote: 'I assign', fact: 'the ledger has "verifier" for T3; the controller assigns work' },
    ]);
    expect(checkMessage("I'll take over.", LEDGER)).toMatchObject([
      { fact: 'a relay only observes and forwards; it takes nothing over and does no work' },
    ]);
  });

  it('goes by what the ledger shows', () => {
    const ledger = (status: string, state = '') => ({ state, steps: { 'login-fix': { status } } });
    expect(completion('login-fix is done.', ledger('Done '))).toEqual([]);
    expect(completion('login-fix is done.', ledger('failed'))).toEqual(['the ledger has login-fix as "failed"']);
    expect(completion('Everything is done.', ledger('done'))).toEqual([]);
    expect(completion('Everything is done.', ledger('open'))).toEqual(['the ledger has 1 of 1 tasks unfinished']);
    expect(completion('Everything is done.', ledger('open', 'completed'))).toEqual([]);
    expect(completion('TASK-7 is done.', ledger('done'))).toEqual(['the ledger has no TASK-7']);
    expect(completion('The session has recovered.', ledger('open', 'running'))).toEqual([]);
    expect(completion('The session has recovered.', ledger('open'))).toEqual(['the ledger has no state']);
    for (const none of [undefined, null, 'x', 7, [], {}]) {
      expect(completion('It is done.', none)).toEqual(['the ledger shows no finished work']);
    }
  });

  it('finds titles, and lets what the ledger says word for word pass', () => {
    const ledger = {
      latest_instruction: 'Implementer, please fix the race',
      tasks: [{ title: 'Fix the login race', status: 'done' }],
    };
    expect(completion('"Fix the login race" is done: fix the login race is done.', ledger)).toEqual([]);
    expect(completion('For everybody: Implementer, please fix the race', ledger)).toEqual([]);
    expect(checkMessage('Implementer, please fix the race', {})).toMatchObject([{ kind: 'assignment' }]);
  });

  it('takes any message in linear time', () => {
    const pieces = ['T2 is done. ', '"', '```', 'I ', 'if ', '请', '，', 'a', '\n', 'worker says ', '> x', '1/', "'s "];
    for (const piece of pieces)
      expect(Array.isArray(checkMessage(piece.repeat(IS_LONG ? 40_000 : 8_000), LEDGER))).toBe(true);
  });
});

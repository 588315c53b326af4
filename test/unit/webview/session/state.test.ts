import { describe, expect, it } from 'vitest';
import type { SessionSnapshot } from '../../../../src/protocol/sessionPanel';
import { FIRST_STATE, reduce, type SessionState, stepOfKey } from '../../../../webview/session/state';

function snapshot(id: string, tokens: readonly number[], unit = 'turn'): SessionSnapshot {
  const page = { id, unit, steps: tokens.map((each, at) => ({ number: at + 1, tokens: each })) };
  return {
    state: 'ready',
    name: id,
    agent: '',
    page,
    actions: [],
    undo: undefined,
    message: undefined,
  } as unknown as SessionSnapshot;
}

const shown = (state: SessionState, revision: number, given: SessionSnapshot) =>
  reduce(state, { type: 'snapshot', revision, snapshot: given });

describe('the page of a session', () => {
  const first = shown(FIRST_STATE, 1, snapshot('a', [1, 5, 3]));

  it('begins at the peak, also of another session', () => {
    expect(first.step).toBe(1);
    expect(shown(first, 2, snapshot('b', [1, 2, 9])).step).toBe(2);
    expect(shown(first, 2, snapshot('a', [1, 2, 9], 'request')).step).toBe(2);
  });

  it('keeps its step while the session grows, and goes to the peak when the step is gone', () => {
    const moved = reduce(first, { type: 'move', step: 2 });
    expect(shown(moved, 2, snapshot('a', [1, 5, 3, 9])).step).toBe(2);
    expect(shown(moved, 2, snapshot('a', [4, 1])).step).toBe(0);
  });

  it('stays inside of the steps', () => {
    expect(reduce(first, { type: 'move', step: 99 }).step).toBe(2);
    expect(reduce(first, { type: 'move', step: -1 }).step).toBe(0);
    expect(reduce(first, { type: 'move', step: 1 })).toBe(first);
    expect(reduce(FIRST_STATE, { type: 'move', step: 4 })).toBe(FIRST_STATE);
  });

  it('drops what is older than what it shows', () => {
    expect(shown(first, 0, snapshot('b', [1]))).toBe(first);
  });

  it('shows all findings until another session comes', () => {
    const all = reduce(first, { type: 'showAll' });
    expect(shown(all, 2, snapshot('a', [1, 5, 3])).showsAll).toBe(true);
    expect(shown(all, 2, snapshot('b', [1])).showsAll).toBe(false);
  });
});

it.each([
  ['ArrowRight', 6],
  ['ArrowUp', 6],
  ['ArrowLeft', 4],
  ['ArrowDown', 4],
  ['Home', 0],
  ['End', 59],
  ['PageUp', 11],
  ['PageDown', -1],
  ['Enter', undefined],
])('%s leads from step 5 of 60 to %s', (key, step) => expect(stepOfKey(5, 60, key)).toBe(step));

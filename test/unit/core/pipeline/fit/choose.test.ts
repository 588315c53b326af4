import { expect, it } from 'vitest';
import { chooseForms, type Fittable } from '../../../../../src/core/pipeline/fit/choose';

const FRAME = { tokens: 20, chars: 80 };

function item(id: string, tokens: number, over: Partial<Fittable>): Fittable {
  return {
    ...{ id, priority: 'P0', status: 'OK', score: 1, count: 1, early: 0, isAway: undefined },
    ...{ isPartial: () => false, isLeftOut: (form) => form < 0, size: () => ({ tokens, chars: 4 * tokens }) },
    ...over,
  };
}

it('shows alarms up to 200 tokens of their own when P0 alone exceeds a cap, whatever stands around them', () => {
  const formsWith = (tokens: number) => {
    const items = [item('rules', 500, {}), item('tests', tokens, { priority: 'P2', status: 'ALERT' })];
    return chooseForms(items, { tokens: 100, chars: 10_000 }, () => FRAME).forms;
  };
  expect(formsWith(200)).toEqual([0, 0]);
  expect(formsWith(201)).toEqual([0, -1]);
});

import { expect, it } from 'vitest';
import type { Priority } from '../../../../../src/core/model/section';
import { chooseForms, type Fittable } from '../../../../../src/core/pipeline/fit/choose';

const FRAME = { tokens: 20, chars: 80 };

function item(id: string, tokens: number, over: Partial<Fittable>): Fittable {
  return {
    ...{ id, priority: 'P0', status: 'OK', score: 1, count: 1, early: 0, isAway: undefined },
    ...{ isPartial: () => false, isLeftOut: (form) => form < 0, size: () => ({ tokens, chars: 4 * tokens }) },
    ...over,
  };
}

it('grants what stubs that had to go leave to those that stay', () => {
  const growing = (id: string, priority: Priority, sizes: readonly number[]) =>
    item(id, 0, {
      ...{ priority, count: sizes.length },
      size: (form) => ({ tokens: sizes[form] ?? 0, chars: 4 * (sizes[form] ?? 0) }),
    });
  const items = [growing('a', 'P2', [10, 14, 40]), growing('b', 'P3', [10, 12]), growing('c', 'P4', [30, 90])];
  const formsWith = (tokens: number) => chooseForms(items, { tokens, chars: 10_000 }, () => FRAME).forms;
  expect([40, 44, 46, 69].map(formsWith)).toEqual([
    [0, 0, -1],
    [1, 0, -1],
    [1, 1, -1],
    [1, 1, -1],
  ]);
  expect(formsWith(70)).toEqual([0, 0, 0]);
});

it('shows alarms up to 200 tokens of their own when P0 alone exceeds a cap, whatever stands around them', () => {
  const formsWith = (tokens: number) => {
    const items = [item('rules', 500, {}), item('tests', tokens, { priority: 'P2', status: 'ALERT' })];
    return chooseForms(items, { tokens: 100, chars: 10_000 }, () => FRAME).forms;
  };
  expect(formsWith(200)).toEqual([0, 0]);
  expect(formsWith(201)).toEqual([0, -1]);
});

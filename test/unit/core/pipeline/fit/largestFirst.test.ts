import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LargestFirst } from '../../../../../src/core/pipeline/fit/largestFirst';

it('gives the largest key first, equal ones by value, as sorting does', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 }), (keys) => {
      const queue = new LargestFirst();
      keys.forEach((key, value) => {
        queue.push(value, key);
      });
      const popped: number[] = [];
      for (let value = queue.pop(); value !== undefined; value = queue.pop()) popped.push(value);
      expect(popped).toEqual([...keys.keys()].sort((a, b) => keys[b]! - keys[a]! || a - b));
    }),
  );
});

it('keeps its order when members come back smaller', () => {
  const queue = new LargestFirst();
  for (const [value, key] of [
    [0, 5],
    [1, 9],
    [2, 7],
  ] as const)
    queue.push(value, key);
  expect(queue.pop()).toBe(1);
  queue.push(1, 6);
  expect([queue.pop(), queue.pop(), queue.pop(), queue.pop()]).toEqual([2, 1, 0, undefined]);
});

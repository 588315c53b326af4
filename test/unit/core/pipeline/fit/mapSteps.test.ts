import { expect, it } from 'vitest';
import { mapFormCounts } from '../../../../../src/core/pipeline/fit/mapTable';

it('shrinks a small map by single items down to the floor', () => {
  expect([...mapFormCounts(6, 3)]).toEqual([5, 4, 3]);
  expect([...mapFormCounts(3, 3)]).toEqual([]);
  expect([...mapFormCounts(0, 1)]).toEqual([]);
});

it('needs few renderings for a large one', () => {
  const counts = [...mapFormCounts(5000, 1)];
  expect(counts.length).toBeLessThan(250);
  expect(counts.at(-1)).toBe(1);
  expect(counts.every((count, at) => at === 0 || count < (counts[at - 1] ?? 0))).toBe(true);
});

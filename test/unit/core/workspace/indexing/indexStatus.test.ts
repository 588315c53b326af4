import { expect, it } from 'vitest';
import { IndexStatus } from '../../../../../src/core/workspace/indexing/indexProblems';
import type { IndexProgress } from '../../../../../src/core/workspace/workspace';
import { FakeClock } from '../../../../support/workspaceFakes';

function watched() {
  const clock = new FakeClock();
  const status = new IndexStatus(clock);
  const told: IndexProgress[] = [];
  const subscription = status.didChange.on((progress) => told.push(progress));
  return { clock, status, told, subscription };
}

it('tells a new phase at once', () => {
  const { status, told } = watched();
  status.set('parsing', 0, 10);
  status.set('ready');
  expect(told.map(({ phase }) => phase)).toEqual(['parsing', 'ready']);
});

it('tells progress inside of a phase at most four times a second, the last of it in the end', () => {
  const { clock, status, told } = watched();
  status.set('parsing', 0, 1000);
  for (let done = 1; done <= 1000; done++) {
    status.set('parsing', done, 1000);
    if (done % 500 === 0) clock.advance(250);
  }
  expect(told.map(({ done }) => done)).toEqual([0, 500, 1000]);
  clock.advance(250);
  expect(told).toHaveLength(3);
  expect(clock.waiting).toBe(0);
});

it('knows the newest state whether it was told or not', () => {
  const { status } = watched();
  status.set('parsing', 0, 9);
  status.set('parsing', 5, 9);
  expect(status.current).toEqual({ phase: 'parsing', done: 5, total: 9 });
});

it('tells nobody after it was disposed, and nobody who left', () => {
  const { clock, status, told, subscription } = watched();
  subscription.dispose();
  status.set('parsing', 1, 2);
  status.dispose();
  expect(told).toEqual([]);
  expect(clock.waiting).toBe(0);
});

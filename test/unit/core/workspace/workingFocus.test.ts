import { expect, it } from 'vitest';
import { WorkingFocus } from '../../../../src/core/workspace/workspaceState';
import { FakeClock } from '../../../support/workspaceFakes';

const on = (...focusPaths: readonly string[]) => ({ focusPaths, query: '' });

function focus() {
  const clock = new FakeClock();
  let settled = 0;
  const working = new WorkingFocus(clock, () => settled++);
  return { clock, working, settled: () => settled };
}

it('takes the first offer at once', () => {
  const { working, settled } = focus();
  working.offer(on('a.ts'));
  expect(working.current.focusPaths).toEqual(['a.ts']);
  expect(settled()).toBe(0);
});

it('follows a change when it has lasted a second', () => {
  const { clock, working, settled } = focus();
  working.offer(on('a.ts'));
  working.offer(on('b.ts'));
  clock.advance(900);
  expect(working.current.focusPaths).toEqual(['a.ts']);
  clock.advance(100);
  expect(working.current.focusPaths).toEqual(['b.ts']);
  expect(settled()).toBe(1);
});

it('waits anew for each change, and not at all for one that is taken back', () => {
  const { clock, working, settled } = focus();
  working.offer(on('a.ts'));
  working.offer(on('b.ts'));
  clock.advance(900);
  working.offer(on('c.ts'));
  clock.advance(900);
  expect(working.current.focusPaths).toEqual(['a.ts']);
  working.offer(on('a.ts'));
  clock.advance(5000);
  expect(working.current.focusPaths).toEqual(['a.ts']);
  expect(settled()).toBe(0);
  expect(clock.waiting).toBe(0);
});

it('does not start waiting again for an offer that says the same', () => {
  const { clock, working } = focus();
  working.offer(on('a.ts'));
  working.offer(on('b.ts'));
  clock.advance(900);
  working.offer(on('b.ts'));
  clock.advance(100);
  expect(working.current.focusPaths).toEqual(['b.ts']);
});

it('settles now for somebody who asks', () => {
  const { clock, working, settled } = focus();
  working.offer(on('a.ts'));
  expect(working.settle()).toBe(false);
  working.offer({ ...on('a.ts'), query: 'b' });
  expect(working.settle()).toBe(true);
  expect(working.current.query).toBe('b');
  clock.advance(5000);
  expect(settled()).toBe(0);
});

it('changes nothing more once it is disposed', () => {
  const { clock, working, settled } = focus();
  working.offer(on('a.ts'));
  working.offer(on('b.ts'));
  working.dispose();
  clock.advance(5000);
  expect([working.current.focusPaths, settled(), clock.waiting]).toEqual([['a.ts'], 0, 0]);
});

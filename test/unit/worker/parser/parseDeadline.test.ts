import { expect, test } from 'vitest';
import { parseDeadline } from '../../../../src/worker/parser/parserCrash';

test('a parse that used the processor for 1.5 s is over', () => {
  let ms = 0;
  const isOver = parseDeadline(() => ms);
  ms = 1500;
  expect(isOver()).toBe(false);
  ms = 1501;
  expect(isOver()).toBe(true);
});

test('a parse that had to wait for the processor goes on, up to 20 s', () => {
  let ms = 0;
  let spentMs = 700;
  const isOver = parseDeadline(
    () => ms,
    () => spentMs,
  );
  ms = 20_000;
  spentMs = 2200;
  expect(isOver()).toBe(false);
  spentMs = 2201;
  expect(isOver()).toBe(true);
  spentMs = 701;
  ms = 20_001;
  expect(isOver()).toBe(true);
});

import { expect, it } from 'vitest';
import { filesOf, tokensOf } from '../../../../src/core/text/counts';
import { formatCount, parseNumber, plural, roundEstimate } from '../../../../src/core/text/numbers';
import { inEnglish } from '../../../../src/core/text/phrase';

it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1234567, '1,234,567'],
])('writes %d as %s', (count, text) => {
  expect(formatCount(count)).toBe(text);
});

it.each<readonly [string, number]>([
  ['0', 0],
  ['7500', 7500],
  ['7,500', 7500],
  ['1_234_567', 1_234_567],
  ['1,000.25', 1000.25],
  ['0.125', 0.125],
  ['12.5', 12.5],
  ...['', '10,5', '8.000', '12.500', '1,0000', '1234,567', '1,', ',100', '1__000', '1e3', '-5', '5.', '.5', ' 5'].map(
    (text) => [text, Number.NaN] as const,
  ),
])('reads %j as %d', (text, number) => {
  expect(parseNumber(text)).toBe(number);
});

it('rounds an estimate to two digits, at the finest to tens', () => {
  expect([0, 7, 176, 6120, 21_034].map(roundEstimate)).toEqual([0, 10, 180, 6100, 21_000]);
});

it('knows one from many', () => {
  expect([plural(1, 'file'), plural(1545, 'file'), plural(2, 'entry', 'entries')]).toEqual([
    '1 file',
    '1,545 files',
    '2 entries',
  ]);
});

it('knows one from many in phrases', () => {
  expect([0, 1, 2].map((count) => inEnglish(tokensOf(count)))).toEqual(['0 tokens', '1 token', '2 tokens']);
  expect([0, 1, 2].map((count) => inEnglish(filesOf(count)))).toEqual(['0 files', '1 file', '2 files']);
});

import { describe, expect, it } from 'vitest';
import { parseBaseline, parseMaxIncrease, renderBaseline } from '../../../../src/core/check/baseline';

const CONTEXT = {
  profile: 'default',
  tokens: 30,
  sections: [
    { id: 'a', tokens: 10 },
    { id: 'b', tokens: 20 },
  ],
};
const FILE = { version: 'check_baseline.v1', ...CONTEXT };

describe('parseBaseline', () => {
  it('reads what renderBaseline writes', () => {
    expect(parseBaseline(renderBaseline(CONTEXT))).toEqual(CONTEXT);
  });

  it('takes the sum of the sections, not the total that the file states', () => {
    expect(parseBaseline(JSON.stringify({ ...FILE, tokens: 5 }))?.tokens).toBe(30);
  });

  it.each([
    ['no JSON', '{'],
    ['another version', JSON.stringify({ ...FILE, version: 'check_baseline.v2' })],
    ['no profile', JSON.stringify({ ...FILE, profile: 1 })],
    ['no sections', JSON.stringify({ ...FILE, sections: undefined })],
    ['sections that are no list', JSON.stringify({ ...FILE, sections: { a: 10 } })],
    ['one section without an id', JSON.stringify({ ...FILE, sections: [...FILE.sections, { tokens: 1 }] })],
    ['one section with a negative count', JSON.stringify({ ...FILE, sections: [{ id: 'a', tokens: -1 }] })],
    ['one section with half a token', JSON.stringify({ ...FILE, sections: [{ id: 'a', tokens: 1.5 }] })],
  ])('refuses a file with %s', (_, text) => {
    expect(parseBaseline(text)).toBeUndefined();
  });
});

describe('parseMaxIncrease', () => {
  it.each([
    ['500', { amount: 500, unit: 'tokens' }],
    [' 1,000 ', { amount: 1000, unit: 'tokens' }],
    ['12.5%', { amount: 12.5, unit: 'percent' }],
    ['1,000%', { amount: 1000, unit: 'percent' }],
    ['10,5%', undefined],
    ['10,5', undefined],
    ['%', undefined],
    ['12.5', undefined],
    ['-5', undefined],
    ['ten', undefined],
  ])('reads %j', (text, increase) => {
    expect(parseMaxIncrease(text)).toEqual(increase);
  });
});

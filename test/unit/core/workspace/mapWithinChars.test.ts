import { describe, expect, it } from 'vitest';
import { mapWithinChars } from '../../../../src/core/workspace/mapQueries';

/** A map of lines of ten characters and two tokens each. */
function buildOf(asked: number[]) {
  return async (budgetTokens: number) => {
    asked.push(budgetTokens);
    const lines = Math.min(100, Math.floor(budgetTokens / 2));
    return {
      text: '123456789\n'.repeat(lines),
      tokens: 2 * lines,
      budgetTokens,
      view: { filesShown: 0, filesTotal: 0, symbolsShown: 0, symbolsTotal: 0, items: [] },
      secrets: [],
    };
  };
}

describe('mapWithinChars', () => {
  it('makes a map that fits once, and says nothing of characters', async () => {
    const asked: number[] = [];
    const map = await mapWithinChars(buildOf(asked), 60, 300);
    expect([map.text.length, map.budgetTokens, map.maxChars, asked]).toEqual([300, 60, undefined, [60]]);
  });

  it('holds a map to the characters, and keeps the tokens that were asked for', async () => {
    const asked: number[] = [];
    const map = await mapWithinChars(buildOf(asked), 5000, 305);
    expect(map).toMatchObject({ budgetTokens: 5000, maxChars: 305 });
    expect(map.text.length).toBeLessThanOrEqual(305);
    expect(map.text.length).toBeGreaterThan(200);
    expect(asked).toHaveLength(2);
  });

  it('ends with an empty map where not even one line fits', async () => {
    expect((await mapWithinChars(buildOf([]), 5000, 5)).text).toBe('');
  });
});

import { describe, expect, it } from 'vitest';
import type { CitationFacts } from '../../../../../src/core/pipeline/score/factors';
import {
  citationFactor,
  hasEnoughData,
  NEUTRAL,
  recencyFactor,
  scaleWeights,
  sizeFactor,
  weigh,
} from '../../../../../src/core/pipeline/score/factors';

/** What `cycles` that all cited something else say of a section. */
function facts(cycles: number, citedCycles: number): CitationFacts {
  return { loaded: cycles, othersCited: cycles, citedCycles };
}

describe('citationFactor', () => {
  it('is the root of the smoothed rate', () => {
    expect(citationFactor(facts(50, 0))).toBe(0.0913);
    expect(citationFactor(facts(50, 12))).toBe(0.4564);
    expect(citationFactor(facts(50, 50))).toBe(0.9174);
    expect(citationFactor(facts(10, 0))).toBe(0.1581);
  });

  it('is neutral below ten cycles that cited something else', () => {
    expect(citationFactor(facts(9, 9))).toBe(NEUTRAL);
    expect(citationFactor({ loaded: 50, othersCited: 9, citedCycles: 0 })).toBe(NEUTRAL);
    expect(hasEnoughData(facts(10, 0))).toBe(true);
  });

  it('takes more citing cycles than loading ones for as many', () => {
    expect(citationFactor(facts(20, 30))).toBe(citationFactor(facts(20, 20)));
  });
});

describe('recencyFactor', () => {
  it('halves every eight cycles and is nothing without a citation', () => {
    expect([0, 8, 16, undefined].map((age) => recencyFactor(age, true))).toEqual([1, 0.5, 0.25, 0]);
  });

  it('says nothing against a section without enough data, and something for it when it was just cited', () => {
    expect([undefined, 40, 0].map((age) => recencyFactor(age, false))).toEqual([NEUTRAL, NEUTRAL, 1]);
  });
});

describe('sizeFactor', () => {
  it('is half at 2,000 characters and neutral for what is not known', () => {
    expect([sizeFactor(0), sizeFactor(2000), sizeFactor(30_000), sizeFactor(undefined)]).toEqual([
      1,
      0.5,
      0.0625,
      NEUTRAL,
    ]);
  });
});

describe('weights', () => {
  it('are scaled to add up to 1, and equal when all are zero', () => {
    expect(scaleWeights({ citation: 1, trigger: 0.5, recency: 0.5, size: 0 })).toEqual({
      citation: 0.5,
      trigger: 0.25,
      recency: 0.25,
      size: 0,
    });
    const none = { citation: 0, trigger: 0, recency: 0, size: 0 };
    expect(scaleWeights(none)).toEqual({ citation: 0.25, trigger: 0.25, recency: 0.25, size: 0.25 });
  });

  it('give a score of four digits', () => {
    const weights = scaleWeights({ citation: 0.4, trigger: 0.3, recency: 0.2, size: 0.1 });
    expect(weigh({ citation: 0.0913, trigger: 0.5, recency: 0, size: 0.4 }, weights)).toBe(0.2265);
    expect(weigh({ citation: 1, trigger: 1, recency: 1, size: 1 }, weights)).toBe(1);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { roundUp } from '../../../../webview/format';
import { historyBoxes, percentage, sparkBoxes, stackedBoxes } from '../../../../webview/report/charts';

const point = (cycles: number, charsMean: number) => ({
  firstCycle: 1,
  lastCycle: 1,
  cycles,
  charsMean,
  tokensMean: 0,
});

describe('charts', () => {
  it('rounds a scale up to 1, 2 or 5 times a power of ten', () => {
    expect([0, 1, 1.1, 31_000, 50_000, 50_001].map(roundUp)).toEqual([1, 1, 2, 50_000, 50_000, 100_000]);
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 1e12, noNaN: true }), (largest) => {
        expect(roundUp(largest)).toBeGreaterThanOrEqual(largest);
        expect(roundUp(largest)).toBeLessThan(largest * 2.51);
      }),
    );
  });

  it('leaves a gap where there is no value', () => {
    expect(sparkBoxes([1, null, 2])).toEqual([
      { left: 0, width: 1 / 3, height: 0.5 },
      undefined,
      { left: 2 / 3, width: 1 / 3, height: 1 },
    ]);
    expect(sparkBoxes([0, 0])).toMatchObject([{ height: 0 }, { height: 0 }]);
  });

  it('gives a stretch as much room as it has cycles', () => {
    expect(historyBoxes([point(64, 100), point(16, 50)], 200)).toEqual([
      { left: 0, width: 0.8, height: 0.5 },
      { left: 0.8, width: 0.2, height: 0.25 },
    ]);
  });

  it('puts parts one behind the other', () => {
    expect(stackedBoxes([0.25, 0, 0.75]).map(({ left }) => left)).toEqual([0, 0.25, 0.25]);
    expect(percentage(1 / 3)).toBe('33.333%');
  });
});

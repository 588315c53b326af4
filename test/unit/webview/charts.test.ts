import { describe, expect, it } from 'vitest';
import { historyView, lastCitedSentence, PLOT, SPARK, sparkView, useCaption, useTitle } from '../../../webview/charts';
import { usageOf } from '../../support/panelSnapshots';

const MARK = '80%';

function coordinates(points: string): readonly (readonly number[])[] {
  return points.split(' ').map((point) => point.split(',').map(Number));
}

describe('the sparkline', () => {
  it('goes from the left edge to the right one, the largest value on top, with ticks at citations', () => {
    const usage = usageOf({ charsPerCycle: [100, 300, 200], citationsPerCycle: [0, 2, 0], citedCycles: 1 });
    const { points, ticks, label } = sparkView('MEMORY.md', usage);
    const [first, second, third] = coordinates(points);
    expect([first?.[0], second?.[0], third?.[0]]).toEqual([0, 100, 200]);
    expect(second?.[1]).toBeLessThan(third?.[1] ?? 0);
    expect(third?.[1]).toBeLessThan(first?.[1] ?? 0);
    expect(ticks).toEqual([100]);
    expect(label).toBe('Characters of MEMORY.md in the last 3 cycles: 100 to 300, now 200; cited in 1 of them');
  });

  it('stays within its box for any values', () => {
    for (const charsPerCycle of [[0], [7], [5, 5, 5], [0, 1e9], [1e9, 0, 3]]) {
      const { points } = sparkView('a', usageOf({ charsPerCycle, citationsPerCycle: charsPerCycle.map(() => 0) }));
      for (const [x = -1, y = -1] of coordinates(points)) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x).toBeLessThanOrEqual(SPARK.width);
        expect(y).toBeGreaterThanOrEqual(0);
        expect(y).toBeLessThanOrEqual(SPARK.lineHeight);
      }
    }
  });

  it('draws a single cycle as a level line with its tick in the middle', () => {
    const { points, ticks } = sparkView('a', usageOf({ charsPerCycle: [9], citationsPerCycle: [1] }));
    expect(points).toBe(`0,14 ${SPARK.width},14`);
    expect(ticks).toEqual([SPARK.width / 2]);
  });

  it('has the return with its interval above it, or what is missing, and what both rest on', () => {
    const rests = usageOf().return;
    const unknown = { ...rests, judged: 6, roi: null, interval: null, roiClass: 'no data' as const };
    const borders = { waste: 0.5, med: 2 };
    expect(useCaption(usageOf())).toBe('2.9 per 1,000 characters (1.7 to 4.8)');
    expect(useCaption(usageOf({ return: unknown }))).toBe('not enough data: 6 of 50 cycles');
    expect(useTitle(usageOf(), borders)).toBe('Used. Over 2 citations per 1,000 characters. 8 citations in 50 cycles.');
    const wasted = { ...rests, roiClass: 'WASTE' as const };
    expect(useTitle(usageOf({ return: wasted }), borders)).toMatch(/^Hardly used\. Under 0\.5 citations/);
    expect(useTitle(usageOf({ return: { ...wasted, citations: 0 } }), borders)).toMatch(
      /^Never used\. .* 0 citations in/,
    );
  });

  it('has the last citation below', () => {
    expect(lastCitedSentence(usageOf())).toBe('Last cited in cycle 719, 1 cycle ago');
    expect(lastCitedSentence(usageOf({ cyclesSinceCited: 0 }))).toBe('Last cited in cycle 719, the newest');
    const judged = (cycles: number) => ({ ...usageOf().return, judged: cycles });
    const never = { lastCitedCycle: undefined, citedCycles: 0, loaded: 3 };
    expect(lastCitedSentence(usageOf({ ...never, return: judged(720) }))).toBe('Not cited in 3 cycles');
    expect(lastCitedSentence(usageOf({ ...never, return: judged(1) }))).toBe('Not cited in 1 cycle');
    expect(lastCitedSentence(usageOf({ ...never, return: judged(0) }))).toBeUndefined();
  });
});

describe('the history', () => {
  const cycles = (...tokens: readonly number[]) =>
    tokens.map((count, index) => ({ cycle: 671 + index, tokens: count, chars: count * 4 }));

  it.each([
    [[3521, 3521], '3,521 tokens'],
    [[1, 1], '1 token'],
    [[20, 3521], '20 to 3,521 tokens'],
  ])('says between what %j are', (tokens, range) => {
    expect(historyView(cycles(...tokens), 7500, MARK)?.range).toBe(range);
  });

  it('is absent without a cycle', () => {
    expect(historyView([], 7500, MARK)).toBeUndefined();
  });

  it('begins at the largest thousand below its values, and says so', () => {
    const axisOf = (...tokens: readonly number[]) => historyView(cycles(...tokens), 7500, MARK)?.axis;
    expect(axisOf(4987, 7396)).toBe('from 4,000, dotted 80%');
    expect(axisOf(5000, 7396)).toBe('from 4,000, dotted 80%');
    expect(axisOf(7400)).toBe('from 5,000, dotted 80%');
    expect(axisOf(120)).toBe('from 0, dotted 80%');
    expect(historyView(cycles(4987), 7500, MARK)?.axisTitle).toBe(
      'The vertical axis starts at 4,000 tokens. The dotted line is 80% of the limit.',
    );
  });

  it('has the cap on top while no cycle exceeds it, and in words whether one did', () => {
    const within = historyView(cycles(4987, 6120), 7500, MARK);
    expect(within).toMatchObject({
      capY: 1,
      range: '4,987 to 6,120 tokens',
      cap: 'limit 7,500',
      first: '671',
      last: '672',
    });
    expect(within?.label).toBe(
      'Tokens per cycle, cycles 671 to 672: lowest 4,987, highest 6,120, last 6,120. Never over the limit of 7,500.',
    );
    const over = historyView(cycles(4987, 9000, 9500), 7500, MARK);
    expect(over?.capY).toBeGreaterThan(1);
    expect(over?.label).toMatch(/Over the limit of 7,500 in 2 cycles\.$/);
  });

  it('stays within its box for any values', () => {
    for (const tokens of [[0], [1, 100_000], [7500], [3, 3, 3]]) {
      for (const [x = -1, y = -1] of coordinates(historyView(cycles(...tokens), 7500, MARK)?.points ?? '')) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x).toBeLessThanOrEqual(PLOT.width);
        expect(y).toBeGreaterThanOrEqual(0);
        expect(y).toBeLessThanOrEqual(PLOT.height);
      }
    }
  });
});

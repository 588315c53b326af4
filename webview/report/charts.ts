/** Geometry of the charts: from numbers to boxes in a unit square, larger values higher. Pure. */
import type { HistoryPoint } from '../../src/core/usage/report/usageReport';

/** A box in shares of the chart, from its left and lower edge. */
export interface Box {
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** A column for each value, all as wide; `undefined` where there is no value. */
export function sparkBoxes(values: readonly (number | null)[]): readonly (Box | undefined)[] {
  const largest = Math.max(0, ...values.map((value) => value ?? 0));
  const width = 1 / Math.max(1, values.length);
  return values.map((value, at) => {
    if (value === null) return undefined;
    return { left: at * width, width, height: largest === 0 ? 0 : value / largest };
  });
}

/** A column for each stretch, as wide as it has cycles, against `top`. */
export function historyBoxes(history: readonly HistoryPoint[], top: number): readonly Box[] {
  const total = history.reduce((sum, { cycles }) => sum + cycles, 0);
  let before = 0;
  return history.map(({ cycles, charsMean }) => {
    const left = before / total;
    before += cycles;
    return { left, width: cycles / total, height: charsMean / top };
  });
}

/** Parts of a whole, one behind the other; their heights are all 1. */
export function stackedBoxes(shares: readonly number[]): readonly Box[] {
  let before = 0;
  return shares.map((width) => {
    const left = before;
    before += width;
    return { left, width, height: 1 };
  });
}

/** A share as an SVG length. */
export function percentage(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}

/** Geometry of the chart: shares of its width, and of its height from the top, in percent. Pure. */
import type { SessionPage, SessionStep } from '../../src/core/window/sessions/sessionPage';
import { roundUp } from '../format';
import { BANDS, type Band, bandTokens } from './bands';

/** A line with a label above the chart. */
export interface ChartMark {
  readonly kind: 'compacted' | 'break';
  readonly x: number;
  /** Marks that are too close for labels of their own share one; 0 for those without. */
  readonly count: number;
}

export interface ChartView {
  /** Tokens at the upper edge: the window's, where that is known. */
  readonly top: number;
  readonly hasLimit: boolean;
  readonly areas: readonly { readonly band: Band; readonly path: string }[];
  readonly marks: readonly ChartMark[];
  readonly levels: readonly { readonly tokens: number; readonly y: number }[];
  readonly ticks: readonly { readonly number: number; readonly x: number }[];
}

/** Levels and ticks are so many, or a few more. */
const LEVELS = 4;
const TICKS = 6;
/** Two labels need so much of the width. */
const LABEL_SHARE = 22;
const TICK_SHARE = 8;

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Where a step stands; a single one in the middle. */
export function xOf(step: number, steps: number): number {
  return steps < 2 ? 50 : rounded((Math.min(Math.max(step, 0), steps - 1) / (steps - 1)) * 100);
}

/** The step next to a share of the width, in percent. */
export function stepAt(x: number, steps: number): number {
  return Math.round((Math.min(Math.max(x, 0), 100) / 100) * (steps - 1));
}

/** The step with the largest window. */
export function peakOf(steps: readonly SessionStep[]): number {
  return steps.reduce((best, { tokens }, at) => (tokens > (steps[best]?.tokens ?? 0) ? at : best), 0);
}

/** The chart of at least one step. */
export function chartView({ steps, windowTokens, compactedAt }: SessionPage): ChartView {
  const peak = Math.max(1, ...steps.map(({ tokens }) => tokens));
  const top = windowTokens ?? roundUp(peak);
  const yOf = (tokens: number): number => rounded(100 - (tokens / top) * 100);
  const compacted = compactedAt.map((at) => xOf(at, steps.length));
  const breaks = steps.flatMap(({ cacheBreaks }, at) =>
    cacheBreaks > 0 ? [[xOf(at, steps.length), cacheBreaks] as const] : [],
  );
  return {
    top,
    hasLimit: windowTokens !== undefined,
    areas: areas(steps, yOf),
    marks: [
      ...labelled(
        'compacted',
        compacted.map((x) => [x, 1] as const),
      ),
      ...labelled('break', breaks),
    ],
    levels: levels(top).map((tokens) => ({ tokens, y: yOf(tokens) })),
    ticks: ticks(steps),
  };
}

function areas(steps: readonly SessionStep[], yOf: (tokens: number) => number): ChartView['areas'] {
  // One step is as wide as the chart.
  const drawn = steps.length === 1 ? [...steps, ...steps] : steps;
  let low = drawn.map(() => 0);
  return BANDS.flatMap((band) => {
    const high = drawn.map(({ parts }, at) => (low[at] ?? 0) + bandTokens(parts, band));
    const points = (line: readonly number[]): string[] =>
      line.map((tokens, at) => `${xOf(at, drawn.length)} ${yOf(tokens)}`);
    const path = `M${[...points(high), ...points(low).reverse()].join('L')}Z`;
    const isEmpty = high.every((tokens, at) => tokens === low[at]);
    low = high;
    return isEmpty ? [] : [{ band, path }];
  });
}

/** Each mark, with the count of those whose label it has. */
function labelled(
  kind: ChartMark['kind'],
  given: readonly (readonly [x: number, count: number])[],
): readonly ChartMark[] {
  const marks: { kind: ChartMark['kind']; x: number; count: number }[] = [];
  let owner: (typeof marks)[number] | undefined;
  for (const [x, count] of given) {
    const mark = { kind, x, count };
    if (owner && x - owner.x < LABEL_SHARE) {
      owner.count += count;
      mark.count = 0;
    } else owner = mark;
    marks.push(mark);
  }
  return marks;
}

function levels(top: number): readonly number[] {
  const step = roundUp(top / (LEVELS + 1));
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, at) => at * step);
}

/** Every so many steps, the first and the last. */
function ticks(steps: readonly SessionStep[]): ChartView['ticks'] {
  const every = steps.length <= TICKS ? 1 : roundUp(steps.length / TICKS);
  const last = steps.length - 1;
  const wanted = steps.flatMap(({ number }, at) => {
    const x = xOf(at, steps.length);
    const isFree = at === 0 || (xOf(last, steps.length) - x > TICK_SHARE && x > TICK_SHARE);
    return at === last || (isFree && (at === 0 || number % every === 0)) ? [{ number, x }] : [];
  });
  return wanted;
}

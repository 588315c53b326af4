/** Lines and marks of the two charts, in units of their view boxes. Pure. */
import type { CycleTotals, RoiThresholds, SectionUsage } from '../src/core/model/usage';
import { ENOUGH_EVIDENCE, judgedCycles, WARN_SHARE } from '../src/protocol/panel';
import { formatCount } from './format';
import { ROI_WORDS, WORDS } from './words';
import { evidence } from './words/counts';

/** View box of a section's sparkline: the line, then ticks for citations. */
export const SPARK = { width: 200, lineHeight: 28, height: 36 } as const;

/** View box of the history chart. */
export const PLOT = { width: 500, height: 64 } as const;

/** The axis begins at a multiple of this. */
const AXIS_STEP = 1000;

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Where point `index` of `count` stands; a single one in the middle. */
function xOf(index: number, count: number, width: number): number {
  return count < 2 ? width / 2 : rounded((index / (count - 1)) * width);
}

/** Points of a polyline; one value becomes a level line. */
function lineOf(values: readonly number[], width: number, yOf: (value: number) => number): string {
  const [only] = values;
  if (values.length === 1 && only !== undefined) return `0,${yOf(only)} ${width},${yOf(only)}`;
  return values.map((value, index) => `${xOf(index, values.length, width)},${yOf(value)}`).join(' ');
}

/** A section's cycles as a line of characters and ticks where it was cited. */
interface SparkView {
  readonly points: string;
  readonly ticks: readonly number[];
  /** The accessible name. */
  readonly label: string;
}

export function sparkView(name: string, usage: SectionUsage): SparkView {
  const { charsPerCycle, citationsPerCycle, citedCycles } = usage;
  const count = charsPerCycle.length;
  const [lowest, highest] = [Math.min(...charsPerCycle), Math.max(...charsPerCycle)];
  const span = Math.max(1, highest - lowest);
  const top = SPARK.lineHeight - 2;
  const yOf = (value: number): number =>
    highest === lowest ? SPARK.lineHeight / 2 : rounded(SPARK.lineHeight - 1 - ((value - lowest) / span) * top);
  return {
    points: lineOf(charsPerCycle, SPARK.width, yOf),
    ticks: citationsPerCycle.flatMap((cited, index) => (cited > 0 ? [xOf(index, count, SPARK.width)] : [])),
    label: WORDS.cycles.chart(name, count, lowest, highest, charsPerCycle.at(-1) ?? 0, citedCycles),
  };
}

/** The caption above the sparkline: `2.9 per 1,000 characters (1.4 to 5.2)`, or how much evidence is missing. */
export function useCaption({ return: { judged, roi, interval } }: SectionUsage): string {
  if (roi === null || interval === null) return WORDS.cycles.missing(judged, ENOUGH_EVIDENCE.cycles);
  const [low, high] = interval.map((value) => value.toFixed(1));
  return WORDS.cycles.return(roi.toFixed(1), low ?? '', high ?? '');
}

/** The class of its return, where that begins and ends, and what it rests on. */
export function useTitle({ return: { judged, citations, roiClass } }: SectionUsage, borders: RoiThresholds): string {
  const { label, title } = ROI_WORDS[roiClass];
  const isNever = roiClass === 'WASTE' && citations === 0;
  return WORDS.cycles.returnTitle(
    isNever ? WORDS.filter.neverUsed : label,
    title(borders),
    evidence(citations, judged),
  );
}

/** When the section was cited last, in words; undefined where nothing tells. */
export function lastCitedSentence(usage: SectionUsage): string | undefined {
  const { lastCitedCycle, cyclesSinceCited } = usage;
  if (lastCitedCycle !== undefined) return WORDS.cycles.lastCited(lastCitedCycle, cyclesSinceCited ?? 0);
  const judged = judgedCycles(usage);
  return judged === 0 ? undefined : WORDS.cycles.neverCited(judged);
}

/** Tokens per cycle against the cap. */
export interface HistoryView {
  readonly points: string;
  readonly capY: number;
  readonly warnY: number;
  readonly range: string;
  readonly cap: string;
  readonly first: string;
  readonly last: string;
  readonly axis: string;
  /** The same in a sentence. */
  readonly axisTitle: string;
  /** The accessible name. */
  readonly label: string;
}

/** The chart of at least one cycle; undefined without any. */
export function historyView(
  cycles: readonly CycleTotals[],
  budgetTokens: number,
  warnMark: string,
): HistoryView | undefined {
  const [first, last] = [cycles[0], cycles.at(-1)];
  if (!first || !last) return undefined;
  const tokens = cycles.map((cycle) => cycle.tokens);
  const [lowest, highest] = [Math.min(...tokens), Math.max(...tokens)];
  const warnAt = budgetTokens * WARN_SHARE;
  // The largest thousand below everything that is drawn.
  const from = Math.max(0, Math.ceil(Math.min(lowest, warnAt) / AXIS_STEP) * AXIS_STEP - AXIS_STEP);
  const to = Math.max(highest, budgetTokens);
  const yOf = (value: number): number =>
    rounded(PLOT.height - ((value - from) / Math.max(1, to - from)) * (PLOT.height - 1));
  const over = tokens.filter((count) => count > budgetTokens).length;
  const words = WORDS.history;
  const level = over > 0 ? words.over(over, budgetTokens) : words.neverOver(budgetTokens);
  return {
    points: lineOf(tokens, PLOT.width, yOf),
    capY: yOf(budgetTokens),
    warnY: yOf(warnAt),
    range: words.range(lowest, highest),
    cap: words.limit(budgetTokens),
    first: formatCount(first.cycle),
    last: formatCount(last.cycle),
    axis: words.axis(from, warnMark),
    axisTitle: words.axisTitle(from, warnMark),
    label: `${words.chart(first.cycle, last.cycle, lowest, highest, last.tokens)} ${level}`,
  };
}

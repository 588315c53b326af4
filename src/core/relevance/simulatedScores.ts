import type { ScoringConfig } from '../config/config';
import { MIN_CYCLES } from '../usage/sectionUsage';
import { citationFactor, hasEnoughData, NEUTRAL, recencyFactor, scaleWeights, sizeFactor, weigh } from './factors';
import type { SimulatedSection } from './simulate';
import type { UsageTrace } from './usageTrace';
import { exemptionOf } from './verdict';

/** Above every threshold. */
const SHOWN = 2;
/** Below every threshold. */
const HIDDEN = -1;

/**
 * Scores of every section in every cycle, made of the cycles before it; sums over the window are kept up to date from
 * cycle to cycle. A section is a stub where its bar is below the threshold.
 */
export class SimulatedScores {
  /** The score, `SHOWN` or `HIDDEN`. */
  readonly bars: Float64Array;
  readonly scores: Float64Array;
  /** Row of the last citation before the cycle, within the window; -1 for none. */
  readonly lastCited: Int32Array;
  readonly #trace: UsageTrace;
  readonly #sections: readonly SimulatedSection[];
  readonly #scoring: ScoringConfig;
  readonly #weights: ReturnType<typeof scaleWeights>;
  /** 1 where a citation is known of; `forget` takes it out. */
  readonly #cited: Uint8Array;
  readonly #loadedSums: Int32Array;
  readonly #citedSums: Int32Array;
  readonly #last: Int32Array;
  #next = 0;

  constructor(trace: UsageTrace, sections: readonly SimulatedSection[], scoring: ScoringConfig) {
    const { citations, asked, columns } = trace;
    this.#trace = trace;
    this.#sections = sections;
    this.#scoring = scoring;
    this.#weights = scaleWeights(scoring.weights);
    this.bars = new Float64Array(citations.length);
    this.scores = new Float64Array(citations.length);
    this.lastCited = new Int32Array(citations.length);
    this.#cited = Uint8Array.from(citations, (count, at) => (count + (asked[at] ?? 0) > 0 ? 1 : 0));
    this.#loadedSums = new Int32Array(columns);
    this.#citedSums = new Int32Array(columns);
    this.#last = new Int32Array(columns).fill(-1);
  }

  /** Whether enough cycles are before `row` for any score to count. */
  isJudged(row: number): boolean {
    return row >= MIN_CYCLES;
  }

  /** Whether the section of the cell is a stub under `threshold`. */
  isStub(at: number, threshold: number): boolean {
    return (this.bars[at] ?? SHOWN) < threshold;
  }

  /** Nobody saw the citations of this cell; only before the next row is judged. */
  forget(at: number): void {
    if ((this.#trace.asked[at] ?? 0) === 0) this.#cited[at] = 0;
  }

  /** Judges all rows up to and including `row`; each by what is known of the rows before it. */
  judgeTo(row: number): void {
    for (; this.#next <= row; this.#next++) {
      this.#slide(this.#next);
      for (let column = 0; column < this.#trace.columns; column++) this.#judge(this.#next, column);
    }
  }

  /** Takes the row before `row` into the window, and the one that is too old out of it. */
  #slide(row: number): void {
    const { columns, loaded } = this.#trace;
    const [added, gone] = [row - 1, row - 1 - this.#scoring.window];
    for (let column = 0; column < columns; column++) {
      if (added >= 0) this.#sum(column, added * columns + column, 1, loaded);
      if (added >= 0 && this.#cited[added * columns + column] === 1) this.#last[column] = added;
      if (gone >= 0) this.#sum(column, gone * columns + column, -1, loaded);
      if ((this.#last[column] ?? -1) <= gone) this.#last[column] = -1;
    }
  }

  #sum(column: number, at: number, sign: 1 | -1, loaded: Uint8Array): void {
    this.#loadedSums[column] = (this.#loadedSums[column] ?? 0) + sign * (loaded[at] ?? 0);
    this.#citedSums[column] = (this.#citedSums[column] ?? 0) + sign * (this.#cited[at] ?? 0);
  }

  #judge(row: number, column: number): void {
    const section = this.#sections[column];
    const at = row * this.#trace.columns + column;
    const last = this.#last[column] ?? -1;
    this.lastCited[at] = last;
    if (!section) return;
    const cycles = Math.min(row, this.#scoring.window);
    const facts = { cycles, loaded: this.#loadedSums[column] ?? 0, citedCycles: this.#citedSums[column] ?? 0 };
    const cyclesSinceCited = last < 0 ? undefined : row - 1 - last;
    const values = {
      citation: citationFactor(facts),
      trigger: NEUTRAL,
      recency: recencyFactor({ ...facts, cyclesSinceCited }),
      size: sizeFactor(this.#trace.chars[at]),
    };
    const score = weigh(values, this.#weights);
    this.scores[at] = score;
    this.bars[at] = this.#barOf(section, score, cyclesSinceCited, hasEnoughData(cycles, facts.loaded));
  }

  #barOf(section: SimulatedSection, score: number, cyclesSinceCited: number | undefined, isEnough: boolean): number {
    const { mode, staticRules } = this.#scoring;
    const { priority, isPinned } = section;
    const fixed = { priority, isPinned, status: section.isAlarm ? ('ALERT' as const) : ('OK' as const) };
    if (mode === 'static') {
      const mayBeStub = exemptionOf({ ...fixed, cyclesSinceCited: undefined, isTriggered: false }) === undefined;
      return mayBeStub && staticRules.onDemand.includes(priority) ? HIDDEN : SHOWN;
    }
    if (mode !== 'dynamic' || !isEnough) return SHOWN;
    return exemptionOf({ ...fixed, cyclesSinceCited, isTriggered: false }) === undefined ? score : SHOWN;
  }
}

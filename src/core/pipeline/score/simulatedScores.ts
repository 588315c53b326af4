import type { ScoringConfig } from '../../model/relevance';
import type { Priority } from '../../model/section';
import { renderElement, renderStub } from '../../render/element';
import {
  citationFactor,
  type FactorValues,
  hasEnoughData,
  NEUTRAL,
  recencyFactor,
  scaleWeights,
  sizeFactor,
  weigh,
} from './factors';
import type { UsageTrace } from './usageTrace';
import { exemptionOf, isCitedLately } from './usageTrace';

/** What a cell adds to the sums of its section. */
const CITED = 1;

const LOADED = 2;

const OTHERS = 4;

/** Above every threshold. */
const SHOWN = 2;

/** Below every threshold. */
const HIDDEN = -1;

/** `estimateTokens` of ASCII. */
const ESTIMATED_CHARS_PER_TOKEN = 4;

/** Characters of a stub's element without its numbers: never cited, and cited. */
interface StubBase {
  readonly plain: number;
  readonly cited: number;
}

function stubBaseOf(id: string): StubBase {
  const lengthOf = (stub: string): number => renderElement(id, stub).length;
  return { plain: lengthOf(renderStub(id, '', 0)) - 1, cited: lengthOf(renderStub(id, '', 0, 0)) - 2 };
}

function digitsOf(count: number): number {
  let digits = 1;
  for (let rest = count; rest >= 10; rest /= 10) digits++;
  return digits;
}

/**
 * Scores of every section in every cycle, made of the cycles before it; sums over the window are kept up to date from
 * cycle to cycle. A section is a stub where its bar is below the threshold.
 */
export class SimulatedScores {
  /** The score, `SHOWN` or `HIDDEN`. */
  readonly bars: Float64Array;
  readonly scores: Float64Array;
  /** Size of the section's stub. The title is not in the log: stubs are measured without one. */
  readonly stubChars: Float64Array;
  readonly stubTokens: Float64Array;
  readonly #stubBases: readonly StubBase[];
  readonly #weights: FactorValues;
  readonly #facts = { loaded: 0, othersCited: 0, citedCycles: 0 };
  readonly #values = { citation: 0, trigger: NEUTRAL, recency: 0, size: 0 };
  /** By age; with enough data, and without. */
  readonly #recency: readonly number[];
  readonly #youngRecency: readonly number[];
  readonly #fixedBars: readonly (number | undefined)[];
  /** 1 where a citation is known of; `forget` takes it out. */
  readonly #cited: Uint8Array;
  /** Per cell, what it adds to the sums; known when its cycle is over. */
  readonly #evidence: Uint8Array;
  readonly #loadedSums: Int32Array;
  readonly #othersSums: Int32Array;
  readonly #citedSums: Int32Array;
  readonly #last: Int32Array;
  #next = 0;

  constructor(
    private readonly trace: UsageTrace,
    sections: readonly SimulatedSection[],
    private readonly scoring: ScoringConfig,
  ) {
    const { citations, asked, columns } = trace;
    this.#recency = recencyTable(scoring.window, true);
    this.#youngRecency = recencyTable(scoring.window, false);
    this.#fixedBars = sections.map((section) => fixedBar(section, scoring));
    this.#weights = scaleWeights(scoring.weights);
    this.bars = new Float64Array(citations.length);
    this.scores = new Float64Array(citations.length);
    this.stubChars = new Float64Array(citations.length);
    this.stubTokens = new Float64Array(citations.length);
    this.#stubBases = sections.map(({ id }) => stubBaseOf(id));
    this.#cited = Uint8Array.from(citations, (count, at) => (count + (asked[at] ?? 0) > 0 ? 1 : 0));
    this.#evidence = new Uint8Array(citations.length);
    this.#loadedSums = new Int32Array(columns);
    this.#othersSums = new Int32Array(columns);
    this.#citedSums = new Int32Array(columns);
    this.#last = new Int32Array(columns).fill(-1);
  }

  /** Whether the section of the cell is a stub under `threshold`. */
  isStub(at: number, threshold: number): boolean {
    return (this.bars[at] ?? SHOWN) < threshold;
  }

  /** Drops the citations of a cell. Call it before the next row is judged. */
  forget(at: number): void {
    if ((this.trace.asked[at] ?? 0) === 0) this.#cited[at] = 0;
  }

  /** Judges all rows up to and including `row`; each by what is known of the rows before it. */
  judgeTo(row: number): void {
    for (; this.#next <= row; this.#next++) {
      this.#slide(this.#next);
      for (let column = 0; column < this.trace.columns; column++) this.#judge(this.#next, column);
    }
  }

  /** Takes the row before `row` into the window, and the one that is too old out of it. */
  #slide(row: number): void {
    const { columns } = this.trace;
    const [added, gone] = [row - 1, row - 1 - this.scoring.window];
    if (added >= 0) this.#close(added);
    for (let column = 0; column < columns; column++) {
      if (added >= 0) this.#sum(column, this.#evidence[added * columns + column] ?? 0, 1);
      if (added >= 0 && this.#cited[added * columns + column] === 1) this.#last[column] = added;
      if (gone >= 0) this.#sum(column, this.#evidence[gone * columns + column] ?? 0, -1);
      if ((this.#last[column] ?? -1) <= gone) this.#last[column] = -1;
    }
  }

  /** A cycle is over: what it says of each section, as `evidenceOf` counts it. */
  #close(row: number): void {
    const { columns, loaded, otherCitations } = this.trace;
    let sections = (otherCitations[row] ?? 0) > 0 ? 1 : 0;
    for (let column = 0; column < columns; column++) sections += this.#cited[row * columns + column] ?? 0;
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      const own = this.#cited[at] ?? 0;
      const isLoaded = loaded[at] === 1 && sections > 0;
      this.#evidence[at] = own * CITED + (isLoaded ? LOADED : 0) + (isLoaded && sections > own ? OTHERS : 0);
    }
  }

  #sum(column: number, evidence: number, sign: 1 | -1): void {
    if ((evidence & CITED) !== 0) this.#citedSums[column] = (this.#citedSums[column] ?? 0) + sign;
    if ((evidence & LOADED) !== 0) this.#loadedSums[column] = (this.#loadedSums[column] ?? 0) + sign;
    if ((evidence & OTHERS) !== 0) this.#othersSums[column] = (this.#othersSums[column] ?? 0) + sign;
  }

  #judge(row: number, column: number): void {
    const at = row * this.trace.columns + column;
    const last = this.#last[column] ?? -1;
    this.#facts.loaded = this.#loadedSums[column] ?? 0;
    this.#facts.othersCited = this.#othersSums[column] ?? 0;
    this.#facts.citedCycles = this.#citedSums[column] ?? 0;
    const isEnough = hasEnoughData(this.#facts);
    const cyclesSinceCited = last < 0 ? undefined : row - 1 - last;
    this.#values.citation = citationFactor(this.#facts);
    this.#values.recency =
      (isEnough ? this.#recency : this.#youngRecency)[cyclesSinceCited ?? this.scoring.window] ?? 0;
    this.#values.size = sizeFactor(this.trace.chars[at]);
    const score = weigh(this.#values, this.#weights);
    this.scores[at] = score;
    this.bars[at] = this.#fixedBars[column] ?? (isEnough && !isCitedLately(cyclesSinceCited) ? score : SHOWN);
    this.#measureStub(at, column, last);
  }

  #measureStub(at: number, column: number, last: number): void {
    const { plain, cited } = this.#stubBases[column] ?? { plain: 0, cited: 0 };
    const cycle = last < 0 ? undefined : this.trace.cycles[last];
    const base = cycle === undefined ? plain : cited + digitsOf(cycle);
    const chars = base + digitsOf(this.trace.tokens[at] ?? 0);
    this.stubChars[at] = chars;
    // Ids are ASCII: one byte a character.
    this.stubTokens[at] = Math.ceil(chars / ESTIMATED_CHARS_PER_TOKEN);
  }
}

/** What the recency factor says at every age in the window, and at its end for no citation at all. */
function recencyTable(window: number, isEnough: boolean): readonly number[] {
  const ages = Array.from({ length: window }, (_, age) => recencyFactor(age, isEnough));
  return [...ages, recencyFactor(undefined, isEnough)];
}

/** The bar of a section whose score does not matter, in any cycle; undefined where it does. */
function fixedBar(section: SimulatedSection, { mode, staticRules }: ScoringConfig): number | undefined {
  const { priority, isPinned, isAlarm = false } = section;
  const facts = { priority, isPinned, cyclesSinceCited: undefined, isTriggered: false };
  const isExempt = exemptionOf({ ...facts, status: isAlarm ? 'ALERT' : 'OK' }) !== undefined;
  if (isExempt) return SHOWN;
  if (mode === 'static') return staticRules.onDemand.includes(priority) ? HIDDEN : SHOWN;
  return mode === 'dynamic' ? undefined : SHOWN;
}

/** A section as it is now. */
export interface SimulatedSection {
  readonly id: string;
  readonly priority: Priority;
  readonly isPinned: boolean;
  /** WARN or ALERT: the log does not say how it was then. */
  readonly isAlarm?: boolean;
  /** A stub by the config, in every mode: costs what was logged. */
  readonly isOnDemand?: boolean;
}

/**
 * Simulation: what the last cycles would have cost, and which citations they would have lost, had a mode and a threshold
 * been in force. Each cycle is judged by the cycles before it only. It knows sizes and citations, no texts: what was said
 * in a cycle (the trigger factor) counts as neutral, and entries that `static_rules.keep_recent` would leave out stay.
 */

import type { Profile } from '../../model/profile';
import type { ScoringConfig } from '../../model/relevance';
import type { Priority } from '../../model/section';
import { NO_SIZE, type Size } from '../../tokens/lines';
import type { UsageRecord } from '../../usage/usageRecord';
import { SimulatedScores, type SimulatedSection } from './simulatedScores';
import { traceUsage, type UsageTrace } from './usageTrace';

/** What is tried. */
export interface SimulationSettings {
  /** Mode, threshold, weights, window and static rules. */
  readonly scoring: ScoringConfig;
  /** Newest cycles that are simulated; those before are history. `scoring.window` when absent. */
  readonly cycles?: number;
  /** A profile's caps: sections that do not fit are dropped, `P4` first, as by the ladder's last step. */
  readonly caps?: Pick<Profile, 'budgetTokens' | 'hardCapChars'>;
  /**
   * What becomes of a citation of a stub. `seen` (when absent): the agent, who sees the stub, would have asked, so that
   * the section comes back for the next cycles. `unseen`: it was not noticed, the worst case.
   */
  readonly lostCitations?: 'seen' | 'unseen';
}

/** Sums over the simulated cycles. */
export interface SimulationResult {
  readonly threshold: number;
  /** Cycles simulated. */
  readonly cycles: number;
  /** Of these, cycles with the ten cycles of history before which nothing is hidden. */
  readonly judgedCycles: number;
  /** Every section shown but those that the config has on demand. */
  readonly charsBefore: number;
  readonly charsAfter: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly citations: number;
  /** Citations of what was still shown, and those that were asked for by handle. */
  readonly citationsKept: number;
  /** Citations that would have been lost; most first, then by id. */
  readonly lost: readonly { readonly id: string; readonly citations: number }[];
  /** Cycles in which a section would have been a stub, or dropped for the caps; most first, then by id. */
  readonly stubbed: readonly { readonly id: string; readonly cycles: number }[];
}

/** In the order in which whole sections go. */
const CUT_ORDER: readonly Priority[] = ['P4', 'P3', 'P2'];

interface Counted {
  readonly id: string;
  readonly count: number;
}

function ranked(sections: readonly SimulatedSection[], counts: Uint32Array): readonly Counted[] {
  return sections
    .map(({ id }, at) => ({ id, count: counts[at] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((left, right) => right.count - left.count || (left.id < right.id ? -1 : 1));
}

/** One run over the simulated cycles. Adds plain numbers: a slider asks for some hundred thousand cells at once. */
class Run {
  readonly #trace: UsageTrace;
  readonly #sections: readonly SimulatedSection[];
  readonly #settings: SimulationSettings;
  readonly #scores: SimulatedScores;
  readonly #threshold: number;
  readonly #lost: Uint32Array;
  readonly #stubbed: Uint32Array;
  #charsBefore = 0;
  #charsAfter = 0;
  #tokensBefore = 0;
  #tokensAfter = 0;
  #citations = 0;

  constructor(
    trace: UsageTrace,
    sections: readonly SimulatedSection[],
    settings: SimulationSettings,
    scores: SimulatedScores,
    threshold: number,
  ) {
    this.#trace = trace;
    this.#sections = sections;
    this.#settings = settings;
    this.#scores = scores;
    this.#threshold = threshold;
    this.#lost = new Uint32Array(sections.length);
    this.#stubbed = new Uint32Array(sections.length);
  }

  /** Adds one cycle. */
  add(row: number): void {
    const { others, otherCitations, columns } = this.#trace;
    const rest = others[row] ?? NO_SIZE;
    let { chars, tokens } = rest;
    this.#charsBefore += rest.chars;
    this.#tokensBefore += rest.tokens;
    this.#citations += otherCitations[row] ?? 0;
    const hasCaps = this.#settings.caps !== undefined;
    const shown: number[] = [];
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      this.#citations += (this.#trace.citations[at] ?? 0) + (this.#trace.asked[at] ?? 0);
      if (this.#trace.loaded[at] !== 1) continue;
      const isFixed = this.#isFixed(row, column);
      const textChars = (isFixed ? this.#trace.loggedChars : this.#trace.chars)[at] ?? 0;
      const textTokens = (isFixed ? this.#trace.loggedTokens : this.#trace.tokens)[at] ?? 0;
      this.#charsBefore += textChars;
      this.#tokensBefore += textTokens;
      const isStub = !isFixed && this.#isStub(at, textChars, textTokens);
      if (isStub) this.#lose(at, column);
      else if (hasCaps && !isFixed) shown.push(column);
      chars += isStub ? (this.#scores.stubChars[at] ?? 0) : textChars;
      tokens += isStub ? (this.#scores.stubTokens[at] ?? 0) : textTokens;
    }
    const after = this.#settings.caps ? this.#dropOver(row, { chars, tokens }, shown) : { chars, tokens };
    this.#charsAfter += after.chars;
    this.#tokensAfter += after.tokens;
  }

  result(cycles: number, judgedCycles: number): SimulationResult {
    const lost = this.#lost.reduce((sum, each) => sum + each, 0);
    return {
      threshold: this.#threshold,
      cycles,
      judgedCycles,
      charsBefore: this.#charsBefore,
      charsAfter: this.#charsAfter,
      tokensBefore: this.#tokensBefore,
      tokensAfter: this.#tokensAfter,
      citations: this.#citations,
      citationsKept: this.#citations - lost,
      lost: ranked(this.#sections, this.#lost).map(({ id, count }) => ({ id, citations: count })),
      stubbed: ranked(this.#sections, this.#stubbed).map(({ id, count }) => ({ id, cycles: count })),
    };
  }

  /** Shown as logged, whatever is tried. */
  #isFixed(row: number, column: number): boolean {
    return this.#trace.isIndex[row] === true || this.#sections[column]?.isOnDemand === true;
  }

  /** As in a payload, a stub that is no shorter than its text is not used. */
  #isStub(at: number, textChars: number, textTokens: number): boolean {
    const isShorter = (this.#scores.stubChars[at] ?? 0) < textChars && (this.#scores.stubTokens[at] ?? 0) < textTokens;
    return isShorter && this.#scores.isStub(at, this.#threshold);
  }

  #lose(at: number, column: number): void {
    const citations = this.#trace.citations[at] ?? 0;
    this.#lost[column] = (this.#lost[column] ?? 0) + citations;
    this.#stubbed[column] = (this.#stubbed[column] ?? 0) + 1;
    if (citations > 0 && this.#settings.lostCitations === 'unseen') this.#scores.forget(at);
  }

  /** Drops what does not fit the caps; `shown` are columns of sections with their text. */
  #dropOver(row: number, size: Size, shown: readonly number[]): Size {
    const { caps, scoring } = this.#settings;
    if (!caps) return size;
    const placeOf = (column: number): number => row * this.#trace.columns + column;
    const scoreOf = (column: number): number =>
      scoring.mode === 'dynamic' ? (this.#scores.scores[placeOf(column)] ?? 1) : 1;
    const tokensOf = (column: number): number => this.#trace.tokens[placeOf(column)] ?? 0;
    const turnOf = (column: number): number => CUT_ORDER.indexOf(this.#sections[column]?.priority ?? 'P0');
    const queue = shown
      .filter((column) => turnOf(column) >= 0 && !this.#sections[column]?.isAlarm)
      .sort((a, b) => turnOf(a) - turnOf(b) || scoreOf(a) - scoreOf(b) || tokensOf(b) - tokensOf(a) || a - b);
    let { chars, tokens } = size;
    for (const column of queue) {
      if (tokens <= caps.budgetTokens && chars <= caps.hardCapChars) break;
      chars -= this.#trace.chars[placeOf(column)] ?? 0;
      tokens -= tokensOf(column);
      this.#lose(placeOf(column), column);
    }
    return { chars, tokens };
  }
}

/**
 * Tries several thresholds on the same records (oldest first, those of one cycle merged). In mode `seen` the scores are
 * made once: 21 thresholds over 100 records of 200 sections cost about 10 ms.
 */
export function simulateThresholds(
  records: readonly UsageRecord[],
  sections: readonly SimulatedSection[],
  settings: SimulationSettings,
  thresholds: readonly number[],
): readonly SimulationResult[] {
  const { scoring, cycles = scoring.window, lostCitations = 'seen' } = settings;
  const trace = traceUsage(
    records,
    sections.map(({ id }) => id),
  );
  const first = Math.max(0, records.length - Math.max(0, cycles));
  const shared = lostCitations === 'seen' ? new SimulatedScores(trace, sections, scoring) : undefined;
  return thresholds.map((threshold) => {
    const scores = shared ?? new SimulatedScores(trace, sections, scoring);
    const run = new Run(trace, sections, settings, scores, threshold);
    let judged = 0;
    for (let row = first; row < records.length; row++) {
      scores.judgeTo(row);
      if (scores.isJudged(row)) judged++;
      run.add(row);
    }
    return run.result(records.length - first, judged);
  });
}

/** One threshold: the config's own. */
export function simulate(
  records: readonly UsageRecord[],
  sections: readonly SimulatedSection[],
  settings: SimulationSettings,
): SimulationResult {
  const [result] = simulateThresholds(records, sections, settings, [settings.scoring.threshold]);
  if (!result) throw new RangeError('A simulation of one threshold gave no result.');
  return result;
}

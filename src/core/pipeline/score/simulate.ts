/**
 * Simulation: what the last cycles would have cost, and which citations they would have lost, had a mode and a threshold
 * been in force. Each cycle is judged by the cycles before it only. It knows sizes and citations, no texts: what was said
 * in a cycle (the trigger factor) counts as neutral, and entries that `static_rules.keep_recent` would leave out stay.
 */

import type { Profile } from '../../model/profile';
import type { ScoringConfig } from '../../model/relevance';
import type { Priority } from '../../model/section';
import { MIN_CYCLES } from '../../model/usage';
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
  /** A profile's caps: sections that do not fit are dropped, `P4` first. */
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

/** One run over the cycles from `first` on. Adds plain numbers: a slider asks for some hundred thousand cells at once. */
function runThreshold(
  trace: UsageTrace,
  sections: readonly SimulatedSection[],
  { scoring, caps, lostCitations = 'seen' }: SimulationSettings,
  scores: SimulatedScores,
  threshold: number,
  first: number,
): SimulationResult {
  const { columns, others, otherCitations } = trace;
  const cycles = trace.cycles.length;
  const lost = new Uint32Array(sections.length);
  const stubbed = new Uint32Array(sections.length);
  let [charsBefore, charsAfter, tokensBefore, tokensAfter, citations, judgedCycles] = [0, 0, 0, 0, 0, 0];

  const lose = (at: number, column: number): void => {
    const count = trace.citations[at] ?? 0;
    lost[column] = (lost[column] ?? 0) + count;
    stubbed[column] = (stubbed[column] ?? 0) + 1;
    if (count > 0 && lostCitations === 'unseen') scores.forget(at);
  };

  /** As in a payload, a stub that is no shorter than its text is not used. */
  const isStub = (at: number, textChars: number, textTokens: number): boolean => {
    const isShorter = (scores.stubChars[at] ?? 0) < textChars && (scores.stubTokens[at] ?? 0) < textTokens;
    return isShorter && scores.isStub(at, threshold);
  };

  /** Drops what does not fit the caps; `shown` are columns of sections with their text. */
  const dropOver = (row: number, size: Size, shown: readonly number[]): Size => {
    if (!caps) return size;
    const placeOf = (column: number): number => row * columns + column;
    const scoreOf = (column: number): number =>
      scoring.mode === 'dynamic' ? (scores.scores[placeOf(column)] ?? 1) : 1;
    const tokensOf = (column: number): number => trace.tokens[placeOf(column)] ?? 0;
    const turnOf = (column: number): number => CUT_ORDER.indexOf(sections[column]?.priority ?? 'P0');
    const queue = shown
      .filter((column) => turnOf(column) >= 0 && !sections[column]?.isAlarm)
      .sort((a, b) => turnOf(a) - turnOf(b) || scoreOf(a) - scoreOf(b) || tokensOf(b) - tokensOf(a) || a - b);
    let { chars, tokens } = size;
    for (const column of queue) {
      if (tokens <= caps.budgetTokens && chars <= caps.hardCapChars) break;
      chars -= trace.chars[placeOf(column)] ?? 0;
      tokens -= tokensOf(column);
      lose(placeOf(column), column);
    }
    return { chars, tokens };
  };

  for (let row = first; row < cycles; row++) {
    scores.judgeTo(row);
    // Before, no score counts.
    if (row >= MIN_CYCLES) judgedCycles++;
    let { chars, tokens } = others[row] ?? NO_SIZE;
    charsBefore += chars;
    tokensBefore += tokens;
    citations += otherCitations[row] ?? 0;
    const shown: number[] = [];
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      citations += (trace.citations[at] ?? 0) + (trace.asked[at] ?? 0);
      if (trace.loaded[at] !== 1) continue;
      // Shown as logged, whatever is tried.
      const isFixed = trace.isIndex[row] === true || sections[column]?.isOnDemand === true;
      const textChars = (isFixed ? trace.loggedChars : trace.chars)[at] ?? 0;
      const textTokens = (isFixed ? trace.loggedTokens : trace.tokens)[at] ?? 0;
      charsBefore += textChars;
      tokensBefore += textTokens;
      const isHidden = !isFixed && isStub(at, textChars, textTokens);
      if (isHidden) lose(at, column);
      else if (caps && !isFixed) shown.push(column);
      chars += isHidden ? (scores.stubChars[at] ?? 0) : textChars;
      tokens += isHidden ? (scores.stubTokens[at] ?? 0) : textTokens;
    }
    const after = dropOver(row, { chars, tokens }, shown);
    charsAfter += after.chars;
    tokensAfter += after.tokens;
  }

  return {
    threshold,
    cycles: cycles - first,
    judgedCycles,
    charsBefore,
    charsAfter,
    tokensBefore,
    tokensAfter,
    citations,
    citationsKept: citations - lost.reduce((sum, each) => sum + each, 0),
    lost: ranked(sections, lost).map(({ id, count }) => ({ id, citations: count })),
    stubbed: ranked(sections, stubbed).map(({ id, count }) => ({ id, cycles: count })),
  };
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
    return runThreshold(trace, sections, settings, scores, threshold, first);
  });
}

/**
 * Simulation: what the last cycles would have cost, and which citations they would have lost, had a mode and a threshold
 * been in force. Each cycle is judged by the cycles before it only. It knows sizes and citations, no texts: what was said
 * in a cycle (the trigger factor) counts as neutral, and entries that `static_rules.keep_recent` would leave out stay.
 * Under caps the fit itself chooses, over sections of even steps instead of entries.
 */

import { type Config, onDemandIds } from '../../config/config';
import type { Profile } from '../../model/profile';
import type { ScoringConfig } from '../../model/relevance';
import type { ContextReport } from '../../model/report';
import { MIN_CYCLES } from '../../model/usage';
import { addSizes, NO_SIZE, type Size } from '../../tokens/lines';
import type { UsageRecord } from '../../usage/usageRecord';
import { chooseForms, type Fittable } from '../fit/choose';
import { withinSize } from '../fit/fit';
import { isEssential } from '../fit/grants';
import { SimulatedScores, type SimulatedSection } from './simulatedScores';
import { traceUsage, type UsageTrace } from './usageTrace';

/** What is tried. */
export interface SimulationSettings {
  /** Mode, threshold, weights, window and static rules. */
  readonly scoring: ScoringConfig;
  /** Newest cycles that are simulated; those before are history. `scoring.window` when absent. */
  readonly cycles?: number;
  /** A profile's caps, granted as in a payload. What was cut when it was logged does not grow under larger ones. */
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
  /** Citations of what was still shown, whole or in part, and those that were asked for by handle. */
  readonly citationsKept: number;
  /** Citations that would have been lost; most first, then by id. */
  readonly lost: readonly { readonly id: string; readonly citations: number }[];
  /** Cycles in which a section would have been a stub, or gone for the caps; most first, then by id. */
  readonly stubbed: readonly { readonly id: string; readonly cycles: number }[];
}

/** Sections of the report as the simulation knows them; those that are excluded cost nothing. */
export function simulatedSections({ payloads }: ContextReport, config: Config): readonly SimulatedSection[] {
  const onDemand = new Set(onDemandIds(config));
  return payloads.expanded.sections
    .filter(({ isExcluded }) => !isExcluded)
    .map(({ id, priority, isPinned, status }) => {
      return { id, priority, isPinned, isAlarm: status !== 'OK', isOnDemand: onDemand.has(id) };
    });
}

/** Steps from a section's stub to its text: the log says how large it was, not where its entries end. */
const STEPS = 64;

/** A section of one cycle, as it is before the caps. */
interface Shown {
  readonly column: number;
  readonly size: Size;
  /** Were it not hidden. */
  readonly text: Size;
  readonly isHidden: boolean;
}

/** As in a payload, what stubs free stays free: no section gets more than where nothing is hidden. */
function boundedBy(
  unhidden: readonly Fittable[],
  items: readonly Fittable[],
  fixed: Size,
  most: Size,
): readonly Fittable[] {
  const { forms } = chooseForms(unhidden, most, () => fixed);
  return items.map((item, at) => withinSize(item, unhidden[at]?.size(Math.max(0, forms[at] ?? 0)) ?? NO_SIZE));
}

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

/** One run over the cycles, at one threshold. Adds plain numbers: a slider asks for some hundred thousand cells at once. */
class ThresholdRun {
  /** By column: citations that are lost, and cycles as a stub or gone. */
  readonly #lost: Uint32Array;
  readonly #stubbed: Uint32Array;

  constructor(
    private readonly trace: UsageTrace,
    private readonly sections: readonly SimulatedSection[],
    private readonly settings: SimulationSettings,
    private readonly scores: SimulatedScores,
    private readonly threshold: number,
  ) {
    this.#lost = new Uint32Array(sections.length);
    this.#stubbed = new Uint32Array(sections.length);
  }

  /** Sums over the cycles from `first` on. */
  run(first: number): SimulationResult {
    const { trace, sections, threshold } = this;
    const { caps } = this.settings;
    const most = caps && { tokens: caps.budgetTokens, chars: caps.hardCapChars };
    const cycles = trace.cycles.length;
    let [charsBefore, charsAfter, tokensBefore, tokensAfter, citations, judgedCycles] = [0, 0, 0, 0, 0, 0];
    for (let row = first; row < cycles; row++) {
      this.scores.judgeTo(row);
      // Before, no score counts.
      if (row >= MIN_CYCLES) judgedCycles++;
      let fixed = trace.others[row] ?? NO_SIZE;
      charsBefore += fixed.chars;
      tokensBefore += fixed.tokens;
      citations += trace.otherCitations[row] ?? 0;
      const shown: Shown[] = [];
      for (let column = 0; column < trace.columns; column++) {
        const at = row * trace.columns + column;
        citations += (trace.citations[at] ?? 0) + (trace.asked[at] ?? 0);
        if (trace.loaded[at] !== 1) continue;
        // Shown as logged, whatever is tried.
        const isFixed = trace.isIndex[row] === true || sections[column]?.isOnDemand === true;
        const textChars = (isFixed ? trace.loggedChars : trace.chars)[at] ?? 0;
        const textTokens = (isFixed ? trace.loggedTokens : trace.tokens)[at] ?? 0;
        charsBefore += textChars;
        tokensBefore += textTokens;
        const text = { chars: textChars, tokens: textTokens };
        const isHidden = !isFixed && this.#isStub(at, text);
        if (isHidden) this.#lose(at, column);
        const size = isHidden ? this.#stubSize(at) : text;
        if (most && !isFixed) shown.push({ column, size, text, isHidden });
        else fixed = addSizes(fixed, size);
      }
      const after = most ? this.#withinCaps(row, shown, fixed, most) : fixed;
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
      citationsKept: citations - this.#lost.reduce((sum, each) => sum + each, 0),
      lost: ranked(sections, this.#lost).map(({ id, count }) => ({ id, citations: count })),
      stubbed: ranked(sections, this.#stubbed).map(({ id, count }) => ({ id, cycles: count })),
    };
  }

  #lose(at: number, column: number): void {
    const count = this.trace.citations[at] ?? 0;
    this.#lost[column] = (this.#lost[column] ?? 0) + count;
    this.#stubbed[column] = (this.#stubbed[column] ?? 0) + 1;
    if (count > 0 && this.settings.lostCitations === 'unseen') this.scores.forget(at);
  }

  #stubSize(at: number): Size {
    return { chars: this.scores.stubChars[at] ?? 0, tokens: this.scores.stubTokens[at] ?? 0 };
  }

  /** As in a payload, a stub that is no shorter than its text is not used. */
  #isStub(at: number, text: Size): boolean {
    const { chars, tokens } = this.#stubSize(at);
    return chars < text.chars && tokens < text.tokens && this.scores.isStub(at, this.threshold);
  }

  /** As the fit looks at it: from its stub to its text, or whole where nothing is taken from it. */
  #toFittable(at: number, { column, size, isHidden }: Shown): Fittable {
    const { id = '', priority = 'P0', isAlarm = false } = this.sections[column] ?? {};
    const stub = this.#stubSize(at);
    // The sentence of an alarm is not in the log.
    const isWhole =
      isHidden || isAlarm || isEssential(priority) || stub.chars >= size.chars || stub.tokens >= size.tokens;
    const between = (form: number, unit: keyof Size): number =>
      stub[unit] + Math.round(((size[unit] - stub[unit]) * form) / STEPS);
    return {
      id,
      priority,
      status: isAlarm ? 'ALERT' : 'OK',
      score: this.settings.scoring.mode === 'dynamic' ? (this.scores.scores[at] ?? 1) : 1,
      count: isWhole ? 1 : STEPS + 1,
      early: 0,
      isAway: undefined,
      isPartial: () => isHidden,
      isLeftOut: () => false,
      size: (form) => (isWhole ? size : { chars: between(form, 'chars'), tokens: between(form, 'tokens') }),
    };
  }

  /** What the caps leave of a cycle's sections, beside what is `fixed`. */
  #withinCaps(row: number, shown: readonly Shown[], fixed: Size, most: Size): Size {
    const cell = ({ column }: Shown): number => row * this.trace.columns + column;
    const unhidden = (): readonly Fittable[] =>
      shown.map((each) => this.#toFittable(cell(each), { ...each, size: each.text, isHidden: false }));
    const all = shown.map((each) => this.#toFittable(cell(each), each));
    const items = shown.some(({ isHidden }) => isHidden) ? boundedBy(unhidden(), all, fixed, most) : all;
    const { forms } = chooseForms(items, most, () => fixed);
    let used = fixed;
    for (const [at, each] of shown.entries()) {
      const [item, form = -1] = [items[at], forms[at]];
      const isText = item && (form > 0 || (form === 0 && item.count === 1));
      if (!isText && !each.isHidden) this.#lose(cell(each), each.column);
      if (item && form >= 0) used = addSizes(used, item.size(form));
    }
    return used;
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
    return new ThresholdRun(trace, sections, settings, scores, threshold).run(first);
  });
}

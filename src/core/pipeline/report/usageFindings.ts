/** Findings that rest on the usage log: what was never cited, another threshold, the next scoring mode. */
import type { ConfigChange } from '../../config/configEdit';
import { MIN_CYCLES } from '../../model/usage';
import { type Phrase, phrase } from '../../text/phrase';
import {
  type Finding,
  type FindingFacts,
  isWorthwhile,
  MIN_SHARE,
  mayBeOnDemand,
  onDemand,
  percent,
  type SimulatedEffect,
} from './findingFacts';

/** Fewer citations in the log say nothing of what is never cited. */
const MIN_CITATIONS = 10;
/** Ten cycles to learn from, and ten that are judged by them. */
const MIN_SIMULATED_CYCLES = 2 * MIN_CYCLES;
/** Cycles that must have loaded a section before it counts as never used (PANEL, decision 4). */
const MIN_UNUSED_CYCLES = 50;

/** Sections that no cycle cited become one line. Instructions (`P0`, `P1`) are followed, not cited. */
export function unusedSections({ payload }: FindingFacts): Finding | undefined {
  const { mode, sections, budget } = payload;
  const citations = sections.reduce((sum, { usage }) => sum + (usage?.citations ?? 0), 0);
  if (mode !== 'expanded' || citations < MIN_CITATIONS) return undefined;
  const unused = sections.filter((section) => {
    const { loaded = 0, citations: own } = section.usage ?? {};
    const isUnused = own === 0 && loaded >= MIN_UNUSED_CYCLES && section.tokens > budget.tokens * MIN_SHARE;
    return isUnused && mayBeOnDemand(section);
  });
  const ids = unused.map(({ id }) => id);
  return saving(payload, {
    key: 'save:unused',
    gain: unused.reduce((sum, { tokens, tokensStub }) => sum + tokens - tokensStub, 0),
    tokens: budget.tokens,
    evidence: keptWords(citations, citations),
    review: { sectionIds: ids },
    change: { kind: 'all', changes: ids.map(onDemand) },
  });
}

/** Scores with the lowest threshold that loses no citation and saves, within a trifle, most. Not where scoring is off. */
export function otherThreshold({ payload, scoring, simulation }: FindingFacts): Finding | undefined {
  const { points = [], cycles = 0, tokensNow } = simulation ?? {};
  const isDynamic = scoring.mode === 'dynamic';
  const now = points.find(({ threshold }) => threshold === scoring.threshold);
  if (scoring.mode === 'off' || cycles < MIN_SIMULATED_CYCLES || !now) return undefined;
  const tokens = tokensNow ?? (isDynamic ? now.tokensAfter : now.tokensBefore);
  const kept = points.filter(losesNothing);
  const least = Math.min(...kept.map(({ tokensAfter }) => tokensAfter)) + tokens * MIN_SHARE;
  const best = kept.find(({ tokensAfter }) => tokensAfter <= least);
  if (!best) return undefined;
  const { threshold, stubbed } = best;
  return saving(payload, {
    key: 'save:threshold',
    gain: tokens - best.tokensAfter,
    tokens,
    evidence: keptWords(best.citationsKept, best.citationsTotal),
    review: { sectionIds: isDynamic ? stubbed.filter((id) => !now.stubbed.includes(id)) : stubbed },
    change: {
      kind: 'scoring',
      ...(isDynamic ? {} : { mode: 'dynamic' }),
      ...(threshold === scoring.threshold ? {} : { threshold }),
    },
  });
}

/** `tokens`: of a payload as it is. */
type Saving = Pick<Finding, 'key' | 'gain' | 'evidence' | 'review'> & { tokens: number; change: ConfigChange };

/** Where the budget cut something, what is saved goes to other sections: the payload stays as large. */
function saving({ cuts }: FindingFacts['payload'], { change, tokens, ...saved }: Saving): Finding | undefined {
  const { gain } = saved;
  if (!isWorthwhile(gain, tokens)) return undefined;
  const title = cuts.some(({ by }) => by === 'budget')
    ? phrase('Free {0} tokens for other sections', gain)
    : phrase('Save {0} tokens (−{1}%)', gain, percent(gain, tokens));
  return { kind: 'save', ...saved, title, action: { label: phrase('Apply'), change } };
}

/** The next scoring mode, where it loses no citation. */
export function nextMode({ payload, offer }: FindingFacts): Finding | undefined {
  if (!offer?.effect || !losesNothing(offer.effect)) return undefined;
  const { mode, cycles, effect } = offer;
  const gain = effect.tokensBefore - effect.tokensAfter;
  if (!isWorthwhile(gain, payload.budget.tokens)) return undefined;
  const label = mode === 'static' ? phrase('Switch to Rules') : phrase('Switch to Automatic');
  return {
    kind: 'mode',
    key: `mode:${mode}`,
    gain,
    title: phrase('{0}: save {1} tokens', label, gain),
    evidence: phrase('tested on {0} cycles', cycles),
    review: { sectionIds: effect.stubbed },
    action: { label, change: { kind: 'scoring', mode } },
  };
}

function losesNothing({ citationsKept, citationsTotal }: SimulatedEffect): boolean {
  return citationsTotal >= MIN_CITATIONS && citationsKept === citationsTotal;
}

function keptWords(kept: number, total: number): Phrase {
  return phrase('{0} of {1} citations kept', kept, total);
}

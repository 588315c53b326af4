import type { Priority } from '../../model/priority';
import type { Exemption, SectionRelevance } from '../../model/relevance';
import type { Status } from '../../model/status';

/** A section that was cited in one of the last so many cycles is shown, whatever its score: it came back. */
export const CITED_CYCLES = 3;

/** Whether a section came back by being cited. */
export function isCitedLately(cyclesSinceCited: number | undefined): boolean {
  return cyclesSinceCited !== undefined && cyclesSinceCited < CITED_CYCLES;
}

/** What may keep a section from being a stub, besides its score. */
export interface ExemptionFacts {
  readonly priority: Priority;
  readonly isPinned: boolean;
  readonly status: Status;
  /** 0 for the newest cycle. */
  readonly cyclesSinceCited: number | undefined;
  /** It matches the task strongly. */
  readonly isTriggered: boolean;
}

/** Why a section is never a stub by its score (DESIGN §3.3): the strongest reason, undefined when there is none. */
export function exemptionOf(facts: ExemptionFacts): Exemption | undefined {
  if (facts.priority === 'P0') return 'P0';
  if (facts.isPinned) return 'pinned';
  if (facts.status !== 'OK') return 'alarm';
  if (isCitedLately(facts.cyclesSinceCited)) return 'cited';
  return facts.isTriggered ? 'triggered' : undefined;
}

/**
 * What mode `dynamic` makes of a section: a stub when nothing exempts it, ten cycles have loaded it and its score is
 * below the threshold. Without that history nothing is hidden: that nobody cited what nobody was shown says nothing.
 */
export function verdictOf({
  score,
  threshold,
  hasEnoughData,
  exemption,
}: Pick<SectionRelevance, 'score' | 'threshold' | 'hasEnoughData' | 'exemption'>): SectionRelevance['verdict'] {
  return exemption === undefined && hasEnoughData && score < threshold ? 'stub' : 'kept';
}

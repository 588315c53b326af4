/** The words of mode `dynamic` (PANEL §8): why a score made a stub of a section, or did not. */

import type { SectionRelevance } from '../../model/relevance';
import { MIN_CYCLES } from '../../model/usage';
import { type Phrase, phrase } from '../../text/phrase';
import { formatScore, formatThreshold } from '../score/scoreText';
import type { SectionFacts } from './measuredSection';

/** `Last cited in cycle 512.`, as far as the window knows. Numbers of cycles are not grouped here. */
export function lastCited({ scored: { usage } }: SectionFacts): Phrase {
  const cycle = usage?.lastCitedCycle;
  if (cycle !== undefined) return phrase('Last cited in cycle {0}.', String(cycle));
  const cycles = usage?.citationsPerCycle.length ?? 0;
  return cycles > 0 ? phrase('Not cited in the last {0} cycles.', String(cycles)) : phrase('Not cited yet.');
}

function isBelow({ score, threshold }: SectionRelevance): boolean {
  return score < threshold;
}

/** A row's reason for a section that mode `dynamic` shows; undefined where the score has no say. */
export function keptReason(relevance: SectionRelevance | undefined, { scored }: SectionFacts): Phrase | undefined {
  if (!relevance?.hasEnoughData) return undefined;
  if (!isBelow(relevance)) return phrase('score {0}', formatScore(relevance.score));
  switch (relevance.exemption) {
    case 'cited':
      return phrase('cited in cycle {0}', String(scored.usage?.lastCitedCycle ?? 0));
    case 'triggered':
      return phrase('matches the task');
    default:
      return undefined;
  }
}

/** The same as a sentence. */
export function whyKept(relevance: SectionRelevance | undefined, facts: SectionFacts): Phrase | undefined {
  if (!relevance || relevance.exemption === 'P0') return undefined;
  const { exemption } = relevance;
  const [score, threshold] = [formatScore(relevance.score), formatThreshold(relevance.threshold)];
  if (!isBelow(relevance))
    return phrase('In full, because its score of {0} reaches the threshold of {1}.', score, threshold);
  const below = phrase('its score of {0} is below the threshold of {1}', score, threshold);
  if (exemption === 'pinned') return phrase('In full although {0}, because it is pinned.', below);
  if (exemption === 'cited') {
    const cycle = String(facts.scored.usage?.lastCitedCycle ?? 0);
    return phrase('In full although {0}, because it was cited in cycle {1}.', below, cycle);
  }
  if (exemption === 'triggered') return phrase('In full although {0}, because it matches the task.', below);
  if (!relevance.hasEnoughData)
    return phrase('In full although {0}: fewer than {1} cycles say whether it is used.', below, MIN_CYCLES);
  return undefined;
}

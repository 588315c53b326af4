/** The words of mode `dynamic` (PANEL §8): why a score made a stub of a section, or did not. */
import type { SectionRelevance } from '../relevance/relevance';
import { formatScore, formatThreshold } from '../relevance/scoreText';
import { MIN_CYCLES } from '../usage/sectionUsage';
import type { SectionFacts } from './sectionFacts';

/** `Last cited in cycle 512.`, as far as the window knows. */
export function lastCited({ scored: { usage } }: SectionFacts): string {
  const cycle = usage?.lastCitedCycle;
  if (cycle !== undefined) return `Last cited in cycle ${cycle}.`;
  const cycles = usage?.citationsPerCycle.length ?? 0;
  return cycles > 0 ? `Not cited in the last ${cycles} cycles.` : 'Not cited yet.';
}

function isBelow({ score, threshold }: SectionRelevance): boolean {
  return score < threshold;
}

/** A row's reason for a section that mode `dynamic` shows; undefined where the score has no say. */
export function keptReason(relevance: SectionRelevance | undefined, { scored }: SectionFacts): string | undefined {
  if (!relevance?.hasEnoughData) return undefined;
  if (!isBelow(relevance)) return `score ${formatScore(relevance.score)}`;
  switch (relevance.exemption) {
    case 'cited':
      return `cited in cycle ${scored.usage?.lastCitedCycle ?? 0}`;
    case 'triggered':
      return 'matches the task';
    default:
      return undefined;
  }
}

/** The same as a sentence. */
export function whyKept(relevance: SectionRelevance | undefined, facts: SectionFacts): string | undefined {
  if (!relevance || relevance.exemption === 'P0') return undefined;
  const { threshold, exemption } = relevance;
  const below = `its score of ${formatScore(relevance.score)} is below the threshold of ${formatThreshold(threshold)}`;
  if (!isBelow(relevance))
    return `In full, because its score of ${formatScore(relevance.score)} reaches the threshold of ${formatThreshold(threshold)}.`;
  if (exemption === 'pinned') return `In full although ${below}, because it is pinned.`;
  if (exemption === 'cited')
    return `In full although ${below}, because it was cited in cycle ${facts.scored.usage?.lastCitedCycle ?? 0}.`;
  if (exemption === 'triggered') return `In full although ${below}, because it matches the task.`;
  if (!relevance.hasEnoughData)
    return `In full although ${below}: fewer than ${MIN_CYCLES} cycles say whether it is used.`;
  return undefined;
}

/**
 * Relevance: the place in the pipeline where sections get a score and what follows from it. In this version nothing is
 * scored (every score is `null`, nothing is stubbed for its relevance); what is decided here are the config's and the
 * user's fixed rules: excluded, on demand, newest N entries. It does not decide what the budget takes away.
 */
import type { RoutedSection } from '../attention/route';

/** What a fixed rule does to a section, before any budget. */
export type SectionRule =
  | { readonly kind: 'excluded' }
  /** One line instead of the text, unless asked for. */
  | { readonly kind: 'onDemand' }
  | { readonly kind: 'keepNewest'; readonly count: number };

/** A routed section with its relevance. */
export interface ScoredSection extends RoutedSection {
  /** 0…1, or `null` while scoring has nothing to say. */
  readonly score: number | null;
  readonly rule: SectionRule | undefined;
}

function ruleOf({ section, status, content }: RoutedSection): SectionRule | undefined {
  if (section.isExcluded) return { kind: 'excluded' };
  if (content.kind === 'notRun' || content.kind === 'pending') return undefined;
  const mayBeStub = section.priority !== 'P0' && !section.isPinned && status === 'OK';
  if (section.onDemand && mayBeStub) return { kind: 'onDemand' };
  // For `files`, `keepRecent` counts files and `collect` has applied it already.
  if (section.keepRecent === undefined || section.source.kind === 'files') return undefined;
  return { kind: 'keepNewest', count: section.keepRecent };
}

/** Adds scores and fixed rules; keeps order and number of sections. */
export function scoreSections(routed: readonly RoutedSection[]): readonly ScoredSection[] {
  return routed.map((section) => ({ ...section, score: null, rule: ruleOf(section) }));
}

import type { SectionUsage, UsageWindow } from '../../model/usage';

/**
 * What a window tells of one section. Only cycles that cited something count: of the others nobody knows what the agent
 * used, since most likely nobody recorded its reply. A log without citations says nothing against any section.
 */
export interface CitationFacts {
  /** Cycles that loaded the section and cited it or another one. */
  readonly loaded: number;
  /** Of these, cycles that cited another one: what the section's own citations do not change. */
  readonly othersCited: number;
  /** Cycles that cited the section; more than `loaded` where it was asked for without being there. */
  readonly citedCycles: number;
}

export const NO_EVIDENCE: CitationFacts = { loaded: 0, othersCited: 0, citedCycles: 0 };

function factsOf(usage: SectionUsage, citedSections: readonly number[]): CitationFacts {
  let [loaded, othersCited, citedCycles] = [0, 0, 0];
  for (const [at, sections] of citedSections.entries()) {
    const isCited = (usage.citationsPerCycle[at] ?? 0) > 0;
    if (isCited) citedCycles++;
    if (sections === 0 || (usage.charsPerCycle[at] ?? 0) === 0) continue;
    loaded++;
    if (sections > (isCited ? 1 : 0)) othersCited++;
  }
  return { loaded, othersCited, citedCycles };
}

/** The evidence of every section of the window, by id. Cost: sections times cycles. */
export function evidenceOf({ cycles, sections }: UsageWindow): ReadonlyMap<string, CitationFacts> {
  const citedSections = cycles.map(() => 0);
  for (const { citationsPerCycle } of sections)
    for (const [at, count] of citationsPerCycle.entries())
      if (count > 0) citedSections[at] = (citedSections[at] ?? 0) + 1;
  return new Map(sections.map((usage) => [usage.id, factsOf(usage, citedSections)]));
}

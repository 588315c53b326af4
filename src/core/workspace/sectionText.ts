import type { ContextReport } from '../model/report';
import type { CollectedSection } from '../model/section';

/** Tokens kept free for the tags around one expanded section. */
const DETAIL_OVERHEAD_TOKENS = 60;

/** What the text of a section comes from. */
export interface SectionTextSources {
  readonly sections: readonly CollectedSection[];
  readonly report: ContextReport | undefined;
  /** Cap of one item of a detail payload. */
  readonly detailTokens: number;
  /** The repo map within a budget. */
  mapText(budgetTokens: number): Promise<string>;
}

/** The whole text behind `section:<id>`; undefined when there is no such section. */
export async function sectionText(
  id: string,
  { sections, report, detailTokens, mapText }: SectionTextSources,
): Promise<{ readonly title: string; readonly text: string } | undefined> {
  const section = sections.find((candidate) => candidate.id === id);
  if (!section) return undefined;
  const { title, body } = section;
  if (body.kind === 'text') return { title, text: body.text };
  if (body.kind === 'observations') return { title, text: body.rows.map((row) => row.text).join('') };
  if (body.kind === 'repoMap')
    return { title, text: await mapText(Math.max(0, detailTokens - DETAIL_OVERHEAD_TOKENS)) };
  const fitted = report?.payloads.expanded.sections.find((candidate) => candidate.id === id);
  return { title, text: fitted?.text || fitted?.explanation || '' };
}

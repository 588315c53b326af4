/**
 * The mask stage (between score and fit): secrets in what sections say are replaced before anything is measured, so that
 * every number is that of the text that leaves. Fail closed: a section that could not be scanned says so instead.
 */

import type { MaskedText } from '../../model/report';
import type { CollectedSection, SectionRows } from '../../model/section';
import { type Masks, maskStrings, stringsOf } from '../../secrets/masking';
import { findSourceLine } from '../../secrets/secretFinding';
import { maskFor } from '../../secrets/secretMask';
import { type MaskedSecretPlace, routeSection, type ScoredSection, type SectionContent } from '../route/route';

/** A content as one text, so that what gives a secret away may stand in the line before it; undefined without a text. */
function textOf({ kind, sentence, detail }: SectionContent): string | undefined {
  if (kind === 'repoMap' || kind === 'pending') return undefined;
  if (kind === 'legacy') return detail;
  return kind === 'notRun' ? sentence : `${sentence}\n${detail}`;
}

/** `content` saying `text`, which has its lines. */
function saying(content: SectionContent, text: string): SectionContent {
  const end = content.kind === 'legacy' ? 0 : content.sentence.split('\n').length;
  const lines = text.split('\n');
  return { ...content, sentence: lines.slice(0, end).join('\n'), detail: lines.slice(end).join('\n') };
}

/** What a section says besides its text. */
interface Labels {
  readonly title: string;
  readonly words: unknown;
  readonly rows: SectionRows['rows'];
}

function labelsOf({ section, content }: ScoredSection): Labels {
  const words = content.kind === 'failed' || content.kind === 'notRun' ? [content.words, content.reason] : [];
  const rows = section.body.kind === 'observations' ? section.body.rows : [];
  return { title: section.title, words: [section.note, words], rows };
}

/** All texts that the sections' masks are needed for. */
export function textsToMask(sections: readonly ScoredSection[]): readonly string[] {
  return sections.flatMap((scored) => [...stringsOf(labelsOf(scored)), ...[textOf(scored.content) ?? []].flat()]);
}

/** A section that says that it could not be scanned, and nothing else. */
export function withhold(scored: ScoredSection): ScoredSection {
  const { section } = scored;
  const body = { kind: 'failed', failure: { kind: 'notScanned' } } as const;
  const { loadedBy: _, ...rest } = section;
  const { section: empty, status, content } = routeSection({ ...rest, title: section.id, note: undefined, body });
  const rule = section.isExcluded ? scored.rule : undefined;
  return { ...scored, section: empty, status, content, rule, stub: undefined };
}

/** Whether the section was withheld. */
export function isNotScanned({ body }: Pick<CollectedSection, 'body'>): boolean {
  return body.kind === 'failed' && body.failure.kind === 'notScanned';
}

/** Lines that a group's files start with, as they are in the masked text. */
function maskedHeads(heads: readonly string[], before: string, after: string): readonly string[] {
  const now = after.split('\n');
  const byLine = new Map(before.split('\n').map((line, at) => [line, now[at] ?? line]));
  return heads.map((head) => byLine.get(head) ?? head);
}

/** Places of what was masked: lines of the section's file where it has one, else of its text. */
function placesOf({ section }: ScoredSection, secrets: MaskedText['secrets']): readonly MaskedSecretPlace[] {
  const { id: sectionId, path, body } = section;
  const source = body.kind === 'text' && path !== undefined ? body.text : undefined;
  return secrets.map(({ label, line, value }) => ({
    sectionId,
    label,
    line: (source === undefined ? undefined : findSourceLine(source, { value })) ?? line,
    ...(path === undefined ? {} : { path }),
    mask: maskFor(value, label).split('\n', 1)[0] ?? '',
  }));
}

function maskSection(scored: ScoredSection, masks: Masks): ScoredSection {
  const { section, content } = scored;
  const { body } = section;
  const labels = stringsOf(labelsOf(scored));
  const text = textOf(content);
  const masked = text === undefined ? undefined : masks(text);
  if ((text !== undefined && !masked) || labels.some((label) => !masks(label))) return withhold(scored);
  if (masked?.text === text && labels.every((label) => masks(label)?.text === label)) return scored;
  const inTitle = placesOf(scored, masks(section.title)?.secrets ?? []);
  const said = masked ? saying(content, masked.text) : content;
  const hasWords = said.kind === 'failed' || said.kind === 'notRun';
  const words = hasWords ? maskStrings({ words: said.words, reason: said.reason }, masks) : {};
  return {
    ...scored,
    section: {
      ...section,
      ...maskStrings({ title: section.title, note: section.note }, masks),
      body:
        body.kind === 'observations'
          ? { ...body, rows: maskStrings(body.rows, masks) }
          : body.kind === 'text' && body.heads && masked && text !== undefined
            ? { ...body, heads: maskedHeads(body.heads, text, masked.text) }
            : body,
    },
    content: { ...said, ...words },
    secrets: [...inTitle.map((place) => ({ ...place, line: 1 })), ...placesOf(scored, masked?.secrets ?? [])],
  };
}

/** The sections without their secrets, each with the places of what was masked. */
export function maskSections(sections: readonly ScoredSection[], masks: Masks): readonly ScoredSection[] {
  return sections.map((scored) => maskSection(scored, masks));
}

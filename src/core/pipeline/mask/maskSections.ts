/**
 * The mask stage (between score and fit): secrets in what sections say are replaced before anything is measured, so that
 * every number is that of the text that leaves. Fail closed: a section that could not be scanned says so instead.
 */

import type { MaskedText } from '../../model/report';
import type { CollectedSection, FolderFile, SectionRows } from '../../model/section';
import { type Masks, maskStrings, stringsOf } from '../../secrets/masking';
import { findSourceLine } from '../../secrets/secretFinding';
import { maskFor } from '../../secrets/secretMask';
import { inEnglish } from '../../text/phrase';
import { toOneLine } from '../../text/sentence';
import { describeText } from '../collect/folderFiles';
import {
  describeFailure,
  type MaskedSecretPlace,
  routeSection,
  type ScoredSection,
  type SectionContent,
} from '../route/route';

/** A content as one text, so that what gives a secret away may stand in the line before it; undefined without a text. */
function textOf({ kind, sentence, detail }: SectionContent): string | undefined {
  if (kind === 'folder' || kind === 'repoMap' || kind === 'pending') return undefined;
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
  readonly older: string;
  /** Paths of a folder's files, one a line: what else is said of them stands in their texts. */
  readonly paths: string;
}

function filesOf({ body }: CollectedSection): readonly FolderFile[] {
  return body.kind === 'folder' ? body.files : [];
}

function labelsOf({ section, content }: ScoredSection): Labels {
  const words = content.kind === 'failed' || content.kind === 'notRun' ? [content.words, content.reason] : [];
  const { rows = [], older = '' } = section.body.kind === 'observations' ? section.body : {};
  const paths = pathLines(filesOf(section)).join('\n');
  return { title: section.title, words: [section.note, words], rows, older, paths };
}

function pathLines(files: readonly FolderFile[]): readonly string[] {
  return files.map(({ path }) => toOneLine(path));
}

/** All texts that the sections' masks are needed for. */
export function textsToMask(sections: readonly ScoredSection[]): readonly string[] {
  return sections.flatMap((scored) => [
    ...stringsOf(labelsOf(scored)),
    ...[textOf(scored.content) ?? []].flat(),
    ...filesOf(scored.section).map(({ text }) => text),
  ]);
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

/** Files without their secrets; one that could not be scanned keeps its place and says so. */
function maskFiles(files: readonly FolderFile[], masks: Masks): readonly FolderFile[] {
  const paths = pathLines(files);
  const shown = masks(paths.join('\n'))?.text.split('\n') ?? [];
  return files.map((file, at) => {
    const name = shown[at] ?? '';
    // A name with a secret is said masked; its handle leads nowhere then.
    const named = name === paths[at] ? file : { ...file, path: name, key: name };
    const text = masks(file.text)?.text;
    if (text === file.text && named === file) return file;
    const said = text ?? `${inEnglish(describeFailure({ kind: 'notScanned' }).sentence)}\n`;
    return { ...named, text: said, ...describeText(named.path, said) };
  });
}

/** Places of what was masked: lines of the section's file where it has one, else of its text. */
function placesOf(
  { section }: ScoredSection,
  secrets: MaskedText['secrets'],
  { path, source }: { readonly path: string | undefined; readonly source: string | undefined } = sourceOf(section),
): readonly MaskedSecretPlace[] {
  const { id: sectionId } = section;
  return secrets.map(({ label, line, value }) => ({
    sectionId,
    label,
    line: (source === undefined ? undefined : findSourceLine(source, { value })) ?? line,
    ...(path === undefined ? {} : { path }),
    mask: maskFor(value, label).split('\n', 1)[0] ?? '',
  }));
}

function sourceOf({ body, path }: CollectedSection) {
  return { path, source: body.kind === 'text' && path !== undefined ? body.text : undefined };
}

function maskSection(scored: ScoredSection, masks: Masks): ScoredSection {
  const { section, content } = scored;
  const { body } = section;
  const labels = stringsOf(labelsOf(scored));
  const text = textOf(content);
  const masked = text === undefined ? undefined : masks(text);
  const files = filesOf(section);
  if ((text !== undefined && !masked) || labels.some((label) => !masks(label))) return withhold(scored);
  const isPlain = [...labels, ...files.map((file) => file.text)].every((each) => masks(each)?.text === each);
  if (masked?.text === text && isPlain) return scored;
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
          ? { ...body, ...maskStrings({ rows: body.rows, older: body.older ?? '' }, masks) }
          : body.kind === 'folder'
            ? { ...body, files: maskFiles(files, masks) }
            : body,
    },
    content: { ...said, ...words },
    secrets: [
      ...inTitle.map((place) => ({ ...place, line: 1 })),
      ...placesOf(scored, masked?.secrets ?? []),
      ...files.flatMap(({ path, text: source }) => placesOf(scored, masks(source)?.secrets ?? [], { path, source })),
    ],
  };
}

/** The sections without their secrets, each with the places of what was masked. */
export function maskSections(sections: readonly ScoredSection[], masks: Masks): readonly ScoredSection[] {
  return sections.map((scored) => maskSection(scored, masks));
}

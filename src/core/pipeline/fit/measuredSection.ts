import { loadedText } from '../../agents/agentFile';
import { shownTime } from '../../model/observation';
import type { CollectedSection, SectionRows, SectionSource } from '../../model/section';
import { renderElement, renderRow, renderSentence, renderStub, toCell } from '../../render/element';
import type { RankedMap } from '../../repomap/facts/types';
import type { Escape } from '../../text/elements';
import { sectionHandle } from '../../text/elements';
import { plural } from '../../text/numbers';
import { cleanText, firstLineOf, toSentence } from '../../text/sentence';
import { type LineTokenCounter, NO_SIZE, type Size } from '../../tokens/lines';
import type { ScoredSection } from '../route/route';
import type { Cutter } from './cuts';
import { folderForms, folderRows, folderSummary } from './folderForms';
import { type ContentForms, wholeForm } from './forms';
import { fitMap, type MapForms } from './mapTable';
import type { ListHints } from './pieces';
import { type KeptEntries, textForms } from './textForms';

/** What all sections of one report share. */
export interface FitContext {
  readonly counter: LineTokenCounter;
  readonly escapeTags: Escape;
  readonly cutText: Cutter;
  /** Undefined while the index is still filling. */
  readonly map: RankedMap | undefined;
  readonly mapTokens: number;
  /** Files of a folder that get a row before any text is shown; in an index, at all. */
  readonly rowLimit: number;
  /** Of the payload. */
  readonly caps: Size;
  /** The map was asked for, by a task. */
  readonly hasTask: boolean;
  /** Whether `counter` only estimates. */
  readonly isEstimate: boolean;
}

/**
 * What a section is made of, escaped and measured once and used by both payloads; `SectionForms` makes of it the ways to
 * show it in each.
 */
export interface MeasuredSection extends ScoredSection {
  readonly id: string;
  readonly handle: string;
  readonly counter: LineTokenCounter;
  /** At most 120 characters, not escaped. */
  readonly summary: string;
  /** The one sentence of a source that speaks for itself; empty when it has none. */
  readonly ownSentence: string;
  /** Its row in the index, with its `\n`. */
  readonly row: string;
  readonly rowSize: Size;
  /** What its element says where it has no room for more: one sentence, or that it exists. */
  readonly sentenceLine: string;
  readonly stubLine: string;
  /** Shown in full, without any rule or cap. */
  readonly full: Size;
  /** What the profile's agent loads of the file by itself; undefined where it does not. */
  readonly byAgent: Size | undefined;
  /** Its content, whole and in part; undefined for pending, not-run and empty sections. */
  readonly forms: ContentForms | undefined;
  /** Forms of a map's content; undefined for other sections. */
  readonly map: MapForms | undefined;
  /** Rows of a folder's files, which stand below its own row in an index; undefined for other sections. */
  readonly rows: ContentForms | undefined;
  /** Not collected or not indexed yet. */
  readonly isPending: boolean;
  /** There is nothing to show. */
  readonly isEmpty: boolean;
}

/** Whether a section is the index of observations. */
export function isObservations(source: SectionSource): boolean {
  return source.kind === 'builtin' && source.builtin === 'observations';
}

function observationsSummary({ rows, total }: SectionRows): string {
  const [newest] = rows;
  const latest = newest ? `, newest ${shownTime(newest)}: ${newest.summary}` : '';
  return toSentence(`${plural(total, 'observation')}${latest}`);
}

/** Built-in lists put the most important entry first, whatever its date. */
function hintsFor({ source }: CollectedSection): ListHints {
  if (isObservations(source)) return { kind: 'line', newestEnd: 'first' };
  return source.kind === 'builtin' ? { newestEnd: 'first' } : {};
}

/** The line of the section's own text at which its detail begins: what stands before it was read by the router. */
function detailLine({ section: { body }, content: { detail } }: ScoredSection): number {
  const text = body.kind === 'text' ? cleanText(body.text).trimEnd() : '';
  return text.endsWith(detail) ? text.slice(0, text.length - detail.length).split('\n').length : 1;
}

/** What a rule leaves of each dated list; nothing said where it leaves all. */
function keptEntries({ rule }: ScoredSection): KeptEntries {
  if (rule?.kind !== 'keepNewest' && rule?.kind !== 'keepNewestByAge') return {};
  return { keepRecent: rule.count, ...(rule.cited ? { keepCited: new Set(rule.cited) } : {}) };
}

/** Reads the forms and rows of a folder; undefined for other sections, and without a file. */
function readFolder(
  scored: ScoredSection,
  { counter, escapeTags, cutText, rowLimit, caps }: FitContext,
): Pick<MeasuredSection, 'forms' | 'full' | 'ownSentence' | 'rows'> | undefined {
  const { section, early = 0 } = scored;
  const { id, body } = section;
  if (body.kind !== 'folder' || body.files.length === 0) return undefined;
  const kept = keptEntries(scored);
  const facts = { id, handle: sectionHandle(id), ...body, early, rowLimit, caps, escapeTags, counter, cutText, kept };
  const forms = folderForms(facts);
  const whole = kept.keepRecent === undefined ? forms : folderForms({ ...facts, kept: {} });
  return { forms, full: whole.size(whole.count - 1), ownSentence: '', rows: folderRows(facts) };
}

/** The forms of the content, its size without any rule, and its one sentence. */
function readText(
  scored: ScoredSection,
  { counter, escapeTags, cutText }: FitContext,
): Pick<MeasuredSection, 'forms' | 'full' | 'ownSentence'> {
  const { content, section } = scored;
  const { kind, sentence, detail } = content;
  const { id } = section;
  const isWithout =
    kind === 'notRun' || kind === 'folder' || kind === 'repoMap' || kind === 'pending' || sentence + detail === '';
  if (isWithout) return { forms: undefined, full: NO_SIZE, ownSentence: '' };
  const text = escapeTags(sentence === '' || detail === '' ? sentence + detail : `${sentence}\n${detail}`);
  const ownSentence = escapeTags(sentence);
  const whole = wholeForm(id, text, counter);
  const { older = '', total = 0, rows = [] } = section.body.kind === 'observations' ? section.body : {};
  const full = older === '' ? whole.size(0) : counter.measure(renderElement(id, `${text}\n${escapeTags(older)}`));
  if (kind === 'failed' || detail === '') return { forms: whole, full, ownSentence };
  const start = sentence === '' ? 0 : text.indexOf('\n') + 1;
  const forms = textForms({
    id,
    handle: sectionHandle(id),
    head: text.slice(0, start),
    text: text.slice(start),
    hints: hintsFor(section),
    counter,
    cutText,
    ...keptEntries(scored),
    firstLine: detailLine(scored),
    further: total - rows.length,
  });
  return { forms, full, ownSentence };
}

function summaryOf({ content, section }: ScoredSection, map: MapForms | undefined): string {
  if (section.body.kind === 'observations') return observationsSummary(section.body);
  if (section.body.kind === 'folder') return toSentence(folderSummary(section.body.files, section.body.leftOut));
  if (map) return map.summary;
  return toSentence(content.sentence) || firstLineOf(content.detail) || toSentence(section.title);
}

/**
 * What a stub says. By relevance it says when the section was cited last; built-in ones, which are new in every cycle, how
 * they stand now.
 */
function stubLine({ section, mode, usage }: ScoredSection, cell: string, tokens: number, escapeTags: Escape): string {
  const { title, id, body } = section;
  const files = body.kind === 'folder' ? [plural(body.files.length + body.leftOut, 'file')] : [];
  const titleCell = [...(title === id ? [] : [toCell(title, escapeTags)]), ...files].join(', ');
  if (mode !== 'static' && mode !== 'dynamic') return renderStub(section.id, titleCell, tokens);
  const isBuiltin = section.source.kind === 'builtin';
  return renderStub(section.id, isBuiltin ? cell : titleCell, tokens, usage?.lastCitedCycle);
}

/** Escapes, splits and measures one section. Linear in its text; unchanged lines are not counted again. */
export function measureSection(scored: ScoredSection, context: FitContext): MeasuredSection {
  const { section, content, status } = scored;
  const { id, body, loadedBy, isExcluded } = section;
  const { counter, escapeTags } = context;
  const isMap = content.kind === 'repoMap';
  const map = isMap && context.map ? fitMap(id, context.map, context) : undefined;
  const isPending = content.kind === 'pending' || (isMap && !context.map);
  const read = { rows: undefined, ...(readFolder(scored, context) ?? readText(scored, context)) };
  const forms = map ?? read.forms;
  const full = map?.size(map.count - 1) ?? read.full;
  const summary = summaryOf(scored, map);
  const cell = toCell(summary, escapeTags);
  const line = { id, status, cell, tokensFull: full.tokens };
  const row = renderRow(line);
  const hasByAgent = loadedBy && body.kind === 'text' && !isExcluded;
  return {
    ...scored,
    id,
    handle: sectionHandle(id),
    counter,
    summary,
    ...read,
    forms,
    map,
    row,
    rowSize: counter.measure(row),
    sentenceLine: renderSentence(line),
    stubLine: stubLine(scored, cell, full.tokens, escapeTags),
    full,
    byAgent: hasByAgent ? counter.measure(loadedText(body.text, loadedBy)) : undefined,
    isPending,
    isEmpty: !forms && !isPending && content.kind !== 'notRun',
  };
}

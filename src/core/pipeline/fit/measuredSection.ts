import { loadedText } from '../../agents/agentFile';
import type { CollectedSection, SectionRows, SectionSource } from '../../model/section';
import { renderElement, toCell } from '../../render/element';
import type { RankedMap } from '../../repomap/facts/types';
import type { Escape } from '../../text/elements';
import { sectionHandle } from '../../text/elements';
import { plural } from '../../text/numbers';
import { firstLineOf, toSentence } from '../../text/sentence';
import type { LineTokenCounter } from '../../tokens/lines';
import type { ScoredSection } from '../score/score';
import { type ListHints, readEntries } from './entries';
import { type EntryTable, measureEntries } from './entryTable';
import { fitMap, type MapTable } from './mapTable';
import type { Size } from './sectionVariant';

/** What every unit of one report shares. */
export interface FactsContext {
  readonly counter: LineTokenCounter;
  readonly escapeTags: Escape;
  /** Undefined while the index is still filling. */
  readonly map: RankedMap | undefined;
  readonly mapTokens: number;
  /** Whether `counter` only estimates. */
  readonly isEstimate: boolean;
}

/** What a section is made of, escaped and measured once and used by both payloads. */
export interface MeasuredSection {
  readonly scored: ScoredSection;
  readonly id: string;
  readonly handle: string;
  /** At most 120 characters, not escaped. */
  readonly summary: string;
  /** `summary` for a row. */
  readonly cell: string;
  /** The title for a stub; empty when it says nothing beyond the id. */
  readonly titleCell: string;
  /** What a stub by relevance says: of built-in sources, which are new in every cycle, how they stand now. */
  readonly stubCell: string;
  /** The content in full; empty for maps, pending and not-run sections. */
  readonly text: string;
  /** The one sentence an `OK` source injects; undefined when it has none of its own. */
  readonly ownSentence: string | undefined;
  readonly full: Size;
  /** What the profile's agent loads of the file by itself; undefined where it does not. */
  readonly byAgent: Size | undefined;
  readonly entries: EntryTable | undefined;
  readonly map: MapTable | undefined;
  /** Not collected or not indexed yet. */
  readonly isPending: boolean;
  /** There is nothing to show. */
  readonly isEmpty: boolean;
}

/** Size of a rendered text. */
export function measure(counter: LineTokenCounter, text: string): Size {
  return { tokens: counter.count(text), chars: text.length };
}

/** Whether a section is the index of observations. */
export function isObservations(source: SectionSource): boolean {
  return source.kind === 'builtin' && source.builtin === 'observations';
}

function observationsSummary({ rows, total }: SectionRows): string {
  const [newest] = rows;
  const latest = newest ? `, newest ${newest.ts.slice(0, 16)}: ${newest.summary}` : '';
  return toSentence(`${plural(total, 'observation')}${latest}`);
}

/** Built-in lists put the most important entry first, whatever its date; `files` are joined under headings, newest last. */
function hintsFor({ source, body }: CollectedSection, escapeTags: Escape): ListHints {
  const { kind } = source;
  if (isObservations(source)) return { kind: 'line', newestEnd: 'first' };
  if (kind === 'builtin') return { newestEnd: 'first' };
  if (kind !== 'files') return {};
  // The parts of a single file are better than no list at all.
  const heads = body.kind === 'text' && body.heads && body.heads.length > 1 ? body.heads.map(escapeTags) : undefined;
  return { kind: 'heading', newestEnd: 'last', heads };
}

/** The content in full with its list of entries, if it is one. */
function readText(
  scored: ScoredSection,
  context: FactsContext,
): Pick<MeasuredSection, 'text' | 'entries' | 'ownSentence'> {
  const { content, section } = scored;
  const nothing = { text: '', entries: undefined, ownSentence: undefined };
  if (content.kind === 'notRun' || content.kind === 'repoMap' || content.kind === 'pending') return nothing;
  const head = content.kind === 'legacy' ? '' : content.sentence;
  const body = content.kind === 'legacy' ? content.text : content.detail;
  const text = context.escapeTags(head === '' || body === '' ? head + body : `${head}\n${body}`);
  const bodyStart = head === '' ? 0 : text.indexOf('\n') + 1;
  const hasList = content.kind !== 'failed' && body !== '';
  const isByAge = section.source.kind !== 'builtin' || isObservations(section.source);
  const list = hasList ? readEntries(text.slice(bodyStart), hintsFor(section, context.escapeTags)) : undefined;
  return {
    text,
    entries: list && measureEntries(section.id, text.slice(0, bodyStart), list, isByAge, context.counter),
    ownSentence: head === '' ? undefined : context.escapeTags(head),
  };
}

function summaryOf({ content, section }: ScoredSection, map: MapTable | undefined): string {
  if (section.body.kind === 'observations') return observationsSummary(section.body);
  switch (content.kind) {
    case 'legacy':
      return firstLineOf(content.text) || toSentence(section.title);
    case 'summary':
    case 'failed':
    case 'notRun':
      return toSentence(content.sentence);
    case 'repoMap':
      return map ? map.summary : toSentence(section.title);
    case 'pending':
      return toSentence(section.title);
  }
}

/** Escapes, splits and measures one section. Linear in its text; unchanged lines are not counted again. */
export function readFacts(scored: ScoredSection, context: FactsContext): MeasuredSection {
  const { section, content } = scored;
  const { text, entries, ownSentence } = readText(scored, context);
  const isMap = content.kind === 'repoMap';
  const map = isMap && context.map ? fitMap(section.id, context.map, context) : undefined;
  const isPending = content.kind === 'pending' || (isMap && !context.map);
  const isEmpty = isMap ? map?.size === 0 : text === '';
  const hasText = text !== '';
  const summary = summaryOf(scored, map);
  const { body, loadedBy, isExcluded } = section;
  const hasByAgent = loadedBy && body.kind === 'text' && !isExcluded;
  const cell = toCell(summary, context.escapeTags);
  const titleCell = section.title === section.id ? '' : toCell(section.title, context.escapeTags);
  return {
    scored,
    id: section.id,
    handle: sectionHandle(section.id),
    summary,
    cell,
    titleCell,
    stubCell: section.source.kind === 'builtin' ? cell : titleCell,
    text,
    ownSentence,
    full: map
      ? map.measure(map.size)
      : (entries?.full ??
        (hasText ? measure(context.counter, renderElement(section.id, text)) : { tokens: 0, chars: 0 })),
    byAgent: hasByAgent ? measure(context.counter, loadedText(body.text, loadedBy)) : undefined,
    entries,
    map,
    isPending,
    isEmpty: isEmpty && !isPending && content.kind !== 'notRun',
  };
}

/**
 * Run logs into observations: which parts of a text are events, and what each says. It decides nothing about which are
 * new (`observationQueries.ts`) and reads no file.
 */

import { toSummary } from '../../text/sentence';
import type { ObservationDraft } from '../observation';
import { makeDraft } from '../observation';
import { ObservationError } from '../observationError';
import { readJsonEvents, readJsonLines } from './jsonEvents';
import type { FoundEvents, LogEvent, LogProblem } from './logEvent';
import { readMarkdownEvents } from './markdownEvents';
import { plainText } from './plainText';

/** What a log holds. */
export interface ReadLog {
  readonly drafts: readonly ObservationDraft[];
  readonly problems: readonly LogProblem[];
}

/** A log of more lines than this is read to here, and the rest is said. */
const MAX_EVENTS = 100_000;

function find(path: string, text: string): FoundEvents {
  if (/\.(?:jsonl|ndjson)$/i.test(path)) return readJsonLines(text);
  if (/\.json$/i.test(path)) return readJsonEvents(text);
  return readMarkdownEvents(text, path.slice(path.lastIndexOf('/') + 1));
}

/** The summary; cut here where the detail has all of it, so that it is not kept twice. */
function shortened({ summary, detail = '' }: Pick<LogEvent, 'summary' | 'detail'>): string {
  const said = plainText(detail).replace(/\s+/g, ' ');
  const parts = summary.split(/ → | — /).map((part) => part.replace(/\s+/g, ' ').trim());
  return parts.every((part) => said.includes(part)) ? toSummary(summary) : summary;
}

/**
 * Reads a run log by its name: JSON, JSON Lines, else Markdown. Every draft points at its file and line. Rows that are
 * malformed become problems, the others are read. Never throws; linear in the text.
 */
export function readRunLog(path: string, text: string): ReadLog {
  const found = find(path, text);
  const problems: LogProblem[] = found.problems.map((problem) => ({ path, ...problem }));
  const drafts: ObservationDraft[] = [];
  for (const { line, ...event } of found.events.slice(0, MAX_EVENTS)) {
    try {
      drafts.push(makeDraft({ ...event, summary: shortened(event), files: [`${path}#L${line}`] }));
    } catch (error) {
      if (!ObservationError.is(error)) throw error;
      problems.push({ path, line, why: error.message });
    }
  }
  const beyond = found.events[MAX_EVENTS];
  if (beyond) problems.push({ path, line: beyond.line, why: `only the first ${MAX_EVENTS} events are read` });
  return { drafts, problems };
}

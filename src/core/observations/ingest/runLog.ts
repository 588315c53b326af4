/**
 * Run logs into observations: which parts of a text are events, and what each says. It decides nothing about which are
 * new (`observationQueries.ts`) and reads no file.
 */

import { toSummary } from '../../text/sentence';
import type { ObservationDraft } from '../observation';
import { makeDraft } from '../observation';
import { ObservationError } from '../observationError';
import { plainText } from './entryText';
import { readJsonEvents, readJsonLines } from './jsonEvents';
import {
  completeTime,
  type EventTime,
  type FoundEvents,
  LINE_END,
  type LineDates,
  type LogEvent,
  type LogProblem,
  type UnreadLine,
} from './logEvent';
import { readMarkdownEvents } from './markdownEvents';

/** What a log holds. */
export interface ReadLog {
  readonly drafts: readonly ObservationDraft[];
  readonly problems: readonly LogProblem[];
  /** Events without a day: neither they, nor what stands above, nor the given dates name one. They are in no other count. */
  readonly undated: number;
  /** Lines with text, and how many of those were not understood. */
  readonly lines: number;
  readonly unread: number;
  readonly firstUnread: UnreadLine | undefined;
}

/** Length to which an unread line is cut for display, in UTF-16 code units. */
const UNREAD_CHARS = 120;

/** A log of more lines than this is read to here, and the rest is said. */
const MAX_EVENTS = 100_000;

function find(path: string, given: string, dates: LineDates | undefined): FoundEvents {
  const text = given.replace(/^\uFEFF/, '');
  if (/\.(?:jsonl|ndjson)$/i.test(path)) return readJsonLines(text);
  if (/\.json$/i.test(path)) return readJsonEvents(text);
  return readMarkdownEvents(text, path.slice(path.lastIndexOf('/') + 1), dates);
}

/** The summary; cut here where the detail has all of it, so that it is not kept twice. */
function shortened({ summary, detail = '' }: Pick<LogEvent, 'summary' | 'detail'>): string {
  const said = plainText(detail).replace(/\s+/g, ' ');
  const parts = summary.split(/ → | — /).map((part) => part.replace(/\s+/g, ' ').trim());
  return parts.every((part) => said.includes(part)) ? toSummary(summary) : summary;
}

/** When an event was: as its text says, else by its line, else by the file. */
function timeOf(event: LogEvent, dates: LineDates | undefined): EventTime {
  const { ts, precision, timeFrom, instant } = event;
  if (ts !== undefined) return { ts, precision, timeFrom, instant };
  const blame = dates?.blame.get(event.line);
  const day = blame ?? dates?.file;
  const time = completeTime(undefined, day, undefined);
  return time.ts === undefined ? time : { ...time, timeFrom: blame === undefined ? 'file' : 'blame' };
}

/**
 * Reads a run log by its name: JSON, JSON Lines, else Markdown or plain lines. Every draft points at its file and line.
 * Rows that are malformed become problems, the others are read. `dates` are for events that name no day; without them
 * such events are only counted. Never throws; linear in the text.
 */
export function readRunLog(path: string, text: string, dates?: LineDates): ReadLog {
  const found = find(path, text, dates);
  const problems: LogProblem[] = found.problems.map((problem) => ({ path, ...problem }));
  const drafts: ObservationDraft[] = [];
  let undated = 0;
  for (const event of found.events.slice(0, MAX_EVENTS)) {
    const { line, files = [], ...rest } = event;
    const time = timeOf(event, dates);
    if (time.ts === undefined) {
      undated++;
      continue;
    }
    try {
      const own = `${path}#L${line}`;
      drafts.push(makeDraft({ ...rest, ...time, summary: shortened(event), files: [own, ...files] }));
    } catch (error) {
      if (!ObservationError.is(error)) throw error;
      problems.push({ path, line, why: error.message });
    }
  }
  const beyond = found.events[MAX_EVENTS];
  if (beyond) problems.push({ path, line: beyond.line, why: `only the first ${MAX_EVENTS} events are read` });
  const all = text.split(LINE_END);
  const [first] = found.unread;
  const firstUnread =
    first === undefined ? undefined : { line: first, text: toSummary(all[first - 1] ?? '', UNREAD_CHARS) };
  const lines = all.filter((line) => line.trim() !== '').length;
  return { drafts, problems, undated, lines, unread: found.unread.length, firstUnread };
}

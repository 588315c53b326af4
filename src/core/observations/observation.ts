/**
 * The observation (`obs.v1`, DESIGN §5.3): one recorded event with a stable id, a summary and a detail. This file
 * decides what an observation may hold; `observationCodec.ts` how it is written, `observationLog.ts` where it is kept.
 */

import { MAX_SENTENCE_CHARS, toOneLine } from '../attention/sentence';
import { cleanText } from '../attention/text';
import { phrase } from '../text/phrase';
import { ObservationError } from './observationError';

/** What an observation points at. Files may carry lines: `PROGRESS.md#L12`. */
export interface ObservationRefs {
  readonly files: readonly string[];
  readonly commands: readonly string[];
  readonly urls: readonly string[];
}

/** An observation before it has an id. Texts that are unknown are empty. */
export interface ObservationDraft {
  /** `YYYY-MM-DD HH:mm:ss`, as the source says it, without a zone. */
  readonly ts: string;
  readonly taskId: string;
  readonly actor: string;
  readonly phase: string;
  /** `event` unless the source says otherwise: `note`, `task`, `command`. */
  readonly type: string;
  /** One line of at most 120 UTF-16 code units. */
  readonly summary: string;
  readonly detail: string;
  readonly refs: ObservationRefs;
}

/** A recorded observation. */
export interface Observation extends ObservationDraft {
  /** A whole number from 1 on; increases, never used twice. */
  readonly id: number;
}

/** What an observation is made from: everything but the summary may be left out. */
export interface ObservationInput {
  readonly ts: string;
  readonly summary: string;
  readonly taskId?: string | undefined;
  readonly actor?: string | undefined;
  readonly phase?: string | undefined;
  readonly type?: string | undefined;
  readonly detail?: string | undefined;
  readonly files?: readonly string[] | undefined;
  readonly commands?: readonly string[] | undefined;
  readonly urls?: readonly string[] | undefined;
}

/** Labels longer than this are no labels. UTF-16 code units. */
const MAX_LABEL_CHARS = 80;

/** How much of a text a summary is made from: more could not show. */
const SUMMARY_HEAD_CHARS = 4000;

const TIME_PATTERN = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

let segmenter: Intl.Segmenter | undefined;

/** Cuts between what people see as characters; `…` takes the last of `maxChars` UTF-16 code units. */
function cutAtGrapheme(line: string, maxChars: number): string {
  if (line.length <= maxChars) return line;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let end = 0;
  for (const { index, segment } of segmenter.segment(line.slice(0, maxChars * 4))) {
    if (index + segment.length > maxChars - 1) break;
    end = index + segment.length;
  }
  const space = line.lastIndexOf(' ', end);
  const isWordCut = space > maxChars / 2 && end < line.length && /\w/.test(line.charAt(end));
  return `${line.slice(0, isWordCut ? space : end).trimEnd()}…`;
}

/** Lone surrogates cannot be written as UTF-8: U+FFFD stands for them. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\uFFFD');
}

/** One line of at most `maxChars` UTF-16 code units, never cut inside a grapheme; `…` says that there was more. */
export function toSummary(text: string, maxChars: number = MAX_SENTENCE_CHARS): string {
  const head = text.length > SUMMARY_HEAD_CHARS ? text.slice(0, SUMMARY_HEAD_CHARS) : text;
  return cutAtGrapheme(wellFormed(toOneLine(cleanText(head))), maxChars);
}

/** Whether `ts` is written as an observation's time and names a real date. */
export function isObservationTime(ts: string): boolean {
  if (!TIME_PATTERN.test(ts)) return false;
  const [year, month, day, hour, minute, second] = ts.split(/\D/).map(Number);
  if ([year, month, day, hour, minute, second].some((part) => part === undefined)) return false;
  const date = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, second));
  return date.toISOString().slice(0, 19).replace('T', ' ') === ts;
}

/** The local time of a moment (milliseconds since the epoch) as an observation has it. */
export function formatObservationTime(moment: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = `${String(moment.getFullYear()).padStart(4, '0')}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
  return `${date} ${two(moment.getHours())}:${two(moment.getMinutes())}:${two(moment.getSeconds())}`;
}

function texts(values: readonly string[] | undefined): readonly string[] {
  return [...new Set((values ?? []).map((value) => wellFormed(toOneLine(value))).filter((value) => value !== ''))];
}

/**
 * Makes a draft that obeys the format: one-line labels, a cut summary, a clean detail. A summary that had to be cut is
 * kept whole at the head of the detail. Throws `ObservationError` `invalid` for a bad time or an empty summary.
 */
export function makeDraft(input: ObservationInput): ObservationDraft {
  if (!isObservationTime(input.ts)) {
    throw new ObservationError(
      'invalid',
      phrase('The time must be {0}, but is "{1}".', 'YYYY-MM-DD HH:mm:ss', toSummary(input.ts, 40)),
    );
  }
  const summary = toSummary(input.summary);
  if (summary === '')
    throw new ObservationError('invalid', phrase('The summary is empty. Say in one line what happened.'));
  const label = (text: string | undefined): string => toSummary(text ?? '', MAX_LABEL_CHARS);
  const detail = wellFormed(cleanText(input.detail ?? '')).trimEnd();
  const whole = wellFormed(cleanText(input.summary)).trim();
  const isCut = summary !== toOneLine(whole) && !detail.includes(whole);
  return {
    ts: input.ts,
    taskId: label(input.taskId),
    actor: label(input.actor),
    phase: label(input.phase),
    type: label(input.type) || 'event',
    summary,
    detail: isCut ? [whole, ...(detail === '' ? [] : [detail])].join('\n\n') : detail,
    refs: { files: texts(input.files), commands: texts(input.commands), urls: texts(input.urls) },
  };
}

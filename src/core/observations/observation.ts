/**
 * The observation (`obs.v1`, DESIGN §5.3): one recorded event with a stable id, a summary and a detail. This file
 * decides what an observation may hold; `observationCodec.ts` how it is written, `observationLog.ts` where it is kept.
 */

import type { ObservationRefs, ObservationTime } from '../model/observation';
import { hashText } from '../text/hash';
import { phrase } from '../text/phrase';
import { cleanText, toOneLine, toSummary, wellFormed } from '../text/sentence';
import { isObservationTime } from '../text/time';
import { ObservationError } from './observationError';

/** How an event ended, as far as its summary says. */
export type Outcome = 'passed' | 'failed' | 'open' | 'unknown';

/**
 * Words by outcome, in the order that they are looked for: an event that fails somewhere has failed. Chinese words have
 * no boundaries; English ones must stand alone. `0 failed` is none.
 */
const WORDS: readonly (readonly [Outcome, RegExp])[] = [
  [
    'failed',
    /(?<!\b(?:0|no) )\b(?:fail(?:s|ed|ure|ures|ing)?|error(?:s)?|broken|crash(?:ed|es)?|timed out)\b|❌|失败|失敗|报错|報錯|错误|錯誤|异常/iu,
  ],
  [
    'open',
    /\b(?:in[ _-]?progress|pending|blocked|skipped|wip|todo|open|waiting)\b|⏸|🚧|进行中|進行中|阻塞|等待|待办|待辦|未完成/iu,
  ],
  [
    'passed',
    /\b(?:pass(?:es|ed)?|ok|done|success(?:ful|fully)?|succeeded|fixed|merged|completed?|green)\b|✅|通过|通過|成功|完成|修复|修復/iu,
  ],
];

/** A command as refs have it, with its exit code where that is known: `npm test (exit 1)`. */
export function commandRef(command: string, exitCode: string | number | undefined): string {
  return exitCode === undefined || exitCode === '' ? command : `${command} (exit ${exitCode})`;
}

/** The command of such a ref, and its exit code. */
export function commandOf(ref: string): { readonly command: string; readonly exitCode: number | undefined } {
  const [suffix, code] = / \(exit (-?\d{1,10})\)$/.exec(ref) ?? [];
  return suffix === undefined
    ? { command: ref, exitCode: undefined }
    : { command: ref.slice(0, -suffix.length), exitCode: Number(code) };
}

/** The outcome that an observation's summary tells, else its command's exit code; for icons, never for counting. */
export function outcomeOf({
  summary,
  refs,
}: Pick<Observation, 'summary'> & Partial<Pick<Observation, 'refs'>>): Outcome {
  // What stands after the arrow is the result; before it stands what was tried.
  const result = summary.slice(summary.lastIndexOf('→') + 1);
  for (const text of [result, summary]) {
    const found = WORDS.find(([, words]) => words.test(text));
    if (found) return found[0];
  }
  const { exitCode } = commandOf(refs?.commands[0] ?? '');
  return exitCode === undefined ? 'unknown' : exitCode === 0 ? 'passed' : 'failed';
}

/** An observation before it has an id. Texts that are unknown are empty. */
export interface ObservationDraft extends ObservationTime {
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
export interface ObservationInput extends ObservationTime {
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

/** A row shows so much of a task. UTF-16 code units. */
const MAX_TASK_CHARS = 120;
const HASH_CHARS = 8;

/**
 * A task's id as it is kept and asked for: one line. A longer one is cut and ends in a hash of the whole, so that two tasks
 * with the same beginning stay two. Gives its own results unchanged.
 */
export function taskLabel(text: string): string {
  const line = wellFormed(toOneLine(cleanText(text)));
  if (line.length <= MAX_TASK_CHARS) return line;
  return `${toSummary(line, MAX_TASK_CHARS - HASH_CHARS)}${hashText(line).slice(0, HASH_CHARS)}`;
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
    throw new ObservationError('invalid', phrase('The summary is empty. Describe in one line what happened.'));
  const label = (text: string | undefined): string => toSummary(text ?? '', MAX_LABEL_CHARS);
  const detail = wellFormed(cleanText(input.detail ?? '')).trimEnd();
  const whole = wellFormed(cleanText(input.summary)).trim();
  const isCut = summary !== toOneLine(whole) && !detail.includes(whole);
  const { ts, precision, timeFrom, instant } = input;
  return {
    ts,
    ...(precision && { precision }),
    ...(timeFrom && { timeFrom }),
    ...(instant && { instant }),
    taskId: taskLabel(input.taskId ?? ''),
    actor: label(input.actor),
    phase: label(input.phase),
    type: label(input.type) || 'event',
    summary,
    detail: isCut ? [whole, ...(detail === '' ? [] : [detail])].join('\n\n') : detail,
    refs: { files: texts(input.files), commands: texts(input.commands), urls: texts(input.urls) },
  };
}

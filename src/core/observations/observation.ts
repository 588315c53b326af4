/**
 * The observation (`obs.v1`, DESIGN §5.3): one recorded event with a stable id, a summary and a detail. This file
 * decides what an observation may hold; `observationCodec.ts` how it is written, `observationLog.ts` where it is kept.
 */

import type { ObservationRefs } from '../model/observation';
import { cleanText } from '../text/cleanText';
import { phrase } from '../text/phrase';
import { toOneLine } from '../text/sentence';
import { toSummary, wellFormed } from '../text/summary';
import { isObservationTime } from '../text/time';
import { ObservationError } from './observationError';

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

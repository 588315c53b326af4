/** What an observation points at. Files may carry lines: `PROGRESS.md#L12`. */
export interface ObservationRefs {
  readonly files: readonly string[];
  readonly commands: readonly string[];
  readonly urls: readonly string[];
}

/** How exactly a time is known. A `day` has no time. */
export type TimePrecision = 'second' | 'minute' | 'day';

/**
 * Where a time comes from: the entry's `text`; the `context`, for what the entry leaves out (a heading, the entry above,
 * the file's name); git `blame` of its line; the `file`'s time; the `clock` of the machine that recorded it.
 */
export type TimeOrigin = 'text' | 'context' | 'blame' | 'file' | 'clock';

/** When something happened. Records of earlier versions have `ts` alone. */
export interface ObservationTime {
  /** `YYYY-MM-DD HH:mm:ss`: the source's own wall time, UTC where there is an `instant`. */
  readonly ts: string;
  readonly precision?: TimePrecision | undefined;
  readonly timeFrom?: TimeOrigin | undefined;
  /** ISO in UTC; only where the source named a zone. */
  readonly instant?: string | undefined;
}

/** Whether the date is a guess: the entry itself names neither day nor time. */
export function isGuessedTime({ precision, timeFrom }: Omit<ObservationTime, 'ts'>): boolean {
  return timeFrom === 'blame' || timeFrom === 'file' || (timeFrom === 'context' && precision === 'day');
}

/** As rows show it: `2026-02-03 21:23`; a day has no time, a guessed date is `~2026-02-03`. */
export function shownTime(time: ObservationTime): string {
  return `${isGuessedTime(time) ? '~' : ''}${time.ts.slice(0, time.precision === 'day' ? 10 : 16)}`;
}

/** The time with its seconds, where it has them. */
export function fullTime(time: ObservationTime): string {
  return time.precision === undefined || time.precision === 'second' ? time.ts : shownTime(time);
}

/** One row of an index or a timeline. */
export interface ObservationRow extends ObservationTime {
  readonly id: number;
  readonly type: string;
  readonly taskId: string;
  readonly actor: string;
  readonly phase: string;
  readonly summary: string;
  readonly refs: ObservationRefs;
  /** What its detail would cost in full, tags included. */
  readonly detailTokens: number;
  /** The row as text, with its `\n`; counts of rows add up (`tokens/lines.ts`). */
  readonly text: string;
}

/** A number alone is the id of an observation. */
const OBSERVATION_HANDLE = /^\d{1,15}$/;

/** True for the id of an observation. */
export function isObservationHandle(handle: string): boolean {
  return OBSERVATION_HANDLE.test(handle.trim());
}

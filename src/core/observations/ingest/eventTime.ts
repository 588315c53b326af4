import { isObservationTime } from '../../text/time';

/** A date and, where it is said, a time of day. */
export interface EventTime {
  /** `YYYY-MM-DD`; `undefined` for a time alone. */
  readonly date: string | undefined;
  /** `HH:mm:ss`. */
  readonly clock: string | undefined;
  /** The text after it. */
  readonly rest: string;
}

/** ISO with `-`, `/` or `.`, Chinese and Japanese, and the first words of a log line around it. */
const DATE = '(\\d{4})(?:[-/.](\\d{1,2})[-/.](\\d{1,2})|年\\s?(\\d{1,2})月\\s?(\\d{1,2})日)';
const CLOCK = '(\\d{1,2}):(\\d{2})(?::(\\d{2}))?(?:[.,]\\d+)?';
const ZONE = '(?:\\s?(?:Z|UTC|GMT|CST|(?:[+-]\\d{2}:?\\d{2}))\\b)?';
const CLOSE = '[\\])）】*`_]*';
const PARENS = '(?:\\s*\\([^)]{1,12}\\))?';
const HEAD = '^[\\s\\[(（【*`_~≈]*';
const SEPARATOR = '\\s*(?:[-–—:：|·•,，]+(?=\\s|$|[^\\d\\s])\\s*)?';

const DATED = new RegExp(`${HEAD}${DATE}(?:[T\\s,]{1,2}${CLOCK}${ZONE})?${CLOSE}${PARENS}${CLOSE}${SEPARATOR}`, 'u');
const CLOCKED = new RegExp(`${HEAD}${CLOCK}${ZONE}${CLOSE}${SEPARATOR}`, 'u');

function two(part: string | undefined): string {
  return (part ?? '0').padStart(2, '0');
}

/** The date, time or both that a text starts with; `undefined` when it starts with neither, or with one that is none. */
export function readEventTime(text: string): EventTime | undefined {
  const head = text.slice(0, 120);
  const dated = DATED.exec(head);
  if (dated) {
    const [all, year = '', isoMonth, isoDay, month = isoMonth, day = isoDay, hour, minute, second] = dated;
    const date = `${year}-${two(month)}-${two(day)}`;
    const clock = hour === undefined ? undefined : `${two(hour)}:${two(minute)}:${two(second)}`;
    const isReal = isObservationTime(`${date} ${clock ?? '00:00:00'}`);
    return isReal ? { date, clock, rest: text.slice(all.length) } : undefined;
  }
  const clocked = CLOCKED.exec(head);
  if (!clocked) return undefined;
  const [all, hour, minute, second] = clocked;
  const clock = `${two(hour)}:${two(minute)}:${two(second)}`;
  return isObservationTime(`2000-01-01 ${clock}`)
    ? { date: undefined, clock, rest: text.slice(all.length) }
    : undefined;
}

/** As an observation has it; a date alone is its first second, a time alone needs `date`. */
export function toObservationTime(time: EventTime, date: string | undefined): string | undefined {
  const day = time.date ?? date;
  return day === undefined ? undefined : `${day} ${time.clock ?? '00:00:00'}`;
}

/** The time that a value of JSON means: a text that starts with a date, or seconds or milliseconds since 1970 (UTC). */
export function timeOfValue(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const time = readEventTime(value);
    return time && toObservationTime(time, undefined);
  }
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 1e8) return undefined;
  const ms = value > 1e11 ? value : value * 1000;
  return ms > 4e12 ? undefined : new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

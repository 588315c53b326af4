import { FAILED, QUOTE, SPACE } from './lineBytes';

const DASH = 0x2d;
const COLON = 0x3a;
const ZERO = 0x30;
/** `"YYYY-MM-DD HH:mm:ss"`. */
const QUOTED_LENGTH = 21;
/** Earlier years are not what `isObservationTime` takes for dates. */
const MIN_YEAR = 100;

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
}

function pair(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] as number) - ZERO;
  const ones = (bytes[at + 1] as number) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** Six parts of a time as a number that orders like it. */
function joined(year: number, month: number, day: number, hour: number, minute: number, second: number): number {
  return ((((year * 100 + month) * 100 + day) * 100 + hour) * 100 + minute) * 100 + second;
}

/** `YYYYMMDDHHmmss` of a quoted time at `at`; `FAILED` for what `isObservationTime` refuses. */
export function timeAt(bytes: Uint8Array, at: number): number {
  const hasMarks =
    bytes[at] === QUOTE &&
    bytes[at + 5] === DASH &&
    bytes[at + 8] === DASH &&
    bytes[at + 11] === SPACE &&
    bytes[at + 14] === COLON &&
    bytes[at + 17] === COLON &&
    bytes[at + QUOTED_LENGTH - 1] === QUOTE;
  if (!hasMarks) return FAILED;
  const year = pair(bytes, at + 1) * 100 + pair(bytes, at + 3);
  const month = pair(bytes, at + 6);
  const day = pair(bytes, at + 9);
  const hour = pair(bytes, at + 12);
  const minute = pair(bytes, at + 15);
  const second = pair(bytes, at + 18);
  const isTime = hour < 24 && minute < 60 && second < 60;
  const isDate = year >= MIN_YEAR && month >= 1 && day >= 1 && day <= daysOf(year, month);
  return isTime && isDate ? joined(year, month, day, hour, minute, second) : FAILED;
}

export const TIME_LENGTH = QUOTED_LENGTH;

/** The same of `YYYY-MM-DD HH:mm:ss`, which must be a real time. */
export function timeOf(ts: string): number {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = ts.split(/\D/).map(Number);
  return joined(year, month, day, hour, minute, second);
}

/** Seconds from `earlier` to `later`, both as `timeAt` gives them; the clock's own jumps are not known. */
export function secondsBetween(earlier: number, later: number): number {
  return (momentOf(later) - momentOf(earlier)) / 1000;
}

function momentOf(time: number): number {
  const part = (divisor: number): number => Math.floor(time / divisor) % 100;
  return Date.UTC(Math.floor(time / 1e10), part(1e8) - 1, part(1e6), part(1e4), part(100), part(1));
}

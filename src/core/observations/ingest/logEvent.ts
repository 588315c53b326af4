import type { ObservationTime } from '../../model/observation';
import type { FoundDate } from '../../text/dates';
import { type FoundClock, findClock, findDate, isDateAlone, isDateFirst } from '../../text/dates';
import { isObservationTime } from '../../text/time';
import type { ObservationInput } from '../observation';

/** Ends of lines; some tools write `\r\r\n`, which git blame counts as one. */
export const LINE_END = /\r{0,2}\n|\r/;

/** A place of a log that was to be an event and is none. */
export interface LogProblem {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** What is wrong, to follow `path:line:`. */
  readonly why: string;
}

/** An event of a log, before it is checked. Without `ts` neither it nor what stands above names a day. */
export interface LogEvent extends Omit<ObservationInput, 'ts'> {
  /** 1-based line where it starts. */
  readonly line: number;
  readonly ts: string | undefined;
}

/** What a reader of one format gives. */
export interface FoundEvents {
  readonly events: readonly LogEvent[];
  readonly problems: readonly Omit<LogProblem, 'path'>[];
  /** Lines with text that belong to no event and are no heading or the like. 1-based, ascending. */
  readonly unread: readonly number[];
}

/** A line that was not understood. */
export interface UnreadLine {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

/** Days for entries that name none; all `YYYY-MM-DD`. */
export interface LineDates {
  /** By line (1-based), as git blame tells. */
  readonly blame: ReadonlyMap<number, string>;
  /** Of the file. */
  readonly file: string | undefined;
}

/** A time as an observation has it, or none. */
export type EventTime = ObservationTime | (Omit<ObservationTime, 'ts'> & { readonly ts: undefined });

export const NO_TIME: EventTime = { ts: undefined };

/** What an entry itself says of its time: a day, a time of day, or both. */
export interface WrittenTime {
  /** `YYYY-MM-DD`, year `0000` where none is written. */
  readonly day: string | undefined;
  readonly clock: FoundClock | undefined;
  /** Where it starts in the text, and where it ends. */
  readonly index: number;
  readonly end: number;
}

/** Seconds or milliseconds since the epoch at the head of a line. */
const EPOCH = /^[\s[(]{0,4}(1\d{9}(?:\.\d{1,6})?|1\d{12})(?=[\]):,\s])/;

/** Words for a date in many languages. */
export const DATE_WORDS = 'дата|data|datum|dátum|dato|fecha|tarih|tanggal|ngày|날짜|日付';
/** What a field is called that says when it was. */
const DATE_NAMES = `(?:session )?(?:time ?stamp|date(?:\\s?(?:&|and|/)\\s?time)?|day|completed(?: on)?|${DATE_WORDS}|(?!.{0,4}更新|[创創]建)\\p{Script=Han}{0,4}日期|(?:完成)?[时時][间間]|[记記][录錄](?:[时時][间間]|日期))`;
/** A field that dates all that it belongs to. */
export const DATE_FIELD = new RegExp(
  `^[^\\p{L}\\p{N}]*${DATE_NAMES}(?:\\s?[(（][^()（）]*[)）])?[^\\p{L}\\p{N}]*[:：]`,
  'iu',
);
/** Name of a date field whose value stands below it. */
export const DATE_NAME = new RegExp(`^[^\\p{L}\\p{N}]*${DATE_NAMES}[^\\p{L}\\p{N}]*$`, 'iu');

/** A level, a number or the name of what ran: `[INFO] `, `D1 `, `SAC_2026-02-03_14-30`. */
const BEFORE_TIME =
  /^\s*(?:[A-Za-z][A-Za-z0-9]{0,15}_(?=20\d\d-\d\d-\d\d[_T-]\d\d-\d\d)|\p{Lu}{1,5}-?\d{1,4}[\s:—–-]+(?=20\d\d-\d)|[[(]?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)[\])]?[:\s|-]+|【[^】\d]{1,12}】\s?)(?=[[(]?\d)/u;

/** How far into a line a day is looked for. UTF-16 code units. */
const HEAD_CHARS = 160;

function written({ day, index, end, clock }: FoundDate): WrittenTime {
  return { day, clock, index, end: clock?.end ?? end };
}

function epochTime(text: string): WrittenTime | undefined {
  const [whole, digits = ''] = EPOCH.exec(text) ?? [];
  const moment = whole === undefined ? undefined : ofEpoch(Number(digits));
  if (whole === undefined || moment?.ts === undefined) return undefined;
  const [day = '', time = ''] = moment.ts.split(' ');
  const clock = { time, hasSeconds: true, fraction: '', offset: 0, end: whole.length };
  return { day, clock, index: 0, end: whole.length };
}

/** The time that a text starts with, marks aside: a date, a time of day, or seconds since the epoch. */
export function timeAtHead(text: string): WrittenTime | undefined {
  const head = text.slice(0, HEAD_CHARS);
  if (!/\d/.test(head)) return undefined;
  const level = BEFORE_TIME.exec(head)?.[0].length ?? 0;
  if (level > 0) {
    const time = timeAtHead(text.slice(level));
    return time && { ...time, index: time.index + level, end: time.end + level };
  }
  const date = findDate(head);
  if (date && isDateFirst(head, date)) return written(date);
  const clock = findClock(head);
  if (!clock) return epochTime(head);
  // `14:30 2026-02-03`
  return date && /^\W*$/.test(head.slice(clock.end, date.index))
    ? { day: date.day, clock, index: 0, end: date.end }
    : { day: undefined, clock, index: 0, end: clock.end };
}

/** A day without marks and perhaps with a time: `0606`, `0610-0612`, `5.22`, `5-17`, `11-12/07`, `25.7.14`, `25. 7. 14`, `5.8 15:00`. */
const SHORT_DAY =
  /^(?:(?<short>\d\d)\\?\. ?)?(?:(?<month>\d{1,2})(?:-\d{1,2}(?=\/))?(?:[-/]|\\?\. ?)(?<day>\d{1,2})|(?<compact>(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])))(?![\d.])(?:\s?[-~&]\s?(?:\d{4}|\d{1,2}[./-]\d{1,2})|[a-z])?(?:\s+(?<time>\d{1,2}:\d\d))?(?<rest>\.?[\s(（].*|[.:：]?)$/;
/** From how many on short days are days and no numbers of chapters or versions. */
const MIN_SHORT_DAYS = 2;
/** Share of them that a typo may have put out of order. */
const MAX_SLIPS = 0.1;
/** In so many steps one may be out of order: where a second part of the log begins. */
const MIN_STEPS = 6;

/** `0125-0129`, `5.22 ~ 5.26` */
const SPAN = /\d\s?[-~&]\s?(?:\d{4}|\d{1,2}[./-]\d{1,2})/;

/** `Tue 02/03` */
const WEEKDAY_FIRST = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}\.?,?\s+(?=\d{1,2}\/\d)/u;
/** Beside a short day, as a weekday may stand there. */
const DAYS_OFF =
  /[(（](?:week-?end|fin de semana|wochenende|fim de semana|周末|週末|주말|holidays?|férié|feiertag)[)）]/giu;
/** A short day of two numbers that a slash or a hyphen parts: which one is the month tell the others of the log. */
const SLASH_DAY = /^\D*(\d{1,2})(?:-\d{1,2})?[/-](\d{1,2})(?!\d|[/-]\d)/;

/** The short day that a line is, but for a weekday and what stands in brackets. */
export function readShortDay(whole: string): WrittenTime | undefined {
  const text = whole.replace(WEEKDAY_FIRST, '');
  const groups = SHORT_DAY.exec(text)?.groups;
  const rest = (groups?.rest ?? '').replace(/[(（][^()（）]*\d[^()（）]*[)）]/g, ' ').replace(DAYS_OFF, ' ');
  if (
    !groups ||
    !(
      isDateAlone(rest) ||
      (groups.short !== undefined &&
        /^\s(?!(?:alpha|beta|dev|final|lts|rc\d*|release|stable)$)\p{L}[\p{L}\p{N}_.-]{1,20}$/iu.test(rest))
    )
  )
    return undefined;
  const { short, compact = '', time } = groups;
  const numbers = [Number(groups.month ?? compact.slice(0, 2)), Number(groups.day ?? compact.slice(2))] as const;
  const [month, day] = numbers[0] > 12 && /[/-]/.test(text) ? [numbers[1], numbers[0]] : numbers;
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const pad = (number: number): string => String(number).padStart(2, '0');
  const clock = time === undefined ? undefined : findClock(time);
  const year = short === undefined ? '0000' : `20${short}`;
  return { day: `${year}-${pad(month)}-${pad(day)}`, clock, index: 0, end: whole.length };
}

/** `API keys（08-05）`: a short day at the end of a heading. */
const DAY_AT_END = /[(（[]\s?((?:0?[1-9]|1[0-2])[-/.](?:0[1-9]|[12]\d|3[01]))\s?[\])）]\s*$/u;

function shortDayAtEnd(text: string): WrittenTime | undefined {
  const [whole, said = ''] = DAY_AT_END.exec(text) ?? [];
  const time = readShortDay(said);
  return time && whole !== undefined ? { ...time, index: text.length - whole.length, end: text.length } : undefined;
}

/** How the short days of a log are written. */
export type ShortDays = 'month-first' | 'day-first';

/** A short day of a log of which is known how it writes them. */
function ordered(text: string, time: WrittenTime | undefined, order: ShortDays): WrittenTime | undefined {
  const [, first = '', second = ''] = SLASH_DAY.exec(text) ?? [];
  const isOther = order === 'day-first' && time?.day?.startsWith('0000') && first !== '' && Number(second) <= 12;
  return time && isOther ? { ...time, day: `0000-${second.padStart(2, '0')}-${first.padStart(2, '0')}` } : time;
}

/** Which number of short days is the month, as those tell of which one is too large for it. */
export function orderOf(texts: readonly string[]): ShortDays {
  const numbers = texts.flatMap((text) => {
    const [, first, second] = SLASH_DAY.exec(text) ?? [];
    return first === undefined ? [] : [[Number(first), Number(second)] as const];
  });
  const isDayFirst = numbers.some(([first]) => first > 12) && !numbers.some(([, second]) => second > 12);
  return isDayFirst ? 'day-first' : 'month-first';
}

/** `13/02/2026` */
const SLASH_DATE = /(?<![\d/])(\d{1,2})\/(\d{1,2})\/((?:19|20)\d\d)(?![\d/])/g;

/** A date with slashes that is read month first, and what it is where days come first. */
export interface DayFirst {
  readonly read: string;
  readonly is: string;
  readonly written: string;
}

/** The dates of a log whose days come first, as one of them tells (`13/02/2026`), that would be read otherwise. */
export function dayFirstDates(text: string): readonly DayFirst[] {
  const dates = [...text.matchAll(SLASH_DATE)].map(([written, first = '', second = '', year = '']) => {
    const [day, month] = [first.padStart(2, '0'), second.padStart(2, '0')];
    return { day, month, written, read: `${year}-${day}-${month}`, is: `${year}-${month}-${day}` };
  });
  const isDayFirst =
    dates.some(({ day }) => day > '12' && day <= '31') && dates.every(({ month }) => month > '00' && month <= '12');
  return isDayFirst ? dates.filter(({ day }) => day <= '12') : [];
}

/** How lines that are a short day and no more are written, where such stand in a text, as headings or alone, and in order. */
export function shortDaysOf(lines: readonly string[]): ShortDays | undefined {
  const said = lines.flatMap((line) => {
    const text = line.length < 40 ? line.trim().replace(/^(?:#{1,6}|[-*+])\s+/, '') : '';
    const time = readShortDay(text);
    return time ? [{ text, time }] : [];
  });
  const order = orderOf(said.map(({ text }) => text));
  const days = said.map(({ text, time }) => ordered(text, time, order)?.day ?? '');
  // A week stands behind its days, or before them.
  const alone = days.filter((_, at) => !SPAN.test(said[at]?.text ?? ''));
  const single = alone.length >= MIN_SHORT_DAYS ? alone : days;
  const steps = single.slice(1).map((day, at) => Math.sign(day.localeCompare(single[at] ?? '')));
  const [back, forth] = [-1, 1].map((sign) => steps.filter((step) => step === sign).length);
  // A number above 12 is the day of a month, and none of a chapter of few.
  const isSure = days.some((day) => Number(day.slice(-2)) > 12);
  const slips = Math.max(steps.length * MAX_SLIPS, steps.length >= MIN_STEPS && isSure ? 1 : 0);
  const isInOrder = days.length >= MIN_SHORT_DAYS && Math.min(back ?? 0, forth ?? 0) <= slips;
  return isInOrder ? order : undefined;
}

/** The time that a heading says: at its head, inside it or at its end; with `short`, as a short day too. */
export function timeOfHeading(text: string, short: ShortDays | undefined): WrittenTime | undefined {
  const day = short ? readShortDay(text.trim()) : undefined;
  const time = timeAtHead(text) ?? timeInside(text) ?? day ?? shortDayAtEnd(text);
  return short ? ordered(text, time, short) : time;
}

/** The time that a whole text says, such as `2026-02-03 14:30` or an ISO time; none where it names no day or says more. */
export function readTime(text: string): EventTime {
  const own = timeAtHead(text.trim());
  const isWhole = own?.day !== undefined && text.trim().slice(own.end) === '';
  return isWhole ? completeTime(own, undefined, undefined) : NO_TIME;
}

/** The first day that a text names anywhere in its head. */
export function timeInside(text: string): WrittenTime | undefined {
  const date = findDate(text.slice(0, 2 * HEAD_CHARS), { inside: true });
  return date && written(date);
}

/** The time of day at the end of a heading: `Task - 08:28`, `Upgrade (4:30 AM UTC)`. */
export function clockAtEnd(text: string): WrittenTime | undefined {
  const [whole, said = ''] = /[-–—|@·~(（]\s?(\d{1,2}:\d\d(?::\d\d)?\D{0,16})$/u.exec(text) ?? [];
  const clock = whole === undefined ? undefined : findClock(said);
  return clock && { day: undefined, clock, index: text.length - (whole?.length ?? 0), end: text.length };
}

/** Before and behind the day of an event that a sentence names: `on 2026-02-03`, `@done 2026-02-03`, `(2026-02-03)`, at its end. */
const BEFORE_DAY = /(?:[(（[|—–→@:：,，于在至]|@[\p{L}_-]{2,20}|\b(?:on|at|since|by|until|(?<!\bas )of))\s?$/iu;
const BEHIND_DAY = /^[\s)）\].。,，;；!]*$/u;
/** Behind the first day of a period, in which nothing single happened. */
const TO_DAY = /^\s?(?:[~～–—-]|to|bis|until|至|到)\s?(?:19|20)\d\d/u;

/** The day that a sentence says it is about; a version or a number that looks like a date is none. */
export function eventDay(text: string): WrittenTime | undefined {
  const time = timeInside(text);
  if (time?.day === undefined || TO_DAY.test(text.slice(time.end))) return undefined;
  const isSaid =
    /^[\w-]+:?$/.test(text) || BEFORE_DAY.test(text.slice(0, time.index)) || BEHIND_DAY.test(text.slice(time.end));
  return isSaid || time.index === 0 || time.day.startsWith('0000') ? time : undefined;
}

/** Milliseconds of a second, a millisecond, a microsecond and a nanosecond. */
const MS_PER_UNIT = [1e3, 1, 1e-3, 1e-6];

/** A moment of the epoch as an observation has it, in the unit that puts it between 1973 and 2096. */
export function ofEpoch(value: number): EventTime {
  const moment = MS_PER_UNIT.map((unit) => value * unit).find((ms) => ms >= 1e11 && ms <= 4e12);
  if (moment === undefined) return NO_TIME;
  const ms = Math.round(moment);
  return ofInstant(ms, 'text', true, ms % 1000 !== 0);
}

function ofInstant(ms: number, timeFrom: 'text' | 'context', hasSeconds: boolean, hasFraction: boolean): EventTime {
  const iso = new Date(ms).toISOString();
  const instant = hasFraction ? iso : `${iso.slice(0, 19)}Z`;
  return { ts: iso.slice(0, 19).replace('T', ' '), precision: hasSeconds ? 'second' : 'minute', timeFrom, instant };
}

/**
 * The time of an entry: what it says itself, completed by the day (`YYYY-MM-DD`) above it. A day alone stays a day.
 * `context` is the day that holds for it; `year` any year above it, for days without one. None where the
 * year lacks that day.
 */
export function completeTime(
  own: WrittenTime | undefined,
  context: string | undefined,
  year: string | undefined,
): EventTime {
  const isYearless = own?.day?.startsWith('0000') === true;
  const own_year = isYearless ? (context?.slice(0, 4) ?? year) : undefined;
  if (isYearless && own_year === undefined) return NO_TIME;
  const day = isYearless ? `${own_year}${own?.day?.slice(4)}` : (own?.day ?? context);
  if (day === undefined || !isObservationTime(`${day} 00:00:00`)) return NO_TIME;
  const timeFrom = own?.day === undefined || isYearless ? 'context' : 'text';
  const clock = own?.clock;
  if (!clock) return { ts: `${day} 00:00:00`, precision: 'day', timeFrom };
  if (clock.offset === undefined)
    return { ts: `${day} ${clock.time}`, precision: clock.hasSeconds ? 'second' : 'minute', timeFrom };
  const fraction = clock.fraction.slice(0, 3).padEnd(3, '0');
  const ms = Date.parse(`${day}T${clock.time}.${fraction}Z`) - clock.offset * 60_000;
  return ofInstant(ms, timeFrom, clock.hasSeconds, clock.fraction !== '');
}

/** Whether a text starts with a time or a day. */
export const isTimed = (text: string): boolean => timeAtHead(text) !== undefined;

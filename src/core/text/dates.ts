/** Dates as people write them in notes and logs: which day a line names. */
import { isWeekday, monthOf } from './monthNames';

/** A time of day as a text has it. */
export interface FoundClock {
  /** `HH:MM:SS`. */
  readonly time: string;
  /** Without seconds, `time` says `:00`. */
  readonly hasSeconds: boolean;
  /** Digits of a second's fraction, empty without. */
  readonly fraction: string;
  /** Minutes east of UTC, where the text names the zone. */
  readonly offset: number | undefined;
  /** End of the time and its zone. */
  readonly end: number;
}

/** A date in a text. */
export interface FoundDate {
  /** `YYYY-MM-DD`; the year is `0000` where none is written. */
  readonly day: string;
  /** `HH:MM:SS`, empty without a time. Sortable. */
  readonly time: string;
  /** Where it starts, and the end of its day. */
  readonly index: number;
  readonly end: number;
  /** The time behind the day; its `end` is a place in the text. */
  readonly clock?: FoundClock | undefined;
  /** Name of a zone that stands before the year and tells no offset, such as CST. */
  readonly zone?: string | undefined;
}

/** A word that may name a month. */
const MONTH = '(?<month>[\\p{L}\\p{M}]{3,16})';
/** Before it. */
const WORD_START = '(?<![\\p{L}\\p{M}\\p{N}])';
/** Source of a pattern: months in English, whole or short, in lower case. */
export const ENGLISH_MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
/** Before a day without a year most words are no month. */
const MONTH_EN = `(?<month>\\b${ENGLISH_MONTH})`;
const YEAR = '(?<year>(?:19|20|21)\\d\\d)';
const DAY = '(?<day>\\d{1,2})';

const ORDINAL = '(?:st|nd|rd|th|ST|ND|RD|TH|)';
const PARTS_OF_DAY = '凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|深夜';
/** `21:23`, `9:30:10 PM`, `14时30分`, with a fraction and a zone. `mark`: what stands between hour and minute. */
const clockForm = (mark: string): string =>
  `(?<noon>${PARTS_OF_DAY})?\\s?(?<hour>\\d{1,2})(?:${mark}(?<minute>\\d\\d)(?::(?<second>\\d\\d)(?:[.,](?<fraction>\\d{1,9}))?)?|[时時点點](?<minute2>\\d{1,2})分(?:(?<second2>\\d{1,2})秒)?|(?=\\s?[ap]m\\b))(?!:?\\d)(?:\\s?(?<half>[ap]\\.?m\\b\\.?))?`;
const CLOCK = clockForm(':');
const ZONE =
  '(?:\\s?\\(?(?:(?:UTC|GMT)?(?<sign>[+-])(?<zoneHour>\\d{1,2})(?::?(?<zoneMinute>\\d\\d))?(?![\\d:])(?=\\W|$)|(?<utc>Z|UTC|GMT)(?![\\p{L}\\d])))?';

/** Full dates. Each names year, month and day. */
const FORMS: readonly RegExp[] = [
  // 2026-02-03, 2026/2/3, 2026.02.03, 2026. 2. 3, 2026\-02\-03
  `(?<![\\dv])${YEAR}(?<mark>\\\\?(?:[-/]|\\. ?))(?<month>\\d{1,2})\\k<mark>${DAY}(?!\\d)`,
  // 2026年2月3日, 2026년 2월 3일
  `(?<!\\d)${YEAR}\\s?[年년]\\s?(?<month>\\d{1,2})\\s?[月월]\\s?${DAY}(?!\\d)\\s?[日号號일]?`,
  // Feb 3, 2026
  `${WORD_START}${MONTH}\\.? {1,2}${DAY}${ORDINAL},? ${YEAR}(?!\\d)`,
  // 3 February 2026, 3-Feb-2026, 3rd of February, 2026, 3. Februar 2026, 3 de fevereiro de 2026, 3 февраля 2026 г.
  `(?<!\\d)${DAY}(?:${ORDINAL}|[.º°]|er)(?: of| de)?[ -](?:d['’])?${MONTH}\\.?,?(?: del?)?[ -]${YEAR}(?!\\d)(?: ?[гр]\\.)?`,
  // 2026 Feb 3, 2026. február 3., 2026 m. vasario 3
  `(?<!\\d)${YEAR}[.,]? (?:m\\. )?${MONTH}\\.? ${DAY}(?!\\d)\\.?`,
  // 3 tháng 2, 2026, 3 tháng 2 năm 2026
  `(?<!\\d)${DAY} (?:tháng|thg) (?<month>\\d{1,2}),?(?: năm)? ${YEAR}(?!\\d)`,
  // 20260203
  '(?<!\\d)(?<year>20\\d\\d)(?<month>0[1-9]|1[0-2])(?<day>0[1-9]|[12]\\d|3[01])(?!\\d)',
  // 3.2.2026
  `(?<![\\d.])${DAY}\\.(?<month>\\d{1,2})\\.${YEAR}(?!\\d)`,
  // 17-18/02/2026 is its first day
  `(?<![\\d/])${DAY}-\\d{1,2}/(?<month>\\d{1,2})/${YEAR}(?!\\d)`,
  // 02/03/2026, read as month and day where both could be the month
  `(?<![\\d/])(?<month>\\d{1,2})/${DAY}/${YEAR}(?!\\d)`,
  // 2/3/26, the same; 2/3-5/26 is its first day
  `(?<![\\d/.])(?<month>\\d{1,2})/${DAY}(?:-\\d{1,2})?/(?<short>\\d\\d)(?![\\d/.])`,
  // 02-03-26 2:39 AM
  `(?<=^[^\\p{L}\\p{N}]{0,8})(?<month>\\d{1,2})-${DAY}-(?<short>\\d\\d)(?=,? \\d{1,2}:\\d\\d)`,
  // Tue Feb  3 21:23:34 UTC 2026, Tue Feb 3 21:23:34 2026 +0800
  `${WORD_START}${MONTH} {1,2}${DAY} (?<inside>\\d\\d:\\d\\d(?::\\d\\d)?(?: [AP]M)?(?: [A-Z]{2,5})?) ${YEAR}(?!\\d)(?<zone>${ZONE})`,
].map((form) => new RegExp(form, 'gu'));

/** Without a year, and only where nothing but marks stands before: `[02-15]`, `| 02-15 |`, `02-15 14:30`, `2月15日`, `Feb 15:`. */
const YEARLESS: readonly RegExp[] = [
  '^[^\\p{L}\\p{N}]{0,8}[[|]\\s?(?<month>\\d\\d)[-/](?<day>\\d\\d)(?=\\s?[\\]|]|[ T]\\d\\d:\\d\\d)',
  '^[^\\p{L}\\p{N}]{0,8}(?<month>\\d\\d)[-/](?<day>\\d\\d)(?=[ T]\\d\\d:\\d\\d|\\*\\*|\\s?[:：—–]|\\s*$)',
  '^[^\\p{L}\\p{N}]{0,8}(?<month>\\d{1,2})月(?<day>\\d{1,2})[日号號]',
  `^[^\\p{L}\\p{N}]{0,8}${MONTH_EN}\\.? {1,2}${DAY}${ORDINAL}(?=\\s?(?:[:)\\]*|–—-]|$)|,? \\d\\d:\\d\\d)`,
  // 15 Feb:, 15-Feb before a tab, 15 lutego, 15 de fevereiro -
  `^[^\\p{L}\\p{N}]{0,8}${DAY}(?:${ORDINAL}|\\.)(?: de)?[ -]${MONTH}\\.?(?=\\s?[:)\\]*|–—]|\\s-\\s|\\t| {2}|\\s*$)`,
].map((form) => new RegExp(form, 'giu'));

/** Forms of a day without a year inside a sentence. */
const YEARLESS_INSIDE: readonly RegExp[] = [
  '(?<![\\d年])(?<month>\\d{1,2})月(?<day>\\d{1,2})[日号號]',
  `(?:\\b(?:on|at|since|until|by)\\s|[(\\[|—–]\\s?)${MONTH_EN}\\.? ${DAY}${ORDINAL}(?![\\w%])`,
].map((form) => new RegExp(form, 'giu'));

/** Most lines name no year: a fast answer for them. */
const HAS_YEAR = /(?:19|20|21)\d\d|\d\/\d{1,2}(?:-\d{1,2})?\/\d\d|\d-\d{1,2}-\d\d,? \d/;

const WEEKDAY =
  '(?:(?:mon|tues?|wed(?:nes|s)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\\.?|(?:星期|周|週|礼拜)[一二三四五六日天]|[月火水木金土日월화수목금토일](?:曜日?|요일|(?<=[(（].)(?=[)）])))';

/** After a date: `T09:30`, ` 09:30:10`, `, 9:30 PM`, ` (Mon) at 9:30`, `] [09:30`, `_212334`. */
const TIME_AFTER = new RegExp(
  `^(?:(?:[\\])）】*_\`\\s,，·|@(（[【T~≈–—-]|\\bat\\b|${WEEKDAY}){0,8}?${CLOCK}${ZONE}|(?:[_T ]|-(?=\\d{6}))(?<compact>\\d{4}(?:\\d\\d)?)(?!\\d)(?<utc2>Z)?)`,
  'iu',
);

/** After a date as ISO 8601 writes it without marks: `T212334Z`, `T212334.5+0800`. */
const BASIC_AFTER = new RegExp(`^T(?<compact>\\d{4}(?:\\d\\d)?)(?:[.,](?<fraction>\\d{1,9}))?(?!\\d)${ZONE}`, 'u');

/** At the head of a line: `09:30`, `[09:30]`, `🕘 09:30`, `下午 2:30`, `9h30`. */
const CLOCK_FIRST = new RegExp(
  `^[\\s\\[(（【*_\`~≈|>\\p{Extended_Pictographic}\\uFE0F-]{0,12}${clockForm('[:h]')}${ZONE}(?![\\p{N}%])`,
  'iu',
);

/** At the head of a line, less strict: `凌晨 00:10`, `Night 09:30`. */
const TIME_FIRST =
  /^[^\p{N}\n]{0,12}?(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d))?(?!\d)\s?(?<half>[ap]\.?m)?/iu;

/** After a heading's date: a weekday, marks, or nothing. */
const NOTHING_MORE = new RegExp(`^[^\\p{L}\\p{N}]*(?:${WEEKDAY})?[^\\p{L}\\p{N}]*$`, 'iu');

/** A word before what may be a day without a year: `Mon 3 Feb`, `lundi 3 février`. */
const WEEKDAY_FIRST = /^[^\p{L}\p{N}]{0,8}\p{L}{2,14}\.?,?\s+(?=\d{1,2}\S{0,2}\s\p{L}|\p{Lu}\p{L}{2,8}\.? \d)/u;

/** More text than this beside a date is no weekday. UTF-16 code units. */
const MAX_BESIDE = 400;
const PART_OF_DAY = new RegExp(`^(?:morning|noon|afternoon|evening|night|[早晚]|${PARTS_OF_DAY})$`, 'iu');

/** Whether what stands beside a date is nothing but marks, a weekday or a part of the day. */
export function isDateAlone(text: string): boolean {
  if (text.length > MAX_BESIDE) return false;
  if (NOTHING_MORE.test(text)) return true;
  const [, word = ''] = /^[^\p{L}\p{N}]*(\p{L}[\p{L}\p{M}-]{0,15})[^\p{L}\p{N}]*$/u.exec(text) ?? [];
  return word !== '' && (isWeekday(word) || PART_OF_DAY.test(word));
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}

type Groups = Readonly<Record<string, string | undefined>>;

function dayOf({ short, year = short ? `20${short}` : '0000', month = '', day = '' }: Groups): string | undefined {
  const [first, second] = [/^\d/.test(month) ? Number(month) : (monthOf(month, year === '0000') ?? 0), Number(day)];
  const isSwapped = first > 12 && second <= 12;
  const [monthNumber, dayNumber] = isSwapped ? [second, first] : [first, second];
  // A year that is not written may be a leap year.
  const last = new Date(Date.UTC(Number(year) || 2000, monthNumber, 0)).getUTCDate();
  if (monthNumber < 1 || monthNumber > 12 || dayNumber < 1 || dayNumber > last) return undefined;
  return `${year}-${pad(monthNumber)}-${pad(dayNumber)}`;
}

function hoursOf(hour: number, half: string, noon: string): number {
  if (half === 'p' || /下午|傍晚|晚上|深夜/.test(noon))
    return hour < 12 && !(noon === '深夜' && hour < 6) ? hour + 12 : hour;
  return (half === 'a' || noon === '凌晨') && hour === 12 ? 0 : hour;
}

/** The time of a day that groups of a form say; `undefined` where it is none. */
function clockOf(groups: Groups | undefined, end: number, isIso = false): FoundClock | undefined {
  if (!groups) return undefined;
  const { compact = '', half = '', noon = '', sign, utc = groups.utc2, zoneHour = '0', zoneMinute = '0' } = groups;
  const second = compact.slice(4) || (groups.second ?? groups.second2 ?? '');
  const minute = Number(compact.slice(2, 4) || (groups.minute ?? groups.minute2 ?? (half === '' ? '99' : '0')));
  const hour = hoursOf(Number(compact.slice(0, 2) || (groups.hour ?? '99')), half.slice(0, 1).toLowerCase(), noon);
  if (hour > 23 || minute > 59 || Number(second) > 59) return undefined;
  const east = Number(zoneHour) * 60 + Number(zoneMinute);
  // `08:30-09:15` is a span of time.
  const isSpan =
    sign === '-' && groups.zoneMinute !== undefined && second === '' && !isIso && east > hour * 60 + minute;
  const offset = isSpan ? undefined : utc ? 0 : sign && east <= 14 * 60 ? (sign === '-' ? -east : east) : undefined;
  const time = [hour, minute, Number(second)].map(pad).join(':');
  return { time, hasSeconds: second !== '', fraction: groups.fraction ?? '', offset, end };
}

function firstOf(forms: readonly RegExp[], text: string): Omit<FoundDate, 'time'> | undefined {
  let found: (Omit<FoundDate, 'time'> & { readonly inside?: string | undefined }) | undefined;
  for (const form of forms) {
    form.lastIndex = 0;
    // A word that is no month may stand before one that is.
    for (let match = form.exec(text); match; match = form.exec(text)) {
      const day = match.groups && dayOf(match.groups);
      if (day === undefined) continue;
      const { inside, zone = '' } = match.groups ?? {};
      if (!found || match.index < found.index)
        found = { day, index: match.index, end: match.index + match[0].length, inside: inside && inside + zone };
      break;
    }
    // Nothing that stands before the first digit can be an earlier date.
    if (found && !/\d/.test(text.slice(0, found.index))) break;
  }
  const clock = found?.inside === undefined ? undefined : CLOCK_FIRST.exec(found.inside);
  if (!clock || !found) return found;
  const zone = found.inside?.slice(clock[0].length).trim();
  return { ...found, clock: clockOf(clock.groups, found.end, true), zone };
}

/**
 * The first date in a text, in any usual spelling, with the time behind it. Give it a line's head: cost is linear in it.
 * Without a year only at the head of the text; with `inside`, in a sentence too. Without `spans`, `08:30-09:15` is a
 * time and its zone.
 */
export function findDate(text: string, { inside = false, spans = true } = {}): FoundDate | undefined {
  if (!/\d/.test(text)) return undefined;
  const full = HAS_YEAR.test(text) ? firstOf(FORMS, text) : undefined;
  const weekday = full ? '' : (WEEKDAY_FIRST.exec(text)?.[0] ?? '');
  const start = weekday !== '' && isDateAlone(weekday) ? weekday.length : 0;
  const bare = full ? undefined : firstOf(YEARLESS, text.slice(start));
  const yearless = bare && { ...bare, index: bare.index + start, end: bare.end + start };
  const found = full ?? yearless ?? (inside ? firstOf(YEARLESS_INSIDE, text) : undefined);
  if (!found) return undefined;
  const after = text.slice(found.end, found.end + 60);
  const behind = BASIC_AFTER.exec(after) ?? TIME_AFTER.exec(after);
  const isZoned = !spans || behind?.[0].startsWith('T');
  const clock = found.clock ?? clockOf(behind?.groups, found.end + (behind?.[0].length ?? 0), isZoned);
  return { day: found.day, index: found.index, end: found.end, time: clock?.time ?? '', clock, zone: found.zone };
}

/** The time at the head of a line that names no day, as `HH:MM:SS`; empty when there is none. */
export function findTime(line: string): string {
  return clockOf(TIME_FIRST.exec(line)?.groups, 0)?.time ?? '';
}

/** The time that a text starts with, marks aside. */
export function findClock(text: string): FoundClock | undefined {
  const match = CLOCK_FIRST.exec(text);
  return match ? clockOf(match.groups, match[0].length) : undefined;
}

/** A text that is a time and no more. */
export interface WholeTime {
  /** Whether it names a day; else `ms` is since midnight. */
  readonly isDated: boolean;
  /** Since 1970 in UTC, which also stands for a zone that the text does not name. May have a fraction. */
  readonly ms: number;
  /** Name of a zone that is not known, such as CST: times order only within it. Empty without. */
  readonly zone: string;
}

/** The time that a text is: a date, with or without a time of day, or a time of day alone. */
export function wholeTime(text: string): WholeTime | undefined {
  const date = findDate(text, { spans: false });
  const clock = date ? date.clock : findClock(text);
  const end = clock?.end ?? date?.end;
  if (end === undefined || date?.day.startsWith('0000')) return undefined;
  const rest = text.slice(end);
  if (/\d/.test(rest) || !isDateAlone(text.slice(0, date?.index ?? 0))) return undefined;
  const { time = '00:00:00', fraction = '', offset } = clock ?? {};
  const ms = Date.parse(`${date?.day ?? '1970-01-01'}T${time}Z`) + Number(`0.${fraction}`) * 1000;
  const zone = offset === undefined ? `${date?.zone ?? ''}${rest}`.replace(/[^\p{L}]/gu, '') : '';
  return { isDated: date !== undefined, ms: ms - (offset ?? 0) * 60_000, zone };
}

/** Whether nothing but marks, such as brackets, emphasis and emoji, or a weekday stands before a date. */
export function isDateFirst(line: string, { index }: Pick<FoundDate, 'index'>): boolean {
  return index <= 24 && isDateAlone(line.slice(0, index));
}

/** Whether a line is a day and no more. */
export function isBareDate(text: string): boolean {
  const date = findDate(text);
  return date !== undefined && isDateAlone(`${text.slice(0, date.index)} ${text.slice(date.clock?.end ?? date.end)}`);
}

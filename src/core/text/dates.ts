/** Dates as people write them in notes and logs: which day a line names. */

/** A date in a text. */
export interface FoundDate {
  /** `YYYY-MM-DD`; the year is `0000` where none is written. */
  readonly day: string;
  /** `HH:MM:SS`, empty without a time. Sortable. */
  readonly time: string;
  /** Where it starts, and the end of its day. */
  readonly index: number;
  readonly end: number;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const YEAR = '(?<year>(?:19|20|21)\\d\\d)';
const DAY = '(?<day>\\d{1,2})';

/** Full dates. Each names year, month and day. */
const FORMS: readonly RegExp[] = [
  // 2026-02-03, 2026/2/3, 2026.02.03
  `(?<![\\dv])${YEAR}(?<mark>[-/.])(?<month>\\d{1,2})\\k<mark>${DAY}(?!\\d)`,
  // 2026年2月3日, 2026년 2월 3일
  `(?<!\\d)${YEAR}\\s?[年년]\\s?(?<month>\\d{1,2})\\s?[月월]\\s?${DAY}(?!\\d)`,
  // Feb 3, 2026
  `\\b${MONTH}\\.? ${DAY}(?:st|nd|rd|th)?,? ${YEAR}(?!\\d)`,
  // 3 February 2026, 3-Feb-2026, 3rd of February, 2026
  `(?<!\\d)${DAY}(?:st|nd|rd|th)?(?: of)?[ -]${MONTH}\\.?,?[ -]${YEAR}(?!\\d)`,
  // 20260203
  '(?<!\\d)(?<year>20\\d\\d)(?<month>0[1-9]|1[0-2])(?<day>0[1-9]|[12]\\d|3[01])(?!\\d)',
  // 3.2.2026
  `(?<![\\d.])${DAY}\\.(?<month>\\d{1,2})\\.${YEAR}(?!\\d)`,
  // 02/03/2026, read as month and day where both could be the month
  `(?<![\\d/])(?<month>\\d{1,2})/${DAY}/${YEAR}(?!\\d)`,
].map((form) => new RegExp(form, 'iu'));

/** Without a year, and only where nothing but marks stands before: `[02-15]`, `| 02-15 |`, `2月15日`, `Feb 15:`. */
const YEARLESS: readonly RegExp[] = [
  /^[^\p{L}\p{N}]{0,8}[[|]\s?(?<month>\d\d)[-/](?<day>\d\d)\s?[\]|]/u,
  /^[^\p{L}\p{N}]{0,8}(?<month>\d{1,2})月(?<day>\d{1,2})[日号]/u,
  new RegExp(`^[^\\p{L}\\p{N}]{0,8}${MONTH}\\.? ${DAY}(?:st|nd|rd|th)?(?=\\s?(?:[:)\\]*|–—-]|$))`, 'iu'),
];

/** Most lines name no year: a fast answer for them. */
const HAS_YEAR = /(?:19|20|21)\d\d/;

/** After a date: `T09:30`, ` 09:30:10`, `, 9:30 PM`. */
const TIME_AFTER = /^[^\d\n]{0,8}?(?:T|[\s,]|\bat\b)\s?(?<time>\d{1,2}:\d\d(?::\d\d)?)(?!\d)\s?(?<half>[ap]\.?m)?/iu;

/** At the head of a line: `09:30`, `[09:30]`, `凌晨 00:10`. */
const TIME_FIRST = /^[^\p{N}\n]{0,12}?(?<time>\d{1,2}:\d\d(?::\d\d)?)(?!\d)\s?(?<half>[ap]\.?m)?/iu;

function pad(number: number): string {
  return String(number).padStart(2, '0');
}

function dayOf({ year = '0000', month = '', day = '' }: Record<string, string | undefined>): string | undefined {
  const named = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  const [first, second] = [named || Number(month), Number(day)];
  const isSwapped = first > 12 && second <= 12;
  const [monthNumber, dayNumber] = isSwapped ? [second, first] : [first, second];
  if (monthNumber < 1 || monthNumber > 12 || dayNumber < 1 || dayNumber > 31) return undefined;
  return `${year}-${pad(monthNumber)}-${pad(dayNumber)}`;
}

/** `HH:MM:SS`; empty where it is no time of a day. */
function timeOf(groups: Record<string, string | undefined> | undefined): string {
  const [hour = 99, minute = 0, second = 0] = (groups?.time ?? '').split(':').map(Number);
  const half = groups?.half?.[0]?.toLowerCase();
  const hours = half === 'p' && hour < 12 ? hour + 12 : half === 'a' && hour === 12 ? 0 : hour;
  return groups?.time && hours < 24 && minute < 60 ? [hours, minute, second].map(pad).join(':') : '';
}

/** The first date in a text, in any usual spelling, with the time behind it. Give it a line's head: cost is linear in it. */
export function findDate(text: string): FoundDate | undefined {
  let found: Omit<FoundDate, 'time'> | undefined;
  for (const form of HAS_YEAR.test(text) ? FORMS : /\d/.test(text) ? YEARLESS : []) {
    const match = form.exec(text);
    const day = match?.groups && dayOf(match.groups);
    if (match && day && (!found || match.index < found.index))
      found = { day, index: match.index, end: match.index + match[0].length };
    // Nothing that stands before the first digit can be an earlier date.
    if (found && !/\d/.test(text.slice(0, found.index))) break;
  }
  if (!found) return undefined;
  return { ...found, time: timeOf(TIME_AFTER.exec(text.slice(found.end, found.end + 40))?.groups) };
}

/** The time at the head of a line that names no day, as `HH:MM:SS`; empty when there is none. */
export function findTime(line: string): string {
  return timeOf(TIME_FIRST.exec(line)?.groups);
}

/** Whether nothing but marks, such as brackets, emphasis and emoji, stands before a date. */
export function isDateFirst(line: string, { index }: FoundDate): boolean {
  return index <= 16 && !/[\p{L}\p{N}]/u.test(line.slice(0, index));
}

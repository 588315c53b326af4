/** Names of months and weekdays in many languages, from the runtime's own tables. */

/** Languages that name months by words of their own. Croatian is not one: its `listopad` is October, that of its neighbours November. */
const LANGUAGES =
  'en de fr es pt it nl pl cs sk sl sr sr-Latn bg mk ru uk be ro hu tr az sv da nb fi et lv lt el id ms ca gl eu sq is kk uz ar he fa hi';

const ENGLISH =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/i;
/** Whether a word is a month in English. */
export const isEnglishMonth = (word: string): boolean => ENGLISH.test(word);
const ENGLISH_HEADS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Ways of a language to write a month: alone, beside a day (often another case) and short. */
const FORMS: readonly Intl.DateTimeFormatOptions[] = [
  { month: 'long' },
  { month: 'long', day: 'numeric' },
  { month: 'short', day: 'numeric' },
];

/** Accents are often left out. */
const bare = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/^(?:de |d['’])|\.$/gu, '');

interface Month {
  readonly number: number;
  readonly isWhole: boolean;
}

/** Names of the languages read so far. Tables load one by one: each costs milliseconds. */
const months = new Map<string, Month>();
const unread = LANGUAGES.split(' ');

function readMonths(language: string): void {
  for (const form of FORMS) {
    const format = new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC', calendar: 'gregory' });
    for (let number = 1; number <= 12; number++) {
      const parts = format.formatToParts(Date.UTC(2025, number - 1, 15));
      const name = bare(parts.find(({ type }) => type === 'month')?.value ?? '');
      const isWhole = months.get(name)?.isWhole === true || form.month === 'long';
      // What a language before it calls a month stays that month.
      if (/^\p{L}{3,}$/u.test(name)) months.set(name, { number: months.get(name)?.number ?? number, isWhole });
    }
  }
}

/** Short capitals between a time and a year are a zone. */
const ZONE = /^[A-Z]{3,4}$/;

/** The month that a word names, 1…12; with `isWhole`, a short name counts in English alone. */
export function monthOf(word: string, isWhole = false): number | undefined {
  if (ENGLISH.test(word)) return ENGLISH_HEADS.indexOf(word.slice(0, 3).toLowerCase()) + 1;
  if (ZONE.test(word)) return undefined;
  const name = bare(word);
  let month = months.get(name);
  // What is short in one language may be whole in a later one.
  while (!(month && (month.isWhole || !isWhole)) && unread.length > 0) {
    readMonths(unread.shift() ?? '');
    month = months.get(name);
  }
  return month && (month.isWhole || !isWhole) ? month.number : undefined;
}

/** Languages whose weekdays stand beside dates, beside English, Chinese, Japanese and Korean. */
const OF_WEEKDAYS = 'de fr es pt it nl pl cs ru uk tr sv';
let weekdays: ReadonlySet<string> | undefined;

function readWeekdays(): ReadonlySet<string> {
  const names = new Set<string>();
  for (const language of OF_WEEKDAYS.split(' ')) {
    for (const weekday of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' });
      for (let day = 1; day <= 7; day++) names.add(bare(format.format(Date.UTC(2025, 0, day))));
    }
  }
  return names;
}

/** Whether a word names a day of the week, such as `Montag`, `ven`, `terça-feira`. */
export function isWeekday(word: string): boolean {
  weekdays ??= readWeekdays();
  return weekdays.has(bare(word));
}

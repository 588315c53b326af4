/** The order of a list: which date an entry has, and which entries are newest. */

import { type FoundDate, findDate, findTime, isDateFirst } from '../../text/dates';

/** The place of an entry in its list; filled in when the list is complete. */
export interface Place {
  readonly line: number;
  readonly date: FoundDate | undefined;
  rank: number;
  day: string;
}

/** How far into a line a date is looked for. */
const DATE_HEAD_CHARS = 80;
const JSON_DATE_CHARS = 300;

const ROW_DATE_CELLS = /^(?:\|[^|]*){1,2}\|?/;

/** `logs/2026-02-03.md`, `2026-02-03-notes.md`: the name of a file says nothing about the line. */
function isInPath(text: string, { index }: FoundDate): boolean {
  return (
    text[index - 1] === '/' || /^[\w-]*\.(?:md|txt|json|jsonl|log|csv|ya?ml|html)\b/.test(text.slice(index, index + 80))
  );
}

/** A day in any spelling but in a path, or a time where a heading above names the day. */
export function entryDate(text: string, day: string): FoundDate | undefined {
  const found = findDate(text.slice(0, DATE_HEAD_CHARS));
  if (found && !isInPath(text, found)) return found;
  const time = day === '' ? '' : findTime(text);
  return time === '' ? undefined : { day, time, index: 0, end: 0 };
}

/** The date that a title starts or ends with: others name a version or speak of a day. */
export function titleDate(title: string, day: string): FoundDate | undefined {
  const date = entryDate(title, day);
  const isAtEdge = date && (isDateFirst(title, date) || !/\p{Lo}{3,}|\p{L}{5,}/u.test(title.slice(date.end)));
  return isAtEdge ? date : undefined;
}

/** The date in the first two cells: one farther right says when a row was checked, not that the table is a log. */
export function rowDate(row: string): FoundDate | undefined {
  return findDate((ROW_DATE_CELLS.exec(row)?.[0] ?? '').slice(0, DATE_HEAD_CHARS));
}

/** Dates of messages and lines of JSON; none where one of them has none, since texts may speak of any day. */
export function recordDates(heads: readonly string[]): readonly (FoundDate | undefined)[] {
  const dates = heads.map((head) => {
    const date = findDate(head.slice(0, JSON_DATE_CHARS));
    return date && (head.startsWith('{') || isDateFirst(head, date)) ? date : undefined;
  });
  return dates.includes(undefined) ? [] : dates;
}

function datesBalance(places: readonly Place[]): number {
  let balance = 0;
  let before: FoundDate | undefined;
  for (const { date } of places) {
    if (!date) continue;
    if (before && date.day !== before.day) balance += date.day > before.day ? 1 : -1;
    else if (before?.time && date.time && date.time !== before.time) balance += date.time > before.time ? 1 : -1;
    before = date;
  }
  return balance;
}

/** Ranks a list: by day, within a day by the end at which the newest stand; without years by that end alone. */
export function rankPlaces(places: readonly Place[], newestEnd?: 'first' | 'last'): void {
  const end = newestEnd ?? (datesBalance(places) < 0 ? 'first' : 'last');
  let day = places.find(({ date }) => date)?.date?.day ?? '';
  for (const place of places) {
    day = place.date?.day ?? day;
    place.day = day.startsWith('0000') ? '' : day;
  }
  const isByDay = newestEnd === undefined && places.every((place) => place.day !== '');
  const newest = end === 'first' ? [...places] : places.toReversed();
  if (isByDay) newest.sort((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0));
  for (const [rank, place] of newest.entries()) place.rank = rank;
}

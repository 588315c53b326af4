/** What a text may be about, told by ids and words. */

/** `T1`, `TASK-12`, `AUTH-3.2`, `S01`; Chinese writes no blanks around them. */
const ID = /(?<![^\P{L}\p{Script=Han}]|[\p{N}_-])[A-Z]{1,10}[-_]?\d+(?:\.\d+)*(?![^\P{L}\p{Script=Han}]|[\p{N}_])/gu;

/** What ids of one style begin with. */
export const stemOf = (id: string): string => /^[A-Za-z]*/.exec(id)?.[0].toUpperCase() ?? '';

/** Words of less are in every text. */
const MIN_WORD_CHARS = 5;

/** Where an id stands in a text: its offsets in UTF-16 code units. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** Places of what looks like an id of a task or step, upper case, in the order of the text. */
export function idPlaces(text: string): readonly Place[] {
  return [...text.matchAll(ID)].map(({ 0: id, index }) => ({ start: index, end: index + id.length }));
}

/** Ids of tasks or steps that a text names, in the style of `known` ones: beside `T1`, `UTF-8` is none. Upper case. */
export function idsIn(text: string, known: readonly string[]): ReadonlySet<string> {
  const stems = new Set(known.map(stemOf));
  return new Set((text.match(ID) ?? []).filter((id) => stems.has(stemOf(id))));
}

const isWordUnit = (text: string, at: number): boolean => at >= 0 && at < text.length && /[\w-]/.test(text.charAt(at));

/** In lower case, of the same length: `İ` alone would be longer. */
const lowered = (text: string): string => text.replaceAll('İ', 'I').toLowerCase();

/** Places where `text` names `id` as a word of its own, in any case. Linear. */
export function placesOf(text: string, id: string): readonly Place[] {
  const [hay, needle] = [lowered(text), lowered(id)];
  const places: Place[] = [];
  for (let at = needle === '' ? -1 : hay.indexOf(needle); at >= 0; at = hay.indexOf(needle, at + 1)) {
    const end = at + needle.length;
    const startsWord = !isWordUnit(needle, 0) || !isWordUnit(hay, at - 1);
    const endsWord = !isWordUnit(needle, needle.length - 1) || !isWordUnit(hay, end);
    // `T1.2` is no `T1`.
    if (startsWord && endsWord && !/^\.\d/.test(hay.slice(end, end + 2))) places.push({ start: at, end });
  }
  return places;
}

/** Whether `text` names `id` as a word of its own, in any case. Linear. */
export function hasId(text: string, id: string): boolean {
  return placesOf(text, id).length > 0;
}

/** Words that tell texts apart: five letters or more, lower case; of Chinese and Japanese each two characters. */
export function wordsIn(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const [run] of text.toLowerCase().matchAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu)) {
    for (let at = 0; at + 1 < run.length; at++) words.add(run.slice(at, at + 2));
  }
  for (const [word] of text.toLowerCase().matchAll(/[\p{Script=Latin}\p{Script=Cyrillic}\p{N}_]+/gu)) {
    if (word.length >= MIN_WORD_CHARS) words.add(word);
  }
  return words;
}

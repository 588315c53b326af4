/** What a text may be about, told by ids and words. */

/** `T1`, `TASK-12`, `AUTH-3.2`, `S01`; Chinese has no blanks around them. */
const ID = /(?<![\w-])[A-Z]{1,10}[-_]?\d+(?:\.\d+)*(?!\w)/g;

/** What ids of one style begin with. */
const stemOf = (id: string): string => /^[A-Za-z]*/.exec(id)?.[0].toUpperCase() ?? '';

/** Words of less are in every text. */
const MIN_WORD_CHARS = 5;

/** Ids of tasks or steps that a text names, in the style of `known` ones: beside `T1`, `UTF-8` is none. Upper case. */
export function idsIn(text: string, known: readonly string[]): ReadonlySet<string> {
  const stems = new Set(known.map(stemOf));
  return new Set((text.match(ID) ?? []).filter((id) => stems.has(stemOf(id))));
}

const isWordUnit = (text: string, at: number): boolean => at >= 0 && at < text.length && /[\w-]/.test(text.charAt(at));

/** Whether `text` names `id` as a word of its own, in any case. Linear. */
export function hasId(text: string, id: string): boolean {
  if (id === '') return false;
  const [hay, needle] = [text.toLowerCase(), id.toLowerCase()];
  for (let at = hay.indexOf(needle); at >= 0; at = hay.indexOf(needle, at + 1)) {
    const startsWord = !isWordUnit(needle, 0) || !isWordUnit(hay, at - 1);
    const endsWord = !isWordUnit(needle, needle.length - 1) || !isWordUnit(hay, at + needle.length);
    if (startsWord && endsWord) return true;
  }
  return false;
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

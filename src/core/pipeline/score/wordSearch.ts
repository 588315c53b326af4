/**
 * Finding a word in a text without cutting the text into words: most of what is searched has none of what is looked
 * for, and a search in a string costs a hundredth of splitting it. Finds what splitting and stemming would find.
 */
import { stemOf } from '../../text/terms';

/** Scripts that write words without spaces begin here (CJK radicals); what lies before is written with spaces. */
const FIRST_UNSPACED = 0x2e80;
/** Latin letters beyond ASCII begin here. */
const FIRST_LETTER = 0xc0;
/** What NFKC would write otherwise and texts do have: combining marks, full-width and half-width forms. */
const TO_NORMALIZE = /[\u0300-\u036f\uff00-\uffef]/;

/** A text ready to be searched. */
export interface SearchableText {
  readonly text: string;
  /** The text in lower case, code unit by code unit. */
  readonly lower: string;
}

/** A word to look for. */
export interface SearchWord {
  readonly word: string;
  /** What every form of the word starts with. */
  readonly needle: string;
  readonly stem: string;
  /** Found wherever it stands: pairs of characters, compounds with an underscore. */
  readonly isLiteral: boolean;
}

/** Prepares a text; linear. */
export function toSearchable(text: string): SearchableText {
  // To normalize all would cost more than the search.
  const normal = TO_NORMALIZE.test(text) ? text.normalize('NFKC') : text;
  const lower = normal.toLowerCase();
  // `İ` becomes two code units: without places that agree, case says nothing of parts.
  return { text: lower.length === normal.length ? normal : lower, lower };
}

/** Prepares a lower-case word. */
export function wordOf(word: string): SearchWord {
  const isLiteral = word.includes('_') || (word.codePointAt(0) ?? 0) >= FIRST_UNSPACED;
  const stem = isLiteral ? word : stemOf(word);
  // `queries` has the stem `query`.
  return {
    word,
    needle: !isLiteral && stem.length > 2 && stem.endsWith('y') ? stem.slice(0, -1) : stem,
    stem,
    isLiteral,
  };
}

function isUpper(unit: number): boolean {
  return unit >= 65 && unit <= 90;
}

function isLower(unit: number): boolean {
  return unit >= 97 && unit <= 122;
}

function isWordUnit(unit: number): boolean {
  if (unit < 128) return isLower(unit) || isUpper(unit) || (unit >= 48 && unit <= 57);
  return unit >= FIRST_LETTER && unit < FIRST_UNSPACED;
}

/** Whether a part of an identifier, or a word, starts at `at`. */
function isPartStart(text: string, at: number): boolean {
  const [before, unit] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  if (at === 0 || !isWordUnit(before)) return true;
  return isUpper(unit) && (!isUpper(before) || isLower(text.charCodeAt(at + 1)));
}

function partEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && isWordUnit(text.charCodeAt(at)) && !isPartStart(text, at)) at++;
  return at;
}

/** Whether the word, or another form of it, is in the text, as a word or as a part of an identifier. */
export function hasWord({ text, lower }: SearchableText, { word, needle, stem, isLiteral }: SearchWord): boolean {
  for (let at = lower.indexOf(needle); at >= 0; at = lower.indexOf(needle, at + 1)) {
    if (isLiteral) return true;
    if (!isPartStart(text, at)) continue;
    const part = lower.slice(at, partEnd(text, at));
    if (part === word || stemOf(part) === stem) return true;
  }
  return false;
}

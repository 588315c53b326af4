/**
 * Terms of a text as keywords: decides what a word is compared by and how much it says by itself, whatever payload it is
 * in. Words are compared by their stem, identifiers whole and by their parts, Chinese by pairs of characters.
 */
import { STOP_WORDS } from '../../text/stopWords';
import { splitIdentifier, stemOf } from '../../text/terms';
import { COMMON_PAIRS, COMMON_STEMS } from './commonWords';

/** One term where it stands. */
export interface Term {
  /** What it is compared by. */
  readonly key: string;
  /** The word as it stands there, or the pair of characters. */
  readonly text: string;
  /** How much it says, 0…1.2; the payload's idf comes on top. */
  readonly weight: number;
  /** Words from the start of the text; a character of Chinese is half a word. */
  readonly position: number;
  /** Terms with the same number come from one word, or overlap: together they are one finding. */
  readonly word: number;
}

/**
 * Weights by looks. Tuned on the dev part of the labelled replies (test/fixtures/citations): an identifier is seldom
 * chance; an ordinary word is; long words are more special than short ones; a pair of characters is half a word.
 */
const WEIGHTS = {
  identifier: 1.2,
  acronym: 1,
  long: 1,
  middle: 0.85,
  short: 0.6,
  tiny: 0.3,
  ordinary: 0.12,
  /** Of the weight of the word that a part of an identifier is. */
  part: 0.5,
  pair: 0.5,
  ordinaryPair: 0.1,
  /** `12,840`, `21:14`, `8093`. */
  number: 0.9,
  shortNumber: 0.4,
  year: 0.2,
} as const;

/** A longer word is a blob. UTF-16 code units. */
const MAX_WORD_CHARS = 60;

const WIDE = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
/** One class a word: a group that repeats would keep a way back for each character of a word of megabytes. */
const TOKEN = new RegExp(`[${WIDE}]+|\\d+(?:[.,:]\\d+){0,8}(?![\\p{L}_$])|[[\\p{L}\\p{M}\\p{N}_$]--[${WIDE}]]+`, 'gv');
const WIDE_START = new RegExp(`^[${WIDE}]`, 'u');
const IS_IDENTIFIER = /[_$]|\p{Ll}\p{Lu}|\p{L}\p{N}|\p{N}\p{L}/u;
const IS_ACRONYM = /^\p{Lu}{2,}s?$/u;

function wordWeight(word: string, stem: string): number {
  if (COMMON_STEMS.has(stem) || COMMON_STEMS.has(word)) return WEIGHTS.ordinary;
  if (word.length >= 7) return WEIGHTS.long;
  if (word.length >= 5) return WEIGHTS.middle;
  return word.length === 4 ? WEIGHTS.short : WEIGHTS.tiny;
}

function numberWeight(text: string): number {
  if (/^(?:19|20)\d\d$/u.test(text)) return WEIGHTS.year;
  const digits = text.replace(/\D/gu, '').length;
  if (digits < 3) return 0;
  return digits > 3 ? WEIGHTS.number : WEIGHTS.shortNumber;
}

/** Collects the terms of one text. */
class TermReader {
  readonly terms: Term[] = [];
  #position = 0;
  #word = 0;

  read(text: string): readonly Term[] {
    for (const [token] of text.matchAll(TOKEN)) {
      this.#word++;
      if (WIDE_START.test(token)) this.#pairs(token);
      else if (/^\d/u.test(token) && !IS_IDENTIFIER.test(token))
        this.#add(token.replaceAll(',', ''), token, numberWeight(token));
      else if (token.length <= MAX_WORD_CHARS) this.#wordTerms(token);
      this.#position++;
    }
    return this.terms;
  }

  #add(key: string, text: string, weight: number): void {
    if (weight > 0) this.terms.push({ key, text, weight, position: this.#position, word: this.#word });
  }

  #wordTerms(token: string): void {
    const lower = token.toLowerCase();
    if (STOP_WORDS.has(lower)) return;
    const stem = stemOf(lower);
    if (IS_ACRONYM.test(token)) {
      this.#add(stem, token, Math.max(wordWeight(lower, stem), COMMON_STEMS.has(stem) ? 0 : WEIGHTS.acronym));
      return;
    }
    if (!IS_IDENTIFIER.test(token)) {
      this.#add(stem, token, wordWeight(lower, stem));
      return;
    }
    this.#add(lower, token, WEIGHTS.identifier);
    for (const part of splitIdentifier(token)) {
      const partStem = stemOf(part);
      if (part !== lower && !STOP_WORDS.has(part))
        this.#add(partStem, token, wordWeight(part, partStem) * WEIGHTS.part);
    }
  }

  #pairs(run: string): void {
    const characters = [...run];
    for (let at = 0; at + 1 < characters.length; at++) {
      const pair = `${characters[at]}${characters[at + 1]}`;
      this.#add(pair, pair, COMMON_PAIRS.has(pair) ? WEIGHTS.ordinaryPair : WEIGHTS.pair);
      this.#position += 0.5;
      // Pairs that overlap are of one word; every other one stands for itself.
      if (at % 2 === 1) this.#word++;
    }
  }
}

/** The terms of `text`, in order. Linear. */
export function keywordTerms(text: string): readonly Term[] {
  return new TermReader().read(text);
}

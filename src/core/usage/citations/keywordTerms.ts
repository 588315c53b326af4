/**
 * Terms of a text as keywords: decides what a word is compared by and how much it says by itself, whatever payload it is
 * in. Words are compared by their stem, identifiers whole and by their parts, Chinese by pairs of characters.
 */
import { pairBits, stemBits } from '../../text/commonness';
import { STOP_WORDS, splitIdentifier, stemOf } from '../../text/terms';

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

/** Bits (`commonness.ts`) of a word that says nothing, and of one that says as much as a word can. */
const ORDINARY_BITS = 2;
const RARE_BITS = 9;
const ORDINARY_PAIR_BITS = 1.5;

/** Words that stand together have at most a function word between them. */
const NEIGHBOUR_WORDS = 2;

/**
 * Weights by the shape of a word, where 1 is a word that hardly any text has: an identifier is seldom chance. Tuned on
 * the dev part of the labelled replies (test/fixtures/citations) and on replies over payloads of public repositories.
 */
const WEIGHTS = {
  identifier: 1.2,
  /** Of an identifier of ordinary words, without them: `user_id` is everybody's. */
  identifierAlone: 0.4,
  acronym: 1,
  /** At most, of four letters and of fewer. */
  short: 0.7,
  tiny: 0.4,
  /** Of the weights of two words that stand together, which they are worth beside them. */
  neighbours: 0.4,
  /** Of the weight of a pair of characters, where one of them is in every sentence. */
  functionPair: 0.8,
  /** Of the weight of the word that a part of an identifier is. */
  part: 0.5,
  /** `12,840`, `21:14`, `8093`. */
  number: 0.9,
  shortNumber: 0.4,
  twoDigits: 0.2,
  roundNumber: 0.1,
  /** `120s`, beside its number. */
  measured: 0.3,
  year: 0.2,
  /** `14 MB`, `Rule 6`: a small number with its noun is a fact. */
  counted: 0.6,
  /** Beside the word in it: `trash` is meant as it stands. */
  span: 0.5,
} as const;

/** A small number and what it counts or numbers; a zero and a one are counted everywhere. */
const COUNTED =
  /(?<![\p{L}\p{N}.,/#~-])(?<!\d:)(?:(\p{Lu}\p{L}{2,15})[ ](\d{1,3})|(\d{2,3})[ ]?([a-zA-Z]{2,15}))(?![\p{L}\p{N}]|[.,:/]\d)|(?<![\p{L}\p{N}.,/#~-])(?<!\d:)\d{2,3}[ ]?(?!个)\p{Script=Han}/gu;
/** One word of inline code. */
const SPAN = /`([\w.:/@$-]{2,40})`/gu;

/** A longer word is a blob. UTF-16 code units. */
const MAX_WORD_CHARS = 60;

const WIDE = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
/** One class a word: a group that repeats would keep a way back for each character of a word of megabytes. */
const TOKEN = new RegExp(
  `[${WIDE}]+|\\d+(?:[.,:]\\d+){0,8}(?![\\p{L}\\p{N}_$])|[[\\p{L}\\p{M}\\p{N}_$]--[${WIDE}]]+`,
  'gv',
);
const WIDE_START = new RegExp(`^[${WIDE}]`, 'u');
const IS_IDENTIFIER = /[_$]|\p{Ll}\p{Lu}|\p{L}\p{N}|\p{N}\p{L}/u;
const IS_ACRONYM = /^\p{Lu}{2,}s?$/u;

/** By its commonness; a short word that is rare is an abbreviation of anything. */
function wordWeight(word: string, stem: string): number {
  const weight = Math.max(0, (stemBits(stem) - ORDINARY_BITS) / (RARE_BITS - ORDINARY_BITS));
  if (word.length > 4) return weight;
  return Math.min(weight, word.length === 4 ? WEIGHTS.short : WEIGHTS.tiny);
}

/** Characters that Chinese sentences are held together by: a pair with one is mostly no word. */
const FUNCTION_CHARACTER =
  /[一上下不与且个中为么也了些从以们你但会其再则到前又各后吗吧呢和她如它对就己并得我或所才把是更最有来次此每没的着能自若被要该说还这过那都里让起给去看做先在他很用而]/gu;

function pairWeight(pair: string): number {
  const weight = Math.max(0, (pairBits(pair) - ORDINARY_PAIR_BITS) / RARE_BITS);
  return weight * WEIGHTS.functionPair ** (pair.match(FUNCTION_CHARACTER)?.length ?? 0);
}

function numberWeight(text: string): number {
  if (/^(?:19[89]|20[0-3])\d$/u.test(text)) return WEIGHTS.year;
  const digits = text.replace(/\D/gu, '').length;
  if (digits < 2) return 0;
  if (digits === 2) return text.endsWith('0') ? WEIGHTS.roundNumber : WEIGHTS.twoDigits;
  return digits > 3 ? WEIGHTS.number : WEIGHTS.shortNumber;
}

/** The keys of a word, with their weights: an identifier has its own and those of its parts. */
function wordKeys(token: string): readonly (readonly [key: string, weight: number])[] {
  const lower = token.toLowerCase();
  // A letter alone is an item of a list, an option, what an apostrophe cuts off.
  if (STOP_WORDS.has(lower) || token.length < 2) return [];
  const stem = stemOf(lower);
  const weight = wordWeight(lower, stem);
  if (IS_ACRONYM.test(token)) return [[stem, stemBits(stem) > 7 ? WEIGHTS.acronym : weight]];
  if (!IS_IDENTIFIER.test(token)) return [[stem, weight]];
  const measured = /^(\d+)[a-z]{1,3}$/u.exec(lower)?.[1];
  if (measured !== undefined)
    return [
      [lower, WEIGHTS.measured],
      [measured, numberWeight(measured)],
    ];
  const parts = partsOf(token);
  const own = parts.filter(([part]) => part !== stem);
  return [[lower, nameWeightOf(parts)], ...own.map(([part, says]) => [part, says * WEIGHTS.part] as const)];
}

/** Stems of the words of an identifier, with their weights. */
function partsOf(name: string): readonly (readonly [stem: string, weight: number])[] {
  return splitIdentifier(name).flatMap((part) => {
    const stem = stemOf(part);
    return STOP_WORDS.has(part) ? [] : [[stem, wordWeight(part, stem)] as const];
  });
}

function nameWeightOf(parts: readonly (readonly [stem: string, weight: number])[]): number {
  return Math.min(
    WEIGHTS.identifier,
    parts.reduce<number>((sum, [, weight]) => sum + weight, WEIGHTS.identifierAlone),
  );
}

/** Of an identifier as a whole: more than its parts together, up to what a name is worth. */
export function nameWeight(name: string): number {
  return nameWeightOf(partsOf(name));
}

/** Terms that are more than a word, by where they begin. */
function phrasesOf(
  text: string,
): ReadonlyMap<number, readonly (readonly [key: string, said: string, weight: number])[]> {
  const phrases = new Map<number, (readonly [string, string, number])[]>();
  for (const { 0: said, index } of text.matchAll(COUNTED)) {
    const key = said.toLowerCase().replace(/(\d)(?=[^\d ])/u, '$1 ');
    phrases.set(index, [[key, said, WEIGHTS.counted]]);
  }
  for (const { 0: said, 1: span = '', index } of text.matchAll(SPAN))
    phrases.set(index + 1, [...(phrases.get(index + 1) ?? []), [said.toLowerCase(), span, WEIGHTS.span]]);
  return phrases;
}

/** The terms of `text`, in order. Linear. */
export function keywordTerms(text: string): readonly Term[] {
  const terms: Term[] = [];
  const phrases = phrasesOf(text);
  let position = 0;
  let word = 0;
  const add = (key: string, said: string, weight: number): void => {
    if (weight > 0) terms.push({ key, text: said, weight, position, word });
  };
  let before: readonly [key: string, weight: number, at: number] | undefined;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    word++;
    for (const [key, said, weight] of phrases.get(index) ?? []) add(key, said, weight);
    if (WIDE_START.test(token)) {
      const characters = [...token];
      for (let at = 0; at + 1 < characters.length; at++) {
        const pair = `${characters[at]}${characters[at + 1]}`;
        add(pair, pair, pairWeight(pair));
        position += 0.5;
        // Pairs that overlap are of one word; every other one stands for itself.
        if (at % 2 === 1) word++;
      }
    } else if (/^\d/u.test(token) && !IS_IDENTIFIER.test(token)) {
      add(token.replaceAll(',', ''), token, numberWeight(token));
    } else if (token.length <= MAX_WORD_CHARS) {
      const keys = wordKeys(token);
      for (const [key, weight] of keys) add(key, token, weight);
      const [first] = keys;
      if (first) {
        if (before && position - before[2] <= NEIGHBOUR_WORDS) {
          const pair = before[0] < first[0] ? `${before[0]} ${first[0]}` : `${first[0]} ${before[0]}`;
          add(pair, token, WEIGHTS.neighbours * (before[1] + first[1]));
        }
        before = [first[0], first[1], position];
      }
    }
    position++;
  }
  return terms;
}

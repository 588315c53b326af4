/** Scripts that are written without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]+/gu;
const WORDS = /[\p{L}\p{N}\p{M}_]+/gu;
/** A word that may be of several. */
const COMPOUND = /[_\p{Lu}\p{N}]/u;
/** Words of an identifier: `T000_unblockRAG` is T, 000, unblock, RAG. */
const WORD_PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[^\p{Lu}\p{Ll}\p{N}_]+/gu;
/** The same three for ASCII, several times as fast. */
const ASCII = /^[\x20-\x7e\s]*$/;
const ASCII_WORDS = /\w+/g;
const ASCII_COMPOUND = /[_A-Z0-9]/;
const ASCII_PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;

/** A term longer than this is a hash or a blob that people do not type: it is left out. UTF-16 code units. */
export const MAX_TERM_CHARS = 64;

function addWord(word: string, terms: string[], isAscii: boolean): void {
  const whole = word.toLowerCase();
  if (whole.length <= MAX_TERM_CHARS) terms.push(whole);
  if (!(isAscii ? ASCII_COMPOUND : COMPOUND).test(word)) return;
  for (const part of word.match(isAscii ? ASCII_PARTS : WORD_PARTS) ?? []) {
    const term = part.toLowerCase();
    if (term.length > 1 && term.length <= MAX_TERM_CHARS && term !== whole) terms.push(term);
  }
}

/** Pairs of neighbours, and the last character alone, so that a single one is found wherever it stands. */
function addPairs(run: string, terms: string[]): void {
  const characters = [...run];
  for (let at = 0; at < characters.length - 1; at++) terms.push(`${characters[at]}${characters[at + 1]}`);
  terms.push(characters.at(-1) ?? '');
}

/**
 * The terms of a text, in order, lower case: words, the parts of identifiers, and for scripts without spaces pairs of
 * neighbouring characters (a dictionary would cut a query otherwise than the text it is looked for in). Linear.
 *
 * @example searchTerms('修复 context-rag') // ['修复', '复', 'context', 'rag']
 */
export function searchTerms(text: string): string[] {
  const terms: string[] = [];
  if (ASCII.test(text)) {
    for (const word of text.match(ASCII_WORDS) ?? []) addWord(word, terms, true);
    return terms;
  }
  for (const word of text.normalize('NFKC').match(WORDS) ?? []) {
    if (ASCII.test(word) || !UNSPACED.test(word)) {
      addWord(word, terms, ASCII.test(word));
      continue;
    }
    for (const run of word.match(RUNS) ?? []) {
      if (UNSPACED.test(run)) addPairs(run, terms);
      else addWord(run, terms, ASCII.test(run));
    }
  }
  return terms;
}

/** What a query looks for: as in the texts, but of a run of characters only its pairs, which say more. */
export function queryTerms(query: string): string[] {
  const terms = searchTerms(query);
  const isSingle = (term: string): boolean => [...term].length === 1 && UNSPACED.test(term);
  const some = terms.filter((term, at) => !(isSingle(term) && at > 0 && terms[at - 1]?.endsWith(term)));
  return [...new Set(some)];
}

/** Whether longer terms that start with `term` count as found too. */
export function matchesPrefix(term: string): boolean {
  return UNSPACED.test(term) ? [...term].length === 1 : term.length >= 3;
}

/** Which words of a task the workspace knows, and which of its own are nearest to the others (DESIGN §5.2, `match`). */
import type { WordMatch } from '../../model/repoMap';
import { toSentence } from '../../text/sentence';
import { isUnspaced, splitIdentifier, stemOf, typosOf } from '../../text/terms';
import type { RepoIndex } from '../index/repoIndex';
import type { TermWords } from '../index/vocabulary';
import type { TaskQuery } from './query';

/** Words listed of a task. Of one with more words, those that look like code: that prose is unknown is no news. */
const MAX_WORDS = 12;
/** What a word has of `TaskQuery.identifiers` that is written like a name of code. */
const CODE_STRENGTH = 1;
/** Unknown words that near words are looked up for; each is compared with every word of the folder. */
const MAX_LOOKUPS = 6;
const MAX_NEAREST = 3;
/** Shorter words are near to everything; longer ones are generated, and comparing costs the square of the length. */
const MIN_NEAR = 3;
const MAX_WORD_CHARS = 60;
/** What is said of a task without words. UTF-16 code units. */
const MAX_TEXT_CHARS = 80;
/** A shorter word is part of too many names by chance. */
const MIN_SUBWORD = 4;

/**
 * Edits between two words of at most 250 characters: insertions, deletions, replacements and swaps of neighbours ("optimal string alignment").
 * @returns `limit + 1` where there are more than `limit`
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before = new Uint8Array(b.length + 1);
  let last = Uint8Array.from(before, (_, at) => at);
  let row = new Uint8Array(b.length + 1);
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (isSame ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (before[j - 2] as number) + 1);
      }
      row[j] = cost;
      least = Math.min(least, cost);
    }
    if (least > limit) return limit + 1;
    [before, last, row] = [last, row, before];
  }
  return Math.min(limit + 1, last[b.length] as number);
}

/** How much of a word its parts share with another: 0 where it is not more than half of them. */
function sharedParts(parts: readonly string[], other: string): number {
  const own = splitIdentifier(other);
  const shared = parts.filter((part) => own.includes(part)).length;
  return shared * 2 > parts.length ? (2 * shared) / (parts.length + own.length) : 0;
}

/** How much of another word a word is that stands in it. */
function insideShare(lower: string, other: string): number {
  return lower.length >= MIN_SUBWORD && other.toLowerCase().includes(lower) ? lower.length / other.length : 0;
}

/** One bit a letter, one for everything else: two words that differ in many bits differ in many letters. */
function lettersOf(lower: string): number {
  let bits = 0;
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at) - 97;
    bits |= 1 << (code >= 0 && code < 26 ? code : 26);
  }
  return bits;
}

function bitsIn(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

interface Near {
  readonly word: string;
  readonly typos: number;
  readonly shared: number;
  readonly files: number;
}

/** Letters and length of each word of a vocabulary as numbers, which a search can pass over fast. Grows with it. */
class WordShapes {
  letters = new Int32Array();
  lengths = new Uint8Array();
  #size = 0;

  /** @returns itself, with the words that are new since */
  upTo(words: readonly string[]): this {
    const size = words.length;
    if (this.letters.length < size) {
      const [letters, lengths] = [this.letters, this.lengths];
      this.letters = new Int32Array(size * 2);
      this.letters.set(letters);
      this.lengths = new Uint8Array(size * 2);
      this.lengths.set(lengths);
    }
    for (; this.#size < size; this.#size++) {
      const word = words[this.#size] as string;
      this.letters[this.#size] = lettersOf(word.toLowerCase());
      this.lengths[this.#size] = Math.min(255, word.length);
    }
    return this;
  }
}

const SHAPES = new WeakMap<RepoIndex['vocabulary'], WordShapes>();

/** Apart from who calls it, and without an iterator: millions of words, most often once in a process. */
function count(words: Uint32Array, counts: Uint32Array): void {
  for (let at = 0; at < words.length; at++) {
    const id = words[at] as number;
    counts[id] = (counts[id] as number) + 1;
  }
}

function wordsInPaths({ files }: RepoIndex): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  for (const { path } of files) {
    for (const word of path.split(/[^\p{L}\p{N}_$]+/u)) {
      if (seen.has(word)) continue;
      seen.add(word);
      found.add(word.toLowerCase());
      for (const part of splitIdentifier(word)) found.add(part);
    }
  }
  return found;
}

/** The words that files hold, each with the number of files, and the words of their paths, as of one revision. */
class HeldWords {
  readonly #revision: number;
  readonly #counts: Uint32Array;
  #inPaths: ReadonlySet<string> | undefined;

  private constructor(private readonly index: RepoIndex) {
    this.#revision = index.revision;
    // The vocabulary keeps the words of files that are gone.
    this.#counts = new Uint32Array(index.vocabulary.size);
    for (const file of index.files) count(file.words, this.#counts);
  }

  /** Of the index as it is; a new query pays for the search alone. */
  static of(index: RepoIndex): HeldWords {
    const known = HELD.get(index);
    if (known && known.#revision === index.revision) return known;
    const held = new HeldWords(index);
    HELD.set(index, held);
    return held;
  }

  isHeld(id: number): boolean {
    return (this.#counts[id] as number) > 0;
  }

  isInPath(term: string): boolean {
    this.#inPaths ??= wordsInPaths(this.index);
    return this.#inPaths.has(term);
  }

  /** Words that differ from `given` by a typo or share its parts, the nearest first. */
  nearest(given: string): readonly string[] {
    const lower = given.toLowerCase();
    const parts = splitIdentifier(given);
    const limit = typosOf(lower.length);
    const letters = lettersOf(lower);
    const { vocabulary } = this.index;
    const found: Near[] = [];
    const add = (id: number, typos: number, shared: number): void => {
      if (shared > 0) found.push({ word: vocabulary.wordOf(id), typos, shared, files: this.#counts[id] as number });
    };
    const shapes = this.#shapes();
    for (let id = 0; id < this.#counts.length; id++) {
      const length = shapes.lengths[id] as number;
      if (length < MIN_NEAR || length > MAX_WORD_CHARS || !this.isHeld(id)) continue;
      const others = shapes.letters[id] as number;
      // A replaced letter is one bit less and one more.
      const mayBeTypo = Math.abs(length - lower.length) <= limit && bitsIn(letters ^ others) <= 2 * limit;
      const typos = mayBeTypo ? editDistance(lower, vocabulary.wordOf(id).toLowerCase(), limit) : limit + 1;
      if (typos <= limit) add(id, typos, 1);
      else if (parts.length < 2 && length > lower.length && (letters & others) === letters)
        add(id, limit + 1, insideShare(lower, vocabulary.wordOf(id)));
    }
    if (parts.length > 1) {
      const near = new Set(found.map(({ word }) => word));
      const holders = new Set(vocabulary.wordsOf(parts).flatMap(({ exact }) => exact));
      for (const id of holders) {
        const word = vocabulary.wordOf(id);
        if (this.isHeld(id) && !near.has(word) && word.length <= MAX_WORD_CHARS)
          add(id, limit + 1, sharedParts(parts, word));
      }
    }
    const byNearness = (a: Near, b: Near): number =>
      a.typos - b.typos || b.shared - a.shared || b.files - a.files || (a.word < b.word ? -1 : 1);
    // One spelling of a word in several cases.
    const words = new Map<string, string>();
    for (const { word } of found.sort(byNearness)) {
      if (words.size < MAX_NEAREST && !words.has(word.toLowerCase())) words.set(word.toLowerCase(), word);
    }
    return [...words.values()];
  }

  #shapes(): WordShapes {
    const { vocabulary } = this.index;
    const shapes = SHAPES.get(vocabulary) ?? new WordShapes();
    SHAPES.set(vocabulary, shapes);
    return shapes.upTo(vocabulary.strings());
  }
}

const HELD = new WeakMap<RepoIndex, HeldWords>();

/** Says which terms the files hold: in their words, or in their paths, which are read when no word does. */
class KnownTerms {
  readonly #words: ReadonlyMap<string, TermWords>;

  constructor(
    { vocabulary }: RepoIndex,
    private readonly held: HeldWords,
    terms: readonly string[],
  ) {
    const words = vocabulary.wordsOf(terms);
    this.#words = new Map(terms.map((term, at) => [term, words[at] as TermWords]));
  }

  has(part: string): boolean {
    const stem = stemOf(part);
    const isWord = this.#isAny('exact', part) || this.#isAny('exact', stem) || this.#isAny('stems', stem);
    return isWord || this.held.isInPath(part) || this.held.isInPath(stem);
  }

  hasWhole(word: string): boolean {
    const lower = word.toLowerCase();
    return this.#isAny('exact', lower) || this.held.isInPath(lower);
  }

  #isAny(how: keyof TermWords, term: string): boolean {
    return this.#words.get(term)?.[how].some((id) => this.held.isHeld(id)) === true;
  }
}

/** Words, parts and stems that are looked up for the words of a task. */
function termsOf({ words }: Pick<TaskQuery, 'words'>): readonly string[] {
  const terms = words.flatMap((word) => {
    const parts = splitIdentifier(word);
    return [word.toLowerCase(), ...parts, ...parts.map(stemOf)];
  });
  return [...new Set(terms)];
}

/** A map for that task comes soon: looks its words up among those that are there, which are remembered. */
export function expectTask({ vocabulary }: RepoIndex, task: Pick<TaskQuery, 'words'>): void {
  vocabulary.wordsOf(termsOf(task));
}

/**
 * Sorts the words of a task into those that some file holds and those that none does. A compound word (`parseConfig`)
 * that no file has as a whole is unknown; it still leads somewhere where files hold all of its parts.
 * @param text the task; what is said of one that is made of function words or numbers alone
 */
export function matchWords(index: RepoIndex, task: Pick<TaskQuery, 'words' | 'identifiers'>, text: string): WordMatch {
  const { words, identifiers } = task;
  if (words.length === 0)
    return { isMatch: false, known: [], unknown: [toSentence(text, MAX_TEXT_CHARS)], nearest: {} };
  const held = HeldWords.of(index);
  const found = new KnownTerms(index, held, termsOf(task));
  const hasPart = (part: string): boolean => found.has(part);
  const isKnown = (word: string): boolean => {
    const parts = splitIdentifier(word);
    const isSplit = isUnspaced(word) ? parts.some(hasPart) : parts.length === 1 && parts.every(hasPart);
    return isSplit || found.hasWhole(word);
  };
  const known = words.filter(isKnown);
  const isTold = (word: string): boolean => words.length <= MAX_WORDS || (identifiers.get(word) ?? 0) >= CODE_STRENGTH;
  const strangers = words.filter((word) => !isKnown(word));
  const unknown = known.length === 0 ? strangers : strangers.filter(isTold);
  const near = unknown.slice(0, MAX_LOOKUPS).map((word) => [word, held.nearest(word)] as const);
  return {
    isMatch: known.length > 0 || strangers.some((word) => splitIdentifier(word).every(hasPart)),
    known: known.slice(0, MAX_WORDS),
    unknown: unknown.slice(0, MAX_WORDS),
    nearest: Object.fromEntries(near),
  };
}

/**
 * What stands in place of a map that nothing matches: `No match for: zzzzqqq, wwwxxx.`, then the nearest words.
 * @returns lines that each end with `\n`; the first alone is an answer too
 */
export function noMatchLines({ isMatch, known, unknown, nearest }: WordMatch): readonly string[] {
  const first = isMatch
    ? `No symbol matches: ${[...known, ...unknown].join(', ')}.\n`
    : `No match for: ${unknown.join(', ')}.\n`;
  const near = nearestLine(nearest);
  return near === '' ? [first] : [first, near];
}

/** The same for a map or a search of the folder, which lists files in other languages without reading them. */
export function noFileLines(match: WordMatch): readonly string[] {
  return [...noMatchLines(match), 'Only files in languages that the map reads were searched: grep the others.\n'];
}

/** The unknown words that something is near to, with that; a line with its `\n`, or nothing. */
export function nearestLine(nearest: WordMatch['nearest']): string {
  const near = Object.entries(nearest).flatMap(([word, names]) =>
    names.length > 0 ? [`${word} → ${names.join(', ')}`] : [],
  );
  return near.length > 0 ? `Unknown here, with the nearest words: ${near.join('; ')}.\n` : '';
}

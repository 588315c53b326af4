import { splitIdentifier, stemOf } from '../../text/terms';
import type { PackedWords } from '../facts/packedFacts';
import { WordNumbers } from './wordNumbers';

/** What a word of the workspace has to do with a term. */
export interface TermWords {
  /** Words that have the term as a part or are it. */
  readonly exact: readonly number[];
  /** Words of which only a part's stem is the term. */
  readonly stems: readonly number[];
}

/** A term that was asked for. */
interface KnownTerm {
  readonly exact: number[];
  readonly stems: number[];
}

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
/** Terms kept between queries; one has some dozens. */
const MAX_KNOWN = 4000;
/** From so many new terms on it is cheaper to take every word apart than to search it for each. */
const MAX_SEARCHED = 300;

/**
 * The words of all files as small integers, and the words that a term is found in. Words are never forgotten: an index
 * lives in one worker, and what people type in a session is little beside what a workspace holds.
 */
export class Vocabulary {
  readonly #numbers: WordNumbers;
  readonly #words: string[] = [];
  /** Terms asked for, each with its words below `#searched`. */
  #known = new Map<string, KnownTerm>();
  #searched = 0;

  /** @param seed any number that others do not know, see {@link WordNumbers} */
  constructor(seed = 0) {
    this.#numbers = new WordNumbers(seed);
  }

  get size(): number {
    return this.#words.length;
  }

  /** The word's number, new or known. */
  idOf(word: string): number {
    const id = this.#numbers.idOfText(word);
    if (id === this.#words.length) this.#words.push(word);
    return id;
  }

  /** The numbers of a file's words, in their order. */
  idsOf({ text, lengths }: Pick<PackedWords, 'text' | 'lengths'>): Uint32Array {
    const ids = new Uint32Array(lengths.length);
    let start = 0;
    for (let at = 0; at < lengths.length; at++) {
      const end = start + (lengths[at] as number);
      const id = this.#numbers.idOf(text, start, end);
      if (id === this.#words.length) this.#words.push(DECODER.decode(text.subarray(start, end)));
      ids[at] = id;
      start = end;
    }
    return ids;
  }

  /** The number of a word that some file holds. */
  find(word: string): number | undefined {
    return this.#numbers.findText(word);
  }

  wordOf(id: number): string {
    return this.#words[id] ?? '';
  }

  /**
   * The words of each term, ascending. Only words that hold a new term are taken apart (all of them would take half a
   * second and 100 MB for 10,000 files); for terms asked before only words that are new.
   */
  wordsOf(terms: readonly string[]): readonly TermWords[] {
    if (this.#known.size > MAX_KNOWN) this.#known = new Map();
    const size = this.#words.length;
    if (this.#known.size > 0) for (let id = this.#searched; id < size; id++) this.#file(id, this.#known);
    this.#searched = size;
    const added = new Map<string, KnownTerm>();
    for (const term of terms) if (!this.#known.has(term)) added.set(term, { exact: [], stems: [] });
    if (added.size > 0) this.#search(added);
    for (const [term, words] of added) this.#known.set(term, words);
    return terms.map((term) => this.#known.get(term) as KnownTerm);
  }

  #search(terms: ReadonlyMap<string, KnownTerm>): void {
    const isFew = terms.size <= MAX_SEARCHED;
    const pattern = isFew ? new RegExp([...terms.keys()].map(needleOf).join('|'), 'iu') : undefined;
    for (let id = 0; id < this.#words.length; id++) {
      if (!pattern || pattern.test(this.#words[id] as string)) this.#file(id, terms);
    }
  }

  /** Takes a word apart and notes it with those of `terms` that it holds. */
  #file(id: number, terms: ReadonlyMap<string, KnownTerm>): void {
    const word = this.#words[id] as string;
    const parts = new Set(splitIdentifier(word));
    const exact = new Set(parts).add(word.toLowerCase());
    for (const term of exact) terms.get(term)?.exact.push(id);
    for (const part of parts) {
      const stem = stemOf(part);
      if (exact.has(stem)) continue;
      const words = terms.get(stem)?.stems;
      if (words && words.at(-1) !== id) words.push(id);
    }
  }
}

/** What every word of a term holds: a stem is a beginning of its word, but for the `y` of `queries`. */
function needleOf(term: string): string {
  const beginning = term.length > 2 && term.endsWith('y') ? term.slice(0, -1) : term;
  return beginning.replace(/[\\^$.*+?()[\]{}|]/gu, '\\$&');
}

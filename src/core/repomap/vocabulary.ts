import { splitIdentifier, stemOf } from './terms';

/** What a word of the workspace has to do with a term. */
export interface TermWords {
  /** Words that have the term as a part or are it. */
  readonly exact: readonly number[];
  /** Words of which only a part's stem is the term. */
  readonly stems: readonly number[];
}

const NO_WORDS: TermWords = { exact: [], stems: [] };

/**
 * The words of all files as small integers, and the words that a term is found in. Words are never forgotten: an index
 * lives in one worker, and what people type in a session is little beside what a workspace holds.
 */
export class Vocabulary {
  readonly #ids = new Map<string, number>();
  readonly #words: string[] = [];
  readonly #byTerm = new Map<string, { exact: number[]; stems: number[] }>();
  #expanded = 0;

  get size(): number {
    return this.#words.length;
  }

  /** The word's number, new or known. */
  idOf(word: string): number {
    const known = this.#ids.get(word);
    if (known !== undefined) return known;
    const id = this.#words.length;
    this.#ids.set(word, id);
    this.#words.push(word);
    return id;
  }

  /** The number of a word that some file holds. */
  find(word: string): number | undefined {
    return this.#ids.get(word);
  }

  wordOf(id: number): string {
    return this.#words[id] ?? '';
  }

  /** The words of a term. New words are split here, so that adding files costs nothing for it. */
  wordsOf(term: string): TermWords {
    this.#expand();
    return this.#byTerm.get(term) ?? NO_WORDS;
  }

  #expand(): void {
    for (; this.#expanded < this.#words.length; this.#expanded++) {
      const id = this.#expanded;
      const word = this.#words[id] as string;
      const parts = new Set(splitIdentifier(word));
      const exact = new Set(parts).add(word.toLowerCase());
      for (const term of exact) this.#entry(term).exact.push(id);
      for (const part of parts) {
        const stem = stemOf(part);
        if (!exact.has(stem)) this.#entry(stem).stems.push(id);
      }
    }
  }

  #entry(term: string): { exact: number[]; stems: number[] } {
    let entry = this.#byTerm.get(term);
    if (!entry) {
      entry = { exact: [], stems: [] };
      this.#byTerm.set(term, entry);
    }
    return entry;
  }
}

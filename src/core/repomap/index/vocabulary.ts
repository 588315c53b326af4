import { hashRange } from '../../text/hash';
import { splitIdentifier, stemOf } from '../../text/terms';
import type { PackedWords } from '../facts/factsCodec';
import { grown } from '../facts/varint';

/** The words of the workspace that a term is found in. */
export interface TermWords {
  /** Words that have the term as a part or are it. */
  readonly exact: number[];
  /** Words of which only a part's stem is the term. */
  readonly stems: number[];
}

const FIRST_SLOTS = 4096;
const FIRST_BYTES = 32 * 1024;
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
/** Terms kept between queries; one has some dozens. */
const MAX_KNOWN = 4000;
/** Of more new words than this share it takes longer to take each apart than to search all words again. */
const MAX_APART = 1 / 8;
/** From so many new terms on it is cheaper to take every word apart than to search it for each. */
const MAX_SEARCHED = 300;
/** One letter a byte. */
const BYTES = new TextDecoder('latin1');

/** Words in UTF-8, one after another; word `i` ends at `ends[i]`. */
export interface WordList {
  readonly text: Uint8Array;
  readonly ends: Uint32Array;
}

/** A list of words with the numbers that they have in one vocabulary, ascending. */
export interface NumberedList extends WordList {
  readonly numbers: Uint32Array;
}

/** Numbers up to so many times the words: lists that leave out more are no part of one index. */
const MAX_GAPS = 8;

/** So much is text at once: what is as short is collected with the young garbage. */
const PAGE_BYTES = 32 * 1024;
const BEYOND_ASCII = /[^\0-\x7f]/u;
const BEYOND_RUNS = /[^\0-\x7f]+/gu;

/**
 * The words of all files as small integers, found by their bytes without making strings, and the words of a term. Words
 * are never forgotten: an index lives in one worker, and what people type is little beside what a workspace holds.
 */
export class Vocabulary {
  /** Strings of the words, as far as they were asked for together. */
  readonly #words: string[] = [];
  #size = 0;
  /** Number plus 1 of the word at each slot; a power of two, at most half full. */
  #slots = new Uint32Array(FIRST_SLOTS);
  #hashes = new Int32Array(FIRST_SLOTS / 2);
  /** Word `i` is `#bytes[#ends[i - 1]…#ends[i])`. */
  #ends: Uint32Array = new Uint32Array(FIRST_SLOTS / 2);
  #bytes: Uint8Array = new Uint8Array(FIRST_BYTES);
  #scratch = new Uint8Array(256);
  /** Terms asked for, each with its words below `#searched`. */
  #known = new Map<string, TermWords>();
  #searched = 0;

  /**
   * @param seed a number that others do not know: words come from untrusted folders, and could be made to collide
   * @param id of no other vocabulary, in whatever process; empty for one whose numbers mean nothing elsewhere
   */
  constructor(
    private readonly seed = 0,
    readonly id: readonly number[] = [],
  ) {}

  get size(): number {
    return this.#size;
  }

  /**
   * The numbers of a list's words. An empty vocabulary takes the list over as it lies, so that its words have its numbers.
   * @param expected how many words there will be when more lists are adopted, about: the table grows once
   */
  adopt(list: WordList, expected = 0): Uint32Array | 'as they are' {
    if (this.#size > 0) {
      const ids = new Uint32Array(list.ends.length);
      for (let at = 0, start = 0; at < ids.length; at++) {
        const end = list.ends[at] as number;
        ids[at] = this.#idOf(list.text, start, end);
        start = end;
      }
      return ids;
    }
    const size = list.ends.length;
    const capacity = roomFor(Math.max(size, expected));
    this.#bytes = list.text;
    this.#ends = grown(list.ends, capacity);
    this.#hashes = new Int32Array(capacity);
    let start = 0;
    for (let id = 0; id < size; id++) {
      const end = list.ends[id] as number;
      this.#hashes[id] = hashRange(list.text, start, end, this.seed);
      start = end;
    }
    this.#fillSlots(size, capacity * 2);
    this.#size = size;
    return 'as they are';
  }

  /**
   * Fills an empty vocabulary with lists of one other: the same number there is the same word, so none is looked up.
   * @returns the numbers that words have here, by list; undefined when the lists cannot be of one vocabulary
   */
  adoptNumbered(lists: readonly NumberedList[]): ReadonlyMap<NumberedList, Uint32Array> | undefined {
    const highestOf = ({ numbers }: NumberedList): number => numbers.at(-1) ?? -1;
    const sorted = lists.toSorted((a, b) => highestOf(a) - highestOf(b));
    const most = lists.reduce((sum, { ends }) => sum + ends.length, 0);
    const highest = sorted.reduce((high, list) => Math.max(high, highestOf(list)), -1);
    if (highest > MAX_GAPS * most || !lists.every(({ numbers }) => isRising(numbers))) return undefined;
    this.#ends = new Uint32Array(most);
    this.#hashes = new Int32Array(most);
    this.#bytes = new Uint8Array(lists.reduce((sum, { text }) => sum + text.length, 0));
    /** The number of each word here, plus 1, by that in the lists. */
    const known = new Uint32Array(highest + 1);
    const own = new Map<NumberedList, Uint32Array>();
    for (const [at, list] of sorted.entries()) {
      const before = sorted[at - 1];
      own.set(list, this.#addNumbered(list, known, before ? highestOf(before) : -1));
    }
    const capacity = roomFor(this.#size);
    this.#ends = grown(this.#ends, capacity);
    this.#hashes = grown(this.#hashes, capacity);
    this.#fillSlots(this.#size, capacity * 2);
    return own;
  }

  /** @param before the highest number so far: words after it are new, and are copied together */
  #addNumbered({ text, ends, numbers }: NumberedList, known: Uint32Array, before: number): Uint32Array {
    const ids = new Uint32Array(numbers.length);
    let at = 0;
    let start = 0;
    for (; at < numbers.length && (numbers[at] as number) <= before; at++) {
      const end = ends[at] as number;
      const number = numbers[at] as number;
      if (known[number] === 0)
        known[number] = this.#append(text.subarray(start, end), start, ends.subarray(at, at + 1)) + 1;
      ids[at] = (known[number] as number) - 1;
      start = end;
    }
    const first = this.#append(text.subarray(start), start, ends.subarray(at));
    for (let id = first; at < numbers.length; at++, id++) {
      ids[at] = id;
      known[numbers[at] as number] = id + 1;
    }
    return ids;
  }

  /** Adds words that are not there, without slots. @returns the number of the first */
  #append(text: Uint8Array, textAt: number, ends: Uint32Array): number {
    const first = this.#size;
    const to = this.#startOf(first);
    this.#bytes.set(text, to);
    for (let at = 0, start = 0; at < ends.length; at++) {
      const end = (ends[at] as number) - textAt;
      this.#ends[first + at] = to + end;
      this.#hashes[first + at] = hashRange(text, start, end, this.seed);
      start = end;
    }
    this.#size += ends.length;
    return first;
  }

  /** All words in UTF-8, one after another. */
  list(): WordList {
    return { text: this.#bytes.subarray(0, this.#ends[this.#size - 1] ?? 0), ends: this.#ends.subarray(0, this.#size) };
  }

  /** The word's number, new or known. Halves of surrogate pairs are all the same. */
  idOf(word: string): number {
    return this.#idOf(this.#scratch, 0, this.#encode(word));
  }

  /** The same for a word in UTF-8. */
  idOfBytes(text: Uint8Array, start: number, end: number): number {
    return this.#idOf(text, start, end);
  }

  /** The numbers of a file's words, in their order. */
  idsOf({ text, lengths }: Pick<PackedWords, 'text' | 'lengths'>): Uint32Array {
    const ids = new Uint32Array(lengths.length);
    let start = 0;
    for (let at = 0; at < lengths.length; at++) {
      const end = start + (lengths[at] as number);
      ids[at] = this.#idOf(text, start, end);
      start = end;
    }
    return ids;
  }

  /** The number of a word that some file holds. */
  find(word: string): number | undefined {
    const end = this.#encode(word);
    const hash = hashRange(this.#scratch, 0, end, this.seed);
    const known = this.#slots[this.#slotOf(this.#scratch, 0, end, hash)] as number;
    return known > 0 ? known - 1 : undefined;
  }

  wordOf(id: number): string {
    return this.#words[id] ?? this.#decode(id);
  }

  /** All words by number, made once: for who asks for most of them. */
  strings(): readonly string[] {
    for (const page of this.#pages(this.#words.length))
      for (let id = page.first; id < page.end; id++) this.#words.push(this.#read(id, page));
    return this.#words;
  }

  /**
   * The words of each term, ascending. Only words that hold a new term are taken apart (all of them would take half a
   * second and 100 MB for 10,000 files); for terms asked before only words that are new.
   */
  wordsOf(terms: readonly string[]): readonly TermWords[] {
    const size = this.#size;
    if (this.#known.size > MAX_KNOWN || size - this.#searched > MAX_APART * size) this.#known = new Map();
    if (this.#known.size > 0 && this.#searched < size) {
      const sorter = new Sorter(this.#known);
      for (let id = this.#searched; id < size; id++) sorter.add(id, this.wordOf(id));
    }
    this.#searched = size;
    const added = new Map<string, TermWords>();
    for (const term of terms) if (!this.#known.has(term)) added.set(term, { exact: [], stems: [] });
    if (added.size > 0) this.#search(added);
    for (const [term, words] of added) this.#known.set(term, words);
    return terms.map((term) => this.#known.get(term) as TermWords);
  }

  /** The number of the word `text[start…end)` in UTF-8. A new one gets the next number. */
  #idOf(text: Uint8Array, start: number, end: number): number {
    const hash = hashRange(text, start, end, this.seed);
    const slot = this.#slotOf(text, start, end, hash);
    const known = this.#slots[slot] as number;
    return known > 0 ? known - 1 : this.#add(text, start, end, hash, slot);
  }

  /** Encodes into the scratch; its end there. */
  #encode(word: string): number {
    // A UTF-16 unit takes three bytes of UTF-8 at most.
    if (this.#scratch.length < word.length * 3) this.#scratch = new Uint8Array(word.length * 3);
    return ENCODER.encodeInto(word, this.#scratch).written;
  }

  /** Where the word is, or would be. */
  #slotOf(text: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const known = slots[slot] as number;
      if (known === 0 || (this.#hashes[known - 1] === hash && this.#isWord(known - 1, text, start, end))) return slot;
    }
  }

  #isWord(id: number, text: Uint8Array, start: number, end: number): boolean {
    const from = id === 0 ? 0 : (this.#ends[id - 1] as number);
    if ((this.#ends[id] as number) - from !== end - start) return false;
    for (let i = start, j = from; i < end; i++, j++) if (text[i] !== this.#bytes[j]) return false;
    return true;
  }

  #add(text: Uint8Array, start: number, end: number, hash: number, slot: number): number {
    const id = this.#size++;
    const from = id === 0 ? 0 : (this.#ends[id - 1] as number);
    const to = from + end - start;
    // A list that was taken over may be empty.
    while (to > this.#bytes.length) this.#bytes = grown(this.#bytes, FIRST_BYTES + this.#bytes.length * 2);
    for (let i = start, j = from; i < end; i++, j++) this.#bytes[j] = text[i] as number;
    this.#slots[slot] = id + 1;
    this.#hashes[id] = hash;
    this.#ends[id] = to;
    if (id + 1 === this.#hashes.length) this.#grow();
    return id;
  }

  #grow(): void {
    const size = this.#hashes.length;
    const capacity = size * 2;
    this.#hashes = grown(this.#hashes, capacity);
    this.#ends = grown(this.#ends, capacity);
    this.#fillSlots(size, capacity * 2);
  }

  #fillSlots(size: number, room: number): void {
    this.#slots = new Uint32Array(room);
    const mask = room - 1;
    for (let id = 0; id < size; id++) {
      let slot = (this.#hashes[id] as number) & mask;
      while ((this.#slots[slot] as number) > 0) slot = (slot + 1) & mask;
      this.#slots[slot] = id + 1;
    }
  }

  #decode(id: number): string {
    if (id >= this.#size) return '';
    return DECODER.decode(this.#bytes.subarray(id === 0 ? 0 : this.#ends[id - 1], this.#ends[id]));
  }

  /** The words from number `from` on as texts. */
  *#pages(from: number): Iterable<Page> {
    for (let first = from; first < this.#size; ) {
      const start = this.#startOf(first);
      let end = first + 1;
      while (end < this.#size && (this.#ends[end] as number) - start <= PAGE_BYTES) end++;
      yield { first, end, start, letters: BYTES.decode(this.#bytes.subarray(start, this.#ends[end - 1])) };
      first = end;
    }
  }

  #startOf(id: number): number {
    return id === 0 ? 0 : (this.#ends[id - 1] as number);
  }

  /** A word of a page: a fifth of the time that its bytes take. */
  #read(id: number, { letters, start }: Page): string {
    const word = letters.slice(this.#startOf(id) - start, (this.#ends[id] as number) - start);
    return BEYOND_ASCII.test(word) ? this.#decode(id) : word;
  }

  #search(terms: ReadonlyMap<string, TermWords>): void {
    const sorter = new Sorter(terms);
    const isFew = terms.size <= MAX_SEARCHED && !terms.has('');
    // In lower case, since a pattern that ignores case takes several times as long.
    const pattern = isFew ? new RegExp([...terms.keys()].map(needleOf).join('|').toLowerCase(), 'gu') : undefined;
    for (const page of this.#pages(0)) {
      const found = pattern && this.#candidates(page, pattern);
      for (let id = page.first; id < page.end; id++)
        if (!found || found[id - page.first] === 1) sorter.add(id, this.#read(id, page));
    }
  }

  /** 1 for each word of a page that may match: its words are searched as one text, and those beyond ASCII are among them. */
  #candidates({ first, end, start, letters }: Page, pattern: RegExp): Uint8Array {
    const found = new Uint8Array(end - first);
    const endOf = (id: number): number => (this.#ends[id] as number) - start;
    const lower = letters.toLowerCase();
    pattern.lastIndex = 0;
    for (let id = first, match = pattern.exec(lower); match; match = pattern.exec(lower)) {
      const at = match.index;
      while (endOf(id) <= at) id++;
      // Terms are whole parts of a word, or their beginnings: `profile` holds no `file`.
      if (at > this.#startOf(id) - start && isSmall(letters.charCodeAt(at - 1)) && isSmall(letters.charCodeAt(at))) {
        pattern.lastIndex = at + 1;
        continue;
      }
      // A match may go on into the next word: the word that it begins in is taken apart to see.
      found[id - first] = 1;
      pattern.lastIndex = endOf(id);
    }
    let id = first;
    for (const { 0: run, index } of letters.matchAll(BEYOND_RUNS)) {
      while (endOf(id) <= index) id++;
      found[id - first] = 1;
      // The next words may begin inside of it.
      while (endOf(id) < index + run.length) found[++id - first] = 1;
    }
    return found;
  }
}

/** A letter from `a` to `z`. */
const isSmall = (unit: number): boolean => unit > 96 && unit < 123;

/** Words from number `first` to before `end`, a letter a byte; they begin at byte `start` of all words. */
interface Page {
  readonly first: number;
  readonly end: number;
  readonly start: number;
  readonly letters: string;
}

/** Takes words apart and notes them with the terms that they hold. */
class Sorter {
  /** Stems of parts, of which many words share each. */
  readonly #stems = new Map<string, string>();

  constructor(private readonly terms: ReadonlyMap<string, TermWords>) {}

  /** To be called with ascending numbers. */
  add(id: number, word: string): void {
    const { terms } = this;
    const parts = splitIdentifier(word);
    const lower = word.toLowerCase();
    for (const part of parts) note(terms.get(part)?.exact, id);
    note(terms.get(lower)?.exact, id);
    for (const part of parts) {
      const stem = this.#stemOf(part);
      const stems = terms.get(stem)?.stems;
      if (stems && stem !== lower && !parts.includes(stem)) note(stems, id);
    }
  }

  #stemOf(part: string): string {
    const known = this.#stems.get(part);
    if (known !== undefined) return known;
    const stem = stemOf(part);
    this.#stems.set(part, stem);
    return stem;
  }
}

/** Adds a number to an ascending list, once. */
function note(list: number[] | undefined, id: number): void {
  if (list && list.at(-1) !== id) list.push(id);
}

function isRising(numbers: Uint32Array): boolean {
  for (let at = 1; at < numbers.length; at++) if ((numbers[at] as number) <= (numbers[at - 1] as number)) return false;
  return true;
}

/** Words that a table holds which begins with so many. */
function roomFor(size: number): number {
  let capacity = FIRST_SLOTS / 2;
  while (capacity <= size) capacity *= 2;
  return capacity;
}

/** What every word of a term holds: a stem is a beginning of its word, but for the `y` of `queries`. */
function needleOf(term: string): string {
  const beginning = term.length > 2 && term.endsWith('y') ? term.slice(0, -1) : term;
  return beginning.replace(/[\\^$.*+?()[\]{}|]/gu, '\\$&');
}

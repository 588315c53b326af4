/** Words as small integers, found by their bytes: an open-addressing table over typed arrays, which makes no string. */
import { hashRange } from '../../text/hash';

const FIRST_SLOTS = 4096;
const FIRST_BYTES = 32 * 1024;

/** Words by number, in the order in which they came. Words are never forgotten. */
export class WordNumbers {
  /** Number plus 1 of the word at each slot; a power of two, at most half full. */
  #slots = new Uint32Array(FIRST_SLOTS);
  #hashes = new Int32Array(FIRST_SLOTS / 2);
  /** Word `i` is `#bytes[#ends[i - 1]…#ends[i])`. */
  #ends = new Uint32Array(FIRST_SLOTS / 2);
  #bytes = new Uint8Array(FIRST_BYTES);
  #size = 0;
  readonly #encoder = new TextEncoder();
  #scratch = new Uint8Array(256);
  readonly #seed: number;

  /** @param seed of the hash: words come from folders that nobody may trust, and could be made to collide */
  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The number of the word `text[start…end)` in UTF-8; a new word gets the next number. */
  idOf(text: Uint8Array, start: number, end: number): number {
    const hash = hashRange(text, start, end, this.#seed);
    const slot = this.#slotOf(text, start, end, hash);
    const known = this.#slots[slot] as number;
    return known > 0 ? known - 1 : this.#add(text, start, end, hash, slot);
  }

  /** As `idOf`. Halves of surrogate pairs are all the same. */
  idOfText(word: string): number {
    return this.idOf(this.#scratch, 0, this.#encode(word));
  }

  /** The number of a known word. */
  findText(word: string): number | undefined {
    const end = this.#encode(word);
    const hash = hashRange(this.#scratch, 0, end, this.#seed);
    const known = this.#slots[this.#slotOf(this.#scratch, 0, end, hash)] as number;
    return known > 0 ? known - 1 : undefined;
  }

  /** Encodes into the scratch; its end there. */
  #encode(word: string): number {
    // A UTF-16 unit takes three bytes of UTF-8 at most.
    if (this.#scratch.length < word.length * 3) this.#scratch = new Uint8Array(word.length * 3);
    return this.#encoder.encodeInto(word, this.#scratch).written;
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
    while (to > this.#bytes.length) this.#bytes = grown(this.#bytes, new Uint8Array(this.#bytes.length * 2));
    for (let i = start, j = from; i < end; i++, j++) this.#bytes[j] = text[i] as number;
    this.#slots[slot] = id + 1;
    this.#hashes[id] = hash;
    this.#ends[id] = to;
    if (this.#size === this.#hashes.length) this.#grow();
    return id;
  }

  #grow(): void {
    const capacity = this.#hashes.length * 2;
    this.#hashes = grown(this.#hashes, new Int32Array(capacity));
    this.#ends = grown(this.#ends, new Uint32Array(capacity));
    this.#slots = new Uint32Array(capacity * 2);
    const mask = this.#slots.length - 1;
    for (let id = 0; id < this.#size; id++) {
      let slot = (this.#hashes[id] as number) & mask;
      while ((this.#slots[slot] as number) > 0) slot = (slot + 1) & mask;
      this.#slots[slot] = id + 1;
    }
  }
}

function grown<T extends Uint8Array | Int32Array | Uint32Array>(before: T, after: T): T {
  after.set(before);
  return after;
}

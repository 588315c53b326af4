/**
 * Token counts by content, and their form on disk. It decides what is remembered and for how long; where the bytes live
 * decides the host.
 */
import { hashInto } from '../text/hash';

/** Words a slot has: two of the hash, one of the count. */
const SLOT_WORDS = 3;
const MIN_SLOTS = 1 << 10;
/** Set in a slot's count when the count is on disk. */
const SAVED = 0x8000_0000;
/** A larger count is not remembered: the rest of the word is the count and one, since an empty slot is 0. */
const MAX_COUNT = 0x7fff_fffe;
/** 3 MB on disk, twice that of memory a generation; some 2,000 files of 100 lines that all differ. */
const MAX_COUNTS = 1 << 18;
/** "CBC2", little-endian. */
const MAGIC = 0x32434243;
/** The magic, two words of what is counted, and the seed. */
const HEADER_WORDS = 4;
const WORD_BYTES = 4;

/** An open-addressed table: a 64-bit hash, and a count. */
class CountTable {
  size = 0;
  #slots = new Uint32Array(MIN_SLOTS * SLOT_WORDS);

  /** Makes room for so many more at once. */
  reserve(count: number): void {
    this.#resize((this.size + count) * 2);
  }

  /** The word of the count of that hash; 0 when it is not there. */
  get(a: number, b: number): number {
    return this.#slots[this.#find(a, b) + 2] as number;
  }

  set(a: number, b: number, word: number): void {
    const at = this.#find(a, b);
    if (this.#slots[at + 2] === 0) this.size++;
    this.#slots[at] = a;
    this.#slots[at + 1] = b;
    this.#slots[at + 2] = word;
    this.#resize(this.size * 2);
  }

  /** Calls `visit` for each until that says no more; what it gives becomes the word. */
  update(visit: (a: number, b: number, word: number) => number | undefined): void {
    const slots = this.#slots;
    for (let at = 0; at < slots.length; at += SLOT_WORDS) {
      const word = slots[at + 2] as number;
      if (word === 0) continue;
      const next = visit(slots[at] as number, slots[at + 1] as number, word);
      if (next === undefined) return;
      slots[at + 2] = next;
    }
  }

  #find(a: number, b: number): number {
    const slots = this.#slots;
    const mask = slots.length / SLOT_WORDS - 1;
    for (let slot = a & mask; ; slot = (slot + 1) & mask) {
      const at = slot * SLOT_WORDS;
      if (slots[at + 2] === 0 || (slots[at] === a && slots[at + 1] === b)) return at;
    }
  }

  /** At least so many slots, a power of two of them. */
  #resize(least: number): void {
    const old = this.#slots;
    let slots = old.length / SLOT_WORDS;
    if (slots >= least) return;
    while (slots < least) slots *= 2;
    this.#slots = new Uint32Array(slots * SLOT_WORDS);
    for (let from = 0; from < old.length; from += SLOT_WORDS) {
      if (old[from + 2] !== 0)
        this.#slots.set(
          old.subarray(from, from + SLOT_WORDS),
          this.#find(old[from] as number, old[from + 1] as number),
        );
    }
  }
}

/**
 * Counts of one tokenizer by a 64-bit hash of the content, at any length. Two generations bound it: a full one takes the
 * place of the one before, so that what was not asked for since goes first. The seed makes the hash another one for each
 * user: texts that collide cannot be written for it.
 */
export class KnownCounts {
  readonly #hash: Uint32Array = new Uint32Array(2);
  readonly #kind: readonly number[];
  #recent = new CountTable();
  #older = new CountTable();
  #unsaved = 0;
  #isLoaded = false;

  /**
   * @param seed any 32 bits; those of what is loaded first take its place
   * @param kind what is counted, and by which rules: what was saved of another kind is not taken in
   */
  constructor(
    private seed = 0,
    private readonly maxCounts = MAX_COUNTS,
    kind = '',
  ) {
    this.seed >>>= 0;
    hashInto(this.#hash, kind, 0);
    this.#kind = [...this.#hash];
  }

  /** Tokens of `part`, by `count` where they are not known; that may ask for others. */
  countOf(part: string, count: (part: string) => number): number {
    hashInto(this.#hash, part, this.seed);
    const a = this.#hash[0] as number;
    const b = this.#hash[1] as number;
    const known = this.#find(a, b);
    if (known !== undefined) return known;
    const tokens = count(part);
    if (tokens <= MAX_COUNT) {
      this.#remember(a, b, tokens + 1);
      this.#unsaved++;
    }
    return tokens;
  }

  /** Whether the count of `part` is known. */
  has(part: string): boolean {
    hashInto(this.#hash, part, this.seed);
    return this.#find(this.#hash[0] as number, this.#hash[1] as number) !== undefined;
  }

  /**
   * Takes in what an earlier process saved, as older than all that is known. The newest first: what goes beyond the bound
   * is left out. Bytes of another layout or kind are passed over, and so is what was made with another seed.
   */
  load(bytes: Uint8Array): void {
    if (bytes.byteLength % WORD_BYTES !== 0) return;
    // A copy, since a view of 32-bit words has to begin at one.
    const words = new Uint32Array(bytes.slice().buffer);
    const [magic, kindA, kindB, seed = 0] = words;
    if (magic !== MAGIC || kindA !== this.#kind[0] || kindB !== this.#kind[1]) return;
    if ((words.length - HEADER_WORDS) % SLOT_WORDS !== 0) return;
    if (!this.#isLoaded && seed !== this.seed) this.#forget(seed);
    if (seed !== this.seed) return;
    this.#isLoaded = true;
    const count = (words.length - HEADER_WORDS) / SLOT_WORDS;
    this.#older.reserve(Math.min(count, this.maxCounts - this.#older.size));
    for (let at = HEADER_WORDS; at < words.length && this.#older.size < this.maxCounts; at += SLOT_WORDS) {
      const a = words[at] as number;
      const b = words[at + 1] as number;
      const count = words[at + 2] as number;
      if (count > 0 && count <= MAX_COUNT && this.#older.get(a, b) === 0) this.#older.set(a, b, (count | SAVED) >>> 0);
    }
  }

  /** What is not on disk yet, or all that is worth keeping; undefined when nothing is new. They count as saved from then on. */
  save(what: 'new' | 'all'): Uint8Array | undefined {
    if (this.#unsaved === 0) return undefined;
    const words = [MAGIC, ...this.#kind, this.seed];
    const full = HEADER_WORDS + this.maxCounts * SLOT_WORDS;
    for (const table of [this.#recent, this.#older]) {
      table.update((a, b, word) => {
        if (words.length >= full) return undefined;
        const isWanted = table === this.#recent || this.#recent.get(a, b) === 0;
        if (isWanted && (what === 'all' || word < SAVED)) words.push(a, b, word & ~SAVED);
        return (word | SAVED) >>> 0;
      });
    }
    this.#unsaved = 0;
    return words.length > HEADER_WORDS ? new Uint8Array(Uint32Array.from(words).buffer) : undefined;
  }

  #find(a: number, b: number): number | undefined {
    const recent = this.#recent.get(a, b);
    if (recent !== 0) return (recent & ~SAVED) - 1;
    const older = this.#older.get(a, b);
    if (older === 0) return undefined;
    this.#remember(a, b, older);
    return (older & ~SAVED) - 1;
  }

  #remember(a: number, b: number, word: number): void {
    if (this.#recent.size >= this.maxCounts) {
      this.#older = this.#recent;
      this.#recent = new CountTable();
    }
    this.#recent.set(a, b, word);
  }

  /** Starts again with another seed: what was counted before is counted once more. */
  #forget(seed: number): void {
    this.seed = seed;
    this.#recent = new CountTable();
    this.#older = new CountTable();
    this.#unsaved = 0;
  }
}

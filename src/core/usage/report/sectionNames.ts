/** FNV-1a, 32 bits (draft-eastlake-fnv): ids are short. */
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

const EMPTY = -1;
const FIRST_SLOTS = 256;

/** One way of writing an id. */
interface Spelling {
  readonly bytes: Uint8Array;
  readonly section: number;
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = FNV_OFFSET;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), FNV_PRIME);
  return hash ^ (hash >>> 15);
}

function isEqual(whole: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (whole.length !== end - start) return false;
  for (let at = 0; at < whole.length; at++) if (whole[at] !== bytes[start + at]) return false;
  return true;
}

/** Numbers sections from 0, by their ids: as strings, or as bytes of which no string is made. */
export class SectionNames {
  readonly #names: string[] = [];
  readonly #byName = new Map<string, number>();
  readonly #spellings: Spelling[] = [];
  /** Open addressing: indexes of spellings. */
  #slots = new Int32Array(FIRST_SLOTS).fill(EMPTY);
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  get size(): number {
    return this.#names.length;
  }

  nameOf(section: number): string {
    return this.#names[section] ?? '';
  }

  numberOf(name: string): number {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const section = this.#names.length;
    this.#names.push(name);
    this.#byName.set(name, section);
    return section;
  }

  /** The number of an id in UTF-8 without escapes, from `start` up to and without `end`. */
  numberOfBytes(bytes: Uint8Array, start: number, end: number): number {
    const mask = this.#slots.length - 1;
    let slot = hashOf(bytes, start, end) & mask;
    for (;;) {
      const spelling = this.#spellings[this.#slots[slot] as number];
      if (!spelling) return this.#learn(bytes.slice(start, end));
      if (isEqual(spelling.bytes, bytes, start, end)) return spelling.section;
      slot = (slot + 1) & mask;
    }
  }

  #learn(bytes: Uint8Array): number {
    const section = this.numberOf(this.#decoder.decode(bytes));
    this.#spellings.push({ bytes, section });
    if (this.#spellings.length * 2 > this.#slots.length) {
      this.#slots = new Int32Array(this.#slots.length * 2).fill(EMPTY);
      for (const [index, spelling] of this.#spellings.entries()) this.#place(spelling.bytes, index);
    } else this.#place(bytes, this.#spellings.length - 1);
    return section;
  }

  #place(bytes: Uint8Array, index: number): void {
    const mask = this.#slots.length - 1;
    let slot = hashOf(bytes, 0, bytes.length) & mask;
    while (this.#slots[slot] !== EMPTY) slot = (slot + 1) & mask;
    this.#slots[slot] = index;
  }
}

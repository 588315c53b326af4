import { KeySet } from './keySet';
import { CLOSE_BRACE, COMMA, FAILED, OPEN_BRACE, SPACE, skipPlainString } from './lineBytes';
import type { SectionNames } from './sectionNames';
import { SectionShape, SLOT, type SlotPlace } from './sectionShape';
import { SectionValues } from './sectionValues';
import type { UsageLine } from './usageLine';

const KEYS = ['id', 'chars', 'tokens', 'disclosure', 'chars_full', 'tokens_full', 'hash'];
const ID = 0;
/** By key; the id is no slot but part of the shape. */
const SLOT_OF_KEY = [SLOT.end, SLOT.chars, SLOT.tokens, SLOT.disclosure, SLOT.number, SLOT.number, SLOT.hash];
/** The first three, as bits. */
const NEEDED = 0b111;

/** After so many ways of writing one section, it is read key by key. */
const MAX_SHAPES = 16;

/** What is known of one section's writing. */
interface Known {
  shape: SectionShape | undefined;
  shapesMade: number;
  /** The section that came behind it last. */
  follower: number;
}

const NONE = -1;

/** Reads the sections of records into lines, each mostly as it was written last. */
export class SectionScanner {
  readonly #names: SectionNames;
  readonly #values = new SectionValues();
  readonly #keys = new KeySet(KEYS);
  /** By section + 1; the first stands for the beginning of the list. */
  readonly #known: Known[] = [];
  /** The section read last, or `NONE` at the beginning of a list. */
  #previous = NONE;

  constructor(names: SectionNames) {
    this.#names = names;
  }

  /** To be called before each list. */
  begin(): void {
    this.#previous = NONE;
  }

  /** Behind the section that begins at `at`. */
  read(bytes: Uint8Array, view: DataView, at: number, line: UsageLine): number {
    const previous = this.#knownOf(this.#previous);
    const { follower } = previous;
    const shape = follower === NONE ? undefined : this.#knownOf(follower).shape;
    let next = shape ? shape.read(bytes, view, at, this.#values) : FAILED;
    if (next === FAILED) {
      next = this.#readByKeys(bytes, at, follower);
      if (next === FAILED) return FAILED;
      previous.follower = this.#values.section;
    }
    this.#previous = this.#values.section;
    this.#values.addTo(line);
    return next;
  }

  #knownOf(section: number): Known {
    const known = this.#known[section + 1];
    if (known) return known;
    const added: Known = { shape: undefined, shapesMade: 0, follower: NONE };
    // Sections are numbered as they are met, those of citations too: this leaves no more holes than these.
    this.#known[section + 1] = added;
    return added;
  }

  /** `expected` is the section whose shape did not fit. */
  #readByKeys(bytes: Uint8Array, at: number, expected: number): number {
    if (bytes[at] !== OPEN_BRACE) return FAILED;
    this.#values.begin(NONE);
    const places: SlotPlace[] = [];
    let seen = 0;
    let next = at + 1;
    for (let likely = ID; ; ) {
      const key = this.#keys.match(bytes, next, likely);
      // Of a key that is there twice JSON.parse takes the last.
      if (key === FAILED || (seen & (1 << key)) !== 0) return FAILED;
      seen |= 1 << key;
      likely = key + 1;
      const start = this.#keys.valueAt;
      const slot = SLOT_OF_KEY[key] as number;
      next = key === ID ? this.#readId(bytes, start) : this.#values.readSlot(slot, bytes, start);
      if (next === FAILED) return FAILED;
      if (key !== ID) places.push({ slot, start, end: next });
      if (bytes[next] !== COMMA) break;
      next += bytes[next + 1] === SPACE ? 2 : 1;
    }
    if (bytes[next] !== CLOSE_BRACE || (seen & NEEDED) !== NEEDED) return FAILED;
    this.#learn(bytes, at, next + 1, places, expected);
    return next + 1;
  }

  #learn(bytes: Uint8Array, start: number, end: number, places: readonly SlotPlace[], expected: number): void {
    const { section } = this.#values;
    const known = this.#knownOf(section);
    const isOld = known.shape !== undefined && section !== expected;
    if (isOld || known.shapesMade === MAX_SHAPES) return;
    known.shapesMade++;
    known.shape = new SectionShape(section, bytes, start, end, places);
  }

  #readId(bytes: Uint8Array, at: number): number {
    const next = skipPlainString(bytes, at);
    if (next === FAILED || next === at + 2) return FAILED;
    this.#values.section = this.#names.numberOfBytes(bytes, at + 1, next - 1);
    return next;
  }
}

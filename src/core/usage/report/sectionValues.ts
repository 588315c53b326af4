import { FINGERPRINT_A, FINGERPRINT_B, FINGERPRINT_START } from './fingerprint';
import { ascii, BACKSLASH, FAILED, isAt, QUOTE, SPACE } from './lineBytes';
import { SLOT } from './sectionShape';
import { MAX_AMOUNT, type UsageLine } from './usageLine';

const ZERO = 0x30;
const DELETE = 0x7f;
const FULL = ascii('"full"');
const SUMMARY = ascii('"summary"');
const STUB = ascii('"stub"');
const OMITTED = ascii('"omitted"');
/** Second byte of each. */
const [F, S, O] = [0x66, 0x73, 0x6f];
const T = 0x74;

/** The values of one section of a record while it is read; readers give the position behind their value. */
export class SectionValues {
  section = 0;
  #chars = 0;
  #tokens = 0;
  #isLoaded = true;
  #tells = true;
  #hashA = 0;
  #hashB = 0;

  /** Forgets what may be absent from a section. */
  begin(section: number): void {
    this.section = section;
    this.#isLoaded = true;
    this.#tells = true;
    this.#hashA = 0;
    this.#hashB = 0;
  }

  addTo(line: UsageLine): void {
    // A stub or an empty element says nothing of what is in it.
    const tells = this.#tells && this.#chars > 0;
    const a = tells ? this.#hashA : 0;
    const b = tells ? this.#hashB : 0;
    line.addSection(this.section, this.#chars, this.#tokens, this.#isLoaded, a, b);
  }

  /** `slot` is of `SLOT`. */
  readSlot(slot: number, bytes: Uint8Array, at: number): number {
    if (slot === SLOT.disclosure) return this.#readDisclosure(bytes, at);
    if (slot === SLOT.hash) return this.#readHash(bytes, at);
    let value = (bytes[at] as number) - ZERO;
    if (!(value >= 0 && value <= 9)) return FAILED;
    let next = at + 1;
    for (
      let digit = (bytes[next] as number) - ZERO;
      digit >= 0 && digit <= 9;
      digit = (bytes[++next] as number) - ZERO
    ) {
      value = value * 10 + digit;
    }
    // Thirteen digits are enough for what is no size any more; numbers do not begin with a zero.
    if (value > MAX_AMOUNT || (next > at + 1 && bytes[at] === ZERO)) return FAILED;
    if (slot === SLOT.chars) this.#chars = value;
    else if (slot === SLOT.tokens) this.#tokens = value;
    return next;
  }

  #readDisclosure(bytes: Uint8Array, at: number): number {
    const first = bytes[at + 1];
    const word =
      first === F ? FULL : first === O ? OMITTED : first === S ? (bytes[at + 2] === T ? STUB : SUMMARY) : undefined;
    if (!word || !isAt(bytes, at, word)) return FAILED;
    this.#isLoaded = word !== OMITTED;
    this.#tells = word === FULL || word === SUMMARY;
    return at + word.length;
  }

  #readHash(bytes: Uint8Array, at: number): number {
    if (bytes[at] !== QUOTE) return FAILED;
    let a = FINGERPRINT_START;
    let b = FINGERPRINT_START;
    let next = at + 1;
    for (let byte = bytes[next] as number; byte !== QUOTE; byte = bytes[++next] as number) {
      if (byte < SPACE || byte === BACKSLASH || byte > DELETE) return FAILED;
      a = Math.imul(a ^ byte, FINGERPRINT_A);
      b = Math.imul(b ^ byte, FINGERPRINT_B);
    }
    const isEmpty = next === at + 1;
    this.#hashA = isEmpty ? 0 : a;
    this.#hashB = isEmpty ? 0 : b;
    return next + 1;
  }
}

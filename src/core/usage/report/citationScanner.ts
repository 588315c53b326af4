import { toSummary } from '../../observations/observation';
import { EVIDENCE_KINDS, EVIDENCE_STARTS, FINGERPRINT_A, FINGERPRINT_B, fingerprintOf } from './fingerprint';
import { KeySet } from './keySet';
import {
  ascii,
  BACKSLASH,
  CLOSE_BRACE,
  COMMA,
  FAILED,
  isAt,
  OPEN_BRACE,
  SPACE,
  skipPlainString,
  skipString,
} from './lineBytes';
import type { SectionNames } from './sectionNames';
import type { UsageLine } from './usageLine';

const KEYS = ['id', 'evidence', 'what'];
const ID = 0;
const EVIDENCE = 1;
/** `ID` and `EVIDENCE`, as bits. */
const NEEDED = 0b11;

const EVIDENCE_WORDS = EVIDENCE_KINDS.map((kind) => ascii(`"${kind}"`));
const DELETE = 0x7f;
/** What is no longer, of printable ASCII, and without two blanks in a row or one at an end is a summary of itself. */
const MAX_SUMMARY_BYTES = 120;

/** Reads the citations of records into lines. */
export class CitationScanner {
  readonly #names: SectionNames;
  readonly #keys = new KeySet(KEYS);
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #section = 0;
  #evidence = 0;
  /** The string `what` with its quotes; empty where there is none. */
  #whatFrom = 0;
  #whatTo = 0;

  constructor(names: SectionNames) {
    this.#names = names;
  }

  /** Behind the citation that begins at `at`. */
  read(bytes: Uint8Array, at: number, line: UsageLine): number {
    if (bytes[at] !== OPEN_BRACE) return FAILED;
    this.#whatFrom = 0;
    this.#whatTo = 0;
    let seen = 0;
    let next = at + 1;
    for (let likely = ID; ; ) {
      const key = this.#keys.match(bytes, next, likely);
      // Of a key that is there twice JSON.parse takes the last.
      if (key === FAILED || (seen & (1 << key)) !== 0) return FAILED;
      seen |= 1 << key;
      likely = key + 1;
      next = this.#readValue(key, bytes, this.#keys.valueAt);
      if (next === FAILED) return FAILED;
      if (bytes[next] !== COMMA) break;
      next += bytes[next + 1] === SPACE ? 2 : 1;
    }
    if (bytes[next] !== CLOSE_BRACE || (seen & NEEDED) !== NEEDED) return FAILED;
    this.#addTo(line, bytes);
    return next + 1;
  }

  #readValue(key: number, bytes: Uint8Array, at: number): number {
    switch (key) {
      case ID: {
        const next = skipPlainString(bytes, at);
        if (next === FAILED || next === at + 2) return FAILED;
        this.#section = this.#names.numberOfBytes(bytes, at + 1, next - 1);
        return next;
      }
      case EVIDENCE: {
        for (let kind = 0; kind < EVIDENCE_WORDS.length; kind++) {
          const word = EVIDENCE_WORDS[kind] as Uint8Array;
          if (!isAt(bytes, at, word)) continue;
          this.#evidence = kind;
          return at + word.length;
        }
        return FAILED;
      }
      default:
        this.#whatFrom = at;
        this.#whatTo = skipString(bytes, at);
        return this.#whatTo;
    }
  }

  #addTo(line: UsageLine, bytes: Uint8Array): void {
    const start = EVIDENCE_STARTS[this.#evidence] ?? 0;
    let a = start;
    let b = start;
    let before = SPACE;
    let isPlain = this.#whatTo - this.#whatFrom - 2 <= MAX_SUMMARY_BYTES;
    for (let at = this.#whatFrom + 1; isPlain && at < this.#whatTo - 1; at++) {
      const byte = bytes[at] as number;
      isPlain = byte >= SPACE && byte !== BACKSLASH && byte < DELETE && (byte !== SPACE || before !== SPACE);
      a = Math.imul(a ^ byte, FINGERPRINT_A);
      b = Math.imul(b ^ byte, FINGERPRINT_B);
      before = byte;
    }
    const isEmpty = this.#whatTo <= this.#whatFrom + 2;
    if (isPlain && (isEmpty || before !== SPACE)) line.addCitation(this.#section, a, b);
    else line.addCitation(this.#section, ...this.#decoded(bytes, start));
  }

  /** As the decoder has it. */
  #decoded(bytes: Uint8Array, start: number): readonly [a: number, b: number] {
    const what: unknown = JSON.parse(this.#decoder.decode(bytes.subarray(this.#whatFrom, this.#whatTo)));
    return fingerprintOf(toSummary(String(what)), start);
  }
}

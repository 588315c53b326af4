import { toSummary } from '../../observations/observation';
import {
  EVIDENCE_KINDS,
  EVIDENCE_STARTS,
  FINGERPRINT_A,
  FINGERPRINT_B,
  FINGERPRINT_START,
  fingerprintOf,
} from './fingerprint';
import { KeySet } from './keySet';
import {
  ascii,
  BACKSLASH,
  CLOSE_BRACE,
  COMMA,
  FAILED,
  isAt,
  NumberReader,
  OPEN_BRACE,
  QUOTE,
  SPACE,
  skipPlainString,
  skipString,
} from './lineBytes';
import type { SectionNames } from './sectionNames';
import { MAX_AMOUNT, type UsageLine } from './usageLine';

const SECTION_KEYS = ['id', 'chars', 'tokens', 'disclosure', 'chars_full', 'tokens_full', 'hash'];
const [ID, CHARS, TOKENS, DISCLOSURE, CHARS_FULL, TOKENS_FULL, HASH] = [0, 1, 2, 3, 4, 5, 6];
/** The first three, as bits. */
const NEEDED_OF_SECTION = 0b111;

const CITATION_KEYS = ['id', 'evidence', 'what'];
const [, EVIDENCE, WHAT] = [0, 1, 2];
const NEEDED_OF_CITATION = 0b11;

const DELETE = 0x7f;
/** What is no longer, of printable ASCII and without two blanks in a row or one at an end is a summary of itself. */
const MAX_SUMMARY_BYTES = 120;
const OMITTED = ascii('"omitted"');
const STUB = ascii('"stub"');
const EVIDENCE_WORDS = EVIDENCE_KINDS.map((kind) => ascii(`"${kind}"`));

/** Reads one item of `sections` or `cited` into a line. */
export class ItemScanner {
  readonly #names: SectionNames;
  readonly #number = new NumberReader();
  readonly #sectionKeys = new KeySet(SECTION_KEYS);
  readonly #citationKeys = new KeySet(CITATION_KEYS);
  #section = 0;
  #chars = 0;
  #tokens = 0;
  #isLoaded = true;
  #tells = true;
  #hashA = 0;
  #hashB = 0;
  #evidence = 0;
  #whatFrom = 0;
  #whatTo = 0;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  constructor(names: SectionNames) {
    this.#names = names;
  }

  /** Behind the section that begins at `at`. */
  readSection(bytes: Uint8Array, at: number, line: UsageLine): number {
    if (bytes[at] !== OPEN_BRACE) return FAILED;
    this.#isLoaded = true;
    this.#tells = true;
    this.#hashA = 0;
    this.#hashB = 0;
    let seen = 0;
    let next = at + 1;
    for (let likely = ID; ; ) {
      const key = this.#sectionKeys.match(bytes, next, likely);
      // Of a key that is there twice JSON.parse takes the last.
      if (key === FAILED || (seen & (1 << key)) !== 0) return FAILED;
      seen |= 1 << key;
      likely = key + 1;
      next = this.#readSectionValue(key, bytes, this.#sectionKeys.valueAt);
      if (next === FAILED) return FAILED;
      if (bytes[next] !== COMMA) break;
      next += bytes[next + 1] === SPACE ? 2 : 1;
    }
    if (bytes[next] !== CLOSE_BRACE || (seen & NEEDED_OF_SECTION) !== NEEDED_OF_SECTION) return FAILED;
    const tells = this.#tells && this.#chars > 0;
    const [hashA, hashB] = tells ? [this.#hashA, this.#hashB] : [0, 0];
    line.addSection(this.#section, this.#chars, this.#tokens, this.#isLoaded, hashA, hashB);
    return next + 1;
  }

  /** Behind the citation that begins at `at`. */
  readCitation(bytes: Uint8Array, at: number, line: UsageLine): number {
    if (bytes[at] !== OPEN_BRACE) return FAILED;
    this.#whatFrom = this.#whatTo;
    let seen = 0;
    let next = at + 1;
    for (let likely = ID; ; ) {
      const key = this.#citationKeys.match(bytes, next, likely);
      if (key === FAILED || (seen & (1 << key)) !== 0) return FAILED;
      seen |= 1 << key;
      likely = key + 1;
      next = this.#readCitationValue(key, bytes, this.#citationKeys.valueAt);
      if (next === FAILED) return FAILED;
      if (bytes[next] !== COMMA) break;
      next += bytes[next + 1] === SPACE ? 2 : 1;
    }
    if (bytes[next] !== CLOSE_BRACE || (seen & NEEDED_OF_CITATION) !== NEEDED_OF_CITATION) return FAILED;
    this.#cite(bytes, line);
    return next + 1;
  }

  #readSectionValue(key: number, bytes: Uint8Array, at: number): number {
    switch (key) {
      case ID:
        return this.#readId(bytes, at);
      case CHARS: {
        const next = this.#number.readWhole(bytes, at);
        this.#chars = this.#number.value;
        return this.#chars > MAX_AMOUNT ? FAILED : next;
      }
      case TOKENS: {
        const next = this.#number.readWhole(bytes, at);
        this.#tokens = this.#number.value;
        return this.#tokens > MAX_AMOUNT ? FAILED : next;
      }
      case DISCLOSURE:
        this.#isLoaded = !isAt(bytes, at, OMITTED);
        this.#tells = this.#isLoaded && !isAt(bytes, at, STUB);
        return skipPlainString(bytes, at);
      case CHARS_FULL:
      case TOKENS_FULL:
        return this.#number.readWhole(bytes, at);
      case HASH:
        return this.#readHash(bytes, at);
      default:
        return FAILED;
    }
  }

  #readCitationValue(key: number, bytes: Uint8Array, at: number): number {
    switch (key) {
      case ID:
        return this.#readId(bytes, at);
      case EVIDENCE: {
        const word = EVIDENCE_WORDS.findIndex((each) => isAt(bytes, at, each));
        this.#evidence = word;
        return word < 0 ? FAILED : at + (EVIDENCE_WORDS[word]?.length ?? 0);
      }
      case WHAT:
        this.#whatFrom = at;
        this.#whatTo = skipString(bytes, at);
        return this.#whatTo;
      default:
        return FAILED;
    }
  }

  #cite(bytes: Uint8Array, line: UsageLine): void {
    const start = EVIDENCE_STARTS[this.#evidence] ?? 0;
    let a = start;
    let b = start;
    let before = SPACE;
    for (let at = this.#whatFrom + 1; at < this.#whatTo - 1; at++) {
      const byte = bytes[at] as number;
      const isOdd = byte < SPACE || byte === BACKSLASH || byte >= DELETE || (byte === SPACE && before === SPACE);
      if (isOdd) {
        this.#citeOdd(bytes, line, start);
        return;
      }
      a = Math.imul(a ^ byte, FINGERPRINT_A);
      b = Math.imul(b ^ byte, FINGERPRINT_B);
      before = byte;
    }
    const length = this.#whatTo - this.#whatFrom - 2;
    const endsOdd = length > MAX_SUMMARY_BYTES || (length > 0 && before === SPACE);
    if (endsOdd) this.#citeOdd(bytes, line, start);
    else line.addCitation(this.#section, a, b);
  }

  /** As the decoder does it. */
  #citeOdd(bytes: Uint8Array, line: UsageLine, start: number): void {
    const what: unknown = JSON.parse(this.#decoder.decode(bytes.subarray(this.#whatFrom, this.#whatTo)));
    const [a, b] = fingerprintOf(toSummary(String(what)), start);
    line.addCitation(this.#section, a, b);
  }

  #readId(bytes: Uint8Array, at: number): number {
    const next = skipPlainString(bytes, at);
    if (next === FAILED || next === at + 2) return FAILED;
    this.#section = this.#names.numberOfBytes(bytes, at + 1, next - 1);
    return next;
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
    if (next === at + 1) return next + 1;
    this.#hashA = a;
    this.#hashB = b;
    return next + 1;
  }
}

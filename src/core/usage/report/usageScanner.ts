/**
 * Reads usage records out of bytes, several times as fast as `JSON.parse`. It knows the keys of `usage.v1` in any
 * order, with or without a blank behind commas and colons, and gives up on everything else: such lines are left to
 * `lineDecoder.ts`, where what it accepts means exactly the same.
 */
import { USAGE_VERSION } from '../usageCodec';
import { CitationScanner } from './citationScanner';
import { KeySet } from './keySet';
import {
  ascii,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  FAILED,
  isAt,
  NumberReader,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
  skipPlainString,
  skipString,
} from './lineBytes';
import { TIME_LENGTH, timeAt } from './lineTime';
import type { SectionNames } from './sectionNames';
import { SectionScanner } from './sectionScanner';
import { MAX_AMOUNT, MODES, type UsageLine } from './usageLine';

/** In the encoder's order, so that the next key is mostly the one behind the last. */
const KEYS = [
  'schema_version',
  'cycle',
  'ts',
  'trigger',
  'profile',
  'mode',
  'payload',
  'sections',
  'cited',
  'overhead_tokens',
  'response_ms',
  'observability_score',
  'origin',
];
const [
  VERSION,
  CYCLE,
  TS,
  TRIGGER,
  PROFILE,
  MODE,
  PAYLOAD,
  SECTIONS,
  CITED,
  OVERHEAD,
  RESPONSE,
  OBSERVABILITY,
  ORIGIN,
] = KEYS.keys();
/** The first three, as bits. */
const NEEDED = 0b111;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const NULL = ascii('null');
const VERSION_WORD = ascii(`"${USAGE_VERSION}"`);
const MODE_WORDS = MODES.map((mode) => ascii(`"${mode}"`));

export class UsageScanner {
  readonly #sections: SectionScanner;
  readonly #citations: CitationScanner;
  readonly #number = new NumberReader();
  readonly #keys = new KeySet(KEYS);
  #view: DataView = new DataView(new ArrayBuffer(0));

  constructor(names: SectionNames) {
    this.#sections = new SectionScanner(names);
    this.#citations = new CitationScanner(names);
  }

  /** To be called before lines of other bytes than the last are read. */
  open(bytes: Uint8Array): void {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /**
   * Reads the line that begins at `start` into `line`; its `\n` must be in `bytes`.
   * @returns where its `\n` is, or `FAILED` where it gave up; `line` then says nothing
   */
  scan(bytes: Uint8Array, start: number, line: UsageLine): number {
    line.clear();
    const next = this.#readRecord(bytes, start, line);
    if (next === FAILED) return FAILED;
    const end = bytes[next] === CARRIAGE_RETURN ? next + 1 : next;
    return bytes[end] === LINE_FEED ? end : FAILED;
  }

  #readRecord(bytes: Uint8Array, at: number, line: UsageLine): number {
    if (bytes[at] !== OPEN_BRACE) return FAILED;
    let seen = 0;
    let next = at + 1;
    for (let likely = 0; ; ) {
      const key = this.#keys.match(bytes, next, likely);
      // Of a key that is there twice JSON.parse takes the last.
      if (key === FAILED || (seen & (1 << key)) !== 0) return FAILED;
      seen |= 1 << key;
      likely = key + 1;
      next = this.#readValue(key, bytes, this.#keys.valueAt, line);
      if (next === FAILED) return FAILED;
      if (bytes[next] !== COMMA) break;
      next += bytes[next + 1] === SPACE ? 2 : 1;
    }
    return bytes[next] === CLOSE_BRACE && (seen & NEEDED) === NEEDED ? next + 1 : FAILED;
  }

  #readValue(key: number, bytes: Uint8Array, at: number, line: UsageLine): number {
    switch (key) {
      case VERSION:
        return isAt(bytes, at, VERSION_WORD) ? at + VERSION_WORD.length : FAILED;
      case CYCLE: {
        const next = this.#number.readWhole(bytes, at);
        line.cycle = this.#number.value;
        return line.cycle < 1 ? FAILED : next;
      }
      case TS:
        line.time = timeAt(bytes, at);
        return line.time === FAILED ? FAILED : at + TIME_LENGTH;
      case TRIGGER:
      case PROFILE:
      case PAYLOAD:
        return isAt(bytes, at, NULL) ? at + NULL.length : skipString(bytes, at);
      case ORIGIN:
        if (isAt(bytes, at, NULL)) return at + NULL.length;
        line.hasOrigin = bytes[at + 1] !== QUOTE;
        return skipString(bytes, at);
      case MODE: {
        const mode = MODE_WORDS.findIndex((word) => isAt(bytes, at, word));
        line.mode = Math.max(mode, 0);
        return skipPlainString(bytes, at);
      }
      case SECTIONS:
        return this.#readSections(bytes, at, line);
      case CITED:
        return this.#readCited(bytes, at, line);
      default:
        return this.#readMeasure(key, bytes, at, line);
    }
  }

  #readMeasure(key: number, bytes: Uint8Array, at: number, line: UsageLine): number {
    if (isAt(bytes, at, NULL)) return at + NULL.length;
    const next = this.#number.read(bytes, at);
    const { value } = this.#number;
    if (next === FAILED || value > MAX_AMOUNT) return FAILED;
    if (key === RESPONSE) line.setResponseMs(value);
    else if (key === OBSERVABILITY) line.setObservability(value);
    else if (key === OVERHEAD && Number.isInteger(value)) line.overheadTokens = value;
    else return FAILED;
    return next;
  }

  #readSections(bytes: Uint8Array, at: number, line: UsageLine): number {
    if (bytes[at] !== OPEN_BRACKET) return FAILED;
    if (bytes[at + 1] === CLOSE_BRACKET) return at + 2;
    this.#sections.begin();
    let next = at + 1;
    for (;;) {
      next = this.#sections.read(bytes, this.#view, next, line);
      if (next === FAILED) return FAILED;
      if (bytes[next] !== COMMA) return bytes[next] === CLOSE_BRACKET ? next + 1 : FAILED;
      next += bytes[next + 1] === SPACE ? 2 : 1;
    }
  }

  #readCited(bytes: Uint8Array, at: number, line: UsageLine): number {
    if (bytes[at] !== OPEN_BRACKET) return FAILED;
    if (bytes[at + 1] === CLOSE_BRACKET) return at + 2;
    let next = at + 1;
    for (;;) {
      next = this.#citations.read(bytes, next, line);
      if (next === FAILED) return FAILED;
      if (bytes[next] !== COMMA) return bytes[next] === CLOSE_BRACKET ? next + 1 : FAILED;
      next += bytes[next + 1] === SPACE ? 2 : 1;
    }
  }
}

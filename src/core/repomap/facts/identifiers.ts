/**
 * Which words a file mentions, where, and whether in code, in a comment or in a string; a language's `lexis` tells what
 * is which. Finds 99.7–100 % of the identifiers a parser finds, for about 5 % of the time (PERFORMANCE §2).
 */
import { DIGIT, type Lexer, OTHER, SPECIAL, WORD_START } from './lexer';
import { grown } from './varint';

/** RANKING §1.1: words of 2–60 characters count. */
const MIN_LENGTH = 2;
const MAX_LENGTH = 60;

const NEWLINE = 10;
const BACKSLASH = 92;

/** Where a word stands (RANKING §1.1). A doc string counts as comment; a signature is code. */
export const FIELD_CODE = 0;
export const FIELD_COMMENT = 1;
export const FIELD_STRING = 2;

/** A place is the 0-based line times 4 plus the field. */
const FIELD_BITS = 2;

/** The field of a place of a scan. */
export function fieldOf(place: number): number {
  return place & ((1 << FIELD_BITS) - 1);
}

/** The 0-based line of a place of a scan. */
export function lineOf(place: number): number {
  return place >>> FIELD_BITS;
}

/** Distinct words without a string for every occurrence: open addressing over positions in the text. */
class WordTable {
  #capacity = 1024;
  #slots = new Int32Array(this.#capacity).fill(-1);
  #starts = new Int32Array(this.#capacity / 2);
  #lengths = new Int32Array(this.#capacity / 2);
  #hashes = new Int32Array(this.#capacity / 2);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of the word `text[start, end)`, new or known. */
  add(text: string, start: number, end: number, hash: number): number {
    const length = end - start;
    let slot = hash & (this.#capacity - 1);
    for (;;) {
      const entry = this.#slots[slot] as number;
      if (entry < 0) break;
      if (this.#hashes[entry] === hash && this.#lengths[entry] === length) {
        let at = 0;
        const known = this.#starts[entry] as number;
        while (at < length && text.charCodeAt(known + at) === text.charCodeAt(start + at)) at++;
        if (at === length) return entry;
      }
      slot = (slot + 1) & (this.#capacity - 1);
    }
    const entry = this.#size++;
    this.#slots[slot] = entry;
    this.#starts[entry] = start;
    this.#lengths[entry] = length;
    this.#hashes[entry] = hash;
    if (this.#size * 2 >= this.#capacity) this.#grow();
    return entry;
  }

  word(text: string, entry: number): string {
    const start = this.#starts[entry] as number;
    return text.slice(start, start + (this.#lengths[entry] as number));
  }

  #grow(): void {
    this.#capacity *= 2;
    this.#slots = new Int32Array(this.#capacity).fill(-1);
    this.#starts = grown(this.#starts, this.#capacity / 2);
    this.#lengths = grown(this.#lengths, this.#capacity / 2);
    this.#hashes = grown(this.#hashes, this.#capacity / 2);
    for (let entry = 0; entry < this.#size; entry++) {
      let slot = (this.#hashes[entry] as number) & (this.#capacity - 1);
      while ((this.#slots[slot] as number) >= 0) slot = (slot + 1) & (this.#capacity - 1);
      this.#slots[slot] = entry;
    }
  }
}

/** Letters beyond ASCII, roughly: everything but spaces, punctuation and marks of order. */
function isWideWordCode(code: number): boolean {
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba;
  return !(
    (code >= 0x2000 && code <= 0x2bff) ||
    (code >= 0x3000 && code <= 0x3004) ||
    (code >= 0x3008 && code <= 0x3020) ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    (code >= 0xff00 && code <= 0xff0f) ||
    code >= 0xfff0 ||
    code === 0xfeff
  );
}

/** ASCII classes for text of no known language: words and numbers, nothing to skip. */
const PLAIN_CLASSES = new Uint8Array(128).map((_, code) => {
  const char = String.fromCharCode(code);
  return /[A-Za-z_]/.test(char) ? WORD_START : /[0-9]/.test(char) ? DIGIT : OTHER;
});

/** Every word of a text with its line and field, in document order; parallel lists. */
export interface WordScan {
  /** Distinct words, in order of first appearance. */
  readonly words: readonly string[];
  /** Per occurrence: index into `words`. */
  readonly entries: Int32Array;
  /** Per occurrence: where it stands, for `lineOf` and `fieldOf` (`FIELD_CODE`, `FIELD_COMMENT` or `FIELD_STRING`). */
  readonly places: Int32Array;
  /** 0-based lines on which a comment stands alone. */
  readonly commentLines: ReadonlySet<number>;
  /** 0-based lines that begin inside of a comment or string. */
  readonly proseLines: ReadonlySet<number>;
}

class Scanner {
  readonly #table = new WordTable();
  #entries: Int32Array<ArrayBuffer>;
  #places: Int32Array<ArrayBuffer>;
  #count = 0;
  readonly #commentLines = new Set<number>();
  readonly #proseLines = new Set<number>();
  #line = 0;
  /** Nothing but white space since the line began. */
  #isLineStart = true;

  constructor(
    private readonly text: string,
    private readonly lexis: Lexer | undefined,
  ) {
    // Words take six characters and more in code.
    const room = 64 + (text.length >> 2);
    this.#entries = new Int32Array(room);
    this.#places = new Int32Array(room);
  }

  scan(): WordScan {
    const text = this.text;
    const lexis = this.lexis;
    const classes = lexis?.classes ?? PLAIN_CLASSES;
    lexis?.reset();
    for (let at = 0; at < text.length; ) {
      const code = text.charCodeAt(at);
      const kind = code < 128 ? classes[code] : isWideWordCode(code) ? WORD_START : OTHER;
      if (kind === OTHER) {
        if (code === NEWLINE) {
          this.#line++;
          this.#isLineStart = true;
        } else if (code > 32) this.#isLineStart = false;
        at++;
      } else if (kind === SPECIAL && lexis) at = this.#lexeme(lexis, at);
      else at = this.#resumed(this.#word(at, classes, FIELD_CODE));
    }
    return {
      words: Array.from({ length: this.#table.size }, (_, entry) => this.#table.word(text, entry)),
      entries: this.#entries.subarray(0, this.#count),
      places: this.#places.subarray(0, this.#count),
      commentLines: this.#commentLines,
      proseLines: this.#proseLines,
    };
  }

  /** A word or number; for code also the string whose prefix the word is. Returns where it ends. */
  #word(start: number, classes: Uint8Array, field: number): number {
    const text = this.text;
    let at = start;
    let hash = 0;
    for (; at < text.length; at++) {
      const part = text.charCodeAt(at);
      if (part < 128) {
        const partKind = classes[part];
        const isPart = partKind === WORD_START || partKind === DIGIT;
        if (!isPart && !(field === FIELD_CODE && this.lexis?.joins(text, at))) break;
      } else if (!isWideWordCode(part)) break;
      hash = (Math.imul(hash, 31) + part) | 0;
    }
    const first = text.charCodeAt(start);
    if (first < 128 && classes[first] === DIGIT) {
      if (text.charCodeAt(at) === 39 && /[\da-fA-F]/.test(text.charAt(at + 1))) at++;
      this.#isLineStart = false;
      return at;
    }
    const stringEnd = field === FIELD_CODE && this.lexis ? this.lexis.prefixedStringEnd(text, start, at) : -1;
    if (stringEnd >= 0) {
      this.#prose(at, stringEnd, this.#stringField(at, stringEnd));
      return stringEnd;
    }
    this.#isLineStart = false;
    if (at - start >= MIN_LENGTH && at - start <= MAX_LENGTH) {
      if (this.#count === this.#entries.length) {
        this.#entries = grown(this.#entries, this.#count * 2);
        this.#places = grown(this.#places, this.#count * 2);
      }
      this.#entries[this.#count] = this.#table.add(text, start, at, Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d));
      this.#places[this.#count++] = (this.#line << FIELD_BITS) | field;
    }
    return at;
  }

  /** Goes on with the string that the name ending at `at` interrupted, if there is one; where it ends, else `at`. */
  #resumed(at: number): number {
    if (!this.lexis?.isSuspended) return at;
    const end = this.lexis.resume(this.text, at);
    this.#prose(at, end, FIELD_STRING);
    return end;
  }

  #lexeme(lexis: Lexer, at: number): number {
    const { kind, end } = lexis.match(this.text, at);
    if (kind === 'none') {
      // A line end is special where here-documents begin behind it.
      this.#isLineStart = this.text.charCodeAt(at) === NEWLINE;
      if (this.#isLineStart) this.#line++;
      return end;
    }
    const field = kind === 'comment' ? FIELD_COMMENT : this.#stringField(at, end);
    const isOwnLine = kind === 'comment' && this.#isLineStart;
    const firstLine = this.#line;
    this.#prose(at, end, field);
    if (isOwnLine) for (let line = firstLine; line <= this.#line; line++) this.#commentLines.add(line);
    return end;
  }

  /** A string that is a statement of its own over several lines documents something. */
  #stringField(start: number, end: number): number {
    if (!this.#isLineStart) return FIELD_STRING;
    const newline = this.text.indexOf('\n', start);
    const isLong = newline >= 0 && newline < end;
    return isLong || /^(?:"""|''')/.test(this.text.slice(start, start + 3)) ? FIELD_COMMENT : FIELD_STRING;
  }

  /** Words of a comment or string. */
  #prose(start: number, end: number, field: number): void {
    const text = this.text;
    for (let at = start; at < end; ) {
      const code = text.charCodeAt(at);
      if (code === NEWLINE) this.#proseLines.add(++this.#line);
      if (code === BACKSLASH && field === FIELD_STRING && text.charCodeAt(at + 1) !== NEWLINE) at += 2;
      else if (code < 128 ? PLAIN_CLASSES[code] !== OTHER : isWideWordCode(code)) {
        at = Math.min(this.#word(at, PLAIN_CLASSES, field), end);
      } else at++;
    }
    this.#isLineStart = false;
  }
}

/** Every word of `text` and where it stands; without `lexis` all is code. Linear, about 100 MB/s. */
export function scanWords(text: string, lexis?: Lexer): WordScan {
  return new Scanner(text, lexis).scan();
}

/** How often each word stands in code, outside comments and strings. */
export function codeCountsOf({ words, entries, places }: WordScan): Uint32Array {
  const counts = new Uint32Array(words.length);
  for (let at = 0; at < entries.length; at++) {
    if (fieldOf(places[at] as number) !== FIELD_CODE) continue;
    const entry = entries[at] as number;
    counts[entry] = (counts[entry] as number) + 1;
  }
  return counts;
}

/** Words in code with their counts, in order of first appearance. */
export function referencesOf(scan: WordScan): readonly (readonly [name: string, count: number])[] {
  const counts = codeCountsOf(scan);
  return scan.words.map((word, entry) => [word, counts[entry] as number] as const).filter(([, count]) => count > 0);
}

/** The text with every comment replaced by one space; strings stay. For short texts such as signatures. */
export function stripComments(text: string, lexis: Lexer): string {
  lexis.reset();
  let result = '';
  let kept = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code >= 128 || lexis.classes[code] !== SPECIAL) {
      at++;
      continue;
    }
    const found = lexis.match(text, at);
    if (found.kind === 'comment') {
      result += `${text.slice(kept, at)} `;
      kept = found.end;
    }
    at = Math.max(found.end, at + 1);
    if (lexis.isSuspended) at = lexis.resume(text, at);
  }
  return result + text.slice(kept);
}

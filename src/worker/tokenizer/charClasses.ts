/**
 * Classes of characters that the tokenizers' patterns distinguish, as bit flags, so that a scanner can test a run
 * against several classes at once.
 */

/** Upper and title case letters: `\p{Lu}\p{Lt}`. */
export const UPPER = 1;
/** Lower case letters: `\p{Ll}`. */
export const LOWER = 2;
/** Letters without case: `\p{Lm}\p{Lo}`. */
export const CASELESS = 4;
/** Combining marks: `\p{M}`. */
export const MARK = 8;
/** Numbers: `\p{N}`. */
export const NUMBER = 16;
/** White space other than CR and LF. */
export const SPACE = 32;
/** CR and LF. */
export const NEWLINE = 64;
/** Everything else, unassigned characters and U+FFFD included. */
export const OTHER = 128;

export const LETTER = UPPER | LOWER | CASELESS;
export const WHITE_SPACE = SPACE | NEWLINE;

/**
 * `\s` as tiktoken's Rust regex reads it, Unicode's White_Space: with U+0085 and without U+FEFF, where JavaScript's
 * `\s` has it the other way round.
 */
const CLASS_RUNS: readonly (readonly [number, RegExp])[] = [
  [UPPER, /[\p{Lu}\p{Lt}]+/gu],
  [LOWER, /\p{Ll}+/gu],
  [CASELESS, /[\p{Lm}\p{Lo}]+/gu],
  [MARK, /\p{M}+/gu],
  [NUMBER, /\p{N}+/gu],
  [SPACE, /(?:(?![\r\n])\p{White_Space})+/gu],
  [NEWLINE, /[\r\n]+/g],
];

const PAGE_BITS = 12;
const PAGE_SIZE = 1 << PAGE_BITS;
const SURROGATES_START = 0xd800;
const SURROGATES_END = 0xe000;
const BMP_END = 0x10000;

const pages: (Uint8Array | undefined)[] = [];

function buildPage(page: number): Uint8Array {
  const start = page << PAGE_BITS;
  const unitsPerChar = start >= BMP_END ? 2 : 1;
  let text = '';
  for (let code = start; code < start + PAGE_SIZE; code++) {
    const isSurrogate = code >= SURROGATES_START && code < SURROGATES_END;
    text += isSurrogate ? '\ufffd' : String.fromCodePoint(code);
  }
  const classes = new Uint8Array(PAGE_SIZE).fill(OTHER);
  for (const [value, pattern] of CLASS_RUNS) {
    for (const match of text.matchAll(pattern)) {
      const from = match.index / unitsPerChar;
      classes.fill(value, from, from + match[0].length / unitsPerChar);
    }
  }
  pages[page] = classes;
  return classes;
}

function classOf(codePoint: number): number {
  const page = codePoint >> PAGE_BITS;
  const classes = pages[page] ?? buildPage(page);
  return classes[codePoint & (PAGE_SIZE - 1)] as number;
}

/**
 * Writes the class of each character of well-formed UTF-8 to every byte of that character in `classes`, and 0 after
 * the last one. `classes` has at least `length + 1` elements.
 */
export function classifyUtf8(bytes: Uint8Array, length: number, classes: Uint8Array): void {
  const ascii = pages[0] ?? buildPage(0);
  let i = 0;
  while (i < length) {
    const lead = bytes[i] as number;
    if (lead < 0x80) {
      classes[i++] = ascii[lead] as number;
    } else if (lead < 0xe0) {
      const value = classOf(((lead & 0x1f) << 6) | ((bytes[i + 1] as number) & 0x3f));
      classes[i] = classes[i + 1] = value;
      i += 2;
    } else if (lead < 0xf0) {
      const middle = ((bytes[i + 1] as number) & 0x3f) << 6;
      const value = classOf(((lead & 0x0f) << 12) | middle | ((bytes[i + 2] as number) & 0x3f));
      classes[i] = classes[i + 1] = classes[i + 2] = value;
      i += 3;
    } else {
      const high = ((bytes[i + 1] as number) & 0x3f) << 12;
      const middle = ((bytes[i + 2] as number) & 0x3f) << 6;
      const value = classOf(((lead & 0x07) << 18) | high | middle | ((bytes[i + 3] as number) & 0x3f));
      classes[i] = classes[i + 1] = classes[i + 2] = classes[i + 3] = value;
      i += 4;
    }
  }
  classes[length] = 0;
}

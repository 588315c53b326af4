/**
 * Readers of single JSON values in bytes, each from one position to the position behind what it read, or `FAILED` where
 * the bytes are not that or are written in a way that is left to `JSON.parse`. They look no further than the `\n` at the
 * end of the line, which must be there.
 */
export const FAILED = -1;

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const SPACE = 0x20;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const BACKSLASH = 0x5c;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const U = 0x75;
/** `"\/bfnrt`, as bits of the character's code less 0x20. */
const SIMPLE_ESCAPES = new Set([...'"\\/bfnrt'].map((character) => character.charCodeAt(0)));

/** A number of up to 15 digits is exact, and so is what dividing it by a power of ten up to 10^22 rounds to. */
const MAX_DIGITS = 15;
const POWERS = Array.from({ length: MAX_DIGITS + 1 }, (_, exponent) => 10 ** exponent);

const encoder = new TextEncoder();

/** Text of ASCII as bytes. */
export function ascii(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Whether `literal` is at `at`. */
export function isAt(bytes: Uint8Array, at: number, literal: Uint8Array): boolean {
  for (let index = 0; index < literal.length; index++) if (bytes[at + index] !== literal[index]) return false;
  return true;
}

function isHex(byte: number): boolean {
  const lower = byte | 0x20;
  return (byte >= ZERO && byte <= NINE) || (lower >= 0x61 && lower <= 0x66);
}

/** Behind an escape that begins at `at` with its backslash. */
function skipEscape(bytes: Uint8Array, at: number): number {
  const kind = bytes[at + 1] as number;
  if (SIMPLE_ESCAPES.has(kind)) return at + 2;
  if (kind !== U) return FAILED;
  for (let index = 2; index < 6; index++) if (!isHex(bytes[at + index] as number)) return FAILED;
  return at + 6;
}

/** Behind a string of any content that begins at `at` with its quote. */
export function skipString(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== QUOTE) return FAILED;
  let next = at + 1;
  for (;;) {
    const byte = bytes[next] as number;
    if (byte === QUOTE) return next + 1;
    if (byte < SPACE) return FAILED;
    if (byte === BACKSLASH) {
      next = skipEscape(bytes, next);
      if (next === FAILED) return FAILED;
    } else next++;
  }
}

/** Behind a string without escapes. */
export function skipPlainString(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== QUOTE) return FAILED;
  let next = at + 1;
  for (;;) {
    const byte = bytes[next] as number;
    if (byte === QUOTE) return next + 1;
    if (byte < SPACE || byte === BACKSLASH) return FAILED;
    next++;
  }
}

/** Reads numbers; `value` is the last one read. */
export class NumberReader {
  value = 0;

  /** Behind a number of at least 0 without an exponent and of at most 15 digits. */
  read(bytes: Uint8Array, at: number): number {
    const whole = this.readWhole(bytes, at);
    if (whole === FAILED || bytes[whole] !== DOT) return whole;
    let { value } = this;
    let next = whole + 1;
    for (let digit = bytes[next] as number; digit >= ZERO && digit <= NINE; digit = bytes[++next] as number) {
      value = value * 10 + (digit - ZERO);
    }
    const places = next - whole - 1;
    if (places === 0 || next - at - 1 > MAX_DIGITS) return FAILED;
    this.value = value / (POWERS[places] as number);
    return next;
  }

  /** Behind a whole number of at least 0 and of at most 15 digits. */
  readWhole(bytes: Uint8Array, at: number): number {
    let value = 0;
    let next = at;
    for (let digit = bytes[next] as number; digit >= ZERO && digit <= NINE; digit = bytes[++next] as number) {
      value = value * 10 + (digit - ZERO);
    }
    const digits = next - at;
    if (digits === 0 || digits > MAX_DIGITS || (digits > 1 && bytes[at] === ZERO)) return FAILED;
    this.value = value;
    return next;
  }
}

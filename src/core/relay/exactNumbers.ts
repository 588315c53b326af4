/**
 * Numbers of a relay log that JavaScript would change: ids over 2^53, nanoseconds, `1e400`. They are read as texts that
 * begin with a mark, and written as the numbers that they were; between, {@link isExactNumber} tells them from texts.
 */

/** A noncharacter, which Unicode leaves to such uses inside of a program. */
const MARK = '\uFDD0';

/** Whether a JSON text may hold such a number, or a text with the mark: else there is nothing to do. */
const MAY_NEED_CARE = /[\d.]{16}|\d[eE][+-]?\d{3}|\uFDD0|\\ufdd0/i;

/** Ends of texts, what is escaped in them, and numbers: one pattern for whole texts would run out of stack. */
const TOKEN = /\\.|"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** The start of a text that begins with the mark, as it is or escaped. */
const MARKED_START = /"(?:\uFDD0|\\ufdd0)/iy;

/** The quote at the start of a JSON text is never behind a backslash, one inside of it always. */
const MARKED = /(?<!\\)"\uFDD0(?:(?=\uFDD0)|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)")/g;

/** The same text for all spellings of one number of JSON. */
function decimalOf(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return end === 0 ? '0' : `${sign}${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}

function isKept(number: string): boolean {
  const read = String(Number(number));
  return read === number || decimalOf(read) === decimalOf(number);
}

/** Valid JSON with numbers that would change as marked texts; texts that begin with the mark get another one. */
function withMarks(json: string): string {
  let isInText = false;
  return json.replace(TOKEN, (token, at: number) => {
    if (token === '"') {
      isInText = !isInText;
      MARKED_START.lastIndex = at;
      return isInText && MARKED_START.test(json) ? `"${MARK}` : token;
    }
    return isInText || isKept(token) ? token : `"${MARK}${token}"`;
  });
}

/** Parses JSON; numbers that would change are marked texts. Throws `SyntaxError`. Linear. */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return MAY_NEED_CARE.test(text) ? JSON.parse(withMarks(text)) : value;
}

/** What `JSON.stringify` wrote of a value of {@link parseExact}, with its numbers as they were. */
export function writeExact(json: string): string {
  return json.includes(MARK) ? json.replace(MARKED, (_, number: string | undefined) => number ?? '"') : json;
}

/** True for a number that is kept as a text. */
export function isExactNumber(value: unknown): value is `\uFDD0${string}` {
  return typeof value === 'string' && value.startsWith(MARK);
}

/** A text, number or truth value as people read it. */
export function leafText(value: unknown): string {
  return isExactNumber(value) ? value.slice(MARK.length) : String(value);
}

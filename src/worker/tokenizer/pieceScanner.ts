/**
 * Splits text into the pieces that byte pairs are merged in, exactly as the encodings' patterns do, in linear time on
 * any input. A backtracking regular expression would do the same, but with a stack that grows with the input.
 */
import type { TokenizerName } from '../../core/ports/ports';
import { CASELESS, LETTER, LOWER, MARK, NEWLINE, NUMBER, OTHER, SPACE, UPPER, WHITE_SPACE } from './charClasses';

const CONTRACTIONS = "('s|'S|'t|'T|'re|'rE|'Re|'RE|'ve|'vE|'Ve|'VE|'m|'M|'ll|'lL|'Ll|'LL|'d|'D)";

/**
 * The patterns that the scanners below implement, as js-tiktoken's `pat_str` has them, with `\s` read as Unicode's
 * White_Space. Ranks that come with another pattern must be refused.
 */
export const SCANNED_PATTERNS: Readonly<Record<TokenizerName, string>> = {
  o200k_base: [
    `[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+${CONTRACTIONS}?`,
    `[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*${CONTRACTIONS}?`,
    '\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+',
  ].join('|'),
  cl100k_base: [
    CONTRACTIONS,
    '[^\\r\\n\\p{L}\\p{N}]?\\p{L}+',
    '\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+',
  ].join('|'),
};

/** UTF-8 bytes with the class of the character at each byte (`classifyUtf8`); `classes[length]` is 0. */
interface ClassifiedText {
  readonly bytes: Uint8Array;
  readonly classes: Uint8Array;
  readonly length: number;
}

/** Finds where the piece that starts at `start` ends. `start` is before the text's end, at a piece's first byte. */
export type PieceScanner = (text: ClassifiedText, start: number) => number;

const PREFIX = SPACE | MARK | OTHER;
const PUNCTUATION = MARK | OTHER;
const WORD_HEAD = UPPER | CASELESS | MARK;
const WORD_TAIL = LOWER | CASELESS | MARK;
const NOT_FOUND = -1;

const BLANK = 0x20;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;
const TO_LOWER_CASE = 0x20;
const [CHAR_D, CHAR_E, CHAR_L, CHAR_M, CHAR_R, CHAR_S, CHAR_T, CHAR_V] = [
  0x64, 0x65, 0x6c, 0x6d, 0x72, 0x73, 0x74, 0x76,
];

function runEnd(classes: Uint8Array, start: number, mask: number): number {
  let i = start;
  while (((classes[i] as number) & mask) !== 0) i++;
  return i;
}

/** True at the second and later bytes of a character. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function nextChar(text: ClassifiedText, start: number): number {
  let i = start + 1;
  while (i < text.length && isContinuation(text.bytes[i])) i++;
  return i;
}

function previousChar(text: ClassifiedText, end: number): number {
  let i = end - 1;
  while (i > 0 && isContinuation(text.bytes[i])) i--;
  return i;
}

/** Length of a contraction such as `'s` or `'LL` at `at`, or 0. */
function contractionLength(text: ClassifiedText, at: number): number {
  const { bytes, length } = text;
  if (at + 1 >= length || bytes[at] !== APOSTROPHE) return 0;
  const first = (bytes[at + 1] as number) | TO_LOWER_CASE;
  if (first === CHAR_S || first === CHAR_T || first === CHAR_M || first === CHAR_D) return 2;
  if (at + 2 >= length) return 0;
  const second = (bytes[at + 2] as number) | TO_LOWER_CASE;
  if ((first === CHAR_R || first === CHAR_V) && second === CHAR_E) return 3;
  return first === CHAR_L && second === CHAR_L ? 3 : 0;
}

/** `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+` at `start`, as backtracking would match it. */
function lowerWordEnd(text: ClassifiedText, start: number): number {
  const { classes } = text;
  const headEnd = runEnd(classes, start, WORD_HEAD);
  if (classes[headEnd] === LOWER) return runEnd(classes, headEnd, WORD_TAIL);
  // The second group must take back its one character from the first: the last one that both groups allow.
  let end = headEnd;
  while (end > start && classes[end - 1] === UPPER) end--;
  return end > start ? end : NOT_FOUND;
}

/** The two word alternatives of o200k, without contraction. */
function casedWordEnd(text: ClassifiedText, start: number): number {
  const { classes } = text;
  const startClass = classes[start] as number;
  const hasPrefix = (startClass & PREFIX) !== 0;
  const afterPrefix = hasPrefix ? nextChar(text, start) : start;
  const lower = lowerWordEnd(text, afterPrefix);
  if (lower !== NOT_FOUND) return lower;
  if (startClass === MARK) return lowerWordEnd(text, start);
  const upper = runEnd(classes, afterPrefix, WORD_HEAD);
  return upper > afterPrefix ? upper : NOT_FOUND;
}

function plainWordEnd(text: ClassifiedText, start: number): number {
  const { classes } = text;
  const hasPrefix = ((classes[start] as number) & PREFIX) !== 0;
  const from = hasPrefix ? nextChar(text, start) : start;
  const end = runEnd(classes, from, LETTER);
  return end > from ? end : NOT_FOUND;
}

/** `\p{N}{1,3}`. */
function numberEnd(text: ClassifiedText, start: number): number {
  let end = start;
  for (let digits = 0; digits < 3 && text.classes[end] === NUMBER; digits++) end = nextChar(text, end);
  return end;
}

/** ` ?[^\s\p{L}\p{N}]+[\r\n]*`, with `/` among the line ends where `isSlashTrailing`. */
function punctuationEnd(text: ClassifiedText, start: number, isSlashTrailing: boolean): number {
  const { bytes, classes } = text;
  const from = bytes[start] === BLANK ? start + 1 : start;
  const runStop = runEnd(classes, from, PUNCTUATION);
  if (runStop === from) return NOT_FOUND;
  let end = runStop;
  while (classes[end] === NEWLINE || (isSlashTrailing && end < text.length && bytes[end] === SLASH)) end++;
  return end;
}

/** `\s*[\r\n]+|\s+(?!\S)|\s+`. */
function whiteSpaceEnd(text: ClassifiedText, start: number): number {
  const { classes, length } = text;
  const end = runEnd(classes, start, WHITE_SPACE);
  let lastNewline = end - 1;
  while (lastNewline >= start && classes[lastNewline] !== NEWLINE) lastNewline--;
  if (lastNewline >= start) return lastNewline + 1;
  if (end === length) return end;
  const beforeLast = previousChar(text, end);
  return beforeLast > start ? beforeLast : end;
}

function scanRest(text: ClassifiedText, start: number, isSlashTrailing: boolean): number {
  const startClass = text.classes[start] as number;
  if (startClass === NUMBER) return numberEnd(text, start);
  const punctuation = punctuationEnd(text, start, isSlashTrailing);
  return punctuation !== NOT_FOUND ? punctuation : whiteSpaceEnd(text, start);
}

function scanO200k(text: ClassifiedText, start: number): number {
  if (((text.classes[start] as number) & (NUMBER | NEWLINE)) === 0) {
    const end = casedWordEnd(text, start);
    if (end !== NOT_FOUND) return end + contractionLength(text, end);
  }
  return scanRest(text, start, true);
}

function scanCl100k(text: ClassifiedText, start: number): number {
  const contraction = contractionLength(text, start);
  if (contraction > 0) return start + contraction;
  if (((text.classes[start] as number) & (NUMBER | NEWLINE)) === 0) {
    const end = plainWordEnd(text, start);
    if (end !== NOT_FOUND) return end;
  }
  return scanRest(text, start, false);
}

/** The scanner of each encoding. */
export const PIECE_SCANNERS: Readonly<Record<TokenizerName, PieceScanner>> = {
  o200k_base: scanO200k,
  cl100k_base: scanCl100k,
};

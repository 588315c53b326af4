/**
 * Private keys by their looks: whole, indented, quoted, in JSON, or cut at either end. It decides how far a key reaches;
 * what stands for it is masking's business.
 */
import { entropyBits } from './secretLooks';
import type { SecretMatch } from './secretScanner';

/** Marks of PEM and OpenPGP, and the line of a PuTTY key that its private part follows. */
const MARKER = /-----(BEGIN|END) [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\bPrivate-Lines: \d{1,4}(?!\d)/g;

/** Characters of a key of 16,384 bits in PEM, and half as many again for indentation. */
const MAX_CHARS = 20_000;

/** Digits that a key has at least; a placeholder such as `...` has none. */
const MIN_DIGITS = 40;

/** The same before a closing mark, where less is left of a key that was cut. */
const MIN_TAIL_DIGITS = 8;

/** A header of an encrypted or OpenPGP key, an escaped line end, or what stands between blanks and quotes. */
const PIECE =
  /(?:Proc-Type|DEK-Info|Comment|Version|Charset|Hash): [^\n\\]{0,80}|\\+[nrt]|[^\s"'`,\\<>()[\]{}&;…]{1,20000}/g;

/** What a quotation, a list, a diff, a comment or a numbered listing puts before a line, and what may stand between lines. */
const BETWEEN =
  /^(?:\\+[nrt]|[|*#:/+-]{1,4}|\d{1,7}[:|)]?|#(?:1[03]|x[AaDd])|br|(?:Proc-Type|DEK-Info|Comment|Version|Charset|Hash): .*)$/;

/** A line of a key, behind what may stand before it without a blank. */
const BODY = /^(?:\d{1,7}[:|])?[-#|*]{0,2}[A-Za-z0-9+/]{16,}={0,2}$/;

/** The last line of a key, which is shorter. */
const TAIL = /^[A-Za-z0-9+/]{1,63}={0,2}$/;

/** A line that can only be of a key or of other data, so that a text that begins with it was cut there. */
const HEADLESS =
  /^[\s>|+\-*"'`#/:]{0,40}(?:\d{1,7}[:|)] {0,4})?(?<digits>[A-Za-z0-9+/]{40,100}={0,2})(?:\\n|[\s"'`,+\\])*(?:\n|$)/;

/** A line of random base64 of 40 characters has 4.8 bits a character on average, names of code about 4. */
const MIN_BITS = 4.4;

interface Piece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function piecesOf(text: string, from: number, to: number): readonly Piece[] {
  return [...text.slice(from, to).matchAll(PIECE)].map(({ 0: piece, index }) => {
    const start = from + index;
    return { text: piece, start, end: start + piece.length };
  });
}

function isMixed(text: string): boolean {
  return /[A-Z]/.test(text) && /[a-z]/.test(text);
}

function isTail(text: string): boolean {
  return TAIL.test(text) && (text.endsWith('=') || (isMixed(text) && /[\d+/]/.test(text)));
}

/** The pieces of a key from the first on, as far as they can be of one. */
function bodyOf(pieces: readonly Piece[]): readonly Piece[] {
  const body: Piece[] = [];
  for (const piece of pieces) {
    if (BODY.test(piece.text) && isMixed(piece.text)) body.push(piece);
    else if (isTail(piece.text)) return [...body, piece];
    else if (!BETWEEN.test(piece.text)) break;
  }
  return body;
}

/** The pieces of a key before its end, last first. */
function bodyBefore(pieces: readonly Piece[]): readonly Piece[] {
  const body: Piece[] = [];
  for (const piece of pieces.toReversed()) {
    const isLine = BODY.test(piece.text) && isMixed(piece.text);
    if (isLine || (body.length === 0 && isTail(piece.text))) body.push(piece);
    else if (!BETWEEN.test(piece.text)) break;
  }
  return body;
}

function digitsOf(body: readonly Piece[]): number {
  return body.reduce((sum, { text }) => sum + text.length, 0);
}

function base64Digits(text: string): number {
  const runs = text.replaceAll(/\\[nrt]/g, '').match(/[A-Za-z0-9+/]{16,}/g);
  return runs?.join('').length ?? 0;
}

function keyMatch(start: number, end: number): SecretMatch {
  return { start, end, label: 'private key' };
}

/** What is left of a key whose first lines, marker included, are not in the text. */
function headlessKey(text: string, to: number): readonly SecretMatch[] {
  const digits = HEADLESS.exec(text.slice(0, 200))?.groups?.digits;
  if (digits === undefined || !isMixed(digits) || !/\d/.test(digits) || entropyBits(digits) < MIN_BITS) return [];
  const body = bodyOf(piecesOf(text, 0, to));
  const [first] = body;
  return first ? [keyMatch(first.start, body.at(-1)?.end ?? first.end)] : [];
}

interface Marker {
  readonly isEnd: boolean;
  readonly start: number;
  readonly end: number;
}

function openedKey(text: string, marker: Marker, next: Marker | undefined): readonly SecretMatch[] {
  const isClosed = next?.isEnd === true && next.start - marker.end <= MAX_CHARS;
  if (isClosed && base64Digits(text.slice(marker.end, next.start)) >= MIN_DIGITS)
    return [keyMatch(marker.start, next.end)];
  const body = bodyOf(piecesOf(text, marker.end, next?.start ?? text.length));
  if (digitsOf(body) < MIN_DIGITS) return [];
  return [keyMatch(marker.start, body.at(-1)?.end ?? marker.end)];
}

function closedKey(text: string, marker: Marker, from: number): readonly SecretMatch[] {
  const body = bodyBefore(piecesOf(text, Math.max(from, marker.start - MAX_CHARS), marker.start));
  if (digitsOf(body) < MIN_TAIL_DIGITS) return [];
  return [keyMatch(body.at(-1)?.start ?? marker.start, marker.end)];
}

/**
 * Private keys in PEM, OpenPGP and PuTTY's form, encrypted, indented, quoted or cut short as well, which libraries take
 * for none: also the rest of a key whose first or last lines are not in the text. A mention of the marker alone is no
 * key. May overlap. Linear.
 */
export function findPrivateKeys(text: string): readonly SecretMatch[] {
  const markers = [...text.matchAll(MARKER)].map(
    ({ 0: marker, 1: kind, index }): Marker => ({ isEnd: kind === 'END', start: index, end: index + marker.length }),
  );
  const found = markers.flatMap((marker, at) => {
    const before = markers[at - 1];
    if (!marker.isEnd) return openedKey(text, marker, markers[at + 1]);
    return before?.isEnd === false ? [] : closedKey(text, marker, before?.end ?? 0);
  });
  return [...headlessKey(text, markers[0]?.start ?? text.length), ...found];
}

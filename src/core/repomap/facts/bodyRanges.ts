/**
 * Where the insides of functions are, guessed from a language's layout: without them parsing takes 40% of the time
 * (PERFORMANCE §2). Long ones that may hold definitions stay. The parser takes the whole text when the rest does not parse.
 */

/** A part of a text, in UTF-16 units; rows and columns from 0. The same as tree-sitter's `Range`. */
export interface TextRange {
  readonly startIndex: number;
  readonly endIndex: number;
  readonly startPosition: { readonly row: number; readonly column: number };
  readonly endPosition: { readonly row: number; readonly column: number };
}

/** Functions and values whose bodies span more lines are looked into for definitions. */
export const LONG_BODY_LINES = 30;
/** A signature may go on for some lines before the brace, so that the definition's body is longer than the block. */
const MAX_HEAD_LINES = 5;

/** The places of a text where a definition inside of a function may begin. */
export class InnerPlaces {
  #places: readonly number[] | undefined;

  /** @param pattern `inner` of the language's table, with the flag `g`; absent where functions hold no definitions */
  constructor(
    private readonly text: string,
    private readonly pattern: RegExp | undefined,
  ) {}

  /** True if there is one at `start` or behind it, before `end` (UTF-16 units). */
  isBetween(start: number, end: number): boolean {
    this.#places ??= this.pattern ? lastUnits(this.text, this.pattern) : [];
    const places = this.#places;
    let low = 0;
    let high = places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle] as number) < start) low = middle + 1;
      else high = middle;
    }
    return low < places.length && (places[low] as number) < end;
  }
}

/** Where each match ends: what stands before a definition in its line belongs to a match, and not to the definition. */
function lastUnits(text: string, pattern: RegExp): readonly number[] {
  return Array.from(text.matchAll(pattern), ({ index, 0: match }) => index + match.length - 1);
}

/** Shorter bodies cost less to parse than to leave out. */
const MIN_BODY_CHARS = 120;
/** Longer lines are no heads that a person wrote, and patterns may take long on them. */
const MAX_HEAD_CHARS = 240;
/** What a head ends with. Texts with other line ends are parsed whole. */
const OPENING = '{\n';

/** Tells the row and column of positions that only grow. */
function positionsOf(text: string): (index: number) => TextRange['startPosition'] {
  let row = 0;
  let lineStart = 0;
  return (index) => {
    for (let feed = text.indexOf('\n', lineStart); feed >= 0 && feed < index; feed = text.indexOf('\n', lineStart)) {
      row++;
      lineStart = feed + 1;
    }
    return { row, column: index - lineStart };
  };
}

/** A line that is `{` alone belongs to the one before. */
const LONE_BRACE = /^[ \t]*\{$/;

/** What may be a head: the line whose last character is at `brace`; undefined when it is too long to be looked at. */
function headBefore(text: string, brace: number): { readonly start: number; readonly head: string } | undefined {
  let start = text.lastIndexOf('\n', brace) + 1;
  if (brace - start > MAX_HEAD_CHARS) return undefined;
  if (start > 0 && LONE_BRACE.test(text.slice(start, brace + 1))) start = text.lastIndexOf('\n', start - 2) + 1;
  return brace - start > MAX_HEAD_CHARS ? undefined : { start, head: text.slice(start, brace + 1) };
}

/** True if `text[start…end)` has more than `count` line ends. */
function hasMoreLines(text: string, start: number, end: number, count: number): boolean {
  let at = start - 1;
  for (let lines = 0; lines <= count; lines++) {
    at = text.indexOf('\n', at + 1);
    if (at < 0 || at >= end) return false;
  }
  return true;
}

/**
 * The text without the insides of functions, as ranges in order; `undefined` when there is nothing to leave out.
 * Linear, whatever the text.
 * @param head matches the line that opens a body, from its indent to its `{`, or that line and the next when the brace
 *   stands alone. The body ends at the first line that begins with the same indent and `}`.
 * @param proseLines 0-based lines that begin inside of a comment or string, where nothing opens
 * @param inner long bodies with such a place stay, and what has one inside of them
 */
export function rangesWithoutBodies(
  text: string,
  head: RegExp,
  proseLines: ReadonlySet<number>,
  inner = new InnerPlaces(text, undefined),
): readonly TextRange[] | undefined {
  const ranges: TextRange[] = [];
  const positionOf = positionsOf(text);
  /** Indents with which no further line closes. */
  const unclosed = new Set<string>();
  let from = { index: 0, position: { row: 0, column: 0 } };
  let keptEnd = 0;
  for (let brace = text.indexOf(OPENING); brace >= 0; brace = text.indexOf(OPENING, brace + 1)) {
    const line = headBefore(text, brace);
    if (!line || line.start < from.index || !head.test(line.head)) continue;
    const indent = /^[ \t]*/.exec(line.head)?.[0] ?? '';
    if (unclosed.has(indent) || proseLines.has(positionOf(line.start).row)) continue;
    const open = brace + 1;
    const close = text.indexOf(`\n${indent}}`, open);
    if (close < 0) unclosed.add(indent);
    if (close - open < MIN_BODY_CHARS) continue;
    if (inner.isBetween(open, close)) {
      const isKept = open < keptEnd || hasMoreLines(text, brace, close + 1, LONG_BODY_LINES - MAX_HEAD_LINES);
      if (isKept) keptEnd = Math.max(keptEnd, close);
      if (isKept) continue;
    }
    ranges.push({
      startIndex: from.index,
      endIndex: open,
      startPosition: from.position,
      endPosition: positionOf(open),
    });
    from = { index: close, position: positionOf(close) };
    brace = close - 1;
  }
  if (ranges.length === 0) return undefined;
  const endPosition = positionOf(text.length);
  ranges.push({ startIndex: from.index, endIndex: text.length, startPosition: from.position, endPosition });
  return ranges;
}

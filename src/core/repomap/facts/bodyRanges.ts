/**
 * Where the insides of functions are, guessed from a language's layout: without them parsing takes 40% of the time
 * (PERFORMANCE §2). Of long ones that may hold definitions those statements stay that may have one in them. The parser
 * takes the whole text when the rest does not parse.
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

/** A part of a text to leave out, in UTF-16 units. */
interface Cut {
  readonly start: number;
  readonly end: number;
}

/** A line that goes on with the statement before it, at the same indent. */
const CONTINUATION = /^(?:[^\w@#/$'"`]|(?:case|catch|default|else|finally|where|while)\b)/u;
/** A line that belongs to the statement after it: a comment, an annotation, an attribute. */
const LEAD = /^(?:\/[/*]|@|#\[|\[)/u;

/**
 * The statements of a body that have no place for a definition: stretches of whole lines. None where the layout is not
 * understood. Linear in the body.
 * @param from where the body's first line begins, and its row
 * @param to behind the body's last line end
 */
function idleStatements(
  text: string,
  from: { readonly index: number; readonly row: number },
  to: number,
  proseLines: ReadonlySet<number>,
  inner: InnerPlaces,
): readonly Cut[] {
  const cuts: Cut[] = [];
  let base: number | undefined;
  let begin = from.index;
  let isLead = false;
  const close = (end: number): void => {
    const last = cuts.at(-1);
    if (inner.isBetween(begin, end)) begin = end;
    else if (last?.end === begin) cuts[cuts.length - 1] = { start: last.start, end };
    else cuts.push({ start: begin, end });
    begin = end;
  };
  let { row } = from;
  for (let line = from.index; line < to; line = text.indexOf('\n', line) + 1) {
    const isProse = proseLines.has(row++);
    let code = line;
    while (text[code] === ' ' || text[code] === '\t') code++;
    if (isProse || text[code] === '\n') continue;
    base ??= code - line;
    if (code - line < base) return [];
    if (code - line > base) continue;
    const start = text.slice(code, code + 10);
    const leads = LEAD.test(start);
    if (line > begin && !isLead && (leads || !CONTINUATION.test(start))) close(line);
    isLead = leads;
  }
  close(to);
  return cuts.filter(({ start, end }) => end - start >= MIN_BODY_CHARS);
}

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
 * @param inner of long bodies the statements with such a place stay
 */
export function rangesWithoutBodies(
  text: string,
  head: RegExp,
  proseLines: ReadonlySet<number>,
  inner = new InnerPlaces(text, undefined),
): readonly TextRange[] | undefined {
  const cuts: Cut[] = [];
  const positionOf = positionsOf(text);
  /** Indents with which no further line closes. */
  const unclosed = new Set<string>();
  let keptEnd = 0;
  let cutEnd = 0;
  for (let brace = text.indexOf(OPENING); brace >= 0; brace = text.indexOf(OPENING, brace + 1)) {
    const line = headBefore(text, brace);
    if (!line || line.start < cutEnd || !head.test(line.head)) continue;
    const indent = /^[ \t]*/.exec(line.head)?.[0] ?? '';
    if (unclosed.has(indent) || proseLines.has(positionOf(line.start).row)) continue;
    const open = brace + 1;
    const close = text.indexOf(`\n${indent}}`, open);
    if (close < 0) unclosed.add(indent);
    if (close - open < MIN_BODY_CHARS) continue;
    // Lines first: places are looked for in files with a long body alone.
    const isLong = open < keptEnd || hasMoreLines(text, brace, close + 1, LONG_BODY_LINES - MAX_HEAD_LINES);
    if (isLong && inner.isBetween(open, close)) {
      const first = { index: open + 1, row: positionOf(open).row + 1 };
      // Once for what is in each other, so that a text is looked at no more often than that.
      if (open >= keptEnd) cuts.push(...idleStatements(text, first, close + 1, proseLines, inner));
      keptEnd = Math.max(keptEnd, close);
      continue;
    }
    cuts.push({ start: open, end: close });
    cutEnd = close;
    brace = close - 1;
  }
  return rangesBetween(text, cuts);
}

/** What the cuts leave, some of which may be inside of others. */
function rangesBetween(text: string, cuts: readonly Cut[]): readonly TextRange[] | undefined {
  if (cuts.length === 0) return undefined;
  const positionOf = positionsOf(text);
  const ranges: TextRange[] = [];
  let from = { index: 0, position: { row: 0, column: 0 } };
  const keep = (end: number): void => {
    const range = { startIndex: from.index, endIndex: end, startPosition: from.position };
    ranges.push({ ...range, endPosition: positionOf(end) });
  };
  for (const { start, end } of [...cuts].sort((a, b) => a.start - b.start)) {
    if (end <= from.index) continue;
    if (start > from.index) keep(start);
    from = { index: end, position: positionOf(end) };
  }
  keep(text.length);
  return ranges;
}

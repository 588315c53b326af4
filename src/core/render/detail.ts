import type { DetailItem, DetailRequest, DetailResult, DetailSource } from '../model/detail';
import type { Tokenizer } from '../ports/ports';
import { fenceOf, type LineRange, renderDetail, splitFileLines, splitLines, withLines } from '../text/elements';
import { formatCount, plural } from '../text/numbers';
import { cutsWithin, ellipsize, toSentence } from '../text/sentence';
import { LineTokenCounter, type Size, wholeDetailTokens } from '../tokens/lines';
import { foldedRows } from './foldOutline';

// Handles that name lines: `file:src/a.ts#L10-L40`, `section:soul#L41-L60`, and `section:soul#L41` for all from that line
// on; `section:soul#L41C1200` goes on inside of a line that is too long for one answer. Lines and columns count from 1.

/** How much of a text is shown: its first lines, and of the next one its first characters. */
interface Extent {
  readonly lines: number;
  /** UTF-16 code units. */
  readonly chars?: number;
}

/** Where a text begins in what its handle names without lines. */
function rangeOf(handle: string): LineRange & { readonly base: string; readonly isFile: boolean } {
  const isFile = handle.startsWith('file:');
  return { ...(isFile ? splitFileLines(handle) : splitLines(handle)), isFile };
}

/** `line` and `column` of a text whose handle begins at `from`, in what that handle names without lines. */
function placeIn(from: LineRange, line: number, column: number): Pick<LineRange, 'line' | 'column'> {
  const at = line === 1 ? (from.column ?? 1) + column - 1 : column;
  return { line: from.line + line - 1, ...(at > 1 ? { column: at } : {}) };
}

/** The handle of what follows where so much of `total` lines is shown. */
export function restHandle(handle: string, { lines, chars = 0 }: Extent, total: number): string {
  const own = rangeOf(handle);
  // A file's handle says where it ends.
  const end = own.isFile ? own.line + total - 1 : own.end;
  return withLines(own.base, { ...placeIn(own, lines + 1, chars + 1), end });
}

/** The handle of some of `total` lines; counted from the first line that the given one names. */
export function linesHandle(handle: string, { line, column = 1, end }: LineRange, total: number): string {
  const own = rangeOf(handle);
  const last = own.line - 1 + Math.min(end ?? total, total);
  const place = placeIn(own, line, column);
  return withLines(own.base, { ...place, end: end === undefined && !own.isFile ? undefined : last });
}

/** A line that is blank is one; what follows the last line's end is none. */
export function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** Lines of a text, with their ends; undefined where it has none of them. */
export function textOfLines(text: string, { line, column = 1, end }: LineRange): string | undefined {
  if (line === 1 && column === 1 && end === undefined) return text;
  if (line > countLines(text) || (end !== undefined && end < line)) return undefined;
  const lines = text.split('\n');
  if (column > 1 && column > (lines[line - 1] ?? '').length) return undefined;
  const isToEnd = end === undefined || end >= lines.length;
  const whole = isToEnd ? lines.slice(line - 1).join('\n') : `${lines.slice(line - 1, end).join('\n')}\n`;
  return whole.slice(column - 1);
}

/** Why `textOfLines` finds none of these lines. */
export function whyNoLines(text: string, { line, end }: LineRange): string {
  if (end !== undefined && end < line) return `line ${line} is after line ${end}`;
  const total = countLines(text);
  return line > total ? `it has ${plural(total, 'line')}` : `its line ${line} is shorter`;
}

/** What follows the shown text: how much it is, and its handle. */
function missingNote(handle: string, shown: Extent, lines: readonly string[]): string {
  const total = lines.length;
  const { chars = 0 } = shown;
  const missing = total - shown.lines - (chars > 0 ? 1 : 0);
  const rest = chars > 0 ? (lines[shown.lines] ?? '').length - 1 - chars : 0;
  const parts = [
    ...(rest > 0 ? [`${plural(rest, 'character')} of this line`] : []),
    ...(missing > 0 ? [`${formatCount(missing)} of ${plural(total, 'line')}`] : []),
  ];
  return `… ${parts.join(', ')} more: ${restHandle(handle, shown, total)}\n`;
}

/**
 * Largest `n ≤ size` that fits, if fitting falls with `n`; a smaller one where it does not quite. Doubles its steps from
 * the start, so that a large text with a small cap costs what the cap holds, not what the text has.
 */
function largestFitting(size: number, fits: (count: number) => boolean): number {
  let low = 0;
  let high = 1;
  while (high <= size && fits(high)) {
    low = high;
    high *= 2;
  }
  high = Math.min(high - 1, size);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Of an item's room; the rest is for its first lines, which say what it takes and begins with. */
const OUTLINE_SHARE = 0.7;

/** Characters that rows of an outline are cut to, one after the other, where not all of them fit. */
const ROW_CHARS: readonly number[] = [90, 64];

/** The first rows of an outline that fit `maxTokens`, rather all of them shorter than some of them whole. */
function cutOutline(
  handle: string,
  whole: readonly string[],
  maxTokens: number,
  counter: Tokenizer,
): { readonly rows: readonly string[]; readonly text: string } {
  let rows = whole;
  const render = (count: number): string => {
    const left = rows.length - count;
    const more = left > 0 ? `… ${formatCount(left)} more\n` : '';
    return count === 0 ? '' : `definitions in ${handle}:\n${rows.slice(0, count).join('')}${more}`;
  };
  const fits = (count: number): boolean => counter.count(render(count)) <= maxTokens;
  for (const chars of ROW_CHARS)
    if (!fits(rows.length)) rows = whole.map((row) => `${ellipsize(row.trimEnd(), chars)}\n`);
  const count = fits(rows.length) ? rows.length : largestFitting(rows.length - 1, fits);
  return { rows: rows.slice(0, count), text: render(count) };
}

/** What the blocks of a long definition are listed in: enough to choose one. */
const FOLD_TOKENS = 400;

/** An item as it is shown. */
interface ShownItem {
  readonly item: DetailItem;
  readonly element: string;
}

/** A definition that does not fit, as the lines of its blocks; undefined where it has none, and where it fits. */
function foldItem(source: DetailSource, capTokens: number, counter: LineTokenCounter): ShownItem | undefined {
  const { handle, title, foldsFrom, uses } = source;
  if (foldsFrom === undefined || source.text.length <= capTokens) return undefined;
  const { text } = source;
  const total = countLines(text);
  const whole = wholeDetailTokens(source, counter);
  if (whole <= capTokens) return undefined;
  const place = toSentence(handle.replace(/^file:(.+)#L(\d+)-L(\d+)$/u, '$1:$2-$3'));
  const head = `${place} ${toSentence(title, 200)}: ${formatCount(total)} lines, in blocks. Ask for PATH:FIRST-LAST.\n`;
  const about = uses === undefined ? '' : `${uses}\n`;
  const render = (rows: readonly string[]): string => `${head}${rows.join('')}${about}`;
  const maxTokens = Math.min(capTokens, FOLD_TOKENS);
  const rows = foldedRows(text, foldsFrom, (some) => counter.count(render(some)) <= maxTokens);
  if (rows.length === 0) return undefined;
  const element = render(rows);
  const item = {
    ...{ handle, asked: source.asked ?? handle, title, text: '', outline: rows, rest: handle },
    ...(uses === undefined ? {} : { uses }),
    ...{ tokens: counter.count(element), tokensFull: whole, linesShown: 0, linesTotal: total },
  };
  return { item, element };
}

/** One item within `caps`, and the ways to show it: marker lines and what stands around them included. */
class CutItem {
  readonly #lines: readonly string[];
  readonly #fence: string;
  #outline: ReturnType<typeof cutOutline> | undefined;

  constructor(
    private readonly source: DetailSource,
    private readonly caps: Size,
    private readonly counter: LineTokenCounter,
  ) {
    const { text } = source;
    this.#lines = (text === '' || text.endsWith('\n') ? text : `${text}\n`).match(/[^\n]*\n/g) ?? [];
    this.#fence = fenceOf(text);
  }

  /** All of it; undefined where that does not fit. */
  whole(uses: string | undefined): ShownItem | undefined {
    return this.#shown({ lines: this.#lines.length }, uses);
  }

  /** Its first lines; undefined where nothing of it fits. */
  part(uses: string | undefined): ShownItem | undefined {
    const fits = (extent: Extent): boolean => this.#fits(this.#render(extent, uses));
    const lines = largestFitting(this.#lines.length - 1, (count) => fits({ lines: count }));
    const chars = this.#mustCut(lines, uses) ? this.#charsOf(lines, (count) => fits({ lines, chars: count })) : 0;
    const isAnything = lines + chars > 0 || this.#outlined().rows.length > 0;
    return isAnything ? this.#shown({ lines, chars }, uses) : undefined;
  }

  /** A line is cut where it never fits, since its marker lines alone leave too little room; all others are shown whole. */
  #mustCut(at: number, uses: string | undefined): boolean {
    const frame = this.counter.measure(this.#render({ lines: 0 }, uses));
    const line = this.#lines[at] ?? '';
    const isLong =
      line.length + frame.chars > this.caps.chars || this.counter.count(line) + frame.tokens > this.caps.tokens;
    return isLong || (at === 0 && this.#outlined().rows.length === 0);
  }

  /** How many characters of a line are shown that has no room. */
  #charsOf(at: number, fits: (chars: number) => boolean): number {
    const line = (this.#lines[at] ?? '').slice(0, -1);
    const most = largestFitting(line.length - 1, fits);
    for (const chars of cutsWithin(line, most)) if (fits(chars)) return chars;
    return 0;
  }

  #outlined(): ReturnType<typeof cutOutline> {
    const { handle, outline = [] } = this.source;
    this.#outline ??= cutOutline(handle, outline, this.caps.tokens * OUTLINE_SHARE, this.counter);
    return this.#outline;
  }

  #textOf({ lines, chars = 0 }: Extent): string {
    return this.#lines.slice(0, lines).join('') + (this.#lines[lines] ?? '').slice(0, chars);
  }

  #render(extent: Extent, uses: string | undefined): string {
    const { handle, title } = this.source;
    const isCut = extent.lines < this.#lines.length;
    const around = isCut ? { before: this.#outlined().text, after: missingNote(handle, extent, this.#lines) } : {};
    return renderDetail({ handle, title, uses }, this.#textOf(extent), { ...around, fence: this.#fence });
  }

  #fits(element: string): boolean {
    return element.length <= this.caps.chars && this.counter.count(element) <= this.caps.tokens;
  }

  #shown(extent: Extent, uses: string | undefined): ShownItem | undefined {
    const element = this.#render(extent, uses);
    if (!this.#fits(element)) return undefined;
    const { handle, asked = handle, title } = this.source;
    const total = this.#lines.length;
    const isCut = extent.lines < total;
    const item = {
      ...{ handle, asked, title, text: this.#textOf(extent), outline: isCut ? this.#outlined().rows : [] },
      ...(uses === undefined ? {} : { uses }),
      rest: isCut ? restHandle(handle, extent, total) : undefined,
      tokens: this.counter.count(element),
      tokensFull: wholeDetailTokens(this.source, this.counter),
      ...{ linesShown: extent.lines, linesTotal: total },
    };
    return { item, element };
  }
}

/** One item within `caps`; undefined when nothing of it fits. Its last lines are worth more than who uses it. */
function cutItem(source: DetailSource, caps: Size, counter: LineTokenCounter): ShownItem | undefined {
  const ways = source.uses === undefined ? [undefined] : [source.uses, undefined];
  const item = new CutItem(source, caps, counter);
  for (const uses of ways) {
    const whole = item.whole(uses);
    if (whole) return whole;
  }
  for (const uses of ways) {
    const part = item.part(uses);
    if (part) return part;
  }
  return undefined;
}

/** A closing line that names the handles left out; nothing when there are none. */
function renderOmitted(omitted: readonly string[]): string {
  if (omitted.length === 0) return '';
  return `left out, ask again: ${omitted.map((each) => toSentence(each)).join(', ')}\n`;
}

/**
 * A detail payload: each item within `detailTokens`, cut at line ends (inside of a line that alone is longer) with a note
 * of what is missing and its handle, a long definition as an outline, all together within `budgetTokens` and
 * `hardCapChars`. An item that does not fit beside the ones before it goes down to its row, and is left out and named
 * when that does not fit either; smaller ones after it may still fit. Cost: the items' text times the logarithm of their
 * lines, in cached lines.
 */
export function buildDetail(request: DetailRequest, tokenizer: Tokenizer): DetailResult {
  const counter = LineTokenCounter.over(tokenizer);
  const { detailTokens, budgetTokens, hardCapChars, maxItems = Number.POSITIVE_INFINITY } = request;
  const shown: { readonly handle: string; readonly piece: string; readonly item?: DetailItem }[] = [];
  const omitted: string[] = [];
  const pastLimit: string[] = [];
  const textWith = (piece: string): string => shown.map((each) => each.piece).join('') + piece;
  const fits = (piece: string): boolean => {
    const whole = textWith(piece);
    return whole.length <= hardCapChars && counter.count(whole) <= budgetTokens;
  };
  let count = 0;
  for (const source of request.items) {
    const { handle, row } = source;
    const isPast = count >= maxItems;
    if (isPast) pastLimit.push(handle);
    const caps = { tokens: Math.min(detailTokens, budgetTokens), chars: hardCapChars };
    const cut = isPast ? undefined : (foldItem(source, caps.tokens, counter) ?? cutItem(source, caps, counter));
    if (cut && fits(cut.element)) {
      shown.push({ handle, piece: cut.element, item: cut.item });
      count++;
    } else if (row !== undefined && fits(row)) shown.push({ handle, piece: row });
    else omitted.push(handle);
  }
  // What is left out is named, if something else has to go for it.
  while (shown.length > 0 && !fits(renderOmitted(omitted))) omitted.unshift(shown.pop()?.handle ?? '');
  const note = renderOmitted(omitted);
  const text = textWith(fits(note) ? note : '');
  const items = shown.flatMap(({ item }) => item ?? []);
  const asRows = shown.filter(({ item }) => item === undefined).map(({ handle }) => handle);
  const downgradeApplied = [
    ...(asRows.length > 0 ? [`detail → index: ${asRows.join(', ')}`] : []),
    ...(omitted.length > 0 ? [`dropped: ${omitted.join(', ')}`] : []),
  ];
  return { items, omitted, asRows, pastLimit, downgradeApplied, text, tokens: counter.count(text) };
}

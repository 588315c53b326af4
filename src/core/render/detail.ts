import type { DetailItem, DetailRequest, DetailResult, DetailSource } from '../model/detail';
import type { Tokenizer } from '../ports/ports';
import { ellipsize } from '../repomap/facts/signature';
import { fenceOf, type LineRange, renderDetail, splitLines } from '../text/elements';
import { formatCount } from '../text/numbers';
import { cleanText, toSentence } from '../text/sentence';
import { LineTokenCounter, wholeDetailTokens } from '../tokens/lines';
import { foldedRows } from './foldOutline';

// Handles that name lines: `file:src/a.ts#L10-L40`, `section:soul#L41-L60`, and `section:soul#L41` for all from that line
// on. Lines count from 1.

const FILE_HANDLE = /^(file:.+?)(?:#L(\d+)(?:-L?\d+)?)?$/;
/** The handle of what follows `shown` of `total` lines. */
export function restHandle(handle: string, shown: number, total: number): string {
  const match = FILE_HANDLE.exec(handle);
  if (!match) {
    const { base, line, end } = splitLines(handle);
    return `${base}#L${line + shown}${end === undefined ? '' : `-L${end}`}`;
  }
  const start = Number(match[2] ?? 1);
  return `${match[1]}#L${start + shown}-L${start + total - 1}`;
}

/** The handle of some of `total` lines; counted from the first line that the given one names. */
export function linesHandle(handle: string, { line, end }: LineRange, total: number): string {
  const match = FILE_HANDLE.exec(handle);
  const last = Math.min(end ?? total, total);
  if (match) {
    const before = Number(match[2] ?? 1) - 1;
    return `${match[1]}#L${before + line}-L${before + last}`;
  }
  return `${splitLines(handle).base}#L${line}${end === undefined ? '' : `-L${last}`}`;
}

/** A line that is blank is one; what follows the last line's end is none. */
export function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** Lines of a text, with their ends; undefined where it has none of them. */
export function textOfLines(text: string, { line, end }: LineRange): string | undefined {
  if (line === 1 && end === undefined) return text;
  if (line > countLines(text) || (end !== undefined && end < line)) return undefined;
  const lines = text.split('\n');
  const isToEnd = end === undefined || end >= lines.length;
  return isToEnd ? lines.slice(line - 1).join('\n') : `${lines.slice(line - 1, end).join('\n')}\n`;
}

function missingNote(handle: string, shown: number, total: number): string {
  const missing = formatCount(total - shown);
  return `… ${missing} of ${formatCount(total)} lines more: ${restHandle(handle, shown, total)}\n`;
}

/** Lines with their `\n`; one that alone is over the cap is replaced by a note, since a line is never cut apart. */
function readLines(text: string, capTokens: number, counter: Tokenizer) {
  const raw = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const isHuge = raw.map((line) => line.length > capTokens && counter.count(line) > capTokens);
  return {
    texts: raw.map((line, at) => (isHuge[at] ? `… a line of ${formatCount(line.length)} characters\n` : `${line}\n`)),
    /** How many of the first `count` lines are shown as they are. */
    shownOf: (count: number): number => isHuge.slice(0, count).filter((huge) => !huge).length,
  };
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

/** A definition that does not fit, as the lines of its blocks; undefined where it has none, and where it fits. */
function foldItem(
  source: DetailSource,
  capTokens: number,
  counter: Tokenizer,
): { readonly item: DetailItem; readonly element: string } | undefined {
  const { handle, title, foldsFrom, uses } = source;
  if (foldsFrom === undefined || source.text.length <= capTokens) return undefined;
  const text = cleanText(source.text);
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

/** One item within `capTokens`, marker lines and note included; undefined when not even its marker lines fit. */
function cutItem(
  source: DetailSource,
  capTokens: number,
  counter: Tokenizer,
): { readonly item: DetailItem; readonly element: string } | undefined {
  const text = cleanText(source.text);
  const lines = readLines(text, capTokens, counter);
  const total = lines.texts.length;
  const fence = fenceOf(text);
  const { handle, title } = source;
  let outline: ReturnType<typeof cutOutline> | undefined;
  const outlineOf = () => {
    outline ??= cutOutline(handle, source.outline ?? [], capTokens * OUTLINE_SHARE, counter);
    return outline;
  };
  let { uses } = source;
  const render = (count: number): string => {
    const cut = count < total ? { before: outlineOf().text, after: missingNote(handle, count, total) } : {};
    return renderDetail({ handle, title, uses }, lines.texts.slice(0, count).join(''), { ...cut, fence });
  };
  const fits = (count: number): boolean => counter.count(render(count)) <= capTokens;
  if (uses !== undefined && !fits(total)) {
    // Its last lines are worth more than who uses it, and so are its marker lines.
    uses = undefined;
    if (!fits(total)) uses = source.uses;
    if (uses !== undefined && !fits(0)) uses = undefined;
  }
  // Without its note, all of it may fit where all but one line with the note does not.
  const count = fits(total) ? total : largestFitting(total - 1, fits);
  const element = render(count);
  const tokens = counter.count(element);
  if (tokens > capTokens) return undefined;
  const isCut = count < total;
  return {
    item: {
      handle,
      asked: source.asked ?? handle,
      title,
      text: lines.texts.slice(0, count).join(''),
      outline: isCut ? outlineOf().rows : [],
      ...(uses === undefined ? {} : { uses }),
      rest: isCut ? restHandle(handle, count, total) : undefined,
      tokens,
      tokensFull: wholeDetailTokens(source, counter),
      linesShown: lines.shownOf(count),
      linesTotal: total,
    },
    element,
  };
}

/** A closing line that names the handles left out; nothing when there are none. */
function renderOmitted(omitted: readonly string[]): string {
  if (omitted.length === 0) return '';
  return `left out, ask again: ${omitted.map((each) => toSentence(each)).join(', ')}\n`;
}

/**
 * A detail payload: each item within `detailTokens`, cut at line ends with a note of what is missing, a long definition
 * as an outline, all together within `budgetTokens` and `hardCapChars`. An item that does not fit beside the ones
 * before it goes down to its row, and is left out and named when that does not fit either; smaller ones after it may
 * still fit. Cost: the items' text times the logarithm of their lines, in cached lines.
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
    const cap = Math.min(detailTokens, budgetTokens);
    const cut = isPast ? undefined : (foldItem(source, cap, counter) ?? cutItem(source, cap, counter));
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

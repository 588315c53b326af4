import type { DetailItem, DetailRequest, DetailResult, DetailSource } from '../model/detail';
import type { Tokenizer } from '../ports/ports';
import { escapeReserved, NOTES_ELEMENT, renderDetail, splitFromLine } from '../text/elements';
import { formatCount } from '../text/numbers';
import { cleanText, toSentence } from '../text/sentence';
import { LineTokenCounter, wholeDetailTokens } from '../tokens/lines';
import { renderElement } from './element';

// Handles that name lines: `file:src/a.ts#L10-L40`, and `section:soul#L41` for all from that line on. Lines count from 1.

const FILE_HANDLE = /^(file:.+?)(?:#L(\d+)(?:-L?\d+)?)?$/;
/** The handle of what follows `shown` of `total` lines. */
export function restHandle(handle: string, shown: number, total: number): string {
  const match = FILE_HANDLE.exec(handle);
  if (!match) {
    const { base, line } = splitFromLine(handle);
    return `${base}#L${line + shown}`;
  }
  const start = Number(match[2] ?? 1);
  return `${match[1]}#L${start + shown}-L${start + total - 1}`;
}

/** A line that is blank is one; what follows the last line's end is none. */
export function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** The text from that line on; undefined where it has no such line. */
export function textFromLine(text: string, line: number): string | undefined {
  if (line === 1) return text;
  const rest = text.split('\n').slice(line - 1);
  return line > countLines(text) ? undefined : rest.join('\n');
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

/** The definitions in a text that is cut, so that each can be asked for; the first ones that fit `maxTokens`. */
function renderOutline(rows: readonly string[], maxTokens: number, counter: Tokenizer): string {
  if (rows.length === 0) return '';
  const escaped = rows.map((row) => escapeReserved(row));
  const render = (count: number): string => {
    const left = rows.length - count;
    const more = left > 0 ? `… ${formatCount(left)} more\n` : '';
    return `definitions inside:\n${escaped.slice(0, count).join('')}${more}from the start:\n`;
  };
  const fits = (count: number): boolean => counter.count(render(count)) <= maxTokens;
  const count = fits(rows.length) ? rows.length : largestFitting(rows.length - 1, fits);
  return count === 0 ? '' : render(count);
}

/** One item within `capTokens`, tags and note included; undefined when not even its tags fit. */
function cutItem(
  source: DetailSource,
  capTokens: number,
  counter: Tokenizer,
): { readonly item: DetailItem; readonly element: string } | undefined {
  const text = cleanText(source.text);
  const lines = readLines(escapeReserved(text), capTokens, counter);
  const total = lines.texts.length;
  let outline: string | undefined;
  const contentOf = (count: number): string => {
    if (count === total) return lines.texts.join('');
    outline ??= renderOutline(source.outline ?? [], capTokens * OUTLINE_SHARE, counter);
    return outline + lines.texts.slice(0, count).join('') + missingNote(source.handle, count, total);
  };
  const measure = (count: number): number => counter.count(renderDetail(source, contentOf(count)));
  // Without its note, all of it may fit where all but one line with the note does not.
  const count = measure(total) <= capTokens ? total : largestFitting(total - 1, (n) => measure(n) <= capTokens);
  const content = contentOf(count);
  const element = renderDetail(source, content);
  const tokens = counter.count(element);
  if (tokens > capTokens) return undefined;
  const { handle, title } = source;
  const sizes = { tokens, tokensFull: wholeDetailTokens(source, counter) };
  return {
    item: { handle, title, text: content, ...sizes, linesShown: lines.shownOf(count), linesTotal: total },
    element,
  };
}

/** Closing element that names the handles left out; nothing when there are none. */
function renderOmitted(omitted: readonly string[]): string {
  if (omitted.length === 0) return '';
  return renderElement(
    NOTES_ELEMENT,
    escapeReserved(`left out, ask again: ${omitted.map((each) => toSentence(each)).join(', ')}`),
  );
}

/**
 * A detail payload: each item within `detailTokens`, cut at line ends with a note of what is missing, the outline of a
 * long definition first, all together
 * within `budgetTokens` and `hardCapChars`. An item that does not fit beside the ones before it goes down to its row,
 * and is left out and named when that does not fit either; smaller ones after it may still fit. Cost: the items' text
 * times the logarithm of their lines, in cached lines.
 */
export function buildDetail(request: DetailRequest, tokenizer: Tokenizer): DetailResult {
  const counter = LineTokenCounter.over(tokenizer);
  const { detailTokens, budgetTokens, hardCapChars, maxItems = Number.POSITIVE_INFINITY } = request;
  const items: DetailItem[] = [];
  const asRows: string[] = [];
  const omitted: string[] = [];
  const pastLimit: string[] = [];
  let text = '';
  const append = (piece: string): boolean => {
    const whole = text + piece;
    if (whole.length > hardCapChars || counter.count(whole) > budgetTokens) return false;
    text = whole;
    return true;
  };
  for (const source of request.items) {
    const isPast = items.length >= maxItems;
    if (isPast) pastLimit.push(source.handle);
    const cut = !isPast ? cutItem(source, Math.min(detailTokens, budgetTokens), counter) : undefined;
    if (cut && append(cut.element)) items.push(cut.item);
    else if (source.row !== undefined && append(source.row)) asRows.push(source.handle);
    else omitted.push(source.handle);
  }
  append(renderOmitted(omitted));
  const downgradeApplied = [
    ...(asRows.length > 0 ? [`detail → index: ${asRows.join(', ')}`] : []),
    ...(omitted.length > 0 ? [`dropped: ${omitted.join(', ')}`] : []),
  ];
  return { items, omitted, asRows, pastLimit, downgradeApplied, text, tokens: counter.count(text) };
}

/** Where a long entry or block may end early: behind whole lines, else behind sentences, never inside a sentence. */

import { FENCE } from '../../text/markdown';
import { isAbbreviation, sentenceStarts } from '../../text/sentence';

/** A stretch of a text; it may be shown up to here. */
export interface Cut {
  /** Whole lines, or whole sentences of one with a line end. */
  readonly text: string;
  /** Line of the text, from 0, where the rest begins. */
  readonly nextLine: number;
  /** Closes the code block that the cut is in; else empty. */
  readonly closing: string;
}

/** Stretches are not much smaller, in UTF-8 bytes (about 50 tokens); only the first line stands alone. */
const STRETCH_BYTES = 200;

/** A line with fewer is not divided. */
const LONG_LINE_BYTES = 400;

/** No sentence goes on for so long without an end: what does is no prose, and may end behind any line. */
const MAX_SENTENCE_CHARS = 1000;

/** Lines of prose are not wrapped beyond this; a longer one is a paragraph of its own. */
const MAX_WRAP_CHARS = 200;

const MARK_CHARS = 300;
/** What starts anew whatever stood before: bullets, headings, rows, quotes, dates and brackets of logs, `key: value`. */
const FRESH =
  /^\s*(?:[-*+•]\s|\d{1,9}[.)]\s|#{1,6}\s|\||>|\[|\(?\d{4}[-/.年]|\d{1,2}:\d\d|```|~~~|[{}<"]|[A-Za-z_][\w.-]{0,30}\s?[:=]\s)/;
const ALONE = /^\s*(?:#{1,6}\s|\||[-=*_]{3,}\s*$)/;
const SENTENCE_END = /[.!?؟।۔。！？｡…][)\]"'”’»」』）*_`]*\s*$/u;
const WORD_BREAK = /[^\S\n](?=[\p{L}\p{N}"'([{])/gu;
const HAN = /[\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]/;

function bytes(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at++)
    count += text.charCodeAt(at) < 0x80 ? 0 : text.charCodeAt(at) < 0x800 ? 1 : 2;
  return count;
}

function endsSentence(line: string): boolean {
  const tail = line.slice(-40);
  const match = SENTENCE_END.exec(tail);
  return match !== null && !isAbbreviation(tail, match.index);
}

/** The sentences of a line, in stretches, each with a line end. */
function divideLine(line: string): readonly string[] {
  if (bytes(line) < LONG_LINE_BYTES) return [line];
  const parts: string[] = [];
  let start = 0;
  for (const next of sentenceStarts(line)) {
    if (bytes(line.slice(start, next)) < STRETCH_BYTES) continue;
    parts.push(`${line.slice(start, next).trimEnd()}\n`);
    start = next;
  }
  return [...parts, line.slice(start)].flatMap(divideWords);
}

/** What goes on for longer than a sentence is none: markup, data. It may end behind any word. */
function divideWords(line: string): readonly string[] {
  if (line.length < 2 * MAX_SENTENCE_CHARS) return [line];
  const parts: string[] = [];
  let start = 0;
  for (const { index } of line.matchAll(WORD_BREAK)) {
    if (index - start < MAX_SENTENCE_CHARS) continue;
    parts.push(`${line.slice(start, index).trimEnd()}\n`);
    start = index + 1;
  }
  return [...parts, line.slice(start)];
}

/** Length of the longest line of each line's paragraph; 0 for lines that belong to none. */
function paragraphWidths(lines: readonly string[]): readonly number[] {
  const widths = new Array<number>(lines.length).fill(0);
  for (let from = 0; from < lines.length; ) {
    let to = from;
    let width = 0;
    for (; to < lines.length && lines[to]?.trim() !== ''; to++) width = Math.max(width, (lines[to]?.length ?? 0) - 1);
    widths.fill(width, from, to);
    from = to + 1;
  }
  return widths;
}

/** Whether the line was broken because the next word did not fit: then the sentence goes on. */
function isWrapped(line: string, next: string, width: number): boolean {
  const head = next.slice(0, MARK_CHARS).trimStart();
  if (width > MAX_WRAP_CHARS || width < (HAN.test(head) ? 20 : 40)) return false;
  const word = HAN.test(head[0] ?? '') ? 1 : (head.match(/^\S+/)?.[0].length ?? 0);
  return line.trimEnd().length + 1 + word > width;
}

/** Whether a text of prose may end behind the line. */
function mayEnd(line: string, next: string, width: number): boolean {
  const head = line.slice(0, MARK_CHARS);
  if (line.trim() === '' || FENCE.test(head) || ALONE.test(head)) return true;
  return FRESH.test(next.slice(0, MARK_CHARS)) || endsSentence(line) || !isWrapped(line, next, width);
}

/**
 * Divides a text into stretches at which it may end; joined they are the text, but for line ends in place of spaces
 * between sentences of long lines. No stretch but the first starts with a blank line or `/`, so token counts add up.
 */
export function cutText(text: string): readonly Cut[] {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const widths = paragraphWidths(lines);
  const cuts: Cut[] = [];
  let stretch = '';
  let stretchBytes = 0;
  let sinceEnd = 0;
  let fence: string | undefined;
  for (const [at, line] of lines.entries()) {
    const mark = FENCE.exec(line.slice(0, MARK_CHARS))?.[1];
    const isFenceLine = mark !== undefined && (fence === undefined || mark.startsWith(fence));
    if (isFenceLine) fence = fence === undefined ? mark : undefined;
    const parts = fence === undefined && !isFenceLine ? divideLine(line) : [line];
    const next = lines[at + 1];
    for (const [index, part] of parts.entries()) {
      const isLineEnd = index === parts.length - 1;
      stretch += part;
      stretchBytes += bytes(part);
      sinceEnd += part.length;
      if (isLineEnd) {
        if (next === undefined || next.trim() === '' || next.startsWith('/')) continue;
        const isNoSentence = fence !== undefined || sinceEnd > MAX_SENTENCE_CHARS;
        if (!isNoSentence && !mayEnd(line, next, widths[at] ?? 0)) continue;
      }
      sinceEnd = 0;
      if (stretchBytes < STRETCH_BYTES && cuts.length > 0) continue;
      cuts.push({ text: stretch, nextLine: isLineEnd ? at + 1 : at, closing: fence === undefined ? '' : `${fence}\n` });
      stretch = '';
      stretchBytes = 0;
    }
  }
  if (stretch !== '') cuts.push({ text: stretch, nextLine: lines.length, closing: '' });
  return cuts;
}

/** Where texts may be cut. */
export type Cutter = (text: string) => readonly Cut[];

/** `cutText` that remembers, for as long as it is held: the same files may stand in a thousand sections. */
export function createCutter(): Cutter {
  const known = new Map<string, readonly Cut[]>();
  return (text) => {
    const cuts = known.get(text) ?? cutText(text);
    known.set(text, cuts);
    return cuts;
  };
}

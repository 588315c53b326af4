/**
 * The places of a Markdown text where names stand: code spans, link targets and `@` imports. It decides what is code,
 * what is a comment and what is prose; `pathMention.ts` decides whether a name is a path of this repository.
 */

import { codeSpans, withoutSpans } from '../mentions';

/** Where a name stands. */
export type SpanForm = 'code' | 'link' | 'import';

/** One code span, link target or import, with what is said around it. */
export interface MarkdownSpan {
  readonly form: SpanForm;
  readonly text: string;
  /** 1-based. */
  readonly line: number;
  /** 0-based UTF-16 column of the text's first character. */
  readonly start: number;
  readonly context: SpanContext;
}

/** What is said around a span: of it, of the list it is in, and of the chapters. */
export interface SpanContext {
  /** The line, with those of the same paragraph right before and after it. */
  readonly sentence: string;
  /** The span's own column in `sentence`. */
  readonly at: number;
  /** Characters of the span. */
  readonly length: number;
  /** The last line that opened a list or an example with a colon; empty when there is none. */
  readonly lead: string;
  /** Headings above, the outermost first. */
  readonly headings: readonly string[];
}

/** Silences the line it stands on, or the next when it stands alone. */
const IGNORE_LINE = /<!--\s*context-budget-ignore\s*-->/;
/** Silences the whole file, wherever it stands. */
const IGNORE_FILE = /<!--\s*context-budget-ignore-file\s*-->/;

const FENCE = /^\s{0,3}(?:>\s*)*(?:[-*+]\s+|\d+[.)]\s+)?\s*(`{3,}|~{3,})/;
const HEADING = /^\s{0,3}(#{1,6})\s+(.*)$/;
const LIST_ITEM = /^\s*(?:[-*+]|\d+[.)])\s/;
const LINK = /\]\(\s*(<[^<>\n]*>|[^()\s<>]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+["'(][^\n]*?["')])?\s*\)/g;
const DEFINITION = /^\s{0,3}\[[^\]^]+\]:\s*(<[^<>]*>|\S+)/;
const IMPORT = /(?<=^|\s)@((?:\.{0,2}\/)?[\w.-]+(?:\/[\w.-]+)+\.\w+)(?=$|[\s,;:)]|\.\s|\.$)/g;

/** A longer line is data, not prose: nothing in it is a claim. UTF-16 code units. */
const MAX_LINE_CHARS = 5000;

/** More lines than any instructions have; later ones are ignored. */
const MAX_LINES = 20_000;

/** A file with more names is a listing; later ones are ignored. */
const MAX_SPANS = 5000;

/** Text that Markdown shows nothing of is taken out, at the same length so that columns stay. Linear. */
function blanked(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let open = text.indexOf('<!--'); open >= 0; open = text.indexOf('<!--', from)) {
    const close = text.indexOf('-->', open + 4);
    if (close < 0) break;
    parts.push(text.slice(from, open), text.slice(open, close + 3).replace(/[^\n]/g, ' '));
    from = close + 3;
  }
  return parts.join('') + text.slice(from);
}

interface LineState {
  fence: { readonly mark: string; readonly length: number } | undefined;
  lead: string;
  headings: string[];
}

/** All spans of a text in the order of their places; none of a file that silences itself. Linear. */
export function markdownSpans(source: string): readonly MarkdownSpan[] {
  if (IGNORE_FILE.test(source)) return [];
  const normal = source.replace(/\r\n?/g, '\n');
  const original = normal.split('\n', MAX_LINES);
  const lines = blanked(normal)
    .split('\n', MAX_LINES)
    .map((line) => (line.length > MAX_LINE_CHARS ? '' : line));
  const silenced = silencedLines(original);
  const state: LineState = { fence: undefined, lead: '', headings: [] };
  const spans: MarkdownSpan[] = [];
  for (let at = frontMatterLines(lines); at < lines.length && spans.length < MAX_SPANS; at++) {
    const line = lines[at] as string;
    if (line === '') continue;
    if (!isText(line, state) || silenced[at]) continue;
    const around = paragraphAround(lines, at);
    const context = { ...around, length: 0, lead: state.lead, headings: [...state.headings] };
    spans.push(...spansOf(line, at + 1, context));
    if (line.trimEnd().endsWith(':')) state.lead = line;
  }
  return spans.slice(0, MAX_SPANS);
}

/** Lines of the YAML block at the beginning. */
function frontMatterLines(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---') return 0;
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---');
  return end < 0 ? 0 : end + 1;
}

/** Whether a line is neither in a fence nor a heading of its own; keeps count of both. */
function isText(line: string, state: LineState): boolean {
  const mark = FENCE.exec(line)?.[1];
  if (state.fence) {
    const { fence } = state;
    const isEnd = mark?.startsWith(fence.mark) && mark.length >= fence.length && /^[>\s]*[`~]+$/.test(line.trim());
    if (isEnd) state.fence = undefined;
    return false;
  }
  if (mark !== undefined) {
    state.fence = { mark: mark.charAt(0), length: mark.length };
    return false;
  }
  const heading = HEADING.exec(line);
  if (heading) {
    const level = (heading[1] as string).length;
    state.headings = [...state.headings.slice(0, level - 1), withoutClosing(heading[2] as string)];
    state.lead = '';
  } else if (line.trim() !== '' && !LIST_ITEM.test(line) && !/^\s/.test(line)) state.lead = '';
  return true;
}

/** A heading's text without the marks that may close it. */
function withoutClosing(text: string): string {
  let end = text.trimEnd().length;
  while (text[end - 1] === '#') end--;
  return text.slice(0, end).trimEnd();
}

/** Which lines are silenced: by what stands on them, or alone above them. */
function silencedLines(lines: readonly string[]): readonly boolean[] {
  let isAnnounced = false;
  return lines.map((line) => {
    const isMarked = IGNORE_LINE.test(line);
    const isSilenced = isMarked || isAnnounced;
    const isAlone = line.replace(IGNORE_LINE, '').trim() === '';
    isAnnounced = isAlone && isSilenced;
    return isSilenced;
  });
}

/** The line with its neighbours as far as they are one paragraph or list item. */
function paragraphAround(lines: readonly string[], at: number): { readonly sentence: string; readonly at: number } {
  const line = lines[at] as string;
  const isAlone = /^\s*(?:#|\|)/.test(line);
  const [previous = '', next = ''] = [lines[at - 1], lines[at + 1]];
  const before = !isAlone && !LIST_ITEM.test(line) && isProse(previous) ? `${previous} ` : '';
  const after = !isAlone && !LIST_ITEM.test(next) && isProse(next) ? ` ${next}` : '';
  return { sentence: before + line + after, at: before.length };
}

function isProse(line: string): boolean {
  return line.trim() !== '' && !/^\s*(?:#|\||`{3}|~{3})/.test(line);
}

function spansOf(line: string, number: number, context: SpanContext): readonly MarkdownSpan[] {
  const spans: MarkdownSpan[] = [];
  const add = (form: SpanForm, given: string, from: number): void => {
    const start = from + given.length - given.trimStart().length;
    const text = given.trim();
    const place = { at: context.at + start, length: text.length };
    spans.push({ form, text, line: number, start, context: { ...context, ...place } });
  };
  for (const { start, end, marks } of codeSpans(line))
    add('code', line.slice(start + marks, end - marks), start + marks);
  const prose = withoutSpans(line, ' ');
  for (const link of prose.matchAll(LINK)) {
    const target = link[1] as string;
    const start = link.index + link[0].indexOf(target, 2);
    const isAngled = target.startsWith('<');
    add('link', isAngled ? target.slice(1, -1) : target, start + (isAngled ? 1 : 0));
  }
  const definition = DEFINITION.exec(prose);
  if (definition) add('link', definition[1] as string, definition[0].length - (definition[1] as string).length);
  for (const found of prose.matchAll(IMPORT)) add('import', found[1] as string, found.index + 1);
  return spans.sort((a, b) => a.start - b.start);
}

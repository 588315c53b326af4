/**
 * Small changes to JSON with comments that leave every other byte alone: comments, blank lines, indentation, trailing
 * commas, line ends. The library's own `modify` deletes comments beside what it removes and lays lines out anew, so
 * edits are made here, on its tree and its scanner. The text must be free of syntax errors and of a byte order mark.
 */
import { createScanner, type Node } from 'jsonc-parser';

const DEFAULT_INDENT = '  ';

/** A piece of trivia or punctuation; values never are among them. */
interface Token {
  readonly kind: 'comma' | 'lineComment' | 'blockComment' | 'blank';
  readonly start: number;
  readonly end: number;
}

/** What stands between `start` and `end`, where no value is. */
function tokensBetween(text: string, start: number, end: number): readonly Token[] {
  const scanner = createScanner(text, false);
  scanner.setPosition(start);
  const tokens: Token[] = [];
  for (scanner.scan(); scanner.getTokenLength() > 0 && scanner.getTokenOffset() < end; scanner.scan()) {
    const from = scanner.getTokenOffset();
    const to = from + scanner.getTokenLength();
    // Token kinds are a const enum, which isolated modules cannot read; the first characters tell as much.
    const first = text.slice(from, from + 2);
    const kind = first.startsWith(',')
      ? 'comma'
      : first === '//'
        ? 'lineComment'
        : first === '/*'
          ? 'blockComment'
          : 'blank';
    tokens.push({ kind, start: from, end: to });
  }
  return tokens;
}

function isLineEnd(text: string, at: number): boolean {
  return at >= text.length || text[at] === '\n' || text[at] === '\r';
}

/** The line end in use; `\n` where there is none. */
export function lineEndOf(text: string): string {
  return /\r\n|\n/.exec(text)?.[0] ?? '\n';
}

/** The blanks a line begins with. */
function indentAt(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

function startsItsLine(text: string, offset: number): boolean {
  let at = offset;
  while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--;
  return at === 0 || isLineEnd(text, at - 1);
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

function splice(text: string, start: number, end: number, content: string): string {
  return text.slice(0, start) + content + text.slice(end);
}

/** One step of indentation, as the outermost object has it. */
function indentUnit(text: string, root: Node): string {
  const first = root.children?.[0];
  if (!first || !startsItsLine(text, first.offset)) return DEFAULT_INDENT;
  const outer = indentAt(text, root.offset);
  return indentAt(text, first.offset).slice(outer.length) || DEFAULT_INDENT;
}

function appendToEmpty(text: string, root: Node, container: Node, child: string): string {
  const [open, close] = [container.offset + 1, endOf(container) - 1];
  const comments = tokensBetween(text, open, close).filter(({ kind }) => kind !== 'blank');
  const inside = text.slice(open, close);
  // Lists of ids stay on one line; an object opens up.
  if (comments.length === 0 && !/[\r\n]/.test(inside) && container.type === 'array') {
    return splice(text, open, close, child);
  }
  const lineEnd = lineEndOf(text);
  const outer = indentAt(text, container.offset);
  const line = `${lineEnd}${outer}${indentUnit(text, root)}${child}`;
  if (comments.length === 0) return splice(text, open, close, `${line}${lineEnd}${outer}`);
  const at = comments.at(-1)?.end ?? open;
  return splice(text, at, at, /[\r\n]/.test(text.slice(at, close)) ? line : ` ${child}`);
}

/**
 * Appends `child` (the text of a value, or of a key with its value) to an object or a list, on a line of its own where
 * its last neighbour has one, and with a trailing comma where that has one.
 */
export function appendChild(text: string, root: Node, container: Node, child: string): string {
  const last = container.children?.at(-1);
  if (!last) return appendToEmpty(text, root, container, child);
  const tokens = tokensBetween(text, endOf(last), endOf(container) - 1);
  const comma = tokens.find(({ kind }) => kind === 'comma');
  const isOnOwnLine = startsItsLine(text, last.offset);
  let at = comma?.end ?? endOf(last);
  if (isOnOwnLine) {
    // Comments on the neighbour's line are about the neighbour.
    for (const { kind, start, end } of tokens) {
      if (start < at || kind === 'comma') continue;
      if (kind === 'blank') {
        if (/[\r\n]/.test(text.slice(start, end))) break;
        continue;
      }
      at = end;
    }
  }
  const lead = isOnOwnLine ? `${lineEndOf(text)}${indentAt(text, last.offset)}` : ' ';
  const grown = splice(text, at, at, `${lead}${child}${comma ? ',' : ''}`);
  return comma ? grown : splice(grown, endOf(last), endOf(last), ',');
}

/** Where the blanks before `offset` begin. */
function blanksBefore(text: string, offset: number, least: number): number {
  let at = offset;
  while (at > least && /\s/.test(text[at - 1] ?? '')) at--;
  return at;
}

/**
 * What goes with a value: the blanks before it, or those behind it where nothing is before it on its line. Blanks that
 * keep what follows out of a line comment, or on a line of its own, stay.
 */
function rangeWithBlanks(text: string, start: number, end: number, least: number): readonly [number, number] {
  const lead = blanksBefore(text, start, least);
  let rest = end;
  while (text[rest] === ' ' || text[rest] === '\t') rest++;
  if (!/[\r\n]/.test(text.slice(lead, start))) return lead === start ? [start, rest] : [lead, end];
  if (isLineEnd(text, rest)) return [lead, end];
  const before = tokensBetween(text, least, start).findLast(({ kind }) => kind !== 'blank');
  return text[rest] === ']' && before?.kind !== 'lineComment' ? [lead, end] : [start, rest];
}

/** Removes one value of a list with its comma; comments stay, even those beside it. */
export function removeItem(text: string, list: Node, index: number): string {
  const item = list.children?.[index];
  if (!item) return text;
  const [start, end] = [item.offset, endOf(item)];
  const next = list.children?.[index + 1];
  const previous = list.children?.[index - 1];
  const after = tokensBetween(text, end, next?.offset ?? endOf(list) - 1).find(({ kind }) => kind === 'comma');
  const least = previous ? endOf(previous) : list.offset + 1;
  if (after) {
    const hasCommentBetween = text.slice(end, after.start).trim() !== '';
    const without = splice(text, after.start, after.end, '');
    const to = hasCommentBetween ? end : after.start;
    const [from, until] = rangeWithBlanks(without, start, to, least);
    return splice(without, from, until, '');
  }
  const [from, until] = rangeWithBlanks(text, start, end, least);
  const without = splice(text, from, until, '');
  const before = previous && tokensBetween(text, endOf(previous), start).find(({ kind }) => kind === 'comma');
  return before ? splice(without, before.start, before.end, '') : without;
}

/** Replaces a value by the text of another one. */
export function replaceValue(text: string, value: Node, replacement: string): string {
  return splice(text, value.offset, endOf(value), replacement);
}

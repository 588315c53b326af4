/**
 * Small changes to JSON with comments that leave every other byte alone: comments, blank lines, indentation, trailing
 * commas, line ends. The library's own `modify` deletes comments beside what it removes and reformats lines, so edits
 * are made here, on its tree and its scanner. The text must be free of syntax errors and of a byte order mark.
 *
 * `appendChild` and `removeItem` write as a person would. `removeChild` takes back exactly what `addLast` added.
 */
import { createScanner, type Node } from 'jsonc-parser';
import { type KeyPath, valueAt } from './configTree';

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

function commaBetween(text: string, start: number, end: number): Token | undefined {
  return tokensBetween(text, start, end).find(({ kind }) => kind === 'comma');
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

/** How a file is laid out. */
export interface Layout {
  /** One level of indentation. */
  readonly unit: string;
  readonly eol: string;
}

/** The layout that the outermost object shows; two spaces and `\n` where it shows none. */
export function layoutOf(text: string, root: Node): Layout {
  const first = root.children?.[0];
  const inner = first && startsItsLine(text, first.offset) ? indentAt(text, first.offset) : '';
  return { unit: inner.slice(indentAt(text, root.offset).length) || DEFAULT_INDENT, eol: lineEndOf(text) };
}

/** A value as JSON whose further lines are indented by `indent`. */
export function renderJson(value: unknown, { unit, eol }: Layout, indent: string): string {
  return JSON.stringify(value, null, unit).split('\n').join(`${eol}${indent}`);
}

function appendToEmpty(text: string, root: Node, container: Node, child: string): string {
  const [open, close] = [container.offset + 1, endOf(container) - 1];
  const comments = tokensBetween(text, open, close).filter(({ kind }) => kind !== 'blank');
  const inside = text.slice(open, close);
  // Lists of ids stay on one line; an object opens up.
  if (comments.length === 0 && !/[\r\n]/.test(inside) && container.type === 'array') {
    return splice(text, open, close, child);
  }
  const { unit, eol } = layoutOf(text, root);
  const outer = indentAt(text, container.offset);
  const line = `${eol}${outer}${unit}${child}`;
  if (comments.length === 0) return splice(text, open, close, `${line}${eol}${outer}`);
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
  return insertBehind(text, last, comma, at, lead + child);
}

/** Inserts a new last value at `at`; the former last one gets a comma, or the new one the trailing comma. */
function insertBehind(text: string, last: Node, comma: Token | undefined, at: number, content: string): string {
  if (comma) return splice(text, at, at, `${content},`);
  return splice(splice(text, at, at, content), endOf(last), endOf(last), ',');
}

/**
 * Adds a value as the last one of a list or an object: right behind the bracket when that was empty, else on a line of
 * its own behind all comments. `render` gives its text for the indentation of its line.
 */
export function addLast(text: string, container: Node, layout: Layout, render: (indent: string) => string): string {
  const last = container.children?.at(-1);
  const outer = indentAt(text, container.offset);
  if (!last) return splice(text, container.offset + 1, container.offset + 1, render(outer));
  const indent = startsItsLine(text, last.offset) ? indentAt(text, last.offset) : outer + layout.unit;
  const tokens = tokensBetween(text, endOf(last), endOf(container) - 1).filter(({ kind }) => kind !== 'blank');
  const comma = tokens.find(({ kind }) => kind === 'comma');
  return insertBehind(text, last, comma, tokens.at(-1)?.end ?? endOf(last), `${layout.eol}${indent}${render(indent)}`);
}

/** True when nothing but `child` is in the container, and the container's form says that it was added with it. */
export function isAddedWith(text: string, container: Node, child: Node): boolean {
  const before = text.slice(container.offset + 1, child.offset);
  const after = text.slice(endOf(child), endOf(container) - 1);
  return (container.children ?? []).length === 1 && /^\r?\n\s*$/.test(before) && /^\s*,?\s*$/.test(after);
}

/**
 * What goes with a value: the blanks before it, or those behind it where nothing is before it on its line. Blanks that
 * keep what follows out of a line comment, or on a line of its own, stay.
 */
function rangeWithBlanks(text: string, start: number, end: number, least: number): readonly [number, number] {
  let lead = start;
  while (lead > least && /\s/.test(text[lead - 1] ?? '')) lead--;
  let rest = end;
  while (text[rest] === ' ' || text[rest] === '\t') rest++;
  if (!/[\r\n]/.test(text.slice(lead, start))) return lead === start ? [start, rest] : [lead, end];
  if (isLineEnd(text, rest)) return [lead, end];
  const before = tokensBetween(text, least, start).findLast(({ kind }) => kind !== 'blank');
  return /[\]}]/.test(text[rest] ?? '') && before?.kind !== 'lineComment' ? [lead, end] : [start, rest];
}

/** Removes one value of a list or an object with its comma; comments stay, even those beside it. */
export function removeItem(text: string, container: Node, item: Node): string {
  const siblings = container.children ?? [];
  const index = siblings.indexOf(item);
  const [previous, next] = [siblings[index - 1], siblings[index + 1]];
  const [start, end] = [item.offset, endOf(item)];
  const after = commaBetween(text, end, next?.offset ?? endOf(container) - 1);
  const least = previous ? endOf(previous) : container.offset + 1;
  if (after) {
    const hasCommentBetween = text.slice(end, after.start).trim() !== '';
    const without = splice(text, after.start, after.end, '');
    const to = hasCommentBetween ? end : after.start;
    const [from, until] = rangeWithBlanks(without, start, to, least);
    return splice(without, from, until, '');
  }
  const [from, until] = rangeWithBlanks(text, start, end, least);
  const without = splice(text, from, until, '');
  const before = previous && commaBetween(text, endOf(previous), start);
  return before ? splice(without, before.start, before.end, '') : without;
}
/** Takes back what `addLast` added, or removes what stands there now: see `removeItem`. */
export function removeChild(text: string, container: Node, child: Node): string {
  if (container.children?.length !== 1) return removeItem(text, container, child);
  // Right behind the bracket: the blanks that follow were there before it.
  const comma = commaBetween(text, endOf(child), endOf(container) - 1);
  const without = comma ? splice(text, comma.start, comma.end, '') : text;
  return splice(without, child.offset, endOf(child), '');
}

/** Replaces a value by the text of another one. */
export function replaceValue(text: string, value: Node, replacement: string): string {
  return splice(text, value.offset, endOf(value), replacement);
}

/**
 * Puts the text of a value at `path`, in the place of the one that is there. Objects on the way that are not there are
 * made, on one line. Undefined where something else than an object stands on the way.
 */
export function setAtPath(text: string, root: Node, path: KeyPath, value: string): string | undefined {
  const old = valueAt(root, path);
  if (old) return replaceValue(text, old, value);
  const isThere = path.findIndex((_, at) => valueAt(root, path.slice(0, at + 1)) === undefined);
  const container = valueAt(root, path.slice(0, isThere));
  if (container?.type !== 'object') return undefined;
  const [key, ...below] = path.slice(isThere);
  const inner = below.reduceRight<string>((content, each) => `{ ${JSON.stringify(each)}: ${content} }`, value);
  return appendChild(text, root, container, `${JSON.stringify(key)}: ${inner}`);
}

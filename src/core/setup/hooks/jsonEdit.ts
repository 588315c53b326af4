/**
 * Adds and removes one value of a JSON text with comments, so that everything else stays as its author wrote it and the
 * removal is the exact inverse. The form of what is added tells later how the place looked before: a list or an object
 * that was there and empty gets its value right behind the bracket, one that is added has a line break there.
 */
import { createScanner, type Node } from 'jsonc-parser';

/** How a file is laid out. */
export interface Layout {
  /** One level of indentation. */
  readonly unit: string;
  readonly eol: string;
}

interface Between {
  /** Offset of the comma; undefined without one. */
  readonly comma: number | undefined;
  /** End of the last comma or comment, or where the search began. */
  readonly end: number;
  readonly endsWithLineComment: boolean;
}

const endOf = (node: Node): number => node.offset + node.length;

/** Commas and comments of a stretch without values. */
function lookBetween(text: string, from: number, to: number): Between {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  let found: Between = { comma: undefined, end: from, endsWithLineComment: false };
  for (scanner.scan(); scanner.getTokenLength() > 0 && scanner.getTokenOffset() < to; scanner.scan()) {
    // Token kinds are a const enum, which isolated modules cannot read.
    const offset = scanner.getTokenOffset();
    const end = offset + scanner.getTokenLength();
    const first = text.charAt(offset);
    if (first === ',') found = { comma: offset, end, endsWithLineComment: false };
    else if (first === '/') found = { ...found, end, endsWithLineComment: text.charAt(offset + 1) === '/' };
  }
  return found;
}

function lineIndent(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

function startsItsLine(text: string, offset: number): boolean {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return start > 0 && text.slice(start, offset).trim() === '';
}

/** What a text's own lines show; two spaces and `\n` where they show nothing. */
export function layoutOf(text: string, root: Node): Layout {
  const [first] = root.children ?? [];
  const isOnItsLine = first !== undefined && startsItsLine(text, first.offset);
  const indent = isOnItsLine ? lineIndent(text, first.offset) : '';
  return { unit: indent === '' ? '  ' : indent, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

/** A value as JSON whose further lines are indented by `indent`. */
export function renderJson(value: unknown, { unit, eol }: Layout, indent: string): string {
  return JSON.stringify(value, null, unit).split('\n').join(`${eol}${indent}`);
}

/**
 * Adds a value as the last one of a list or an object. `render` gives its text for the indentation of its line; a
 * comment behind the last value stays behind that.
 */
export function addLast(text: string, container: Node, layout: Layout, render: (indent: string) => string): string {
  const children = container.children ?? [];
  const last = children.at(-1);
  if (!last) {
    const at = container.offset + 1;
    return text.slice(0, at) + render(lineIndent(text, container.offset)) + text.slice(at);
  }
  const isOnItsLine = startsItsLine(text, last.offset);
  const indent = isOnItsLine ? lineIndent(text, last.offset) : lineIndent(text, container.offset) + layout.unit;
  const lastEnd = endOf(last);
  const { comma, end } = lookBetween(text, lastEnd, endOf(container) - 1);
  const added = `${layout.eol}${indent}${render(indent)}`;
  if (comma !== undefined) return `${text.slice(0, end)}${added},${text.slice(end)}`;
  return `${text.slice(0, lastEnd)},${text.slice(lastEnd, end)}${added}${text.slice(end)}`;
}

/** True when nothing but `child` is in the container, and the container's form says that it was added with it. */
export function isAddedWith(text: string, container: Node, child: Node): boolean {
  const before = text.slice(container.offset + 1, child.offset);
  const after = text.slice(endOf(child), endOf(container) - 1);
  return (container.children ?? []).length === 1 && /^\r?\n\s*$/.test(before) && /^\s*,?\s*$/.test(after);
}

/** Removes a value of a list or an object with the comma and the white space that came with it. */
export function removeChild(text: string, container: Node, child: Node): string {
  const children = container.children ?? [];
  const index = children.indexOf(child);
  const [previous, next] = [children[index - 1], children[index + 1]];
  const before = lookBetween(text, previous ? endOf(previous) : container.offset + 1, child.offset);
  const after = lookBetween(text, endOf(child), next ? next.offset : endOf(container) - 1);
  const from = children.length === 1 ? child.offset : before.end;
  const isLast = after.comma === undefined;
  const to = after.comma === undefined ? endOf(child) : after.comma + 1;
  const head =
    isLast && before.comma !== undefined
      ? text.slice(0, before.comma) + text.slice(before.comma + 1, from)
      : text.slice(0, from);
  const tail = text.slice(endOf(child), to).replace(/,$/, '').trimStart() + text.slice(to);
  // What follows must not become a part of a comment.
  const needsBreak = children.length > 1 && before.endsWithLineComment && !/^\r?\n/.test(tail);
  return head + (needsBreak ? '\n' : '') + tail;
}

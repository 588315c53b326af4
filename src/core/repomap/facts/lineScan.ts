/**
 * Definitions by the looks of single lines, for what no grammar reads: stretches with syntax errors, and files that are
 * too large to parse. Ranges are guessed by indents. The language's table says how such lines look (`lines`).
 */

import type { SymbolKind } from '../../ports/symbolKind';
import { stripComments } from './identifiers';
import type { Lexer } from './lexer';
import { buildSignature } from './signature';
import type { Definition } from './types';

/** How a line that defines something looks; the group `name` is its name. */
export interface LineRule {
  readonly pattern: RegExp;
  readonly kind: SymbolKind;
}

/** 0-based rows, inclusive. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

/** Longer lines were not written by a person, and patterns may take long on them. */
const MAX_LINE_CHARS = 240;
/** What opens a body and what follows it on the line. */
const OPENER = /\s*(?:(?:=\s*)?\{[^}]*|=|:|\bdo|\bthen)\s*$/u;

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Brackets that may stay open at a line's end within a head. */
const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']' };
/** Rows of a head; one with more is data. */
const MAX_HEAD_ROWS = 40;

/** The row that closes the brackets that `row` opens; `row` where the layout does not tell. */
function headEnd(lines: readonly string[], row: number, lexis: Lexer): number {
  const indent = indentOf(lines[row] as string);
  const open: string[] = [];
  for (let at = row; at < Math.min(lines.length, row + MAX_HEAD_ROWS); at++) {
    const line = lines[at] as string;
    if (line.length > MAX_LINE_CHARS) return row;
    if (at > row && (indentOf(line) < indent || (indentOf(line) === indent && !/^\s*[)\]]/u.test(line)))) return row;
    for (const bracket of stripComments(line, lexis).match(/[()[\]]/gu) ?? []) {
      const closer = CLOSERS[bracket];
      if (closer) open.push(closer);
      else if (open.pop() !== bracket) return row;
    }
    if (open.length === 0) return at;
  }
  return row;
}

/** The row where what begins in `row`, with a head up to `head`, ends: the last one indented deeper, and the line that closes it. */
function endOf(lines: readonly string[], row: number, head: number): number {
  const indent = indentOf(lines[row] as string);
  let end = head;
  for (let at = head + 1; at < lines.length; at++) {
    const line = lines[at] as string;
    if (line.trim() === '') continue;
    const depth = indentOf(line);
    if (depth > indent) end = at;
    else if (depth === indent && /^\s*(?:[})\]]|end\b)/u.test(line)) return at;
    else if (depth < indent || !/^\s*[({]/u.test(line)) return end;
  }
  return end;
}

/**
 * Definitions in `ranges` of a text, in document order among the `known` ones, which stay as they are but for their
 * parents' numbers. Linear in the text where ranges are few and definitions do not nest hundreds deep.
 * @param proseRows 0-based rows that begin inside of a comment or string
 */
export function addLineDefinitions(
  known: readonly Definition[],
  text: string,
  ranges: readonly RowRange[],
  {
    rules,
    lexis,
    proseRows,
  }: { readonly rules: readonly LineRule[]; readonly lexis: Lexer; readonly proseRows: ReadonlySet<number> },
): readonly Definition[] {
  if (rules.length === 0 || ranges.length === 0) return known;
  const lines = text.split('\n');
  const taken = new Set(known.map(({ lineStart }) => lineStart));
  const names = new Set(known.map(({ name, lineStart }) => `${name}\0${lineStart}`));
  const found: Definition[] = [];
  for (const { first, last } of ranges) {
    for (let row = first; row <= Math.min(last, lines.length - 1); row++) {
      const line = lines[row] as string;
      if (line.length > MAX_LINE_CHARS || taken.has(row + 1) || proseRows.has(row)) continue;
      for (const { pattern, kind } of rules) {
        const name = pattern.exec(line)?.groups?.name;
        if (name === undefined || names.has(`${name}\0${row + 1}`)) continue;
        const head = headEnd(lines, row, lexis);
        const opener = lines
          .slice(row, head + 1)
          .join('\n')
          .replace(OPENER, '');
        const ranged = { start: 0, end: opener.length, value: undefined, omitted: [], prefix: undefined };
        const signature = buildSignature(opener, ranged, lexis);
        const [lineStart, lineEnd] = [row + 1, endOf(lines, row, head) + 1];
        found.push({ kind, name, signature, doc: '', lineStart, lineEnd, parent: -1, isGuessed: true });
        taken.add(row + 1);
        break;
      }
    }
  }
  return found.length === 0 ? known : merge(known, found);
}

/** Both lists in document order; a guessed definition belongs to the innermost one around it. */
function merge(known: readonly Definition[], found: readonly Definition[]): readonly Definition[] {
  const all = [...known, ...found];
  const order = all
    .map((_, at) => at)
    .sort((a, b) => {
      const [one, two] = [all[a] as Definition, all[b] as Definition];
      return one.lineStart - two.lineStart || two.lineEnd - one.lineEnd || a - b;
    });
  // Parsed ones keep their order among each other: what joins them, and ordinals of handles, rest on it.
  const parsed = known.map((_, at) => at).values();
  const placed = order.map((at) => (at < known.length ? (parsed.next().value as number) : at));
  const numberOf = new Map(placed.map((at, number) => [at, number]));
  const open: number[] = [];
  const around = new Map<number, number>();
  for (const at of order) {
    const { lineEnd } = all[at] as Definition;
    while (open.length > 0 && (all[open.at(-1) as number] as Definition).lineEnd < lineEnd) open.pop();
    around.set(at, open.at(-1) ?? -1);
    open.push(at);
  }
  return placed.map((at) => {
    const definition = all[at] as Definition;
    const parent = at < known.length ? definition.parent : (around.get(at) as number);
    return { ...definition, parent: parent < 0 ? -1 : (numberOf.get(parent) as number) };
  });
}

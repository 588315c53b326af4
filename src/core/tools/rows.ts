/** Rows of tables: sections, observations, symbols. Their texts come from the engine, which has masked them. */

import type { ObservationRow } from '../model/observation';
import type { MapSymbol } from '../model/repoMap';
import type { ReportSection } from '../model/report';
import { renderRow, toCell } from '../render/element';
import { foldLines } from '../repomap/facts/signature';
import { escapeReserved } from '../text/elements';
import type { TextBlock } from '../workspace/textLines';
import type { TableRow } from './tablePage';

/** What stands for a place of this machine. */
const PLACE = '…';

/** Absolute paths, not the root alone: quoted ones with blanks in them, URIs of files, drives, shares, and from the root on with two names. */
const PLACES: readonly RegExp[] = [
  /(?<=(["'`]))(?:file:\/\/|[A-Za-z]:[\\/]|\\\\|\/)[^"'`\n]{1,4096}(?=\1)/g,
  /\bfile:\/\/[^\s"'`<>]{1,4096}/g,
  /(?<![\w.~:/\\-])(?:[A-Za-z]:[\\/]|\\\\)[^\s"'`<>|]{1,4096}/g,
  /(?<![\w.~:/\\@-])\/(?:[^\s"'`<>|:/]{1,255}\/){1,64}[^\s"'`<>|:]{0,255}/g,
];

/** A message without absolute paths, which tell about the machine. Paths within the folder stay. */
export function withoutPlaces(message: string): string {
  return PLACES.reduce((text, pattern) => text.replace(pattern, PLACE), message);
}

/** One row a section, as an index-only payload has it. */
export function sectionRow({ id, status, tokensFull, handle, isPending, summary }: ReportSection): TableRow {
  const cell = toCell(summary, escapeReserved);
  // Neither its status nor its size is known: "OK" and "~0 tok" would be a promise.
  if (isPending) return { handle, text: `counting | ${id} | ${cell} | ${handle}\n` };
  return { handle, text: renderRow({ id, status, cell, tokensFull }) };
}

/** One row an observation, as an index has it. */
export function observationRow({ id, text }: ObservationRow): TableRow {
  return { handle: String(id), text };
}

/** One row a symbol: `sym:1f3a9c02 | src/a.ts:10 | function main(argv) | ~85 tok`. */
export function symbolRow(symbol: MapSymbol & { readonly tokens: number | undefined }): TableRow {
  const { handle, path, lineStart, signature, qualifiedName, kind, tokens } = symbol;
  const place = `${foldLines(path)}:${lineStart}`;
  const cell = toCell(signature === '' ? `${kind} ${qualifiedName}` : signature, escapeReserved);
  const size = tokens === undefined ? '' : ` | ~${tokens} tok`;
  return { handle, text: `${handle} | ${place} | ${cell}${size}\n` };
}

/** The handle of a line of code: `src/a.ts:12`. */
export function lineHandle({ path, line }: Pick<TextBlock, 'path' | 'line'>): string {
  return `${foldLines(path)}:${line}`;
}

/**
 * One row a block of lines: `src/a.ts:12 | Cart.total`, with ` | Cart :3` where its type stands elsewhere, then
 * `12: throw new Error("empty")`; its path is said once, `:15 | …` is of the row before.
 */
export function lineRows(blocks: readonly TextBlock[]): readonly TableRow[] {
  return blocks.map((each, at) => {
    const handle = lineHandle(each);
    const place = blocks[at - 1]?.path === each.path ? `:${each.line}` : handle;
    const type = each.type ? ` | ${toCell(each.type.name, escapeReserved)} :${each.type.line}` : '';
    const name = each.name === '' ? '' : ` | ${toCell(each.name, escapeReserved)}${type}`;
    const lines = each.lines.map(({ line, text }) => `${line}: ${escapeReserved(text)}\n`);
    return { handle, text: `${place}${name}\n${lines.join('')}` };
  });
}

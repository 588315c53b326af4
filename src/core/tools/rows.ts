/** Rows of tables: sections, observations, symbols, lines. Their texts come from the engine, which has masked them. */

import type { ObservationRow } from '../model/observation';
import type { MapSymbol, WordMatch } from '../model/repoMap';
import type { ReportSection } from '../model/report';
import type { ObservationPage } from '../observations/browse';
import { renderRow, toCell } from '../render/element';
import { foldLines } from '../repomap/facts/signature';
import { noMatchLines } from '../repomap/ranking/wordMatch';
import { escapeReserved } from '../text/elements';
import { isSafePath } from '../text/safePath';
import { toOneLine, toSentence } from '../text/sentence';
import type { TextBlock } from '../workspace/codeLines';
import type { RowGroup, TableRow } from './tablePage';
import { ToolError, type ToolHost } from './tool';

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

/** What stands before the path in a handle or in an address of ours. */
const SCHEMES = /^(?:context-budget:\/\/)?(?:(?:file|section|sym):)?/;

/** The signs of names, paths and handles: no blank, so that no sentence is said again, and none of markup. */
const PLAIN_NAME = /^[\p{L}\p{N}_$.,:#@+/-]+$/u;

/** Whether what was asked for may be said again: one word that names no place outside of the folder. */
export function maySayAgain(asked: string): boolean {
  const path = asked.trim().replace(SCHEMES, '');
  return PLAIN_NAME.test(path) && isSafePath(path) && !path.includes('//');
}

/** That there is nothing of a name, which is cut, and what there is. */
export function unknownName(kind: string, name: unknown, known: readonly string[]): string {
  const said = typeof name === 'string' && maySayAgain(name) ? ` "${toSentence(name)}"` : '';
  return `Unknown ${kind}${said}: use ${known.join(', ')}.`;
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

/** Which observations, in which order. */
interface EventsWanted {
  /** Best match first with it, newest first without. */
  readonly query?: string | undefined;
  readonly task?: string | undefined;
  /** Id of the observation that the first row follows. */
  readonly after?: string | undefined;
  /** Rows at most. */
  readonly limit: number;
}

/**
 * Rows of observations; no group where the host keeps none.
 * @throws ToolError `unknown` when the list does not have the observation to go on after
 */
export async function eventGroup(
  host: ToolHost,
  { query, task, after, limit }: EventsWanted,
): Promise<readonly (RowGroup & Pick<ObservationPage, 'match'>)[]> {
  const service = host.workspace.observations;
  if (!service) return [];
  const within = task === undefined ? undefined : ({ by: 'task', key: task } as const);
  const follows = after === undefined ? undefined : Number(after.trim());
  const { rows, total, start, match } = await service.list({ query, within, limit, after: follows });
  if (start < 0) throw new ToolError('unknown', 'after: the list has no row with this handle.');
  const more = Math.max(0, total - start - rows.length);
  return [{ rows: rows.map(observationRow), more, ...(match ? { match } : {}) }];
}

/** Notes of an answer without rows. `bare`: files that are meant and have no symbol. */
export function emptyNotes(
  match: WordMatch | undefined,
  linesOf = noMatchLines,
  bare: readonly string[] = [],
): readonly string[] {
  if (bare.length > 0) return bare.map((path) => `No symbols in file:${escapeReserved(toOneLine(path))}`);
  return match ? linesOf(match).map((line) => line.trimEnd()) : ['Nothing matches.'];
}

/** Rows of tables: sections, observations, symbols. Each is masked before it is written. */

import type { ObservationRow } from '../model/observation';
import type { MapSymbol } from '../model/repoMap';
import type { ReportSection } from '../model/report';
import { renderObservationRow } from '../observations/observationCodec';
import { renderRow, toCell } from '../render/element';
import { foldLines } from '../repomap/facts/signature';
import { escapeReserved } from '../text/elements';
import type { TableRow } from './tablePage';
import type { ToolHost } from './tool';

/** What stands for a place of this machine. */
const PLACE = '…';

/** Absolute paths: quoted ones with blanks in them, URIs of files, drives, shares, and from the root on with two names. */
const PLACES: readonly RegExp[] = [
  /(?<=(["'`]))(?:file:\/\/|[A-Za-z]:[\\/]|\\\\|\/)[^"'`\n]{0,4096}(?=\1)/g,
  /\bfile:\/\/[^\s"'`<>]{1,4096}/g,
  /(?<![\w.~:/\\-])(?:[A-Za-z]:[\\/]|\\\\)[^\s"'`<>|]{1,4096}/g,
  /(?<![\w.~:/\\@-])\/(?:[^\s"'`<>|:/]{1,255}\/){1,64}[^\s"'`<>|:]{0,255}/g,
];

/** A message without absolute paths, which say how somebody's machine is laid out. Paths within the folder stay. */
export function withoutPlaces(message: string): string {
  return PLACES.reduce((text, pattern) => text.replace(pattern, PLACE), message);
}

/** Columns of every table of rows that lead to a detail. `tokens`: of that detail, where it is known. */
export const ROW_COLUMNS: readonly string[] = ['handle', 'about', 'summary', 'tokens'];

type Masking = Pick<ToolHost, 'maskText'>;

/** Masks one or more texts of each thing, in one go. */
async function maskEach<T>(
  { maskText }: Masking,
  things: readonly T[],
  textsOf: (thing: T) => readonly string[],
): Promise<readonly (readonly [T, readonly string[]])[]> {
  const texts = things.map(textsOf);
  const masked = await maskText(texts.flat());
  let at = 0;
  return things.map((thing, index) => {
    const count = texts[index]?.length ?? 0;
    at += count;
    return [thing, masked.slice(at - count, at)] as const;
  });
}

/** One row a section, as an index-only payload has it. */
export async function sectionRows(host: Masking, sections: readonly ReportSection[]): Promise<readonly TableRow[]> {
  const masked = await maskEach(host, sections, ({ summary }) => [summary]);
  return masked.map(([{ id, status, tokensFull, handle, isPending }, [summary = '']]) => {
    const cell = toCell(summary, escapeReserved);
    // Neither its status nor its size is known: "OK" and "~0 tok" would be a promise.
    if (isPending)
      return { handle, text: `counting | ${id} | ${cell} | ${handle}\n`, cells: [handle, 'counting', cell, null] };
    return { handle, text: renderRow({ id, status, cell, tokensFull }), cells: [handle, status, cell, tokensFull] };
  });
}

/** One row an observation, as an index has it. */
export async function observationRows(host: Masking, rows: readonly ObservationRow[]): Promise<readonly TableRow[]> {
  const masked = await maskEach(host, rows, ({ taskId, phase, summary }) => [taskId, phase, summary]);
  return masked.map(([{ id, ts, detailTokens }, [taskId = '', phase = '', summary = '']]) => {
    const about = [ts.slice(0, 16), taskId, phase].filter((part) => part !== '').join(' ');
    return {
      handle: String(id),
      text: renderObservationRow({ id, ts, taskId, phase, summary }, detailTokens),
      cells: [String(id), about, summary, detailTokens],
    };
  });
}

/** One row a symbol: `sym:1f3a9c02 | src/a.ts:10 | function main(argv)`. */
export async function symbolRows(host: Masking, symbols: readonly MapSymbol[]): Promise<readonly TableRow[]> {
  const masked = await maskEach(host, symbols, ({ path, signature, qualifiedName, kind }) => [
    foldLines(path),
    toCell(signature === '' ? `${kind} ${qualifiedName}` : signature, escapeReserved),
  ]);
  return masked.map(([{ handle, lineStart }, [path = '', cell = '']]) => {
    const place = `${path}:${lineStart}`;
    return { handle, text: `${handle} | ${place} | ${cell}\n`, cells: [handle, place, cell, null] };
  });
}

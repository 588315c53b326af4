/**
 * Pipe tables of Markdown, as GitHub defines them: which lines are one, and the cells of a row. Parsed here and not by a
 * Markdown library, since a log needs the line of every row, and a row with too many cells said and not cut.
 */

/** One row with its place. */
export interface TableRow {
  readonly cells: readonly string[];
  /** 1-based. */
  readonly line: number;
}

/** A table of a text. */
export interface PipeTable {
  readonly header: readonly string[];
  readonly rows: readonly TableRow[];
  /** Line after its last row, 1-based. */
  readonly endLine: number;
}

const DIVIDER_CELL = /^\s*:?-+:?\s*$/;

/** Where code spans of a line are: a bar inside one parts cells too, unless the row would then have too many. */
function codeSpans(line: string): readonly (readonly [start: number, end: number])[] {
  const runs = [...line.matchAll(/`+/g)];
  const spans: [number, number][] = [];
  for (let at = 0; at < runs.length; at++) {
    const open = runs[at];
    const close = runs.findIndex((run, index) => index > at && run[0].length === open?.[0].length);
    if (!open || close < 0) continue;
    spans.push([open.index, (runs[close]?.index ?? 0) + open[0].length]);
    at = close;
  }
  return spans;
}

function splitCells(line: string, isKept: (at: number) => boolean): string[] {
  const cells: string[] = [];
  let start = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') {
      at++;
      continue;
    }
    if (line[at] !== '|' || isKept(at)) continue;
    cells.push(line.slice(start, at));
    start = at + 1;
  }
  cells.push(line.slice(start));
  if (cells[0]?.trim() === '' && cells.length > 1) cells.shift();
  if (cells.at(-1)?.trim() === '' && cells.length > 1) cells.pop();
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** The cells of a row; with `count`, bars inside code spans are text when that gives exactly so many. */
export function readCells(line: string, count?: number): readonly string[] {
  const cells = splitCells(line, () => false);
  if (count === undefined || cells.length <= count || !line.includes('`')) return cells;
  const spans = codeSpans(line);
  const kept = splitCells(line, (at) => spans.some(([start, end]) => at > start && at < end));
  return kept.length === count ? kept : cells;
}

/** The table that starts at `lines[at]`; `undefined` when none does. `at` is 0-based. */
export function readTable(lines: readonly string[], at: number): PipeTable | undefined {
  const head = lines[at] ?? '';
  const divider = lines[at + 1] ?? '';
  if (!head.includes('|') || !divider.includes('-') || !/^[\s|:-]+$/.test(divider)) return undefined;
  const header = readCells(head);
  const marks = readCells(divider);
  if (marks.length !== header.length || !marks.every((cell) => DIVIDER_CELL.test(cell))) return undefined;
  const rows: TableRow[] = [];
  let next = at + 2;
  for (; next < lines.length; next++) {
    const line = lines[next] ?? '';
    if (line.trim() === '' || !line.includes('|')) break;
    rows.push({ cells: readCells(line, header.length), line: next + 1 });
  }
  return { header, rows, endLine: next + 1 };
}

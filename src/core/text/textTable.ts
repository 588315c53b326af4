/**
 * Tables of the CLI: how cells become lines of text or Markdown. What is in the cells is the business of those who make
 * them.
 */
import { displayWidth, fitWidth, padWidth } from './displayWidth';
import { markdownCell } from './textCells';

/** No line of a text table is wider, whatever the names are. */
export const TABLE_COLUMNS = 100;

/** A column of a table. */
export interface TableColumn {
  readonly head: string;
  readonly align: 'left' | 'right';
  /** Where a cell that is too wide loses text; at its end by default. */
  readonly cut?: 'middle' | 'end';
}

/** What gives way, in this order, while a row is too wide: the column's head and the narrowest it may become. */
export type Sacrifices = readonly (readonly [head: string, leastColumns: number])[];

function fitColumns(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  sacrifices: Sacrifices,
): readonly number[] {
  const widths = columns.map((_, index) => Math.max(0, ...rows.map((row) => displayWidth(row[index] ?? ''))));
  for (const [head, least] of sacrifices) {
    const index = columns.findIndex((column) => column.head === head);
    const excess = widths.reduce((sum, width) => sum + width, 2 * (columns.length - 1)) - TABLE_COLUMNS;
    const width = widths[index] ?? 0;
    if (excess > 0) widths[index] = Math.max(Math.min(width, least), width - excess);
  }
  return widths;
}

/** The heads and `rows` as lines of at most `TABLE_COLUMNS`, as far as the sacrifices allow. */
export function textTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  sacrifices: Sacrifices = [],
): readonly string[] {
  const lines = [columns.map(({ head }) => head), ...rows];
  const widths = fitColumns(columns, lines, sacrifices);
  const layOut = (text: string, { align, cut }: TableColumn, width: number): string =>
    padWidth(fitWidth(text, width, cut ?? 'end'), width, align);
  return lines.map((line) =>
    columns
      .map((column, index) => layOut(line[index] ?? '', column, widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** The same as a Markdown table. */
export function markdownTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const line = (cells: readonly string[]): string =>
    `| ${columns.map((_, index) => markdownCell(cells[index] ?? '')).join(' | ')} |`;
  return [
    line(columns.map(({ head }) => head)),
    `| ${columns.map(({ align }) => (align === 'right' ? '---:' : ':---')).join(' | ')} |`,
    ...rows.map(line),
  ];
}

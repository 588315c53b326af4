/** Tables of the CLI: how cells become lines of text or Markdown. */
import { displayWidth, fitWidth, padWidth } from './displayWidth';

const BAR_COLUMNS = 8;
/** Eighths of a column, U+2588 downwards; index 0 is nothing. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
/** Eighths of a line's height, from the lowest. */
const HEIGHTS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** Controls and bidirectional overrides, which could rewrite the line they stand in. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Text with a blank for whatever could rewrite the line that it stands in. */
export function withoutControls(text: string): string {
  return text.replace(UNPRINTABLE, ' ');
}

/** Text of others, fit to stand in a line of ours. */
export function printable(text: string): string {
  return withoutControls(text).trim();
}

/** Such as `82%`; never `100%` below the whole, never `0%` for something. */
export function percent(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0%';
  const share = (part / whole) * 100;
  if (share < 1) return '<1%';
  return `${share < 100 ? Math.min(Math.round(share), 99) : Math.floor(share)}%`;
}

/** A bar of at most eight columns; something is never nothing. */
export function bar(part: number, largest: number): string {
  if (part === 0 || largest === 0) return '';
  const eighths = Math.max(1, Math.round((part / largest) * BAR_COLUMNS * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}

/** A column of blocks for each value, the highest for the largest; `·` where there is none. */
export function sparkline(values: readonly (number | null)[]): string {
  const largest = Math.max(0, ...values.map((value) => value ?? 0));
  return values
    .map((value) => {
      if (value === null) return '·';
      const height = largest === 0 ? 0 : Math.round((value / largest) * (HEIGHTS.length - 1));
      return HEIGHTS[height] ?? '';
    })
    .join('');
}

/** Breaks at blanks, later lines indented by two; a word wider than a line is cut off. */
export function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && displayWidth(longer) > columns) {
      lines.push(line);
      line = `  ${word}`;
    } else line = longer;
  }
  return [...lines, line].map((each) => fitWidth(each, columns, 'end'));
}

/** Text as it stands in Markdown, in a cell of a table too. */
export function markdownCell(text: string): string {
  return text.replace(/[\\|`*_<>[\]&]/g, '\\$&');
}

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

/** Renders rows as a Markdown table. */
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

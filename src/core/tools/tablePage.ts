/**
 * An answer of rows: which of them a budget holds, what is left out, and the handle to go on from. It does not say what
 * a row is (`rows.ts`).
 */
import { formatCount } from '../text/numbers';
import { type AnswerBudget, largestAnswer } from './fitAnswer';
import { ToolError } from './tool';

/** One row. */
export interface TableRow {
  readonly handle: string;
  /** One line with its `\n`. */
  readonly text: string;
}

/** Rows of one kind: a list that goes on after the last one shown. */
export interface RowGroup {
  readonly rows: readonly TableRow[];
  /** Rows of the list that follow these. */
  readonly more: number;
}

/** What an answer may show. */
interface TablePage {
  /** Lines above the rows, each with its `\n`. */
  readonly head: readonly string[];
  /** Bought in turn, a row of each; one after another where the first matters more. */
  readonly groups: readonly RowGroup[];
  readonly isInOrder?: boolean;
  /** Said below the rows. */
  readonly notes: readonly string[];
}

/** The rows after the one with that handle; all without one. @throws ToolError `unknown` when there is no such row */
export function rowsAfter<T extends { readonly handle: string }>(
  rows: readonly T[],
  after: string | undefined,
  missing: string,
): readonly T[] {
  const at = after === undefined ? -1 : rows.findIndex(({ handle }) => handle === after);
  if (after !== undefined && at < 0) throw new ToolError('unknown', `after: ${missing}.`);
  return rows.slice(at + 1);
}

interface Numbered {
  readonly row: TableRow;
  readonly group: number;
}

/** Rows in the order in which a budget buys them: one of each group, then the next of each. */
function inTurn(groups: readonly RowGroup[]): readonly Numbered[] {
  const longest = Math.max(0, ...groups.map(({ rows }) => rows.length));
  return Array.from({ length: longest }, (_, at) =>
    groups.flatMap(({ rows }, group) => rows.slice(at, at + 1).map((row) => ({ row, group }))),
  ).flat();
}

/** All rows of a group, then those of the next. */
function inOrder(groups: readonly RowGroup[]): readonly Numbered[] {
  return groups.flatMap(({ rows }, group) => rows.map((row) => ({ row, group })));
}

function renderTable({ head, groups, isInOrder, notes }: TablePage, bought: readonly Numbered[]): string {
  const shown = groups.map((_, group) => bought.filter((each) => each.group === group).map(({ row }) => row));
  const left = groups.map(({ rows, more }, at) => rows.length - (shown[at]?.length ?? 0) + more);
  const leftOut = left.reduce((sum, count) => sum + count, 0);
  const lasts = shown.flatMap((rows, at) => ((left[at] ?? 0) > 0 ? (rows.at(-1)?.handle ?? []) : []));
  const last = leftOut > 0 ? bought.at(-1)?.row.handle : undefined;
  const next = isInOrder ? (last === undefined ? [] : [last]) : lasts;
  const goOn = next.length > 0 ? `: after ${next.map((handle) => JSON.stringify(handle)).join(' or ')}` : '';
  const foot = leftOut > 0 ? [`… ${formatCount(leftOut)} more${goOn}\n`] : [];
  const rows = shown.flat().map(({ text }) => text);
  return [...head, ...rows, ...foot, ...notes.map((note) => `${note}\n`)].join('');
}

/** As many rows as the budget holds. @throws ToolError `budget` when it holds none of those there are */
export function fitTable(page: TablePage, budget: AnswerBudget): Promise<string> {
  const rows = page.isInOrder ? inOrder(page.groups) : inTurn(page.groups);
  return largestAnswer(
    [Math.min(1, rows.length), rows.length],
    (count) => renderTable(page, rows.slice(0, count)),
    budget,
  );
}

/**
 * An answer of rows: which of them a budget holds, what is left out, and the handle to go on from. It does not say what
 * a row is (`rows.ts`).
 */
import * as z from 'zod/mini';
import type { WordMatch } from '../model/repoMap';
import { toJsonMatch } from '../render/json';
import { formatCount } from '../text/numbers';
import { type AnswerBudget, largestAnswer } from './fitAnswer';
import { type ToolAnswer, ToolError } from './tool';

/** One row in both forms. */
export interface TableRow {
  readonly handle: string;
  /** One line with its `\n`. */
  readonly text: string;
  readonly cells: readonly (string | number | null)[];
}

/** Rows of one kind: a list that goes on after the last one shown. */
export interface RowGroup {
  readonly rows: readonly TableRow[];
  /** Rows of the list that follow these. */
  readonly more: number;
}

/** What an answer may show. */
interface TablePage {
  /** Lines above the rows, each with its `\n`; they are in `notes` of the structured form. */
  readonly head: readonly string[];
  readonly columns: readonly string[];
  /** Bought in turn, a row of each; one after another where the first matters more. */
  readonly groups: readonly RowGroup[];
  readonly isInOrder?: boolean;
  /** Said below the rows. */
  readonly notes: readonly string[];
  /** Of a search: which words are known. */
  readonly match?: WordMatch | undefined;
}

/** The structured form: rows as lists in the order of `columns`, which costs half of what objects do. */
export function tableOutput() {
  return z.object({
    columns: z.array(z.string()),
    rows: z.array(z.array(z.any())),
    left_out: z.number(),
    /** Pass one as `after`, or to the tool that takes it. */
    next: z.array(z.string()),
    notes: z.array(z.string()),
  });
}

/** The same of a search: which of its words are known. */
export function searchOutput() {
  return z.extend(tableOutput(), { match: z.optional(z.looseObject({})) });
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

function renderTable(
  { head, columns, groups, isInOrder, notes, match }: TablePage,
  bought: readonly Numbered[],
): ToolAnswer {
  const shown = groups.map((_, group) => bought.filter((each) => each.group === group).map(({ row }) => row));
  const left = groups.map(({ rows, more }, at) => rows.length - (shown[at]?.length ?? 0) + more);
  const leftOut = left.reduce((sum, count) => sum + count, 0);
  const lasts = shown.flatMap((rows, at) => ((left[at] ?? 0) > 0 ? (rows.at(-1)?.handle ?? []) : []));
  const last = leftOut > 0 ? bought.at(-1)?.row.handle : undefined;
  const next = isInOrder ? (last === undefined ? [] : [last]) : lasts;
  const goOn = next.length > 0 ? `: after ${next.map((handle) => JSON.stringify(handle)).join(' or ')}` : '';
  const foot = leftOut > 0 ? [`… ${formatCount(leftOut)} more${goOn}\n`] : [];
  const rows = shown.flat();
  return {
    text: [...head, ...rows.map(({ text }) => text), ...foot, ...notes.map((note) => `${note}\n`)].join(''),
    structured: {
      columns,
      rows: rows.map(({ cells }) => cells),
      left_out: leftOut,
      next,
      notes: [...head.map((line) => line.trimEnd()), ...notes],
      ...(match ? { match: toJsonMatch(match) } : {}),
    },
  };
}

/** As many rows as the budget holds. @throws ToolError `budget` when it holds none of those there are */
export function fitTable(page: TablePage, budget: AnswerBudget): Promise<ToolAnswer> {
  const rows = page.isInOrder ? inOrder(page.groups) : inTurn(page.groups);
  return largestAnswer(
    [Math.min(1, rows.length), rows.length],
    (count) => renderTable(page, rows.slice(0, count)),
    budget,
  );
}

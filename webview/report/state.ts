/** The page's state: the newest snapshot and the order that the user chose. One pure reducer. */
import type { ReportSnapshot } from '../../src/protocol/reportPanel';
import { FIRST_SORT, nextSort, type SectionSort, SORT_COLUMNS, type SortColumn } from './sortSections';

export interface ReportState {
  readonly revision: number;
  readonly snapshot: ReportSnapshot | undefined;
  readonly sort: SectionSort;
}

export type ReportAction =
  | { readonly type: 'snapshot'; readonly revision: number; readonly snapshot: ReportSnapshot }
  | { readonly type: 'sort'; readonly column: SortColumn };

/** Before the first snapshot; `kept` is what an earlier page left, malformed or not. */
export function initialState(kept: unknown): ReportState {
  return { revision: -1, snapshot: undefined, sort: restoreSort(kept) };
}

function restoreSort(kept: unknown): SectionSort {
  if (typeof kept !== 'object' || kept === null) return FIRST_SORT;
  const { column, isDescending }: { readonly column?: unknown; readonly isDescending?: unknown } = kept;
  const known = SORT_COLUMNS.find((each) => each === column);
  return known && typeof isDescending === 'boolean' ? { column: known, isDescending } : FIRST_SORT;
}

/** The next state; the same object where nothing changes. */
export function reduce(state: ReportState, action: ReportAction): ReportState {
  if (action.type === 'sort') return { ...state, sort: nextSort(state.sort, action.column) };
  if (action.revision < state.revision) return state;
  return { ...state, revision: action.revision, snapshot: action.snapshot };
}

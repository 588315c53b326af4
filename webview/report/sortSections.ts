/** The order of the section table. Pure. */
import type { SectionReturn } from '../../src/core/usage/report/usageReport';
import { ROI_CLASSES } from '../../src/protocol/reportPanel';

/** Columns that can be sorted by. */
export type SortColumn =
  | 'roiClass'
  | 'id'
  | 'tokensMean'
  | 'charsMean'
  | 'share'
  | 'loaded'
  | 'cited'
  | 'roi'
  | 'lastCitedCycle';

export const SORT_COLUMNS: readonly SortColumn[] = [
  'roiClass',
  'id',
  'tokensMean',
  'charsMean',
  'share',
  'loaded',
  'cited',
  'roi',
  'lastCitedCycle',
];

export interface SectionSort {
  readonly column: SortColumn;
  readonly isDescending: boolean;
}

/** What costs most first. */
export const FIRST_SORT: SectionSort = { column: 'tokensMean', isDescending: true };

/** What a section is called, by its id. */
type NameOf = (id: string) => string;

function keyOf(section: SectionReturn, column: SortColumn, nameOf: NameOf): string | number {
  switch (column) {
    case 'id':
      return nameOf(section.id);
    case 'roiClass':
      return ROI_CLASSES.indexOf(section.roiClass);
    // What was never cited, or has no return, comes before the smallest there is.
    case 'roi':
    case 'lastCitedCycle':
      return section[column] ?? -1;
    default:
      return section[column];
  }
}

function compare(left: string | number, right: string | number): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The sections in that order; equal ones keep the report's. */
export function sortSections(
  sections: readonly SectionReturn[],
  sort: SectionSort,
  nameOf: NameOf = (id) => id,
): readonly SectionReturn[] {
  const sign = sort.isDescending ? -1 : 1;
  return [...sections].sort(
    (left, right) => sign * compare(keyOf(left, sort.column, nameOf), keyOf(right, sort.column, nameOf)),
  );
}

/** The order after a click on a column's head: numbers begin with the largest, names and classes with the first. */
export function nextSort(sort: SectionSort, column: SortColumn): SectionSort {
  if (sort.column === column) return { column, isDescending: !sort.isDescending };
  return { column, isDescending: column !== 'id' && column !== 'roiClass' };
}

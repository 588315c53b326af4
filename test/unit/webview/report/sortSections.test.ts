import { describe, expect, it } from 'vitest';
import type { SectionReturn } from '../../../../src/core/usage/report/usageReport';
import { FIRST_SORT, nextSort, SORT_COLUMNS, sortSections } from '../../../../webview/report/sortSections';

function section(id: string, changes: Partial<SectionReturn> = {}): SectionReturn {
  return {
    id,
    loaded: 10,
    cited: 1,
    charsMean: 100,
    tokensMean: 25,
    share: 0.1,
    judged: 60,
    judgedCitations: 1,
    roi: 1,
    roiInterval: [0.1, 3.9],
    roiClass: 'LOW',
    advice: 'uncertain',
    lastCitedCycle: 1,
    trend: [],
    ...changes,
  };
}

const ids = (sections: readonly SectionReturn[]): readonly string[] => sections.map(({ id }) => id);

describe('sortSections', () => {
  it('puts what was never cited, or has no return, below everything that has', () => {
    const sections = [section('a', { roi: null, lastCitedCycle: null }), section('b', { roi: 0 }), section('c')];
    expect(ids(sortSections(sections, { column: 'roi', isDescending: true }))).toEqual(['c', 'b', 'a']);
    expect(ids(sortSections(sections, { column: 'lastCitedCycle', isDescending: false }))).toEqual(['a', 'b', 'c']);
  });

  it('orders classes by what they return, not by their letters', () => {
    const classes = ['MED+', 'no data', 'WASTE', 'LOW'] as const;
    const sections = classes.map((roiClass) => section(roiClass, { roiClass }));
    expect(ids(sortSections(sections, { column: 'roiClass', isDescending: false }))).toEqual([
      'WASTE',
      'LOW',
      'MED+',
      'no data',
    ]);
  });

  it('orders names as they are shown', () => {
    const titles = new Map([['z', 'AGENTS.md']]);
    const sections = ['m', 'z'].map((id) => section(id));
    const sorted = sortSections(sections, { column: 'id', isDescending: false }, (id) => titles.get(id) ?? id);
    expect(ids(sorted)).toEqual(['z', 'm']);
  });

  it('keeps the order of equal sections, and loses none, in every column', () => {
    const sections = ['b', 'a', 'c'].map((id) => section(id));
    for (const column of SORT_COLUMNS) {
      const sorted = ids(sortSections(sections, { column, isDescending: true }));
      expect(sorted).toEqual(column === 'id' ? ['c', 'b', 'a'] : ['b', 'a', 'c']);
    }
  });
});

describe('nextSort', () => {
  it('turns the order of the same column round, and begins another with what people look for first', () => {
    expect(nextSort(FIRST_SORT, 'tokensMean')).toEqual({ column: 'tokensMean', isDescending: false });
    expect(nextSort(FIRST_SORT, 'cited')).toEqual({ column: 'cited', isDescending: true });
    expect(nextSort(FIRST_SORT, 'id')).toEqual({ column: 'id', isDescending: false });
    expect(nextSort(FIRST_SORT, 'roiClass')).toEqual({ column: 'roiClass', isDescending: false });
  });
});

import { describe, expect, it } from 'vitest';
import type { ReportSnapshot } from '../../../../src/protocol/reportPanel';
import { FIRST_SORT } from '../../../../webview/report/sortSections';
import { initialState, reduce } from '../../../../webview/report/state';

const SNAPSHOT: ReportSnapshot = {
  state: 'loading',
  folderName: 'a',
  report: undefined,
  titles: [],
  message: undefined,
};

describe('the state of the report page', () => {
  it('drops snapshots that are older than the one shown', () => {
    const shown = reduce(initialState(null), { type: 'snapshot', revision: 3, snapshot: SNAPSHOT });
    expect(shown.snapshot).toBe(SNAPSHOT);
    expect(reduce(shown, { type: 'snapshot', revision: 2, snapshot: { ...SNAPSHOT, folderName: 'b' } })).toBe(shown);
  });

  it('takes back the order that an earlier page kept, and nothing malformed', () => {
    expect(initialState({ column: 'cited', isDescending: true }).sort).toEqual({ column: 'cited', isDescending: true });
    for (const kept of [null, 3, {}, { column: 'nothing', isDescending: true }, { column: 'cited', isDescending: 1 }])
      expect(initialState(kept).sort).toEqual(FIRST_SORT);
  });

  it('keeps the order over a new snapshot', () => {
    const sorted = reduce(initialState(null), { type: 'sort', column: 'id' });
    expect(reduce(sorted, { type: 'snapshot', revision: 1, snapshot: SNAPSHOT }).sort).toEqual(sorted.sort);
  });
});

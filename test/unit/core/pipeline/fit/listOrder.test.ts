import { describe, expect, it } from 'vitest';
import { type Place, rankPlaces } from '../../../../../src/core/pipeline/fit/listOrder';
import { findDate } from '../../../../../src/core/text/dates';

/** Texts of a list's entries, from the newest to the oldest. */
function newestFirst(entries: readonly string[], newestEnd?: 'first' | 'last'): readonly string[] {
  const places = entries.map((text, line): Place => ({ line, date: findDate(text), rank: 0, day: '' }));
  rankPlaces(places, newestEnd);
  return places.toSorted((a, b) => a.rank - b.rank).map(({ line }) => entries[line] ?? '');
}

const [MON, TUE, WED] = ['2026-02-02 mon', '2026-02-03 tue', '2026-02-04 wed'];

describe('rankPlaces', () => {
  it('goes by day where days are in no order, within a day by the end at which most newer ones stand', () => {
    expect(newestFirst([TUE, MON, 'more of monday', WED])).toEqual([WED, TUE, 'more of monday', MON]);
    expect(newestFirst([WED, MON, TUE, 'more of tuesday', MON])).toEqual([WED, TUE, 'more of tuesday', MON, MON]);
  });

  it('leaves entries where they are when the list says at which end its newest stand', () => {
    expect(newestFirst([TUE, MON, WED], 'first')).toEqual([TUE, MON, WED]);
    expect(newestFirst([TUE, MON, WED], 'last')).toEqual([WED, MON, TUE]);
  });

  it('counts what has no date to the entry above it, before the first date to that date', () => {
    expect(newestFirst(['no date', MON, TUE])).toEqual([TUE, MON, 'no date']);
  });
});

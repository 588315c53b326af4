import { describe, expect, it } from 'vitest';
import type { SectionUsage, UsageWindow } from '../../../../../src/core/model/usage';
import { evidenceOf } from '../../../../../src/core/pipeline/score/factors';
import { history, usageWindow } from '../../../../support/usageBuilder';

/** A window of exactly these sections. */
function windowOf(cycles: number, ...sections: readonly SectionUsage[]): UsageWindow {
  return { ...usageWindow(cycles, []), sections };
}

describe('evidenceOf', () => {
  it('counts only cycles that cited something: of the others nobody recorded what was used', () => {
    const found = evidenceOf(windowOf(20, history('a', 20, [3, 4]), history('b', 20, [4, 9, 9]), history('c', 20, [])));
    expect(found.get('a')).toEqual({ loaded: 3, othersCited: 2, citedCycles: 2 });
    expect(found.get('b')).toEqual({ loaded: 3, othersCited: 2, citedCycles: 2 });
    expect(found.get('c')).toEqual({ loaded: 3, othersCited: 3, citedCycles: 0 });
  });

  it('has nothing against anything in a log without citations', () => {
    expect(evidenceOf(windowOf(50, history('a', 50, []))).get('a')).toEqual({
      loaded: 0,
      othersCited: 0,
      citedCycles: 0,
    });
  });

  it('tells cycles that cited a section from those that loaded it', () => {
    const a = { ...history('a', 3, [0, 2]), charsPerCycle: [0, 100, 100] };
    const found = evidenceOf(windowOf(3, a, history('b', 3, [0, 1])));
    expect(found.get('a')).toEqual({ loaded: 2, othersCited: 1, citedCycles: 2 });
  });

  it('does not let a section’s own citations decide whether there is enough data', () => {
    const [none, many] = [[], [0, 5, 9]].map((citedAt) =>
      evidenceOf(windowOf(10, history('a', 10, citedAt), history('b', 10, [1, 2, 5]))).get('a'),
    );
    expect(many?.othersCited).toBe(none?.othersCited);
  });
});

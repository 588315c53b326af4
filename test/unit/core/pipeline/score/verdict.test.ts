import { describe, expect, it } from 'vitest';
import { type ExemptionFacts, exemptionOf, verdictOf } from '../../../../../src/core/pipeline/score/usageTrace';

const PLAIN: ExemptionFacts = {
  priority: 'P4',
  isPinned: false,
  status: 'OK',
  cyclesSinceCited: undefined,
  isTriggered: false,
};

describe('exemptionOf', () => {
  it('names the strongest reason', () => {
    expect(exemptionOf(PLAIN)).toBeUndefined();
    expect(exemptionOf({ ...PLAIN, isTriggered: true })).toBe('triggered');
    expect(exemptionOf({ ...PLAIN, isTriggered: true, cyclesSinceCited: 0 })).toBe('cited');
    expect(exemptionOf({ ...PLAIN, status: 'WARN', cyclesSinceCited: 0 })).toBe('alarm');
    expect(exemptionOf({ ...PLAIN, status: 'ALERT', isPinned: true })).toBe('pinned');
    expect(exemptionOf({ ...PLAIN, isPinned: true, priority: 'P0' })).toBe('P0');
    expect(exemptionOf({ ...PLAIN, isPinned: true, priority: 'P1' })).toBe('P1');
    expect(exemptionOf({ ...PLAIN, priority: 'P2' })).toBeUndefined();
  });

  it('holds for three cycles after a citation', () => {
    const at = (cyclesSinceCited: number) => exemptionOf({ ...PLAIN, cyclesSinceCited });
    expect([at(0), at(2), at(3)]).toEqual(['cited', 'cited', undefined]);
  });
});

describe('verdictOf', () => {
  const low = { score: 0.14, threshold: 0.3, hasEnoughData: true, exemption: undefined };

  it('is a stub below the threshold only, with enough data and no exemption', () => {
    expect(verdictOf(low)).toBe('stub');
    expect(verdictOf({ ...low, score: 0.3 })).toBe('kept');
    expect(verdictOf({ ...low, hasEnoughData: false })).toBe('kept');
    expect(verdictOf({ ...low, exemption: 'cited' })).toBe('kept');
  });
});

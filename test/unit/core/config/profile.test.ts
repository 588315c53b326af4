import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measuredTokenCap } from '../../../../src/core/config/profile';

const CUT = [{ by: 'budget' }] as const;
const CAPS = { budgetTokens: 7500, hardCapChars: 30_000 };

describe('measuredTokenCap', () => {
  it('measures the characters a token of what binds at under 70 % of the character cap', () => {
    // Chinese: 1.6 characters a token.
    expect(measuredTokenCap({ tokens: 7400, chars: 11_840 }, CAPS, CUT)).toBe(18_000);
    expect(measuredTokenCap({ tokens: 7400, chars: 20_999 }, CAPS, CUT)).toBe(10_000);
    expect(measuredTokenCap({ tokens: 7400, chars: 21_000 }, CAPS, CUT)).toBeUndefined();
  });

  it('says nothing where nothing is cut, or where a large form and not the cap leaves room', () => {
    expect(measuredTokenCap({ tokens: 7400, chars: 11_840 }, CAPS, [{ by: 'cap' }])).toBeUndefined();
    expect(measuredTokenCap({ tokens: 6749, chars: 11_840 }, CAPS, CUT)).toBeUndefined();
    expect(measuredTokenCap({ tokens: 6750, chars: 11_840 }, CAPS, CUT)).toBe(17_000);
    expect(measuredTokenCap({ tokens: 0, chars: 0 }, CAPS, CUT)).toBeUndefined();
  });

  it('speaks up where P0 and P1 alone exceed the token cap', () => {
    expect(measuredTokenCap({ tokens: 9000, chars: 12_000 }, CAPS, [{ by: 'cap' }])).toBe(22_000);
  });

  it('is at least the cap it replaces, and keeps the character cap, for any payload', () => {
    const size = { tokens: fc.integer({ min: 1, max: 200_000 }), chars: fc.integer({ min: 1, max: 200_000 }) };
    const caps = {
      budgetTokens: fc.integer({ min: 1, max: 100_000 }),
      hardCapChars: fc.integer({ min: 1, max: 400_000 }),
    };
    fc.assert(
      fc.property(fc.record(size), fc.record(caps), fc.boolean(), (payload, profile, isCut) => {
        const cap = measuredTokenCap(payload, profile, isCut ? CUT : []);
        if (cap === undefined) return;
        expect(cap).toBeGreaterThanOrEqual(profile.budgetTokens);
        expect((cap / payload.tokens) * payload.chars).toBeLessThanOrEqual(profile.hardCapChars * 1.000001);
      }),
    );
  });
});

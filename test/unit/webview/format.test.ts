import { describe, expect, it } from 'vitest';
import { cssPercent, formatCount, formatEstimate, formatEstimatedTotal, formatShare } from '../../../webview/format';

describe('numbers', () => {
  it('writes separators', () => {
    expect([0, 999, 6120, 1234567].map(formatCount)).toEqual(['0', '999', '6,120', '1,234,567']);
  });

  it('never lets an estimate look exact', () => {
    expect([1219, 4, 786].map(formatEstimate)).toEqual(['≈1,220', '≈0', '≈790']);
    expect([6120, 21034, 340, 7, 0].map(formatEstimatedTotal)).toEqual(['≈6,100', '≈21,000', '≈340', '≈10', '≈0']);
  });

  it('says 100% only at the limit or above, and never rounds an excess up', () => {
    const shares = [0, 0.0001, 0.01, 0.816, 0.9999, 1, 1.0999, 12.5].map(formatShare);
    expect(shares).toEqual(['0%', '<1%', '1%', '82%', '99%', '100%', '109%', '1,250%']);
  });

  it('keeps lengths inside their container', () => {
    expect([-1, 0.5, 3].map(cssPercent)).toEqual(['0.00%', '50.00%', '100.00%']);
  });
});

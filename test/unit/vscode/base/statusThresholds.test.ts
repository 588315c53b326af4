import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { budgetStatus, STATUS_THRESHOLDS } from '../../../../src/core/config/profile';
import { reachedThreshold, statusThresholds, THRESHOLD_BOUNDS } from '../../../../src/vscode/base/statusThresholds';

const caps = { budgetTokens: 1000, hardCapChars: 4000 };
const percent = fc.integer({ min: 1, max: 250 });

describe('the status bar’s thresholds', () => {
  it('are the report’s unless somebody sets others', () => {
    const { properties } = JSON.parse(readFileSync('package.json', 'utf8')).contributes.configuration;
    const warn = properties['contextBudget.statusBar.warnAt'];
    const alert = properties['contextBudget.statusBar.alertAt'];
    expect(statusThresholds(warn.default, alert.default)).toEqual(STATUS_THRESHOLDS);
    expect({ least: warn.minimum, most: warn.maximum }).toEqual(THRESHOLD_BOUNDS.warnAt);
    expect({ least: alert.minimum, most: alert.maximum }).toEqual(THRESHOLD_BOUNDS.alertAt);
  });

  it.each([
    [undefined, undefined, 0.8, 1],
    ['70', null, 0.8, 1],
    [Number.NaN, Number.NaN, 0.8, 1],
    [70, 90, 0.7, 0.9],
    [-3, 3, 0.01, 0.5],
    [400, 400, 1, 2],
  ])('%s and %s become %s and %s', (warnAt, alertAt, warnShare, alertShare) => {
    expect(statusThresholds(warnAt, alertAt)).toEqual({ warnShare, alertShare });
  });

  it('give a status that is WARN from the one, and ALERT above the other, of whichever cap is fuller', () => {
    const thresholds = statusThresholds(50, 90);
    const statusAt = (tokens: number, chars: number) => budgetStatus({ tokens, chars }, caps, thresholds);
    expect([499, 500, 900, 901].map((tokens) => statusAt(tokens, 0))).toEqual(['OK', 'WARN', 'WARN', 'ALERT']);
    expect([1999, 2000, 3600, 3601].map((chars) => statusAt(0, chars))).toEqual(['OK', 'WARN', 'WARN', 'ALERT']);
  });

  it('keep ALERT where somebody puts the alert below the warning', () => {
    expect(budgetStatus({ tokens: 600, chars: 0 }, caps, statusThresholds(100, 50))).toBe('ALERT');
  });

  it('name a threshold just when the status is not OK, and never one that is not reached', () => {
    fc.assert(
      fc.property(fc.nat(3000), percent, percent, (tokens, warnAt, alertAt) => {
        const thresholds = statusThresholds(warnAt, alertAt);
        const reached = reachedThreshold(tokens, caps.budgetTokens, thresholds);
        const status = budgetStatus({ tokens, chars: 0 }, caps, thresholds);
        expect(reached === undefined).toBe(status === 'OK');
        if (reached !== undefined) expect(tokens / caps.budgetTokens).toBeGreaterThanOrEqual(reached);
      }),
    );
  });
});

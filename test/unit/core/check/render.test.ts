import { describe, expect, it } from 'vitest';
import type { CheckReport } from '../../../../src/core/check/finding';
import { renderCheck } from '../../../../src/core/check/render';

/** A check of one section with these tokens, which the comparison measures as `now`. */
function reportOf(tokens: number, now: number, more: Partial<CheckReport> = {}): CheckReport {
  const side = (count: number) => ({ profile: 'default', tokens: count, sections: [{ id: 'map', tokens: count }] });
  return {
    ...{ result: 'pass', profile: 'default', tokens, chars: 4 * tokens, notesTokens: 0, totalLimit: undefined },
    comparison: { ref: 'main', before: side(1498), now: side(now) },
    sections: [{ id: 'map', tokens, tokensFull: tokens, limit: undefined, change: { before: 1498, now } }],
    ...{ findings: [], suppressed: 0 },
    ...more,
  };
}

const rowsOf = (report: CheckReport): readonly string[] => renderCheck(report, 'markdown').split('\n').slice(2, 6);

describe('renderCheck', () => {
  it('shows what was compared where the payload has other sizes, so that each row adds up', () => {
    expect(rowsOf(reportOf(1495, 1499))).toEqual([
      '| Section | Tokens | Baseline | Compared | Change |',
      '| :--- | ---: | ---: | ---: | ---: |',
      '| map | 1,495 | 1,498 | 1,499 | +1 |',
      '| total | 1,495 | 1,498 | 1,499 | +1 |',
    ]);
    expect(rowsOf(reportOf(1499, 1499))[2]).toBe('| map | 1,499 | 1,498 | +1 |');
    expect(rowsOf(reportOf(1499, 1499, { comparison: undefined, sections: [] }))[0]).toBe('| Section | Tokens |');
  });

  it('gives what was not measured no level, as the summary', () => {
    const lack = { rule: 'unmeasured', level: 'error', message: 'ports was not measured: not trusted' } as const;
    const report = reportOf(10, 10, { result: 'unmeasured', findings: [lack] });
    expect(renderCheck(report, 'text')).toContain(
      '\nunmeasured: ports was not measured: not trusted\n\nunmeasured: 1 unmeasured\n',
    );
  });
});

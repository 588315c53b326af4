import { describe, expect, it } from 'vitest';
import {
  changeWords,
  metricWords,
  noAdviceWords,
  roiWords,
  verdictWords,
} from '../../../../../src/core/usage/report/reportWords';
import type { ClassReturn, SectionReturn, Target } from '../../../../../src/core/usage/report/usageReport';
import { english } from '../../../../support/english';

describe('changeWords', () => {
  const change = (baseline: number | null, actual: number | null, better: boolean | null) =>
    english(changeWords({ baseline, actual, better } as Target));

  it.each([
    ['a fall that is better', 1000, 640, true, '−36%, better'],
    ['a fall that is worse', 1000, 640, false, '−36%, worse'],
    ['a rise that is better', 1000, 1500, true, '+50%, better'],
    ['a rise that is worse', 1000, 1500, false, '+50%, worse'],
    ['a small fall that rounds to nothing', 1000, 998, true, '±0%, better'],
    ['a small rise that rounds to nothing', 1000, 1002, false, '±0%, worse'],
    ['no change, without a verdict', 1000, 1000, false, '±0%'],
  ])('says %s', (_, baseline, actual, better, words) => {
    expect(change(baseline, actual, better)).toBe(words);
  });

  it.each([
    ['a baseline of zero', 0, 5],
    ['an unknown baseline', null, 5],
    ['an unknown value', 5, null],
  ])('says nothing for %s', (_, baseline, actual) => {
    expect(change(baseline, actual, null)).toBeUndefined();
  });
});

describe('noAdviceWords', () => {
  const section = (advice: string, judgedCitations: number, judged: number) =>
    english(noAdviceWords({ id: 'memory', advice, judgedCitations, judged } as SectionReturn));

  it('gives the evidence of a section without advice, in singular and plural', () => {
    expect(section('uncertain', 1, 1)).toBe('memory: 1 citation in 1 cycle, not enough for advice');
    expect(section('uncertain', 12, 212)).toBe('memory: 12 citations in 212 cycles, not enough for advice');
  });

  it('says nothing of a section that follows the advice of its class', () => {
    expect(section('followed', 12, 212)).toBeUndefined();
  });
});

describe('verdictWords', () => {
  it.each([
    ['WASTE', 0, 0, 'None'],
    ['WASTE', 2, 1, 'Leave out, or show on demand'],
    ['WASTE', 2, 0, 'No advice'],
    ['no data', 2, 0, expect.stringMatching(/^Wait for \d+ judged cycles or \d+ citations$/)],
  ])('of class %s with %i sections, %i of them advised', (roiClass, sections, advised, words) => {
    expect(english(verdictWords({ roiClass, sections, advised } as ClassReturn))).toEqual(words);
  });
});

describe('numbers of a report', () => {
  it('show a return with two decimals, or that there is no data', () => {
    expect([roiWords(1.256), roiWords(2), roiWords(null)].map(english)).toEqual(['1.26', '2.00', 'no data']);
  });

  it.each([
    ['chars_mean', 1234.6, '1,235'],
    ['observability_mean', 3, '3.00'],
    ['response_ms_mean', 1500.4, '1,500 ms'],
    ['tokens_mean', null, 'not logged'],
  ] as const)('show %s with its unit', (metric, value, words) => {
    expect(english(metricWords(metric, value))).toBe(words);
  });
});

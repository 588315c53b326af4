import { expect, test } from 'vitest';
import { poissonInterval, roiClassOf, roiOf, sectionRoi } from '../../../../src/core/usage/roi';

const STUDY = { cycles: 720, citations: 12, chars: 720 * 15_504 };

test("gives the study's figure: 12 citations over 15,504 characters are 0.77, which is LOW", () => {
  const { roi, roiClass, judged, citations } = sectionRoi(STUDY);
  expect(roi?.toFixed(2)).toBe('0.77');
  expect({ roiClass, judged, citations }).toEqual({ roiClass: 'LOW', judged: 720, citations: 12 });
});

test('is normalised to 720 cycles: the same use gives the same figure after a tenth of them', () => {
  expect(roiOf({ cycles: 60, citations: 1, chars: 60 * 15_504 })).toBeCloseTo(roiOf(STUDY) ?? 0, 10);
});

test('puts the borders into LOW', () => {
  expect([0, 0.4999, 0.5, 2, 2.0001].map((roi) => roiClassOf(roi))).toEqual(['WASTE', 'WASTE', 'LOW', 'LOW', 'MED+']);
});

test('says nothing of what was never loaded', () => {
  expect(roiOf({ cycles: 0, citations: 3, chars: 0 })).toBeNull();
  expect(roiClassOf(null)).toBe('no data');
});

test('follows the thresholds of the config', () => {
  expect(sectionRoi(STUDY, { waste: 1, med: 3 }).roiClass).toBe('WASTE');
});

test.each([
  // Exact 80% limits of a Poisson mean: half the 10% and 90% quantiles of chi-square with 2k and 2k + 2 degrees.
  [0, 0, Math.LN10],
  [1, 0.105361, 3.88972],
  [5, 2.432591, 9.274674],
  [12, 7.829342, 17.781585],
  [100, 87.417636, 114.074537],
])('knows the exact interval of %i citations', (count, low, high) => {
  const interval = poissonInterval(count);
  expect(interval[0]).toBeCloseTo(low, 4);
  expect(interval[1]).toBeCloseTo(high, 4);
});

test('is uncertain while the interval reaches over both borders', () => {
  // One citation in 60 cycles of 6,000 characters: 2 with 0.21 to 7.78; in 600 cycles: 0.2 with 0.02 to 0.78.
  expect(sectionRoi({ cycles: 60, citations: 1, chars: 60 * 6000 })).toMatchObject({
    roiClass: 'LOW',
    isUncertain: true,
  });
  expect(sectionRoi({ cycles: 600, citations: 1, chars: 600 * 6000 })).toMatchObject({
    roiClass: 'WASTE',
    isUncertain: false,
  });
});

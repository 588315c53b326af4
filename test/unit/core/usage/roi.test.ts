import { expect, test } from 'vitest';
import { roiClassOf, roiOf } from '../../../../src/core/usage/roi';

test("gives the study's figure: 12 citations over 15,504 characters are 0.77, which is LOW", () => {
  const roi = roiOf(12, 15_504);
  expect(roi?.toFixed(2)).toBe('0.77');
  expect(roiClassOf(roi)).toBe('LOW');
});

test('puts the borders into LOW', () => {
  expect([0, 0.4999, 0.5, 2, 2.0001].map((roi) => roiClassOf(roi))).toEqual(['WASTE', 'WASTE', 'LOW', 'LOW', 'MED+']);
});

test('says nothing of what was never loaded', () => {
  expect(roiOf(3, 0)).toBeNull();
  expect(roiClassOf(null)).toBe('no data');
});

test('follows the thresholds of the config', () => {
  expect(roiClassOf(0.77, { waste: 1, med: 3 })).toBe('WASTE');
});

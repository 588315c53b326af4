import {
  ENOUGH_EVIDENCE,
  ROI_CYCLES,
  ROI_THRESHOLDS,
  type RoiClass,
  type RoiThresholds,
  type SectionRoi,
} from '../model/usage';

/** What a return is made of: sums over the judged cycles that loaded the section. */
export interface RoiBasis {
  readonly cycles: number;
  readonly citations: number;
  /** Of all these cycles together, in UTF-16 code units. */
  readonly chars: number;
}

/**
 * Return (DESIGN §5.4): `citations × 720 ÷ cycles ÷ (mean characters ÷ 1,000)`. 12 citations in 720 cycles of 15,504
 * characters give 0.77. `null` where nothing was loaded.
 */
export function roiOf({ cycles, citations, chars }: RoiBasis): number | null {
  return cycles > 0 && chars > 0 ? (citations * ROI_CYCLES * 1000) / chars : null;
}

/** `WASTE` < waste ≤ `LOW` ≤ med < `MED+`; `no data` for `null`. */
export function roiClassOf(roi: number | null, { waste, med }: RoiThresholds = ROI_THRESHOLDS): RoiClass {
  if (roi === null) return 'no data';
  if (roi < waste) return 'WASTE';
  return roi <= med ? 'LOW' : 'MED+';
}

/** The return with its class and interval; `no data` before 50 judged cycles or 5 citations. */
export function sectionRoi(basis: RoiBasis, thresholds: RoiThresholds = ROI_THRESHOLDS): SectionRoi {
  const { cycles, citations } = basis;
  const isEnough = cycles >= ENOUGH_EVIDENCE.cycles || citations >= ENOUGH_EVIDENCE.citations;
  const roi = isEnough ? roiOf(basis) : null;
  const [low, high] = poissonInterval(citations);
  const interval =
    roi === null
      ? null
      : ([roiOf({ ...basis, citations: low }) ?? 0, roiOf({ ...basis, citations: high }) ?? 0] as const);
  const isUncertain = interval === null || (interval[0] < thresholds.waste && interval[1] > thresholds.med);
  return { judged: cycles, citations, roi, interval, roiClass: roiClassOf(roi, thresholds), isUncertain };
}

/** Chance left out on each side of the interval: it covers 80%. */
const TAIL = 0.1;

/** Halvings of an interval: enough for every digit of a double. */
const STEPS = 60;

/** The 80% interval of the mean of a Poisson count, exact (F. Garwood, Biometrika 28, 1936). */
export function poissonInterval(count: number): readonly [low: number, high: number] {
  const reach = 10 + 5 * Math.sqrt(count + 1);
  const high = solve(count, count + reach, (mean) => tailSum(count, mean, -1) > TAIL);
  return [count === 0 ? 0 : solve(0, count, (mean) => tailSum(count, mean, 1) < TAIL), high];
}

/** Where `isBelow` turns from true to false. */
function solve(from: number, to: number, isBelow: (value: number) => boolean): number {
  let [low, high] = [from, to];
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (isBelow(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Chance of `count` or less (step -1), or of `count` or more (step 1), by terms that fall from `count` on. */
function tailSum(count: number, mean: number, step: 1 | -1): number {
  let term = Math.exp(count * Math.log(mean) - mean - logFactorial(count));
  let sum = 0;
  for (let at = count; at >= 0 && term > sum * 1e-16; at += step) {
    sum += term;
    term *= step === 1 ? mean / (at + 1) : at / mean;
  }
  return sum;
}

/** Stirling's series; exact to twelve digits from 16 on, by products below. */
function logFactorial(count: number): number {
  let product = 1;
  if (count < 16) {
    for (let factor = 2; factor <= count; factor++) product *= factor;
    return Math.log(product);
  }
  const square = count * count;
  const series = 1 / 12 - 1 / (360 * square) + 1 / (1260 * square * square);
  return count * Math.log(count) - count + 0.5 * Math.log(2 * Math.PI * count) + series / count;
}

import type { RoiClass, RoiThresholds } from '../model/usage';
import { MIN_CYCLES, ROI_THRESHOLDS } from '../model/usage';

/**
 * Return of a section (DESIGN §5.4): citations ÷ (mean characters loaded per cycle ÷ 1,000). 12 citations over 15,504
 * characters give 0.77. `null` where nothing was loaded.
 */
export function roiOf(citations: number, charsMean: number): number | null {
  return charsMean > 0 ? citations / (charsMean / 1000) : null;
}

/**
 * The same for a section of a log: `null` too where fewer than `MIN_CYCLES` cycles loaded it, too few to judge by.
 */
export function sectionRoi(loaded: number, citations: number, charsMean: number): number | null {
  return loaded < MIN_CYCLES ? null : roiOf(citations, charsMean);
}

/** `WASTE` < waste ≤ `LOW` ≤ med < `MED+`; `no data` for `null`. */
export function roiClassOf(roi: number | null, { waste, med }: RoiThresholds = ROI_THRESHOLDS): RoiClass {
  if (roi === null) return 'no data';
  if (roi < waste) return 'WASTE';
  return roi <= med ? 'LOW' : 'MED+';
}

/** What the usage log says of sections, over a window of cycles. Plain data: crosses into the worker unchanged. */

/** One section over the window. */
export interface SectionUsage {
  readonly id: string;
  /** Cycles that loaded it, in any disclosure but `omitted`. */
  readonly loaded: number;
  /** Cycles that cited it at least once; at most `loaded` in honest logs. */
  readonly citedCycles: number;
  readonly citations: number;
  /** Mean characters a cycle, over the cycles that loaded it. */
  readonly charsMean: number;
  /** Citations per 1,000 characters; `null` where it has no characters or fewer than `MIN_CYCLES` cycles loaded it. */
  readonly roi: number | null;
  readonly roiClass: RoiClass;
  readonly lastCitedCycle: number | undefined;
  /** The same as an age: cycles recorded since; 0 for the newest. */
  readonly cyclesSinceCited: number | undefined;
  /** Characters loaded, per cycle of the window, oldest first; 0 where it was not loaded. */
  readonly charsPerCycle: readonly number[];
  /** Citations per cycle of the window, oldest first. */
  readonly citationsPerCycle: readonly number[];
}

/** One cycle of the window as a whole, for the history chart. */
export interface CycleTotals {
  readonly cycle: number;
  readonly chars: number;
  readonly tokens: number;
}

/** The newest cycles of the log. */
export interface UsageWindow {
  /** Cycles the window may hold. */
  readonly size: number;
  /** Cycles it holds, oldest first. */
  readonly cycles: readonly CycleTotals[];
  /** By id. Sections that no cycle of the window loaded or cited are not there. */
  readonly sections: readonly SectionUsage[];
}

export const NO_USAGE: UsageWindow = { size: 50, cycles: [], sections: [] };

/** Fewer cycles than this say nothing: *not enough data* (DESIGN §3.3). */
export const MIN_CYCLES = 10;

/** As the return grows. */
export const ROI_CLASSES = ['WASTE', 'LOW', 'MED+', 'no data'] as const;

export type RoiClass = (typeof ROI_CLASSES)[number];

/** Borders of the classes, in citations per 1,000 characters. */
export interface RoiThresholds {
  /** Less is `WASTE`. */
  readonly waste: number;
  /** More is `MED+`. */
  readonly med: number;
}

/** DESIGN §5.4. */
export const ROI_THRESHOLDS: RoiThresholds = { waste: 0.5, med: 2 };

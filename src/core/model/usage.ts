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
  /** Its return over the newest judged cycles, which reach further back than the window. */
  readonly return: SectionRoi;
  /** Hashes of its entries that were cited in those cycles, newest first. */
  readonly citedEntries: readonly string[];
  readonly lastCitedCycle: number | undefined;
  /** Cycles recorded since it was last cited; 0 for the newest. */
  readonly cyclesSinceCited: number | undefined;
  /** Characters loaded, per cycle of the window, oldest first; 0 where it was not loaded. */
  readonly charsPerCycle: readonly number[];
  /** Citations per cycle of the window, oldest first. */
  readonly citationsPerCycle: readonly number[];
}

/** Cycles of the window that loaded a section and were held against a reply: others say nothing of its use. */
export function judgedCycles({ loaded, citedCycles, return: { judged } }: SectionUsage): number {
  return Math.max(citedCycles, Math.min(loaded, judged));
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

/** What a section brought for what it cost, over the newest `ROI_CYCLES` judged cycles (DESIGN §5.4). */
export interface SectionRoi {
  /** Judged cycles of these that loaded it. */
  readonly judged: number;
  /** Citations in them. */
  readonly citations: number;
  /** Citations per 1,000 characters, normalised to `ROI_CYCLES` cycles; `null` without enough evidence. */
  readonly roi: number | null;
  /** 80% interval of `roi` (exact Poisson); `null` with it. */
  readonly interval: readonly [low: number, high: number] | null;
  readonly roiClass: RoiClass;
  /** Too little evidence for advice: the interval reaches over both borders, or there is none. */
  readonly isUncertain: boolean;
}

/** Cycles of the study that returns are normalised to, and the most that are looked at. */
export const ROI_CYCLES = 720;

/** A section has a class from this many judged cycles or citations on. */
export const ENOUGH_EVIDENCE = { cycles: 50, citations: 5 } as const;

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

/**
 * What a whole usage log says: the `report` command, and *Show Report* in the editor (DESIGN §9). Shapes only:
 * `usageAggregator.ts` reads a log, `buildUsageReport.ts` decides what its sums mean, `renderUsageReport.ts` shows it.
 */
import type { ScoringMode } from '../../model/relevance';
import type { RoiClass } from '../../model/usage';
import type { Phrase } from '../../text/phrase';

/** One section over the whole log. */
export interface SectionReturn {
  readonly id: string;
  /** Cycles that loaded it, in any disclosure but `omitted`. */
  readonly loaded: number;
  /** Citations in all cycles; several of one cycle count each. */
  readonly cited: number;
  /** Mean characters over the cycles that loaded it; 0 where none did. */
  readonly charsMean: number;
  /** Mean tokens over the same cycles. */
  readonly tokensMean: number;
  /** Of all sections' `charsMean`, 0…1. */
  readonly share: number;
  /** Judged cycles that loaded it, of the newest `ROI_CYCLES` judged ones; the return is made of them. */
  readonly judged: number;
  readonly judgedCitations: number;
  /** `null` where it has no characters, and without enough evidence (`ENOUGH_EVIDENCE`). */
  readonly roi: number | null;
  /** 80% interval of `roi`; `null` with it. */
  readonly roiInterval: readonly [low: number, high: number] | null;
  readonly roiClass: RoiClass;
  readonly advice: Advice;
  readonly lastCitedCycle: number | null;
  /**
   * ROI per stretch of the log (`UsageReport.history`), over all cycles that loaded it, judged or not; oldest first.
   * `null` where no cycle of the stretch loaded it.
   */
  readonly trend: readonly (number | null)[];
}

/**
 * Whether its class's verdict is meant for a section. `followed`: `P0` and `P1` are followed, not cited. `uncertain`: the
 * interval reaches over both borders.
 */
export type Advice = 'given' | 'followed' | 'uncertain' | 'noData';

/** The sections of one class together. */
export interface ClassReturn {
  readonly roiClass: RoiClass;
  /** Sections in it. */
  readonly sections: number;
  /** Sections of these that its verdict is for. */
  readonly advised: number;
  /** Sum of their `charsMean`. */
  readonly chars: number;
  /** Of all classes' `chars`, 0…1. */
  readonly share: number;
  readonly citations: number;
  /** Mean return of its sections, weighed by their characters; `null` for an empty class and for `no data`. */
  readonly roi: number | null;
}

/** The cycles of one scoring mode. Means are `null` where no cycle logged the measure. */
export interface Phase {
  readonly mode: ScoringMode;
  readonly cycles: number;
  readonly charsMean: number;
  readonly tokensMean: number;
  readonly observabilityMean: number | null;
  readonly responseMsMean: number | null;
}

export type TargetMetric = 'chars_mean' | 'tokens_mean' | 'observability_mean' | 'response_ms_mean';

/** What a phase has to reach; `null` where a phase that is needed for it did not measure it. */
export interface Target {
  readonly metric: TargetMetric;
  readonly baseline: number | null;
  readonly target: number | null;
  readonly actual: number | null;
  readonly met: boolean | null;
  /** Better than the baseline phase. */
  readonly better: boolean | null;
}

/** A stretch of the log: neighbouring cycles, as long as it takes for the whole log to have at most 20. */
export interface HistoryPoint {
  readonly firstCycle: number;
  readonly lastCycle: number;
  readonly cycles: number;
  readonly charsMean: number;
  readonly tokensMean: number;
}

/** A problem of the log, or a fact worth a warning; nothing is left out silently. */
export interface LogFinding {
  readonly kind: /** A line that is no usage record; it counts nowhere. */
    | 'unreadable'
    /** Sections of a cycle that has sections already; they do not count, their citations do. */
    | 'repeated'
    /** Citations of a cycle whose sections are not in the log; they count. */
    | 'orphaned'
    /** A record older than the one before it. */
    | 'clock'
    /** A section that is cited and that no cycle loaded. */
    | 'unloaded'
    /** A section that the newest cycles do not load. */
    | 'vanished'
    /** A section that went on under another name. */
    | 'renamed';
  /** How often; 1 for what is said of one section. */
  readonly count: number;
  /** Where it is met first: a line of all files of the log together, from 1. */
  readonly line: number | undefined;
  /** A sentence without its full stop. */
  readonly words: Phrase;
}

/** The whole. */
export interface UsageReport {
  /** Cycles whose sections are known. */
  readonly cycles: number;
  readonly firstCycle: number | undefined;
  readonly lastCycle: number | undefined;
  /** `YYYY-MM-DD HH:mm:ss`, local time: of the oldest record; undefined without one. */
  readonly firstTime?: string | undefined;
  /** Largest first, then by id. */
  readonly sections: readonly SectionReturn[];
  /** `WASTE`, `LOW`, `MED+`; then `no data` where there is such a section. */
  readonly classes: readonly ClassReturn[];
  /** Those that occur: baseline, static, dynamic, off. */
  readonly phases: readonly Phase[];
  /** Of the dynamic phase, else of the static one; all `null` without either, empty without a cycle. */
  readonly targets: readonly Target[];
  /** Oldest first. */
  readonly history: readonly HistoryPoint[];
  readonly findings: readonly LogFinding[];
}

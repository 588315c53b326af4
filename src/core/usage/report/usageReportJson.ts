import type { ScoringMode } from '../../config/config';
import type { RoiClass } from '../../report/contextReport';
import type { TargetMetric, UsageReport } from './usageReport';

/** Numbers have at most four decimals: more would be noise. */
const DECIMALS = 1e4;

function round(value: number): number {
  return Math.round(value * DECIMALS) / DECIMALS;
}

function roundOrNull(value: number | null): number | null {
  return value === null ? null : round(value);
}

/** DESIGN §9. */
export interface JsonUsageReport {
  readonly cycles: number;
  readonly sections: readonly {
    readonly id: string;
    readonly loaded: number;
    readonly cited: number;
    readonly chars_mean: number;
    readonly share: number;
    readonly roi: number | null;
    readonly roi_class: RoiClass;
    readonly last_cited_cycle: number | null;
    readonly trend: readonly (number | null)[];
  }[];
  readonly classes: readonly {
    readonly class: RoiClass;
    readonly chars: number;
    readonly share: number;
    readonly citations: number;
    readonly roi: number | null;
  }[];
  readonly phases: readonly {
    readonly mode: ScoringMode;
    readonly cycles: number;
    readonly chars_mean: number;
    readonly tokens_mean: number;
    readonly observability_mean: number | null;
    readonly response_ms_mean: number | null;
  }[];
  readonly targets: readonly {
    readonly metric: TargetMetric;
    readonly baseline: number | null;
    readonly target: number | null;
    readonly actual: number | null;
    readonly met: boolean | null;
  }[];
}

/** The report as `report --json` prints it. */
export function usageReportJson(report: UsageReport): JsonUsageReport {
  return {
    cycles: report.cycles,
    sections: report.sections.map((section) => ({
      id: section.id,
      loaded: section.loaded,
      cited: section.cited,
      chars_mean: round(section.charsMean),
      share: round(section.share),
      roi: roundOrNull(section.roi),
      roi_class: section.roiClass,
      last_cited_cycle: section.lastCitedCycle,
      trend: section.trend.map(roundOrNull),
    })),
    classes: report.classes.map(({ roiClass, chars, share, citations, roi }) => ({
      class: roiClass,
      chars: round(chars),
      share: round(share),
      citations,
      roi: roundOrNull(roi),
    })),
    phases: report.phases.map((phase) => ({
      mode: phase.mode,
      cycles: phase.cycles,
      chars_mean: round(phase.charsMean),
      tokens_mean: round(phase.tokensMean),
      observability_mean: roundOrNull(phase.observabilityMean),
      response_ms_mean: roundOrNull(phase.responseMsMean),
    })),
    targets: report.targets.map(({ metric, baseline, target, actual, met }) => ({
      metric,
      baseline: roundOrNull(baseline),
      target: roundOrNull(target),
      actual: roundOrNull(actual),
      met,
    })),
  };
}

import type { ScoringMode } from '../../model/relevance';
import type { RoiClass } from '../../model/usage';
import { rounded, roundedOrNull } from '../../text/rounded';
import type { TargetMetric, UsageReport } from './usageReport';

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
      chars_mean: rounded(section.charsMean),
      share: rounded(section.share),
      roi: roundedOrNull(section.roi),
      roi_class: section.roiClass,
      last_cited_cycle: section.lastCitedCycle,
      trend: section.trend.map(roundedOrNull),
    })),
    classes: report.classes.map(({ roiClass, chars, share, citations, roi }) => ({
      class: roiClass,
      chars: rounded(chars),
      share: rounded(share),
      citations,
      roi: roundedOrNull(roi),
    })),
    phases: report.phases.map((phase) => ({
      mode: phase.mode,
      cycles: phase.cycles,
      chars_mean: rounded(phase.charsMean),
      tokens_mean: rounded(phase.tokensMean),
      observability_mean: roundedOrNull(phase.observabilityMean),
      response_ms_mean: roundedOrNull(phase.responseMsMean),
    })),
    targets: report.targets.map(({ metric, baseline, target, actual, met }) => ({
      metric,
      baseline: roundedOrNull(baseline),
      target: roundedOrNull(target),
      actual: roundedOrNull(actual),
      met,
    })),
  };
}

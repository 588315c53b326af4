import type { Phase, Target, TargetMetric } from './usageReport';
import { MODES, type PhaseSums } from './usageTally';

/** Context size a phase should reach, of the baseline's: 35 % less (DESIGN §9, issue "What earns its place"). */
const CONTEXT_SHARE = 0.65;

/** The phases that occur, from sums in the order of `MODES`. */
export function phasesOf(sums: readonly PhaseSums[]): readonly Phase[] {
  return MODES.flatMap((mode, index) => {
    const phase = sums[index];
    if (!phase || phase.cycles === 0) return [];
    const mean = (sum: number, cycles: number, unit: number): number | null =>
      cycles === 0 ? null : sum / cycles / unit;
    return [
      {
        mode,
        cycles: phase.cycles,
        charsMean: phase.chars / phase.cycles,
        tokensMean: phase.tokens / phase.cycles,
        observabilityMean: mean(phase.observability, phase.observabilityCycles, 1e6),
        responseMsMean: mean(phase.responseMicros, phase.responseCycles, 1e3),
      },
    ];
  });
}

interface Goal {
  readonly metric: TargetMetric;
  readonly measure: (phase: Phase) => number | null;
  readonly share: number;
  readonly isMore: boolean;
}

/** Size by a third; the others must not get worse for it. */
const GOALS: readonly Goal[] = [
  { metric: 'chars_mean', measure: ({ charsMean }) => charsMean, share: CONTEXT_SHARE, isMore: false },
  { metric: 'tokens_mean', measure: ({ tokensMean }) => tokensMean, share: 1, isMore: false },
  { metric: 'observability_mean', measure: ({ observabilityMean }) => observabilityMean, share: 1, isMore: true },
  { metric: 'response_ms_mean', measure: ({ responseMsMean }) => responseMsMean, share: 1, isMore: false },
];

/** The phase that is measured against the baseline: dynamic, else static. */
export function measuredPhase(phases: readonly Phase[]): Phase | undefined {
  return phases.find(({ mode }) => mode === 'dynamic') ?? phases.find(({ mode }) => mode === 'static');
}

/** What scoring was to reach, and whether it did. */
export function targetsOf(phases: readonly Phase[]): readonly Target[] {
  if (phases.length === 0) return [];
  const base = phases.find(({ mode }) => mode === 'baseline');
  const measured = measuredPhase(phases);
  return GOALS.map(({ metric, measure, share, isMore }) => {
    const baseline = base ? measure(base) : null;
    const target = baseline === null ? null : baseline * share;
    const actual = measured ? measure(measured) : null;
    const isMet = target === null || actual === null ? null : isMore ? actual >= target : actual <= target;
    return { metric, baseline, target, actual, met: isMet };
  });
}

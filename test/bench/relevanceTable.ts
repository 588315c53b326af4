import { DEFAULT_CONFIG } from '../../src/core/config/config';
import type { ScoringConfig } from '../../src/core/model/relevance';
import type { SimulationResult, SimulationSettings } from '../../src/core/pipeline/score/simulate';
import type { UsageRecord } from '../../src/core/usage/usageRecord';
import { STUDY_CYCLES, STUDY_SECTIONS, type StudyPattern, studyLog } from '../fixtures/usageStudy';
import { simulate } from '../support/usageBuilder';

/** What differs from mode `dynamic` over every cycle that has a whole window before it. */
export interface StudyChanges extends Pick<SimulationSettings, 'lostCitations' | 'cycles'> {
  readonly scoring?: Partial<ScoringConfig>;
  /** The seed's and pattern's log when absent. */
  readonly records?: readonly UsageRecord[];
}

/** The study's payload, each cycle judged by the cycles before it. */
export function simulateStudy(seed: number, pattern: StudyPattern, changes: StudyChanges = {}): SimulationResult {
  const scoring: ScoringConfig = { ...DEFAULT_CONFIG.scoring, mode: 'dynamic', ...changes.scoring };
  const sections = STUDY_SECTIONS.map(({ id, priority }) => ({ id, priority, isPinned: false }));
  return simulate(changes.records ?? studyLog(seed, pattern), sections, {
    scoring,
    cycles: changes.cycles ?? STUDY_CYCLES - scoring.window,
    lostCitations: changes.lostCitations ?? 'seen',
  });
}

/** Shares of characters cut and of citations kept, 0…1. */
export function sharesOf({ charsBefore, charsAfter, citations, citationsKept }: SimulationResult): {
  readonly cut: number;
  readonly kept: number;
} {
  return { cut: 1 - charsAfter / charsBefore, kept: citationsKept / citations };
}

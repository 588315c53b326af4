import { DEFAULT_CONFIG } from '../../src/core/config/config';
import { type SimulationResult, simulate } from '../../src/core/relevance/simulate';
import { STUDY_CYCLES, STUDY_SECTIONS, type StudyPattern, studyLog } from '../fixtures/usageStudy';

/** The study's payload over all cycles that have a whole window before them, each judged by the cycles before it. */
export function simulateStudy(
  seed: number,
  pattern: StudyPattern,
  lostCitations: 'seen' | 'unseen' = 'seen',
): SimulationResult {
  const scoring = { ...DEFAULT_CONFIG.scoring, mode: 'dynamic' as const };
  const sections = STUDY_SECTIONS.map(({ id, priority }) => ({ id, priority, isPinned: false }));
  return simulate(studyLog(seed, pattern), sections, {
    scoring,
    cycles: STUDY_CYCLES - scoring.window,
    lostCitations,
  });
}

/** Shares of characters cut and of citations kept, 0…1. */
export function sharesOf({ charsBefore, charsAfter, citations, citationsKept }: SimulationResult): {
  readonly cut: number;
  readonly kept: number;
} {
  return { cut: 1 - charsAfter / charsBefore, kept: citationsKept / citations };
}

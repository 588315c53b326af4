import { DEFAULT_CONFIG } from '../../src/core/config/config';
import type { ScoringConfig, ScoringMode } from '../../src/core/model/relevance';
import type { SectionUsage, UsageWindow } from '../../src/core/model/usage';
import {
  type SimulationResult,
  type SimulationSettings,
  simulateThresholds,
} from '../../src/core/pipeline/score/simulate';
import type { SimulatedSection } from '../../src/core/pipeline/score/simulatedScores';
import { sectionRoi } from '../../src/core/usage/roi';
import type { UsageRecord } from '../../src/core/usage/usageRecord';

/** The default scoring in one mode. */
export function scoring(mode: ScoringMode, over: Partial<ScoringConfig> = {}): ScoringConfig {
  return { ...DEFAULT_CONFIG.scoring, mode, ...over };
}

/** The history of one section in a window of `cycles` that all loaded it; `citedAt` counts from 0, the oldest. */
export function history(id: string, cycles: number, citedAt: readonly number[], chars = 2000): SectionUsage {
  const last = citedAt.length === 0 ? undefined : Math.max(...citedAt);
  return {
    id,
    loaded: cycles,
    citedCycles: new Set(citedAt).size,
    citations: citedAt.length,
    charsMean: chars,
    return: sectionRoi({ cycles, citations: citedAt.length, chars: cycles * chars }),
    citedEntries: [],
    lastCitedCycle: last === undefined ? undefined : last + 1,
    cyclesSinceCited: last === undefined ? undefined : cycles - 1 - last,
    charsPerCycle: Array.from({ length: cycles }, () => chars),
    citationsPerCycle: Array.from({ length: cycles }, (_, at) => citedAt.filter((each) => each === at).length),
  };
}

/** A section that every cycle cites: agents' replies are recorded. */
export const ALWAYS_CITED = 'always-cited';

/** A window of `cycles`, numbered from 1, with `ALWAYS_CITED` in it. */
export function usageWindow(cycles: number, named: readonly SectionUsage[]): UsageWindow {
  const always = history(ALWAYS_CITED, cycles, [...Array(cycles).keys()]);
  const sections = cycles === 0 ? named : [...named, always];
  return {
    size: 50,
    cycles: Array.from({ length: cycles }, (_, at) => ({ cycle: at + 1, chars: 0, tokens: 0 })),
    sections,
  };
}

/** A simulation of one threshold: the config's own. */
export function simulate(
  records: readonly UsageRecord[],
  sections: readonly SimulatedSection[],
  settings: SimulationSettings,
): SimulationResult {
  const [result] = simulateThresholds(records, sections, settings, [settings.scoring.threshold]);
  if (!result) throw new RangeError('A simulation of one threshold gave no result.');
  return result;
}

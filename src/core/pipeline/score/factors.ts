/**
 * The four factors of a score (DESIGN §3.3), each a pure function to 0…1, and how they are weighed together. This folder
 * decides what a section's history, the task, its last citation and its size say of its relevance; what follows from a
 * score is decided in `score.ts`, what it would have saved in `simulate.ts`.
 *
 * Every value is rounded to four digits, so that scores are the same bits on every machine.
 */

import type { FactorName } from '../../model/relevance';
import { MIN_CYCLES, type SectionUsage, type UsageWindow } from '../../model/usage';

/**
 * What a window tells of one section. Only cycles that cited something count: of the others it is not known what the agent
 * used: most likely its reply was not recorded. A log without citations says nothing against any section.
 */
export interface CitationFacts {
  /** Cycles that loaded the section and cited it or another one. */
  readonly loaded: number;
  /** Of these, cycles that cited another one: what the section's own citations do not change. */
  readonly othersCited: number;
  /** Cycles that cited the section; more than `loaded` where it was asked for without being there. */
  readonly citedCycles: number;
}

export const NO_EVIDENCE: CitationFacts = { loaded: 0, othersCited: 0, citedCycles: 0 };

function factsOf(usage: SectionUsage, citedSections: readonly number[]): CitationFacts {
  let [loaded, othersCited, citedCycles] = [0, 0, 0];
  for (const [at, sections] of citedSections.entries()) {
    const isCited = (usage.citationsPerCycle[at] ?? 0) > 0;
    if (isCited) citedCycles++;
    if (sections === 0 || (usage.charsPerCycle[at] ?? 0) === 0) continue;
    loaded++;
    if (sections > (isCited ? 1 : 0)) othersCited++;
  }
  return { loaded, othersCited, citedCycles };
}

/** The evidence of every section of the window, by id. Cost: sections times cycles. */
export function evidenceOf({ cycles, sections }: UsageWindow): ReadonlyMap<string, CitationFacts> {
  const citedSections = cycles.map(() => 0);
  for (const { citationsPerCycle } of sections)
    for (const [at, count] of citationsPerCycle.entries())
      if (count > 0) citedSections[at] = (citedSections[at] ?? 0) + 1;
  return new Map(sections.map((usage) => [usage.id, factsOf(usage, citedSections)]));
}

/** What a factor says where it knows nothing: neither for the section nor against it. */
export const NEUTRAL = 0.5;

/**
 * Citations and cycles that the citation rate starts from, a Beta(0.5, 9.5) prior: a mean of 1 in 20, weighing as much
 * as the ten cycles (`MIN_CYCLES`) that are asked for before anything is said. Chosen on the tuning seeds of
 * `test/fixtures/usageStudy.ts`, measured on others: between weights of 5 and 20 nothing changes by more than a point
 * (test/bench/README.md).
 */
const CITATION_PRIOR = { cited: 0.5, cycles: 10 } as const;

/**
 * Cycles after which a last citation counts half. Chosen like `CITATION_PRIOR`: 7 to 10 meet the study's targets in every
 * pattern of the tuning seeds, 8 with the most room on both sides; 15 cuts too little where citations fall by chance, 5
 * loses nearly 5 % of them.
 */
const RECENCY_HALF_LIFE_CYCLES = 8;

/**
 * Characters (UTF-16 code units) of a section that is half as efficient as an empty one: about 500 tokens of prose.
 * Chosen like `CITATION_PRIOR`: twice or half as much leaves one of the two targets less than a point of room.
 */
const HALF_SIZE_CHARS = 2000;

/** Four digits: enough to tell sections apart, few enough that the last bit of a root or a power does not show. */
export function roundScore(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/**
 * Whether the log says enough of a section: ten cycles (DESIGN §3.3) that loaded it and cited something else. A section's
 * own citations do not count here, so that one more of them never makes a score count against it.
 */
export function hasEnoughData({ othersCited }: CitationFacts): boolean {
  return othersCited >= MIN_CYCLES;
}

/**
 * How often it was cited, of the cycles that cited anything: `√((cited + 0.5) ÷ (loaded + 10))`, 0.09 for none of 50 cycles, 0.5 for every fourth, about 1
 * for all. The root is concave: the step from never to sometimes says more than the one from often to always. Without it
 * 6 % of the study's citations are lost, with it 3 %.
 * `NEUTRAL` without enough data. Never falls when `citedCycles` rises.
 */
export function citationFactor(facts: CitationFacts): number {
  if (!hasEnoughData(facts)) return NEUTRAL;
  const { loaded } = facts;
  const cited = Math.min(facts.citedCycles, loaded);
  return roundScore(Math.sqrt((cited + CITATION_PRIOR.cited) / (loaded + CITATION_PRIOR.cycles)));
}

/**
 * How recently it was cited: `2^(−age ÷ 8)` with the age in cycles, 1 for the newest, 0 when the window has no
 * citation. Without enough data never under `NEUTRAL`. Never falls when a citation is added.
 * `cyclesSinceCited`: 0 for the newest; undefined when the window has no citation. `isEnough`: see `hasEnoughData`.
 */
export function recencyFactor(cyclesSinceCited: number | undefined, isEnough: boolean): number {
  const decayed = cyclesSinceCited === undefined ? 0 : roundScore(2 ** (-cyclesSinceCited / RECENCY_HALF_LIFE_CYCLES));
  return isEnough ? decayed : Math.max(NEUTRAL, decayed);
}

/**
 * How little it costs: `2,000 ÷ (2,000 + chars)`, 1 for nothing, 0.5 at 2,000 characters, 0.06 at 30,000. `NEUTRAL` where
 * the size is not known.
 */
export function sizeFactor(chars: number | undefined): number {
  return chars === undefined ? NEUTRAL : roundScore(HALF_SIZE_CHARS / (HALF_SIZE_CHARS + chars));
}

/** A number for each factor. */
export type FactorValues = Readonly<Record<FactorName, number>>;

/** The config's weights, scaled to add up to 1; all zero: equal. */
export function scaleWeights(weights: FactorValues): FactorValues {
  const sum = weights.citation + weights.trigger + weights.recency + weights.size;
  if (sum <= 0) return { citation: 0.25, trigger: 0.25, recency: 0.25, size: 0.25 };
  // 0.4 + 0.3 + 0.2 + 0.1 is a bit less than 1: without rounding 0.4 would come out as 0.4000000000000001.
  const scale = (weight: number): number => Math.round((weight / sum) * 1e12) / 1e12;
  return {
    citation: scale(weights.citation),
    trigger: scale(weights.trigger),
    recency: scale(weights.recency),
    size: scale(weights.size),
  };
}

/** `Σ weight · value`, 0…1, rounded; `weights` add up to 1. Never falls when a value rises. */
export function weigh(values: FactorValues, weights: FactorValues): number {
  const sum =
    weights.citation * values.citation +
    weights.trigger * values.trigger +
    weights.recency * values.recency +
    weights.size * values.size;
  return Math.min(1, roundScore(sum));
}

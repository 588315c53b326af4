/** What the scorer says of one section (DESIGN §3.3). Shapes only; `score.ts` decides. */

import type { Phrase } from '../text/phrase';
import type { Priority } from './section';
import type { RoiThresholds } from './usage';

export type FactorName = 'citation' | 'trigger' | 'recency' | 'size';

/** One factor of a score. */
export interface Factor {
  readonly name: FactorName;
  /** 0…1. */
  readonly value: number;
  /** From the config, 0…1; the four are scaled to add up to 1. */
  readonly weight: number;
  /** The facts behind the value, in words: `cited in 12 of 50 cycles`. */
  readonly why: Phrase;
}

/** Why a section is not stubbed, however low its score is. */
export type Exemption = 'P0' | 'P1' | 'pinned' | 'alarm' | 'cited' | 'triggered';

/** A section's relevance, explained. */
export interface SectionRelevance {
  /** Σ weight · value, 0…1. */
  readonly score: number;
  /** From the config. */
  readonly threshold: number;
  readonly factors: readonly Factor[];
  /** False below 10 cycles: the citation factor is neutral then. */
  readonly hasEnoughData: boolean;
  readonly exemption: Exemption | undefined;
  /** What mode `dynamic` makes of it. */
  readonly verdict: 'kept' | 'stub';
}

/** In the order in which they are offered. */
export const SCORING_MODES = ['off', 'baseline', 'static', 'dynamic'] as const;

/** `off`: no scores. `baseline`: measure only. `static`: fixed rules. `dynamic`: stubs by score. */
export type ScoringMode = (typeof SCORING_MODES)[number];

/** How relevance is scored (DESIGN §3.3). Weights and threshold are 0…1. */
export interface ScoringConfig {
  readonly mode: ScoringMode;
  readonly threshold: number;
  readonly weights: {
    readonly citation: number;
    readonly trigger: number;
    readonly recency: number;
    readonly size: number;
  };
  /** Newest cycles of the usage log that scores and ROI look at. */
  readonly window: number;
  readonly roiThresholds: RoiThresholds;
  /** What mode `static` adds to the rules of single sections. */
  readonly staticRules: {
    readonly onDemand: readonly Priority[];
    readonly keepRecent: number;
    /** In place of `keepRecent` for sections of conversations. */
    readonly conversations: number;
  };
}

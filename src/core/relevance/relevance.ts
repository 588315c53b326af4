/** What the scorer says of one section (DESIGN §3.3). Shapes only; `score.ts` decides. */

import type { Phrase } from '../text/phrase';

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
export type Exemption = 'P0' | 'pinned' | 'alarm' | 'cited' | 'triggered';

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

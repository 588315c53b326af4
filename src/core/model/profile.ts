import type { Phrase } from '../text/phrase';
import type { AgentId } from './agent';

export const DOWNGRADE_STEPS = ['detail', 'timeline', 'map', 'index'] as const;

/**
 * Layers of what is disclosed; a profile says which gives way first. Read and checked, but without effect: a payload has
 * observations as index rows alone, and map and rows share the room by priority.
 */
type DowngradeStep = (typeof DOWNGRADE_STEPS)[number];

/** All caps are inclusive: a payload of exactly `budgetTokens` tokens fits. */
export interface Profile {
  readonly name: string;
  /** For whom the caps are, in one sentence; profiles of a config may have none. */
  readonly description?: Phrase;
  /** Who gets the payload: what this agent loads by itself is left out of it. */
  readonly agent?: AgentId;
  readonly budgetTokens: number;
  /** UTF-16 code units. */
  readonly hardCapChars: number;
  readonly indexTokens: number;
  readonly timelineTokens: number;
  readonly detailTokens: number;
  readonly mapTokens: number;
  /** Cap of one section's element, by section id. */
  readonly maxPerSourceTokens: Readonly<Record<string, number>>;
  readonly topK: { readonly index: number; readonly timeline: number; readonly detail: number };
  readonly downgradeOrder: readonly DowngradeStep[];
}

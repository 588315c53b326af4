/** A profile: a named set of caps for one kind of agent. The config schema (`config/schema.ts`) validates into this shape. */
import type { Status } from '../report/contextReport';

/** What the ladder lowers, in the order it lowers it (DESIGN §3.4 step 2). */
export type DowngradeStep = 'detail' | 'timeline' | 'map' | 'index';

/** All caps are inclusive: a payload of exactly `budgetTokens` tokens fits. */
export interface Profile {
  readonly name: string;
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

/** DESIGN §5.1's default profile. */
export const DEFAULT_PROFILE: Profile = {
  name: 'default',
  budgetTokens: 7500,
  hardCapChars: 30_000,
  indexTokens: 1200,
  timelineTokens: 800,
  detailTokens: 1500,
  mapTokens: 1500,
  maxPerSourceTokens: { observations: 1200 },
  topK: { index: 40, timeline: 20, detail: 5 },
  downgradeOrder: ['detail', 'timeline', 'map', 'index'],
};

/** `budget.status` turns WARN from this share of either cap (DESIGN §3.4). */
export const WARN_SHARE = 0.8;

/** `maxPerSourceTokens` of one section; ids such as `constructor` find nothing that was not configured. */
export function sourceCap(profile: Profile, sectionId: string): number | undefined {
  return Object.hasOwn(profile.maxPerSourceTokens, sectionId) ? profile.maxPerSourceTokens[sectionId] : undefined;
}

/** `OK`, `WARN` from 80 % of either cap, `ALERT` over one (DESIGN §3.4). */
export function budgetStatus(
  size: { readonly tokens: number; readonly chars: number },
  caps: Pick<Profile, 'budgetTokens' | 'hardCapChars'>,
): Status {
  const share = Math.max(size.tokens / caps.budgetTokens, size.chars / caps.hardCapChars);
  if (share > 1) return 'ALERT';
  return share >= WARN_SHARE ? 'WARN' : 'OK';
}

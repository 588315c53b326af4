import type { MapResult } from '../engine/map';

/** Room for what a smaller map has more of: its lines are not all of one length. */
const SHARE = 0.97;

/**
 * A map of at most `maxChars` characters too: its lines are chosen by tokens, so it is asked for again with fewer of
 * them until it fits. What was asked for stays in `budgetTokens`. Seldom more than two maps.
 */
export async function mapWithinChars(
  build: (budgetTokens: number) => Promise<MapResult>,
  budgetTokens: number,
  maxChars: number,
): Promise<MapResult> {
  let asked = budgetTokens;
  let map = await build(asked);
  while (map.text.length > maxChars && asked > 1) {
    const share = (maxChars / map.text.length) * SHARE;
    asked = Math.max(1, Math.floor(Math.min(asked, map.tokens) * share));
    map = await build(asked);
  }
  return asked === budgetTokens ? map : { ...map, budgetTokens, maxChars };
}

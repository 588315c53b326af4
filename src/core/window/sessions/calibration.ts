/** What counts of `o200k_base` are multiplied by to come near the counts of a model's own tokenizer. */

/**
 * By the beginning of the model's name; 1 for all others. Anthropic publishes no tokenizer: the factor is the one by
 * which the rest that no text explains stays the same over public sessions (half of those of entireio/cli, 2026-11).
 */
const FACTORS: readonly (readonly [name: RegExp, factor: number])[] = [[/claude/i, 1.3]];

/** A factor for all texts of a window of that model. */
export function tokenFactor(model: string | undefined): number {
  return FACTORS.find(([name]) => name.test(model ?? ''))?.[1] ?? 1;
}

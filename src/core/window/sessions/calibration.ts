/** What is particular to models: how their own counts differ from those of `o200k_base`, and what leaves their windows. */

/**
 * By the beginning of the model's name; 1 for all others. Anthropic publishes no tokenizer: the factor is the one by
 * which the rest that no text explains stays the same over public sessions (half of those of entireio/cli, 2026-11).
 */
const FACTORS: readonly (readonly [name: RegExp, factor: number])[] = [[/claude/i, 1.3]];

/** A factor for all texts of a window of that model. */
export function tokenFactor(model: string | undefined): number {
  return FACTORS.find(([name]) => name.test(model ?? ''))?.[1] ?? 1;
}

/**
 * Models before Claude Opus 4.5 (Anthropic's documentation of extended thinking, 2026-11; seen in public sessions), and
 * OpenAI's and Google's (seen in public sessions of Pi and Gemini CLI).
 */
const DROPS_THINKING = /claude-(?:3|haiku|sonnet-4-[25]|opus-4-[12])|^(?:gpt-5|o\d|gemini-)/;

/** True if thinking leaves the window with the user's next message. */
export function dropsThinking(model: string | undefined): boolean {
  return DROPS_THINKING.test(model ?? '');
}

/** What is particular to models: how their own counts differ from those of `o200k_base`, and what leaves their windows. */

/**
 * By the model's name; 1 for all others. Anthropic publishes no tokenizer: a factor is the median of what windows grew by
 * over our count of the texts that entered them (half of 550 public sessions, 2026-11). Opus 4.7 brought a new tokenizer.
 */
const FACTORS: readonly (readonly [name: RegExp, factor: number])[] = [
  [/claude-(?:opus-(?:4-[789]|[5-9])|(?:sonnet|haiku|fable)-[5-9])/i, 1.7],
  [/claude-opus-4-6/i, 1.19],
  [/claude/i, 1.14],
];

/** A factor for all texts of a window of that model. */
export function tokenFactor(model: string | undefined): number {
  return FACTORS.find(([name]) => name.test(model ?? ''))?.[1] ?? 1;
}

/** Tokens around a tool's call and around its result, where the provider writes them in a form of its own. */
export interface Frame {
  readonly call: number;
  readonly result: number;
}

/** Measured beside the factors above: the same for all of them. */
const CLAUDE_FRAME: Frame = { call: 57, result: 18 };
const NO_FRAME: Frame = { call: 0, result: 0 };

export function toolFrame(model: string | undefined): Frame {
  return /claude/i.test(model ?? '') ? CLAUDE_FRAME : NO_FRAME;
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

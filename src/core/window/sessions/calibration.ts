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

/** Answers with fewer tokens by our count say nothing sure. */
const MIN_MEASURED_TOKENS = 1_000;
/** An answer further from our count has something that the log does not show. */
const [LEAST_FACTOR, LARGEST_FACTOR] = [0.8, 2.2];

/**
 * One factor a model for all texts of its windows. Where the log has true figures of output, it is what the model's own
 * answers are by the provider's count over ours, without those that hold thinking: one name had two tokenizers (Opus 4.6
 * from Claude Code 2.1.92 on; in 16 public sessions the answers' factor was that of the texts read, within 0.14).
 */
export class Calibration {
  readonly #answers = new Map<string, { ours: number; theirs: number }>();

  /** @param theirs the provider's tokens of an answer that is `ours` by our count */
  add(model: string | undefined, ours: number, theirs: number): void {
    const isPlausible = theirs >= ours * LEAST_FACTOR && theirs <= ours * LARGEST_FACTOR;
    if (model === undefined || ours === 0 || !isPlausible) return;
    const sums = this.#answers.get(model) ?? { ours: 0, theirs: 0 };
    this.#answers.set(model, { ours: sums.ours + ours, theirs: sums.theirs + theirs });
  }

  factorOf(model: string | undefined): number {
    const expected = FACTORS.find(([name]) => name.test(model ?? ''))?.[1];
    if (expected === undefined) return 1;
    const { ours, theirs } = this.#answers.get(model ?? '') ?? { ours: 0, theirs: 0 };
    return ours < MIN_MEASURED_TOKENS ? expected : Math.round((theirs / ours) * 100) / 100;
  }
}

/** Tokens around texts, where the provider writes them in a form of its own. */
export interface Frame {
  readonly call: number;
  readonly result: number;
  /** Tokens of each answer beside its texts and calls. */
  readonly answer: number;
}

/**
 * For Claude measured beside the factors above, the same for all of them. For OpenAI's models the figures leave no doubt:
 * in 20 public sessions of Codex (2026-11), and 26 looked at later, windows grew by 2 + 9n tokens more than their texts
 * and the answer's figure, which holds the frames of n calls.
 */
const FRAMES: readonly (readonly [model: RegExp, frame: Frame])[] = [
  [/claude/i, { call: 57, result: 18, answer: 0 }],
  [/^gpt-5/, { call: 0, result: 9, answer: 2 }],
];
const NO_FRAME: Frame = { call: 0, result: 0, answer: 0 };

export function frameOf(model: string | undefined): Frame {
  return FRAMES.find(([name]) => name.test(model ?? ''))?.[1] ?? NO_FRAME;
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

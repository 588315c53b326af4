/**
 * Models by name: their windows, and how many tokens their own tokenizer makes of what o200k counts as one. No vendor but
 * OpenAI publishes a tokenizer for its newest models, so that most factors are samples of others, with an interval.
 */

import type { AgentId } from '../model/agent';

/** What is known of the models of a name. */
export interface ModelFacts {
  readonly models: RegExp;
  /** Null where it is not public. */
  readonly windowTokens: number | null;
  /** A window that can be switched on, under the same name. */
  readonly largerWindowTokens?: number;
  /** Absent where o200k is the model's own tokenizer. */
  readonly factor?: { readonly value: number; readonly low: number; readonly high: number; readonly source: string };
  /** What Claude Code takes for a token when it makes room for skills; recorded with 2.1.330. */
  readonly charactersPerToken?: number;
}

/**
 * One sample of 2026-08 for both kinds. The older kind's interval begins at the last vocabulary that was public (1.04);
 * Anthropic says that the newer tokenizer makes 1.0 to 1.35 of the older one's tokens.
 */
const CLAUDE_SOURCE = 'sammcj/ingest#65 (2026-08), one sample';

/** Measured 2026-11-22 on the tool lists of 22 MCP servers (81,559 o200k tokens). */
const MEASURED = 'tool lists of 22 MCP servers (2026-11-22)';

/** Claude's models before Opus 4.7. */
const OLDER_CLAUDE = {
  factor: { value: 1.18, low: 1.04, high: 1.18, source: CLAUDE_SOURCE },
  charactersPerToken: 4,
} as const;

/** The first row that matches a model's name counts. */
export const MODEL_TABLE: readonly ModelFacts[] = [
  {
    models: /claude.*(?:opus-4[.-][78]|opus-5|sonnet-5|fable-5)|^(?:opus-5|sonnet-5|fable-5)/,
    windowTokens: 1_000_000,
    factor: { value: 1.53, low: 1.18, high: 1.59, source: CLAUDE_SOURCE },
    charactersPerToken: 3,
  },
  { models: /claude.*\[1m\]$/, windowTokens: 1_000_000, ...OLDER_CLAUDE },
  { models: /claude/, windowTokens: 200_000, largerWindowTokens: 1_000_000, ...OLDER_CLAUDE },
  { models: /^gpt-6\.1-terra/, windowTokens: 500_000, largerWindowTokens: 872_000 },
  { models: /^gpt-5\.5/, windowTokens: 272_000 },
  { models: /^gpt-(?:5\.6|6)/, windowTokens: 272_000, largerWindowTokens: 872_000 },
  { models: /^(?:gpt-(?:4o|4\.1|5)|o[134])/, windowTokens: null },
  { models: /gemini/, windowTokens: 1_048_576, factor: { value: 1.05, low: 0.99, high: 1.1, source: MEASURED } },
  { models: /qwen3/, windowTokens: null, factor: { value: 0.99, low: 0.97, high: 1.05, source: MEASURED } },
];

/** Undefined for a model that the table does not know. */
export function modelFacts(model: string): ModelFacts | undefined {
  return MODEL_TABLE.find(({ models }) => models.test(model));
}

/** Models that an agent can be shown with, newest first; agents of several vendors have all of them. */
const OFFERED_MODELS: readonly string[] = [
  ...['claude-opus-5-5', 'claude-sonnet-5', 'claude-sonnet-4-6', 'claude-haiku-4-5'],
  ...['gpt-6.1-sol', 'gpt-5.5', 'gemini-2.5-pro', 'qwen3-coder-plus'],
];

const OWN_MODELS: Readonly<Partial<Record<AgentId, RegExp>>> = {
  'claude-code': /^claude/,
  codex: /^gpt/,
  'gemini-cli': /^gemini/,
};

/** Names of models that this agent may work with, as `modelFacts` takes them. */
export function offeredModels(agent: AgentId): readonly string[] {
  return OFFERED_MODELS.filter((name) => OWN_MODELS[agent]?.test(name) ?? true);
}

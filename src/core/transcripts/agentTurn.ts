/**
 * What an agent's transcript says, in one shape for all agents: turns of a conversation. Nothing of it is stored; what
 * is kept are citations (`usage/`) and facts for the relay context (`relay/`).
 */

/** What a tool call does, by the agent's own tool names. */
export type ToolKind = 'read' | 'edit' | 'search' | 'run' | 'context' | 'other';

/** One tool call of an agent. */
export interface ToolCall {
  /** As the agent names it. */
  readonly name: string;
  /** `context`: one of our own tools. */
  readonly kind: ToolKind;
  /** Files it names, workspace-relative with `/`; those outside the workspace are left out. */
  readonly paths: readonly string[];
  /** Handles and ids it asked for: `12`, `section:soul`, `sym:1f3a9c`. */
  readonly handles: readonly string[];
  /** Command line, query or edited text: whatever else the arguments say. */
  readonly input: string;
  /** What came back, at most 4,000 characters; empty when the transcript does not say. */
  readonly output: string;
  readonly isError: boolean;
}

/** One answer of an agent: from a user's message to the next. */
export interface AgentTurn {
  /** `<agent>:<session>:<turn>`, the same at every reading. */
  readonly key: string;
  /** `claude-code`, `codex`, `copilot-chat`, `aider`. */
  readonly agent: string;
  /** When it began, milliseconds since the epoch; undefined when the transcript does not say. */
  readonly startedAt: number | undefined;
  readonly userText: string;
  /** Everything the agent wrote for people in this turn, thinking left out. */
  readonly replyText: string;
  readonly toolCalls: readonly ToolCall[];
  /** Tokens of the last request of the turn, cached ones included. */
  readonly inputTokens: number | undefined;
  readonly responseMs: number | undefined;
}

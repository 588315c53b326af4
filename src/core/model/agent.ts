/** Agents whose rules the product knows. */
export const AGENT_IDS = [
  'codex',
  'claude-code',
  'copilot-vscode',
  'copilot-cloud-agent',
  'copilot-code-review',
  'cursor',
  'gemini-cli',
  'windsurf',
  'cline',
  'roo-code',
  'zed',
  'opencode',
  'continue',
  'aider',
  'amp',
  'copilot-cli',
  'qwen-code',
  'kiro',
] as const;

export type AgentId = (typeof AGENT_IDS)[number];

/** What an agent has of a section without any payload. Plain data. */
export interface LoadedByAgent {
  /** Display name. */
  readonly agent: string;
  /** The agent cuts the file: bytes that it loses, and the first line that is not whole. */
  readonly cut: { readonly bytesLost: number; readonly line: number } | undefined;
}

/**
 * The table of agents: for each its rules, in the order of `AGENT_IDS`. It covers what lies in the workspace folder and
 * local interactive use; files of the user's own home, of an organisation and of settings pages are not seen from here.
 */
import { AGENT_IDS, type AgentId } from '../model/agent';
import type { AgentRules } from './agentRules';
import { COPILOT_AGENTS } from './agentTableCopilot';
import { EDITOR_AGENTS } from './agentTableEditors';
import { TERMINAL_AGENTS } from './agentTableTerminal';

const ALL: readonly AgentRules[] = [...TERMINAL_AGENTS, ...COPILOT_AGENTS, ...EDITOR_AGENTS];

/** Rules of every agent, in the order of `AGENT_IDS`. */
export const AGENT_TABLE: readonly AgentRules[] = AGENT_IDS.flatMap((id) => ALL.filter(({ agent }) => agent === id));

/** Those that most people have, in the order in which things are offered; the others follow in the table's order. */
const OFFERED_FIRST: readonly AgentId[] = [
  'claude-code',
  'codex',
  'cursor',
  'copilot-vscode',
  'windsurf',
  'cline',
  'zed',
  'gemini-cli',
  'opencode',
];

/** The table in the order in which people are offered what can be set up. */
export const OFFERED_AGENTS: readonly AgentRules[] = [...AGENT_TABLE].sort((a, b) => rankOf(a) - rankOf(b));

function rankOf({ agent }: AgentRules): number {
  const at = OFFERED_FIRST.indexOf(agent);
  return at < 0 ? OFFERED_FIRST.length : at;
}

/** An agent's display name. */
export function agentName(agent: AgentId): string {
  return AGENT_TABLE.find((rules) => rules.agent === agent)?.name ?? agent;
}

/**
 * Which agents are in use in a folder: one answer for default priorities, coverage, notices of cuts and what can be
 * connected. It decides from what it is told; hosts look at extensions and config folders.
 */
import { AGENT_IDS, type AgentId } from '../model/agent';
import type { FilePattern } from './agentRules';
import { AGENT_TABLE } from './agentTable';
import { ruleFolder } from './pickFiles';

/** What an agent leaves on a machine on which it is installed. */
interface AgentTraces {
  /** Ids of its VS Code extensions, in lower case, as their pages in the marketplace give them. */
  readonly extensions?: readonly string[];
  /** Folders or files below the home folder that it makes for itself, as its documents name them; `/` separates. */
  readonly homes?: readonly string[];
}

/** Read 2026-11-23 from the marketplace and from the documents that the agents' rows name. Absent: leaves neither. */
export const AGENT_TRACES: Readonly<Partial<Record<AgentId, AgentTraces>>> = {
  codex: { extensions: ['openai.chatgpt'], homes: ['.codex'] },
  'claude-code': { extensions: ['anthropic.claude-code'], homes: ['.claude'] },
  'copilot-vscode': { extensions: ['github.copilot-chat'] },
  cursor: { homes: ['.cursor'] },
  'gemini-cli': { extensions: ['google.gemini-cli-vscode-ide-companion'], homes: ['.gemini'] },
  windsurf: { homes: ['.codeium/windsurf'] },
  cline: { extensions: ['saoudrizwan.claude-dev'] },
  'roo-code': { extensions: ['rooveterinaryinc.roo-cline'], homes: ['.roo'] },
  zed: { homes: ['.config/zed'] },
  opencode: { extensions: ['sst-dev.opencode', 'sst-dev.opencode-v2'], homes: ['.config/opencode'] },
  continue: { extensions: ['continue.continue'], homes: ['.continue'] },
  aider: { homes: ['.aider.conf.yml'] },
  amp: { extensions: ['sourcegraph.amp'], homes: ['.config/amp'] },
};

/** What tells which agents are in use. An empty list says nothing. */
export interface AgentEvidence {
  /** `agents` of the folder's config. */
  readonly configured?: readonly AgentId[] | undefined;
  /** *My Agents*, as the user chose them. */
  readonly chosen?: readonly AgentId[] | undefined;
  /** Found on the machine. */
  readonly installed?: readonly AgentId[] | undefined;
  /** Those with files of their own in the folder. */
  readonly withFiles: readonly AgentId[];
}

/** Agents in use: those of the config, else those that the user chose, else all that were found. In the table's order. */
export function agentsInUse({ configured, chosen, installed = [], withFiles }: AgentEvidence): readonly AgentId[] {
  const found = [...installed, ...withFiles];
  const [named = found] = [configured, chosen].filter((ids) => ids !== undefined && ids.length > 0);
  return AGENT_IDS.filter((id) => named.includes(id));
}

/** Agents that leave something that `has` finds, by their extensions or by their places in the home folder. */
export function agentsWithTraces(kind: keyof AgentTraces, has: (trace: string) => boolean): readonly AgentId[] {
  return AGENT_IDS.filter((id) => AGENT_TRACES[id]?.[kind]?.some(has));
}

/**
 * Agents with files of their own in the folder.
 * @param found instruction files, wherever they lie
 * @param has whether a file is there; asked for paths at the root
 */
export function agentsWithFiles(found: readonly string[], has: (path: string) => boolean): readonly AgentId[] {
  const isThere = (pattern: FilePattern): boolean =>
    (typeof pattern === 'string' && has(pattern)) || found.some((path) => ruleFolder(path, pattern) !== undefined);
  return AGENT_TABLE.filter(({ own }) => own?.some(isThere)).map(({ agent }) => agent);
}

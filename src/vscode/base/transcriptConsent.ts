/** Whether agents' transcripts may be read: one setting for the citations in them and for the sessions that they are. */
import * as vscode from 'vscode';
import { AGENT_TABLE } from '../../core/agents/agentTable';
import { SESSION_AGENTS, type SessionAgent } from '../../core/transcripts/sessions/sessionLog';
import { AGENT_NAMES, type AgentName } from '../../core/transcripts/transcriptAdapter';
import { chosen } from './editorError';
import { SETTINGS, SETTINGS_SECTION } from './ids';

/** An agent whose turns or sessions can be read. */
export type ReadableAgent = AgentName | SessionAgent;

const READABLE_AGENTS: readonly ReadableAgent[] = [...new Set([...AGENT_NAMES, ...SESSION_AGENTS])];

/** Names of agents that the table of agents does not have. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  pi: 'Pi',
};

export function readableName(agent: ReadableAgent): string {
  const row = AGENT_TABLE.find((each) => each.transcripts?.reader === agent || each.agent === agent);
  return row?.transcripts?.name ?? row?.name ?? OTHER_NAMES[agent] ?? agent;
}

/** The agents that the user turned on; a workspace cannot. */
export function allowedAgents(): readonly ReadableAgent[] {
  const value: unknown = vscode.workspace.getConfiguration(SETTINGS_SECTION).get(SETTINGS.transcripts);
  return Array.isArray(value) ? READABLE_AGENTS.filter((agent) => value.includes(agent)) : [];
}

/** Those whose sessions can be read. */
export function allowedSessionAgents(): readonly SessionAgent[] {
  const allowed: readonly string[] = allowedAgents();
  return SESSION_AGENTS.filter((agent) => allowed.includes(agent));
}

/**
 * Says what is read and what is kept, and asks for which agents. Empty when none is chosen.
 * @throws vscode.CancellationError when the question is left
 */
export async function askForAgents(): Promise<readonly ReadableAgent[]> {
  const choose = vscode.l10n.t('Choose Agents…');
  const question = await vscode.window.showInformationMessage(
    vscode.l10n.t('Read the transcripts that agents leave on this machine?'),
    {
      modal: true,
      detail: vscode.l10n.t(
        'Read: sessions of this folder, its subfolders and Git work trees from the last 30 days, where each agent keeps them (Claude Code: ~/.claude/projects, Codex: ~/.codex/sessions, …). Copilot Chat: only a file that you export and choose. New lines are read at most every five minutes, while the window has the focus, and the Sessions view reads when you open it.\n\nStored in the folder’s usage log: the time and duration of each turn, its sections with their sizes, and a path, handle or keywords per citation. Stored in the cache: token counts, names of files, tools and servers. Conversation text is never stored.\n\nNothing leaves your machine. To stop, clear the setting “Context Budget: Transcripts”.',
      ),
    },
    choose,
  );
  chosen(question);
  const items = READABLE_AGENTS.map((agent) => ({
    label: readableName(agent),
    agent,
    picked: agent !== 'copilot-chat',
  }));
  const title = vscode.l10n.t('Select agents whose transcripts may be read');
  const picked = chosen(await vscode.window.showQuickPick(items, { title, canPickMany: true }));
  const agents = picked.map(({ agent }) => agent);
  if (agents.length === 0) return [];
  const settings = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  await settings.update(SETTINGS.transcripts, agents, vscode.ConfigurationTarget.Global);
  return agents;
}

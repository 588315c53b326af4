/** What *Connect an Agent…* asks: whose connections, and which of them, with what each costs. */
import * as vscode from 'vscode';
import { OFFERED_AGENTS } from '../../core/agents/agentTable';
import { type Connection, connectionsOf, OTHER_AGENT_CONNECTIONS } from '../../core/setup/connections';
import { formatCount } from '../../core/text/numbers';
import { listTools } from '../../core/tools/toolCatalog';
import { mayWrite } from '../base/editorError';
import type { FolderWorkspace } from '../workspace/workspaceRegistry';
import { skillListing } from './connectionCheck';
import { type Costs, detailOf, kindWords, placeOf } from './connectionWords';
import type { ConnectionWriter } from './connectionWriter';

async function costsIn({ workspace }: FolderWorkspace, writer: ConnectionWriter): Promise<Costs> {
  const [skill, { config }] = await Promise.all([writer.skillText(), workspace.whenReady()]);
  const [mcp = 0, listing = 0, whole = 0] = await workspace.countTokens([
    JSON.stringify(listTools()),
    skillListing(skill),
    skill,
  ]);
  return {
    hooks: formatCount(config.sessionStart.orientationTokens),
    mcp: formatCount(mcp),
    skill: formatCount(listing),
    skillInUse: formatCount(whole),
  };
}

/** An agent, or any other, with what can be connected for it. */
interface AgentChoice {
  readonly label: string;
  readonly connections: readonly Connection[];
}

/** Asks whose; undefined when the user picked none. @param hasHost without, the skill alone is offered */
async function pickAgent(active: FolderWorkspace, hasHost: boolean): Promise<AgentChoice | undefined> {
  const { agentsInUse } = await active.whenReady();
  const isOffered = (connection: Connection): boolean => hasHost || connection.kind === 'skill';
  const agents = OFFERED_AGENTS.map((rules) => ({
    label: rules.product ?? rules.name,
    description: agentsInUse.includes(rules.agent) ? vscode.l10n.t('one of your agents') : '',
    connections: connectionsOf(rules).filter(isOffered),
  }));
  const other = { label: vscode.l10n.t('Any other agent'), description: '', connections: OTHER_AGENT_CONNECTIONS };
  const items = [...agents.filter(({ description }) => description), ...agents.filter((each) => !each.description)];
  const title = vscode.l10n.t('Connect an Agent');
  const placeHolder = mayWrite()
    ? vscode.l10n.t('Select an agent; you review each change')
    : vscode.l10n.t('Restricted Mode: you can copy texts, but nothing is written or run');
  return vscode.window.showQuickPick(
    [...items, { ...other, connections: other.connections.filter(isOffered) }].filter(
      ({ connections }) => connections.length > 0,
    ),
    { title, placeHolder },
  );
}

/** Asks two questions: whose, and what. */
export async function pickConnections(
  active: FolderWorkspace,
  writer: ConnectionWriter,
  hasHost: boolean,
): Promise<readonly Connection[]> {
  const picked = await pickAgent(active, hasHost);
  if (!picked) return [];
  const costs = await costsIn(active, writer);
  const rows = await Promise.all(
    picked.connections.map(async (connection) => ({
      connection,
      label: kindWords(connection),
      description: (await writer.isConnected(active.folder, connection))
        ? vscode.l10n.t('{0} · connected', placeOf(connection))
        : placeOf(connection),
      detail: detailOf(connection, costs),
    })),
  );
  const chosen = await vscode.window.showQuickPick(rows, {
    title: vscode.l10n.t('Connect {0}', picked.label),
    placeHolder: vscode.l10n.t('Choose what to connect; you review each change before it is written'),
    canPickMany: true,
  });
  return (chosen ?? []).map(({ connection }) => connection);
}

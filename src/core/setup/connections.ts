/**
 * What can be connected to an agent: hooks, our MCP server, the skill. One list for the editor's *Connect an Agent…*; it
 * decides what there is, not what is written (`hooks`, `mcpConfig`) nor how it is asked for.
 */
import type { AgentRules } from '../agents/agentRules';
import { isRecord, ownValue, parseJson } from '../text/jsonRecord';
import { HOOK_FILES, HOOK_TARGETS, type HookAgent, type HookTarget, hookForm } from './hooks/hookTarget';
import { MCP_CLIENTS, type McpClient } from './mcpConfig/mcpClient';
import { SKILL_TARGETS } from './skillTarget';

/** One thing that can be connected; `id` is what a keybinding or a test gives. */
export type Connection =
  | { readonly kind: 'hooks'; readonly id: string; readonly target: HookTarget }
  | { readonly kind: 'mcp'; readonly id: string; readonly client: McpClient }
  /** Without a path it is copied, for agents that keep such texts elsewhere. */
  | { readonly kind: 'skill'; readonly id: string; readonly path: string | undefined };

/** A file's path; where both scopes have one file, its second entry says so. */
function hooksId(target: HookTarget): string {
  return `hooks:${target.path}${HOOK_FILES.includes(target) ? '' : `#${target.scope}`}`;
}

const ALL: readonly Connection[] = [
  ...MCP_CLIENTS.map((client): Connection => ({ kind: 'mcp', id: `mcp:${client.id}`, client })),
  ...HOOK_TARGETS.map((target): Connection => ({ kind: 'hooks', id: hooksId(target), target })),
  ...SKILL_TARGETS.map(({ path }): Connection => ({ kind: 'skill', id: `skill:${path}`, path })),
  { kind: 'skill', id: 'skill:copy', path: undefined },
];

/** What agents of no row of the table can be given. */
export const OTHER_AGENT_CONNECTIONS = connectionsById(['mcp:generic', 'skill:copy']);

/** Connections by their ids; ids that nothing has are left out. */
export function connectionsById(ids: readonly unknown[]): readonly Connection[] {
  return ALL.filter(({ id }) => ids.includes(id));
}

/** What can be connected to an agent of the table, in the order in which it is offered. */
export function connectionsOf({ agent, mcp = [], hooks, skills = [] }: AgentRules): readonly Connection[] {
  const clients = mcp.map(({ client = agent }) => client);
  return ALL.filter((each) => {
    if (each.kind === 'mcp') return clients.includes(each.client.id);
    if (each.kind === 'hooks') return hooks !== undefined && each.target.agent === (hooks.agent ?? agent);
    return skills.some((folder) => each.path?.startsWith(`${folder}/`));
  });
}

/** The messages that a client opens with, and then asks for the tools; a line each. */
export function serverQuestions(version: string): string {
  const initialize = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'context-budget-check', version },
  };
  return [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/list' },
  ]
    .map((message) => `${JSON.stringify(message)}\n`)
    .join('');
}

/** The tools that a server has answered `serverQuestions` with; undefined while it has not, or when it fails. */
export function answeredTools(stdout: string): readonly unknown[] | undefined {
  const answers = stdout.split('\n').flatMap((line) => {
    const answer = parseJson(line);
    return isRecord(answer) ? [answer] : [];
  });
  const resultOf = (id: number): unknown => {
    const answer = answers.find((each) => ownValue(each, 'id') === id);
    return answer && ownValue(answer, 'result');
  };
  const list = resultOf(2);
  const tools = isRecord(resultOf(1)) && isRecord(list) ? ownValue(list, 'tools') : undefined;
  return Array.isArray(tools) ? tools : undefined;
}

/** The event that a session of this agent starts with, for `context-budget hook SessionStart`. */
export function sessionStartEvent(agent: HookAgent, root: string): string {
  const source = hookForm(agent).isGrouped ? 'startup' : 'new';
  return JSON.stringify({ hook_event_name: 'SessionStart', source, cwd: root });
}

/** The context that a hook's answer to a session's start adds; undefined for an answer that its agent does not take. */
export function addedContext(agent: HookAgent, stdout: string): string | undefined {
  const answer = parseJson(stdout);
  if (isRecord(answer)) {
    const output = ownValue(answer, 'hookSpecificOutput');
    const added = isRecord(output) ? ownValue(output, 'additionalContext') : undefined;
    return typeof added === 'string' && added !== '' ? added : undefined;
  }
  return hookForm(agent).takesText && stdout.trim() !== '' ? stdout : undefined;
}

/**
 * Programs that start our MCP server, and where each keeps its list of servers. Facts of their own documentation, read
 * 2026-11-22: code.claude.com/docs/en/mcp, developers.openai.com/codex/mcp, cursor.com/docs/mcp,
 * code.visualstudio.com/docs/agents/reference/mcp-configuration, docs.windsurf.com/windsurf/cascade/mcp,
 * docs.cline.bot/mcp/configuring-mcp-servers, zed.dev/docs/ai/mcp, geminicli.com/docs/tools/mcp-server,
 * opencode.ai/docs/mcp-servers (OpenCode 2 reads the form of 1 as well: opencode.ai/docs/migrate-v1).
 */

import type { McpPlace } from '../../agents/agentRules';
import { OFFERED_AGENTS } from '../../agents/agentTable';

/** What is told of a client. */
export interface McpClient extends Omit<McpPlace, 'client'> {
  /** A name that is a contract of the command line. */
  readonly id: string;
  /** As people know it; names of products are not translated. */
  readonly name: string;
}

/** For clients that are no agents of the table. */
const GENERIC: McpClient = { id: 'generic', name: 'mcpServers', place: 'mcp.json', form: 'plain' };

/** Every client of the table of agents; the ones that most have first. */
export const MCP_CLIENTS: readonly McpClient[] = [
  ...OFFERED_AGENTS.flatMap(({ agent, name, product = name, mcp = [] }) =>
    mcp.map(({ client = agent, ...place }) => ({ ...place, id: client, name: product })),
  ),
  GENERIC,
];

/** The client of that name. */
export function mcpClient(id: unknown): McpClient | undefined {
  return MCP_CLIENTS.find((client) => client.id === id);
}

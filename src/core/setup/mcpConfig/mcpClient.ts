/**
 * Programs that start our MCP server, and where each keeps its list of servers. Facts of their own documentation, read
 * 2026-11-22: code.claude.com/docs/en/mcp, developers.openai.com/codex/mcp, cursor.com/docs/mcp,
 * code.visualstudio.com/docs/agents/reference/mcp-configuration, docs.windsurf.com/windsurf/cascade/mcp,
 * docs.cline.bot/mcp/configuring-mcp-servers, zed.dev/docs/ai/mcp, geminicli.com/docs/tools/mcp-server,
 * opencode.ai/docs/mcp-servers (OpenCode 2 reads the form of 1 as well: opencode.ai/docs/migrate-v1).
 */

/** Every client, by a name that is a contract of the command line; the ones that most have first. */
export const MCP_CLIENTS = [
  'claude-code',
  'claude-code-json',
  'codex',
  'cursor',
  'vscode',
  'windsurf',
  'cline',
  'zed',
  'gemini-cli',
  'opencode',
  'generic',
] as const;

export type McpClient = (typeof MCP_CLIENTS)[number];

/** What is told of a client. */
export interface McpClientFacts {
  /** As people know it; names of products are not translated. */
  readonly name: string;
  /** Where the text belongs: a file, or `$` for a shell. */
  readonly place: string;
  /** One list for all folders, so that a server's name must tell its folder. */
  readonly isPerUser: boolean;
}

export const MCP_CLIENT_FACTS: Readonly<Record<McpClient, McpClientFacts>> = {
  'claude-code': { name: 'Claude Code', place: '$ claude mcp add', isPerUser: false },
  'claude-code-json': { name: 'Claude Code', place: '.mcp.json', isPerUser: false },
  codex: { name: 'Codex', place: '.codex/config.toml', isPerUser: false },
  cursor: { name: 'Cursor', place: '.cursor/mcp.json', isPerUser: false },
  vscode: { name: 'VS Code', place: '.vscode/mcp.json', isPerUser: false },
  windsurf: { name: 'Windsurf', place: '~/.codeium/windsurf/mcp_config.json', isPerUser: true },
  cline: { name: 'Cline', place: 'cline_mcp_settings.json', isPerUser: true },
  zed: { name: 'Zed', place: '.zed/settings.json', isPerUser: false },
  'gemini-cli': { name: 'Gemini CLI', place: '.gemini/settings.json', isPerUser: false },
  opencode: { name: 'OpenCode', place: 'opencode.json', isPerUser: false },
  generic: { name: 'mcpServers', place: 'mcp.json', isPerUser: false },
};

/** True for the name of a client. */
export function isMcpClient(name: string): name is McpClient {
  return (MCP_CLIENTS as readonly string[]).includes(name);
}

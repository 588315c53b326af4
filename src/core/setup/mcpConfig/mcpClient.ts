/**
 * Programs that start our MCP server, and where each keeps its list of servers. Facts of their own documentation, read
 * 2026-11-22: code.claude.com/docs/en/mcp, developers.openai.com/codex/mcp, cursor.com/docs/mcp,
 * code.visualstudio.com/docs/agents/reference/mcp-configuration, docs.windsurf.com/windsurf/cascade/mcp,
 * docs.cline.bot/mcp/configuring-mcp-servers, zed.dev/docs/ai/mcp, geminicli.com/docs/tools/mcp-server,
 * opencode.ai/docs/mcp-servers (OpenCode 2 reads the form of 1 as well: opencode.ai/docs/migrate-v1).
 */

import type { McpPlace } from '../../agents/agentRules';
import { OFFERED_AGENTS } from '../../agents/agentTable';
import { errorClass } from '../../text/phrase';

/** The script that runs the command line, and what it serves; both absolute. */
export interface McpServed {
  readonly script: string;
  readonly root: string;
  /** Lets the folder's own commands run. */
  readonly isTrusted?: boolean;
  /** False: it writes nothing into the folder. */
  readonly mayWrite?: boolean;
}

/** The arguments after the program: what `context-budget mcp` is called with. */
export function mcpArguments({ script, root, isTrusted = false, mayWrite = true }: McpServed): readonly string[] {
  return [script, 'mcp', '--root', root, ...(isTrusted ? ['--trust'] : []), ...(mayWrite ? [] : ['--no-write'])];
}

/** A path that cannot be put into a configuration. */
export class McpConfigError extends errorClass<'badPath'>('McpConfigError') {}

/** Characters that no line of a shell can hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
export const CONTROL = /[\u0000-\u001f\u007f]/;
/** Letters that no shell reads as anything else. */
const PLAIN = /^[\w@%+=:,./-]+$/;
/** Fewer on Windows: a comma is a list to PowerShell, and cmd.exe parts arguments of batch files at some signs. */
const PLAIN_WINDOWS = /^[\w.:/\\-]+$/;

/** True for a path with a drive letter, or of another machine. */
export function isWindowsPath(path: string): boolean {
  return /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path);
}

/** One argument of a line for `sh`: single quotes take everything literally. */
export function posixArgument(argument: string): string {
  return PLAIN.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

/**
 * One argument of a line that is pasted into a shell: `sh`, or on Windows cmd.exe and PowerShell alike.
 * @throws McpConfigError for what no shell takes safely
 */
export function shellArgument(argument: string, isWindows: boolean): string {
  if (CONTROL.test(argument))
    throw new McpConfigError('badPath', 'A path has control characters; no line of a shell can hold it.');
  if (!isWindows) return posixArgument(argument);
  if (PLAIN_WINDOWS.test(argument)) return argument;
  const unsafe = /["%$`!]/.exec(argument)?.[0];
  if (unsafe !== undefined) {
    throw new McpConfigError(
      'badPath',
      `A path holds ${unsafe}, which the shells of Windows read as something else. Choose the form of a file.`,
    );
  }
  // A backslash before the closing quote would take it along.
  return `"${argument.replace(/\\+$/, (last) => last + last)}"`;
}

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

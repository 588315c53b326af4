/** What a client's list of servers says of ours, in the client's own form. It does not write the file. */
import type { McpClient } from './mcpClient';
import { isWindowsPath, type McpServed, mcpArguments, shellArgument } from './mcpClient';

/** The server's name in lists of one folder. */
const MCP_SERVER_NAME = 'context-budget';

/** Clients put the server's name before each tool's, and most take 64 characters for both. */
const MAX_FOLDER_CHARS = 24;

/** Letters of the folder's name that every client takes; empty when there are none. */
function slugOf(folderName: string): string {
  const slug = folderName
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return slug.slice(0, MAX_FOLDER_CHARS).replace(/^-+|-+$/g, '');
}

/** A name that differs between folders where one list holds the servers of all of them. */
export function mcpServerName({ isPerUser }: McpClient, root: string): string {
  if (!isPerUser) return MCP_SERVER_NAME;
  const slug = slugOf(root.split(/[\\/]/).findLast((part) => part !== '') ?? '');
  return slug === '' ? MCP_SERVER_NAME : `${MCP_SERVER_NAME}-${slug}`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A basic string of TOML, whose escapes are those of JSON but for the delete character. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', '\\u007F');
}

/**
 * The configuration of one client for one folder: a line for a shell, or the text of a file, to be merged into one that
 * is there. Ends with `\n`.
 * @throws McpConfigError for a path that no shell takes safely, in the form of a shell's line alone
 */
export function mcpConfigText(client: McpClient, served: McpServed): string {
  // Programs outside of the editor find Node by its name, since its path changes with its updates.
  const command = 'node';
  const args = mcpArguments(served);
  const name = mcpServerName(client, served.root);
  switch (client.form) {
    case 'shell': {
      const isWindows = isWindowsPath(served.root) || isWindowsPath(served.script);
      const quoted = [command, ...args].map((argument) => shellArgument(argument, isWindows));
      return `claude mcp add ${name} -- ${quoted.join(' ')}\n`;
    }
    case 'toml': {
      const list = args.map(tomlString).join(', ');
      return `[mcp_servers.${name}]\ncommand = ${tomlString(command)}\nargs = [${list}]\n`;
    }
    case 'typed':
      return json({ mcpServers: { [name]: { type: 'stdio', command, args } } });
    case 'servers':
      return json({ servers: { [name]: { type: 'stdio', command, args } } });
    case 'cline':
      return json({ mcpServers: { [name]: { command, args, disabled: false, autoApprove: [] } } });
    case 'zed':
      return json({ context_servers: { [name]: { command, args, env: {} } } });
    case 'opencode':
      return json({
        $schema: 'https://opencode.ai/config.json',
        mcp: { [name]: { type: 'local', command: [command, ...args], enabled: true } },
      });
    case 'plain':
      return json({ mcpServers: { [name]: { command, args } } });
  }
}

/** What a client's list of servers says of ours, in the client's own form. It does not write the file. */
import { parse } from 'jsonc-parser';
import { addLast, layoutOf, renderJson } from '../../config/jsoncEdit';
import { phrase } from '../../text/phrase';
import { memberOf, parseSettings } from '../hooks/hookEntries';
import { HookError } from '../hooks/hookEvent';
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

// Programs outside of the editor find Node by its name, since its path changes with its updates.
const COMMAND = 'node';

/** The key of the list, and our entry in it, in each form that is JSON. */
function jsonEntry(form: Exclude<McpClient['form'], 'shell' | 'toml'>, args: readonly string[]) {
  const command = COMMAND;
  switch (form) {
    case 'typed':
      return { list: 'mcpServers', value: { type: 'stdio', command, args } };
    case 'servers':
      return { list: 'servers', value: { type: 'stdio', command, args } };
    case 'cline':
      return { list: 'mcpServers', value: { command, args, disabled: false, autoApprove: [] } };
    case 'zed':
      return { list: 'context_servers', value: { command, args, env: {} } };
    case 'opencode':
      return { list: 'mcp', value: { type: 'local', command: [command, ...args], enabled: true } };
    case 'plain':
      return { list: 'mcpServers', value: { command, args } };
  }
}

/**
 * The configuration of one client for one folder: a line for a shell, or the text of a file, to be merged into one that
 * is there. Ends with `\n`.
 * @throws McpConfigError for a path that no shell takes safely, in the form of a shell's line alone
 */
export function mcpConfigText(client: McpClient, served: McpServed): string {
  const args = mcpArguments(served);
  const name = mcpServerName(client, served.root);
  switch (client.form) {
    case 'shell': {
      const isWindows = isWindowsPath(served.root) || isWindowsPath(served.script);
      const quoted = [COMMAND, ...args].map((argument) => shellArgument(argument, isWindows));
      return `claude mcp add ${name} -- ${quoted.join(' ')}\n`;
    }
    case 'toml': {
      const list = args.map(tomlString).join(', ');
      return `[mcp_servers.${name}]\ncommand = ${tomlString(COMMAND)}\nargs = [${list}]\n`;
    }
    default: {
      const { list, value } = jsonEntry(client.form, args);
      const schema = client.form === 'opencode' ? { $schema: 'https://opencode.ai/config.json' } : {};
      return json({ ...schema, [list]: { [name]: value } });
    }
  }
}

/** True for a client whose list of servers is a file of the folder. */
export function isFolderClient({ id, form, isPerUser }: McpClient): boolean {
  return isPerUser !== true && form !== 'shell' && id !== 'generic';
}

/**
 * The client's file with our server in it; the same text when it is there already. What else the file holds stays as it
 * is. `text` is undefined where there is no file.
 * @throws HookError `badFile` for a file that cannot be edited
 */
export function installServer(text: string | undefined, client: McpClient, served: McpServed): string {
  const whole = mcpConfigText(client, served);
  if (text === undefined || (client.form === 'toml' && text.trim() === '')) return whole;
  if (client.form === 'shell') return text;
  if (client.form === 'toml') return installToml(text, client.place, whole, mcpServerName(client, served.root));
  const { list, value } = jsonEntry(client.form, mcpArguments(served));
  const settings = parseSettings(text, client.place);
  const { start, root } = settings;
  const layout = layoutOf(settings.text, root);
  const name = mcpServerName(client, served.root);
  const add = (object: typeof root, key: string, added: unknown): string =>
    start +
    addLast(settings.text, object, layout, (indent) => `${JSON.stringify(key)}: ${renderJson(added, layout, indent)}`);
  const servers = memberOf(settings, root, [list], 'object', client.place)?.value;
  if (!servers) return add(root, list, { [name]: value });
  const own = memberOf(settings, servers, [list, name], 'object', client.place);
  if (!own) return add(servers, name, value);
  const { offset, length } = own.value;
  const before = settings.text.slice(offset, offset + length);
  const known: unknown = parse(before);
  if (JSON.stringify(known) === JSON.stringify(value)) return text;
  const indent = /^[ \t]*/.exec(settings.text.slice(settings.text.lastIndexOf('\n', own.property.offset) + 1))?.[0];
  const after = renderJson(value, layout, indent ?? '');
  return start + settings.text.slice(0, offset) + after + settings.text.slice(offset + length);
}

/** The same in TOML: our table is put in the place of one of its name, else at the end. */
function installToml(text: string, path: string, table: string, name: string): string {
  if (/^[ \t]*mcp_servers[ \t]*[.=]/m.test(text)) {
    throw new HookError('badFile', phrase('{0}: mcp_servers is not a table. Add the server manually.', path));
  }
  const header = new RegExp(String.raw`^[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*["']?${name}["']?[ \t]*\].*$`, 'm');
  const found = header.exec(text);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const own = table.replaceAll('\n', newline);
  if (!found) return `${text}${text.endsWith('\n') ? '' : newline}${newline}${own}`;
  const rest = text.slice(found.index + found[0].length);
  // A table ends at the next header; blank lines and comments before that are the next one's.
  const next = /(?:^[ \t]*(?:#.*)?\r?\n)*^[ \t]*\[/m.exec(rest);
  const end = next ? found.index + found[0].length + next.index : text.length;
  if (text.slice(found.index, end).trimEnd() === own.trimEnd()) return text;
  return `${text.slice(0, found.index)}${own}${text.slice(end)}`;
}

/** How a configured MCP server is started or reached to ask for its tools: by the command line and by the editor. */
import path from 'node:path';
import { posixArgument } from '../../core/setup/mcpConfig/mcpClient';
import { isRecord, ownValue } from '../../core/text/jsonRecord';
import type { ServerState } from '../../core/window/loaded/buildWindow';
import { type ConfiguredServer, environmentOf } from '../../core/window/loaded/mcpServers';
import type { ShownStart } from '../../core/window/loaded/measuring';
import { loadMcpModule, type MeasuredServer } from '../mcpModule';
import { homeFolder } from '../userFolders';

type Variables = Readonly<Record<string, string | undefined>>;

/** Puts variables in: `${VAR}`, `${VAR:-default}`, `${env:VAR}`, `{env:VAR}`. What is not set stays as it is. */
export function withVariables(text: string, env: Variables): string {
  const put = (whole: string, name: string, fallback: string | undefined): string => env[name] ?? fallback ?? whole;
  return text
    .replace(/\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}/g, put)
    .replace(/(?<!\$)\{env:([A-Za-z_]\w*)\}/g, (whole, name: string) => put(whole, name, undefined));
}

function mapValues(record: Readonly<Record<string, string>>, env: Variables): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, withVariables(value, env)]));
}

function headersOf({ entry }: ConfiguredServer): Readonly<Record<string, string>> {
  const headers = ownValue(entry, 'headers') ?? ownValue(entry, 'http_headers');
  if (!isRecord(headers)) return {};
  return Object.fromEntries(
    Object.entries(headers).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}

/** A server as it is started: its variables put in. `root` is the workspace's real path. */
export function startOf(server: ConfiguredServer, root: string, environment: NodeJS.ProcessEnv): MeasuredServer {
  const { entry, command, url } = server;
  // VS Code's name for the folder.
  const env = { ...environment, workspaceFolder: root };
  const [program, ...args] = command.map((each) => withVariables(each, env));
  const cwd = ownValue(entry, 'cwd');
  return {
    ...(program === undefined
      ? {}
      : { argv: [program.replace(/^~\//, `${homeFolder(environment)}/`), ...args] as const }),
    ...(program === undefined && url !== undefined ? { url: withVariables(url, env) } : {}),
    env: mapValues(environmentOf(entry), env),
    headers: mapValues(headersOf(server), env),
    cwd: typeof cwd === 'string' ? path.resolve(root, withVariables(cwd, env)) : root,
  };
}

/** What is said of a server before it is started. */
export function shownStart(server: ConfiguredServer, { cwd }: MeasuredServer): ShownStart {
  const { name, source, command, url = '', commandHash } = server;
  const isProgram = command.length > 0;
  return {
    name,
    source,
    line: isProgram ? command.map(posixArgument).join(' ') : url,
    isProgram,
    cwd,
    names: Object.keys(isProgram ? environmentOf(server.entry) : headersOf(server)),
    commandHash,
  };
}

/** Starts a server, or reaches it, and asks for its tools. Never rejects. */
export async function measuredBy(
  productRoot: string,
  { commandHash }: ConfiguredServer,
  start: MeasuredServer,
  signal: AbortSignal,
): Promise<ServerState> {
  const answer = await loadMcpModule(productRoot).measureServer(start, signal);
  if (answer.kind === 'failed') return { kind: 'unmeasured', reason: answer.reason };
  const { server, instructions, tools } = answer;
  return { kind: 'measured', measurement: { commandHash, server, instructions, tools } };
}

/** `window --measure`: starts the servers that were asked for, and tells of each what is known of it. */
import path from 'node:path';
import { posixArgument } from '../core/setup/mcpConfig/mcpClient';
import { isRecord, ownValue } from '../core/text/jsonRecord';
import { printable } from '../core/text/textTable';
import type { ServerState } from '../core/window/loaded/buildWindow';
import { type ConfiguredServer, environmentOf } from '../core/window/loaded/mcpServers';
import { loadMcpModule, type MeasuredServer } from '../node/mcpModule';
import { measuredState, ServerMeasurements } from '../node/serverMeasurements';
import { homeFolder, userFolders } from '../node/userFolders';
import type { CliContext } from './context';
import { maskedData } from './masking';
import { isTrusted } from './workspace';

const HOW_TO_MEASURE = 'window --measure starts it';

/** Puts variables in: `${VAR}`, `${VAR:-default}`, `${env:VAR}`, `{env:VAR}`. What is not set stays as it is. */
export function withVariables(text: string, env: NodeJS.ProcessEnv): string {
  const put = (whole: string, name: string, fallback: string | undefined): string => env[name] ?? fallback ?? whole;
  return text
    .replace(/\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}/g, put)
    .replace(/(?<!\$)\{env:([A-Za-z_]\w*)\}/g, (whole, name: string) => put(whole, name, undefined));
}

function mapValues(record: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, withVariables(value, env)]));
}

function startOf({ entry, command, url }: ConfiguredServer, root: string, env: NodeJS.ProcessEnv): MeasuredServer {
  const [program, ...args] = command.map((each) => withVariables(each, env));
  const cwd = ownValue(entry, 'cwd');
  const headers = ownValue(entry, 'headers') ?? ownValue(entry, 'http_headers');
  const texts = isRecord(headers)
    ? Object.fromEntries(
        Object.entries(headers).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
      )
    : {};
  return {
    ...(program === undefined ? {} : { argv: [program.replace(/^~\//, `${homeFolder(env)}/`), ...args] as const }),
    ...(program === undefined && url !== undefined ? { url: withVariables(url, env) } : {}),
    env: mapValues(environmentOf(entry), env),
    headers: mapValues(texts, env),
    cwd: typeof cwd === 'string' ? path.resolve(root, withVariables(cwd, env)) : root,
  };
}

/** What is known of servers, by the place of their entries. */
export class MeasuredServers {
  readonly #states = new Map<string, ServerState>();
  /** Of this run, by what was started. */
  readonly #answers = new Map<string, ServerState>();
  /** Names that were asked for and gave no figure. */
  readonly failed = new Set<string>();

  /** @param named of `--measure`; `all` for every server that can be started */
  constructor(
    private readonly context: CliContext,
    private readonly root: string,
    private readonly named: readonly string[],
  ) {
    for (const name of named) if (name !== 'all') this.failed.add(name);
  }

  stateOf(server: ConfiguredServer): ServerState {
    return this.#states.get(keyOf(server)) ?? measuredState(undefined, server, HOW_TO_MEASURE);
  }

  /** Measures what was asked for, one server after the other, and reads what is known of the others. */
  async take(servers: readonly ConfiguredServer[]): Promise<void> {
    const store = new ServerMeasurements(userFolders(this.context.io.env).caches);
    for (const server of servers) {
      if (server.off || this.#states.has(keyOf(server))) continue;
      const place = { root: this.root, source: server.source, name: server.name };
      const isWanted = this.named.includes(server.name) || (this.named.includes('all') && server.command.length > 0);
      let state: ServerState;
      if (isWanted) {
        state = await this.#measure(server);
        if (state.kind === 'measured') await this.#save(store, place, state);
        this.#note(server.name, state);
      } else state = measuredState(await store.read(place), server, HOW_TO_MEASURE);
      this.#states.set(keyOf(server), state);
    }
  }

  #note(name: string, { kind }: ServerState): void {
    if (kind === 'measured') this.failed.delete(name);
    else this.failed.add(name);
  }

  async #save(
    store: ServerMeasurements,
    place: Parameters<ServerMeasurements['save']>[0],
    { measurement }: Extract<ServerState, { readonly kind: 'measured' }>,
  ): Promise<void> {
    try {
      await store.save(place, measurement);
    } catch (cause) {
      this.context.logger.warn(`The figures of "${place.name}" could not be kept for the next run.`);
      this.context.logger.debug(String(cause));
    }
  }

  async #measure(server: ConfiguredServer): Promise<ServerState> {
    const { io, product, life } = this.context;
    if (!(await isTrusted(this.context, this.root)))
      return { kind: 'unmeasured', reason: 'the folder is not trusted: pass --trust, or run "context-budget trust"' };
    const start = startOf(server, this.root, io.env);
    const key = JSON.stringify(start);
    const before = this.#answers.get(key);
    if (before) return before;
    await this.#tell(server, start);
    const answer = await loadMcpModule(product.root).measureServer(start, life.signal);
    const state: ServerState =
      answer.kind === 'ok'
        ? { kind: 'measured', measurement: { ...answer, commandHash: server.commandHash } }
        : { kind: 'unmeasured', reason: answer.reason };
    this.#answers.set(key, state);
    return state;
  }

  /** The command line as the file has it: variables may hold keys, and so may arguments. */
  async #tell({ name, source, command, url }: ConfiguredServer, { cwd }: MeasuredServer): Promise<void> {
    const what = command.length > 0 ? command.map(posixArgument).join(' ') : (url ?? '');
    const line = `${command.length > 0 ? 'Starting' : 'Asking'} MCP server "${name}" of ${source} in ${cwd}: ${what}`;
    const [shown = ''] = await maskedData(this.context, {}, [line], `mcp:${name}`);
    this.context.io.stderr.write(`${printable(shown)}\n`);
  }
}

function keyOf({ source, name }: ConfiguredServer): string {
  return `${source}\0${name}`;
}

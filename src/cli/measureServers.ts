/** `window --measure`: starts the servers that were asked for, and tells of each what is known of it. */
import { asGiven, inEnglish } from '../core/text/phrase';
import { printable } from '../core/text/textTable';
import type { ServerState } from '../core/window/loaded/buildWindow';
import type { ConfiguredServer } from '../core/window/loaded/mcpServers';
import type { MeasuredServer } from '../node/mcpModule';
import { measuredState, ServerMeasurements } from '../node/serverMeasurements';
import { userFolders } from '../node/userFolders';
import { measuredBy, shownStart, startOf } from '../node/window/serverStart';
import type { CliContext } from './context';
import { maskedData } from './masking';
import { isTrusted } from './workspace';

/** What is known of servers, by the place of their entries. */
export class MeasuredServers {
  readonly #states = new Map<string, ServerState>();
  /** Answers of this run, by what was started. */
  readonly #answers = new Map<string, ServerState>();
  /** Names of all servers of the agents shown, those that are off too. */
  readonly #configured = new Set<string>();
  /** Names that were asked for and gave no figure. */
  readonly #failed = new Set<string>();

  /** @param named of `--measure`; `all` for every server that can be started */
  constructor(
    private readonly context: CliContext,
    private readonly root: string,
    private readonly named: readonly string[],
  ) {
    for (const name of named) if (name !== 'all') this.#failed.add(name);
  }

  /** Problems of the servers that were named and gave no figure, one each. */
  get problems(): readonly string[] {
    const others = [...this.#configured].sort().join(', ') || 'none';
    return [...this.#failed].map((name) =>
      this.#configured.has(name)
        ? `The MCP server "${name}" gave no figure`
        : `No MCP server "${name}" is configured for the agents shown: they have ${others}`,
    );
  }

  stateOf(server: ConfiguredServer): ServerState {
    return this.#states.get(keyOf(server)) ?? withAdvice(measuredState(undefined, server));
  }

  /** Measures what was asked for, one server after the other, and reads what is known of the others. */
  async take(servers: readonly ConfiguredServer[]): Promise<void> {
    const store = new ServerMeasurements(userFolders(this.context.io.env).caches);
    for (const server of servers) {
      this.#configured.add(server.name);
      if (server.off || this.#states.has(keyOf(server))) continue;
      const place = { root: this.root, source: server.source, name: server.name };
      const isWanted = this.named.includes(server.name) || (this.named.includes('all') && server.command.length > 0);
      let state: ServerState;
      if (isWanted) {
        state = await this.#measure(server);
        if (state.kind === 'measured') await this.#save(store, place, state);
        this.#note(server.name, state);
      } else state = withAdvice(measuredState(await store.read(place), server));
      this.#states.set(keyOf(server), state);
    }
  }

  #note(name: string, { kind }: ServerState): void {
    if (kind === 'measured') this.#failed.delete(name);
    else this.#failed.add(name);
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
      return {
        kind: 'unmeasured',
        reason: asGiven('the folder is not trusted: pass --trust, or run "context-budget trust"'),
      };
    const start = startOf(server, this.root, io.env);
    const key = JSON.stringify(start);
    const before = this.#answers.get(key);
    if (before) return before;
    await this.#tell(server, start);
    const state = await measuredBy(product.root, server, start, life.signal);
    this.#answers.set(key, state);
    return state;
  }

  async #tell(server: ConfiguredServer, start: MeasuredServer): Promise<void> {
    const { name, source, cwd, isProgram, line } = shownStart(server, start);
    const said = `${isProgram ? 'Starting' : 'Asking'} MCP server "${name}" of ${source} in ${cwd}: ${line}`;
    const [shown = ''] = await maskedData(this.context, {}, [said], `mcp:${name}`);
    this.context.io.stderr.write(`${printable(shown)}\n`);
  }
}

/** Adds to a server without a figure how the command line gets one. */
function withAdvice(state: ServerState): ServerState {
  if (state.kind === 'measured') return state;
  return { kind: 'unmeasured', reason: asGiven(`${inEnglish(state.reason)}; window --measure starts it`) };
}

function keyOf({ source, name }: ConfiguredServer): string {
  return `${source}\0${name}`;
}

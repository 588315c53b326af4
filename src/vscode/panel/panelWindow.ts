/** What the panel says of an agent's window before the first word. No vscode in here. */
import type { AgentCoverage } from '../../core/agents/agentCoverage';
import type { AgentId } from '../../core/model/agent';
import type { WindowServer } from '../../core/pipeline/report/finding';
import type { Logger } from '../../core/ports/ports';
import type { Phrase } from '../../core/text/phrase';
import type { FailedMeasurement, ReadWindow, ShownStart } from '../../core/window/loaded/measuring';
import {
  type AgentWindow,
  categoriesOf,
  isExact,
  loadedTokens,
  type WindowEdits,
  type WindowItem,
} from '../../core/window/loaded/windowReport';
import type { PanelWindow, PanelWindowItem } from '../../protocol/panel';
import type { WindowAction } from '../../protocol/panelAction';

/** What is read, and for whom. */
export interface WindowInput {
  readonly agent: AgentId;
  /** Undefined: the agent's own. */
  readonly model: string | undefined;
  readonly withHome: boolean;
  /** Coverage of the folder's instruction files. */
  readonly coverage: AgentCoverage | undefined;
  /** Measurements of this session that failed; another list whenever one came or went. */
  readonly failed: readonly FailedMeasurement[];
  /** Exact counts of texts, parallel to them. */
  readonly count: (texts: readonly string[]) => Promise<readonly number[]>;
}

/** How a host reads what agents load; absent where there are no files of a machine. */
export interface WindowSource {
  /** The user's home folder. Absolute. */
  readonly home: string;
  /** Files and folders of the home folder that an agent of these would have read, below `~/`. */
  homePlaces(agents: readonly AgentId[]): readonly string[];
  /** Undefined for an agent of which nothing is known. Rejects when the folder cannot be read. */
  read(folderPath: string, input: WindowInput): Promise<ReadWindow | undefined>;
  /**
   * Starts or reaches a server that was shown so, and keeps what it tells of its tools. Gives why there is no figure;
   * undefined when there is one. Rejects when nothing could be tried.
   */
  measure(
    folderPath: string,
    input: Pick<WindowInput, 'agent' | 'withHome'> & { readonly shown: ShownStart },
    signal: AbortSignal,
  ): Promise<Phrase | undefined>;
  /** Servers that enough sessions of the folder had and none called, by the logs of an agent that may be read. */
  unused(folderPath: string, agent: AgentId): Promise<readonly string[]>;
}

/** What was read last: as the panel is told, and what its actions are about. */
export interface KnownWindow extends ReadWindow {
  readonly panel: PanelWindow;
  readonly withHome: boolean;
}

/** What was asked for, with what is known until the answer comes. `key` changes with everything that is read. */
interface Asked {
  readonly key: readonly unknown[];
  readonly value: KnownWindow | undefined;
  readonly isAnswered: boolean;
}

/** Whether it is about the same agent and model: another one's figures are no stand-in, older ones of the same are. */
function isOf({ key: [, agent, model] }: Asked, input: WindowInput): boolean {
  return agent === input.agent && model === input.model;
}

/** Reads the window for the panel and keeps it for each owner, so that the panel is told at once what is known. */
export class PanelWindowReader {
  readonly #known = new WeakMap<object, Asked>();
  /** Counts of the last reading: most texts are the same the next time. */
  #counts: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly source: WindowSource | undefined,
    private readonly logger: Logger,
    private readonly say: (words: Phrase) => string,
    private readonly onDidRead: () => void,
  ) {}

  /**
   * What is known for `owner` (a workspace) now; undefined before it was read. A new report or another choice is read, and
   * `onDidRead` called when that is done. Never throws: what cannot be read is logged and absent.
   * @param report what changes whenever files of the folder did; undefined: nothing new to read yet
   */
  get(
    owner: object,
    folderPath: string,
    report: object | undefined,
    input: WindowInput | undefined,
  ): KnownWindow | undefined {
    if (!this.source || !input) return undefined;
    const known = this.#known.get(owner);
    const key = [report, input.agent, input.model, input.withHome, input.coverage, input.failed];
    const isKnown = known?.key.every((each, at) => each === key[at]) === true;
    const same = known && isOf(known, input) ? known : undefined;
    const { value, isAnswered = false } = same ?? {};
    if (report && !isKnown) this.#ask(owner, { key, value, isAnswered }, this.source, folderPath, input);
    return value;
  }

  /** Whether the first answer about this agent and model is still to come. */
  isPending(owner: object, input: WindowInput): boolean {
    const known = this.#known.get(owner);
    return this.source !== undefined && !(known?.isAnswered && isOf(known, input));
  }

  #ask(owner: object, asked: Asked, source: WindowSource, folderPath: string, input: WindowInput): void {
    this.#known.set(owner, asked);
    void this.#read(source, folderPath, input).then((value) => {
      // Something newer was asked for meanwhile: its answer is to come.
      if (this.#known.get(owner) !== asked) return;
      this.#known.set(owner, { ...asked, value, isAnswered: true });
      this.onDidRead();
    });
  }

  async #read(source: WindowSource, folderPath: string, input: WindowInput): Promise<KnownWindow | undefined> {
    const [before, counts] = [this.#counts, new Map<string, number>()];
    const count = async (texts: readonly string[]): Promise<readonly number[]> => {
      const news = [...new Set(texts.filter((text) => !before.has(text) && !counts.has(text)))];
      const counted = news.length > 0 ? await input.count(news) : [];
      for (const [at, text] of news.entries()) counts.set(text, counted[at] ?? 0);
      for (const text of texts) counts.set(text, counts.get(text) ?? before.get(text) ?? 0);
      return texts.map((text) => counts.get(text) ?? 0);
    };
    try {
      const { withHome } = input;
      const read = await source.read(folderPath, { ...input, count });
      this.#counts = counts;
      return read && { ...read, withHome, panel: panelWindow(read, withHome, this.say) };
    } catch (error) {
      this.logger.error('What the agent loads could not be read for the panel', error);
      return undefined;
    }
  }
}

/** What the panel shows of one agent's window: each server's tools below it. */
export function panelWindow(
  { window, servers }: ReadWindow,
  hasHome: boolean,
  say: (words: Phrase) => string,
): PanelWindow {
  const { name, model, windowTokens, items } = window;
  return {
    name,
    model,
    windowTokens,
    tokens: loadedTokens(items),
    isExact: isExact(items),
    hasHome,
    categories: categoriesOf(items).map(({ kind, tokens, exact, items: own }) => {
      const rows = kind === 'mcp' ? serverItems(own, say) : own.map((item) => panelItem(item, say));
      return { kind, tokens, isExact: exact, items: rows, actions: kind === 'mcp' ? measurable(rows, servers) : [] };
    }),
  };
}

/** All at once: programs alone, since a server that is reached by its address is asked only by name. */
function measurable(rows: readonly PanelWindowItem[], servers: readonly ShownStart[]): readonly WindowAction[] {
  return unmeasuredPrograms(rows, servers).length > 0 ? ['measure'] : [];
}

/** Programs whose rows say that they were not measured. */
export function unmeasuredPrograms(
  rows: readonly PanelWindowItem[],
  servers: readonly ShownStart[],
): readonly ShownStart[] {
  const keys = new Set(rows.filter(({ fate }) => fate === 'unmeasured').map(({ key }) => key));
  return servers.filter((server) => server.isProgram && keys.has(serverKey(server)));
}

/** The key of a server's row. */
export function serverKey({ source, name }: Pick<ShownStart, 'source' | 'name'>): string {
  return `server ${source} ${name}`;
}

/** Measured servers with what they take of the window. @param unused names of servers that sessions had and never called */
export function windowServers({ window, panel }: KnownWindow, unused: ReadonlySet<string>): readonly WindowServer[] {
  const rows = panel.categories.find(({ kind }) => kind === 'mcp')?.items ?? [];
  return rows
    .filter(({ tokens }) => tokens > 0)
    .map(({ key, name, tokens }) => {
      const { edits } = rowEdits(window, key);
      // Logs have the names of tools, in which other characters are replaced.
      const isUnused = unused.has(name) || unused.has(name.replace(/[^A-Za-z0-9_-]/g, '_'));
      return { name, key, tokens, isUnused, actions: editActions(edits) };
    });
}

function editActions(edits: WindowEdits = {}): readonly (keyof WindowEdits)[] {
  return (['onDemand', 'disable'] as const).filter((action) => edits[action] !== undefined);
}

/** What can be done about a row in the agent's settings, and the tokens that it has in the window. */
export function rowEdits(window: AgentWindow, key: string): { readonly edits: WindowEdits; readonly tokens: number } {
  const item = rowItem(window, key);
  if (!item) return { edits: {}, tokens: 0 };
  const { server, source } = item;
  const isServer = server !== undefined && key === serverKey({ source, name: server });
  if (!isServer) return { edits: item.edits ?? {}, tokens: loadedTokens([item]) };
  const own = window.items.filter((each) => each.server === server && each.source === source);
  return { edits: item.serverEdits ?? {}, tokens: loadedTokens(own) };
}

/** What a row shows: for a server's row the first of its own. */
export function rowItem({ items }: AgentWindow, key: string): WindowItem | undefined {
  return items.find((item) => {
    const { id, source, server } = item;
    return `${id} ${source}` === key || (server !== undefined && serverKey({ source, name: server }) === key);
  });
}

function nameOf({ id, kind, source, server }: WindowItem): string {
  const name = kind === 'instructions' || kind === 'user' ? source : id.slice(id.indexOf(':') + 1);
  return server === undefined ? name : name.slice(server.length + 1) || server;
}

/** The name of a row, as it is shown. */
export function rowName(window: AgentWindow, key: string): string {
  const item = rowItem(window, key);
  if (!item) return '';
  const { server, source } = item;
  return server !== undefined && key === serverKey({ source, name: server }) ? server : nameOf(item);
}

function panelItem(item: WindowItem, say: (words: Phrase) => string): PanelWindowItem {
  const { id, kind, source, tokens, exact, fate, certain, server, why } = item;
  return {
    key: `${id} ${source}`,
    name: nameOf(item),
    path: kind === 'agent' ? undefined : source,
    tokens,
    isExact: exact,
    fate,
    why: why && say(why),
    isCertain: certain,
    actions: [...editActions(item.edits), ...(kind === 'agent' || server !== undefined ? [] : (['open'] as const))],
    items: [],
  };
}

/** Servers with their tools, in the order of their files. */
function serverItems(rows: readonly WindowItem[], say: (words: Phrase) => string): readonly PanelWindowItem[] {
  const groups = new Map<string, WindowItem[]>();
  for (const row of rows) {
    const key = `${row.source}\0${row.server}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].flatMap((own): readonly PanelWindowItem[] => {
    const [first] = own;
    if (!first) return [];
    const name = first.server ?? first.id;
    const isWhole = own.length === 1 && first.id === `mcp:${name}`;
    const tools = own.filter(({ id }) => !id.endsWith('#instructions'));
    const inWindow = tools.find(({ fate }) => fate === 'loaded') ?? tools[0] ?? first;
    const isOff = first.fate === 'disabled' || first.fate === 'shadowed';
    return [
      {
        ...panelItem(first, say),
        key: serverKey({ source: first.source, name }),
        name,
        tokens: loadedTokens(own),
        isExact: isExact(own),
        fate: inWindow.fate,
        actions: [...(isWhole && isOff ? [] : (['measure'] as const)), ...editActions(first.serverEdits), 'open'],
        items: isWhole ? [] : own.map((item) => panelItem(item, say)),
      },
    ];
  });
}

/** What the panel says of an agent's window before the first word. No vscode in here. */
import type { AgentCoverage } from '../../core/agents/agentCoverage';
import type { AgentId } from '../../core/model/agent';
import type { Logger } from '../../core/ports/ports';
import {
  type AgentWindow,
  categoriesOf,
  isExact,
  loadedTokens,
  type WindowItem,
} from '../../core/window/loaded/windowReport';
import type { PanelWindow, PanelWindowItem } from '../../protocol/panel';

/** What is read, and for whom. */
export interface WindowInput {
  readonly agent: AgentId;
  /** Undefined: the agent's own. */
  readonly model: string | undefined;
  readonly withHome: boolean;
  /** Of the folder's instruction files. */
  readonly coverage: AgentCoverage | undefined;
  /** Exact counts of texts, parallel to them. */
  readonly count: (texts: readonly string[]) => Promise<readonly number[]>;
}

/** How a host reads what agents load; absent where there are no files of a machine. */
export interface WindowSource {
  /** Files and folders of the home folder that an agent of these would have read, below `~/`. */
  homePlaces(agents: readonly AgentId[]): readonly string[];
  /** Undefined for an agent of which nothing is known. Rejects when the folder cannot be read. */
  read(folderPath: string, input: WindowInput): Promise<AgentWindow | undefined>;
}

/** What was asked for last, with what is known until the answer comes. `key` changes with everything that is read. */
interface Asked {
  readonly key: readonly unknown[];
  readonly owner: object;
  readonly value: PanelWindow | undefined;
}

/** Reads the window for the panel and keeps it, so that the panel is told at once what is known. */
export class PanelWindowReader {
  #asked: Asked | undefined;
  /** Counts of the last reading: most texts are the same the next time. */
  #counts: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly source: WindowSource | undefined,
    private readonly logger: Logger,
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
  ): PanelWindow | undefined {
    if (!this.source || !input) return undefined;
    const known = this.#asked?.owner === owner ? this.#asked : undefined;
    const key = [report, input.agent, input.model, input.withHome, input.coverage];
    const isKnown = known?.key.every((each, at) => each === key[at]) === true;
    // Another agent's figures are no stand-in; older ones of the same are.
    const value = known?.key[1] === input.agent && known.key[2] === input.model ? known.value : undefined;
    if (report && !isKnown) this.#ask({ key, owner, value }, this.source, folderPath, input);
    return value;
  }

  #ask(asked: Asked, source: WindowSource, folderPath: string, input: WindowInput): void {
    this.#asked = asked;
    void this.#read(source, folderPath, input).then((value) => {
      // Something newer was asked for meanwhile: its answer is to come.
      if (this.#asked !== asked) return;
      this.#asked = { ...asked, value };
      this.onDidRead();
    });
  }

  async #read(source: WindowSource, folderPath: string, input: WindowInput): Promise<PanelWindow | undefined> {
    const [before, counts] = [this.#counts, new Map<string, number>()];
    const count = async (texts: readonly string[]): Promise<readonly number[]> => {
      const news = [...new Set(texts.filter((text) => !before.has(text) && !counts.has(text)))];
      const counted = news.length > 0 ? await input.count(news) : [];
      for (const [at, text] of news.entries()) counts.set(text, counted[at] ?? 0);
      for (const text of texts) counts.set(text, counts.get(text) ?? before.get(text) ?? 0);
      return texts.map((text) => counts.get(text) ?? 0);
    };
    try {
      const window = await source.read(folderPath, { ...input, count });
      this.#counts = counts;
      return window && panelWindow(window, input.withHome);
    } catch (error) {
      this.logger.error('What the agent loads could not be read for the panel', error);
      return undefined;
    }
  }
}

/** What the panel shows of one agent's window: each server's tools below it. */
export function panelWindow(window: AgentWindow, hasHome: boolean): PanelWindow {
  const { name, model, windowTokens, items } = window;
  return {
    name,
    model,
    windowTokens,
    tokens: loadedTokens(items),
    isExact: isExact(items),
    hasHome,
    categories: categoriesOf(items).map(({ kind, tokens, exact, items: own }) => ({
      kind,
      tokens,
      isExact: exact,
      items: kind === 'mcp' ? serverItems(own) : own.map(panelItem),
    })),
  };
}

function panelItem({ id, kind, source, line, tokens, exact, fate, certain, server }: WindowItem): PanelWindowItem {
  const isInFolder = kind !== 'agent' && !source.startsWith('~/');
  const name = kind === 'instructions' || kind === 'user' ? source : id.slice(id.indexOf(':') + 1);
  return {
    key: `${id} ${source}`,
    name: server === undefined ? name : name.slice(server.length + 1) || server,
    path: isInFolder ? source : undefined,
    line: line ?? 1,
    tokens,
    isExact: exact,
    fate,
    isCertain: certain,
    items: [],
  };
}

/** Servers with their tools, in the order of their files. */
function serverItems(rows: readonly WindowItem[]): readonly PanelWindowItem[] {
  const groups = new Map<string, WindowItem[]>();
  for (const row of rows) {
    const key = `${row.source}\0${row.server}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].flatMap((own): readonly PanelWindowItem[] => {
    const [first] = own;
    if (!first) return [];
    const isWhole = own.length === 1 && first.id === `mcp:${first.server}`;
    const inWindow = own.find(({ fate }) => fate === 'loaded' || fate === 'cut') ?? first;
    return [
      {
        ...panelItem(first),
        key: `server ${first.source} ${first.server}`,
        name: first.server ?? first.id,
        tokens: loadedTokens(own),
        isExact: isExact(own),
        fate: inWindow.fate,
        items: isWhole ? [] : own.map(panelItem),
      },
    ];
  });
}

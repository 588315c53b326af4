import type { AgentId } from '../model/agent';
import { plural } from '../text/numbers';
import {
  type AgentWindow,
  categoriesOf,
  loadedTokens,
  type WindowItem,
  type WindowKind,
} from '../window/loaded/windowReport';

/** Something that an agent loads and that has no figure. */
export interface UnmeasuredLoad {
  /** A sentence without a period. */
  readonly message: string;
  /** Workspace-relative. */
  readonly path: string;
  /** 1-based; null where there is none to name. */
  readonly line: number | null;
}

/** What one agent loads of the folder before the first word. */
export interface AgentLoad {
  readonly agent: AgentId;
  readonly name: string;
  /** Sum of `kinds`. */
  readonly tokens: number;
  /** Kinds of which something is loaded. */
  readonly kinds: readonly { readonly kind: WindowKind; readonly tokens: number }[];
  /** The file with the most tokens, which is the one to shrink; absent where nothing is loaded. */
  readonly largestPath?: string;
  /** What `tokens` lacks. */
  readonly unmeasured: readonly UnmeasuredLoad[];
}

/** The source of most tokens. */
function largestSource(items: readonly WindowItem[]): string | undefined {
  const sources = [...new Set(items.map(({ source }) => source))];
  const sizes = sources.map((path) => ({ path, tokens: loadedTokens(items.filter(({ source }) => source === path)) }));
  return sizes.filter(({ tokens }) => tokens > 0).sort((a, b) => b.tokens - a.tokens)[0]?.path;
}

/**
 * What `agent-limit` measures, and nothing else does: the agent's window without its own prompt and tools, which no folder
 * changes.
 * @param window built without the home folder
 * @param problems of the files that it was built from: sentences with their files' paths
 */
export function measureLoad(window: AgentWindow, problems: ReadonlyMap<string, string>): AgentLoad {
  const { agent, name } = window;
  const items = window.items.filter(({ kind }) => kind !== 'agent');
  const largestPath = largestSource(items);
  const inProblems = new Set(problems.values());
  const rows = items.filter(
    ({ fate, kind, source }) => fate === 'unmeasured' && !(kind !== 'mcp' && inProblems.has(source)),
  );
  return {
    agent,
    name,
    tokens: loadedTokens(items),
    kinds: categoriesOf(items).flatMap(({ kind, tokens }) => (tokens > 0 ? [{ kind, tokens }] : [])),
    ...(largestPath === undefined ? {} : { largestPath }),
    unmeasured: [
      ...[...problems].map(([message, path]) => ({ message: `${name}: ${message}`, path, line: null })),
      ...rows.map(({ id, source, line, reason }) => ({
        message: `${id}, which ${name} loads, has no figure: ${reason}`,
        path: source,
        line,
      })),
    ],
  };
}

/** `instructions 8,653 tokens, skills 120 tokens`. */
export function kindsOf({ kinds }: AgentLoad): string {
  return kinds.map(({ kind, tokens }) => `${kind} ${plural(tokens, 'token')}`).join(', ');
}

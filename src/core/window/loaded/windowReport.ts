/** What an agent's window holds before the first word: rows, their sums, and `window.v1` (DESIGN §5.6). */

import type { AgentId } from '../../model/agent';
import type { Phrase } from '../../text/phrase';
import type { SettingEdit } from './settingEdit';

/** Where a row belongs. `agent` is the agent's own prompt and tools, `user` instruction files of the home folder. */
export const WINDOW_KINDS = ['agent', 'instructions', 'user', 'mcp', 'skills', 'subagents', 'commands'] as const;
export type WindowKind = (typeof WINDOW_KINDS)[number];

/**
 * `loaded`: whole. `listed`: a name or description is in the window, the rest is read on demand. `deferred`: nothing of
 * it is. `cut`: a part is lost. `dropped`: the agent leaves it out. `shadowed`: another of its name counts.
 * `unmeasured`: its size is not known, which wins over all others.
 */
export type WindowFate = 'loaded' | 'listed' | 'deferred' | 'cut' | 'dropped' | 'shadowed' | 'disabled' | 'unmeasured';

/** What a server's figures were taken from. */
export interface MeasuredWith {
  /** Name and version as the server tells them, such as `github 0.20.1`. */
  readonly server: string;
  readonly commandHash: string;
}

/** What can be done about a row, or a server, in the agent's settings. */
export interface WindowEdits {
  /** Has it load on demand; absent where it does, or no setting is known. */
  readonly onDemand?: SettingEdit | undefined;
  readonly disable?: SettingEdit | undefined;
}

/** One row. Tokens are those of the model that was asked for. */
export interface WindowItem {
  readonly id: string;
  readonly kind: WindowKind;
  /** Path, with `~/` below the home folder; what else it is known from for the agent's own text. */
  readonly source: string;
  /** 1-based; null where there is none to name. */
  readonly line: number | null;
  /** In the window at the start. */
  readonly tokens: number;
  /** Of the whole. */
  readonly tokensFull: number;
  readonly fate: WindowFate;
  /** False where the agent's documents do not say so for certain. */
  readonly certain: boolean;
  /** Whether the count is one of a tokenizer, not a published or an estimated figure. */
  readonly exact: boolean;
  readonly reason: string;
  /** Why a server has no figure, for interfaces: `reason` in other languages. */
  readonly why?: Phrase;
  readonly measured?: MeasuredWith | undefined;
  /** Of MCP servers alone: the server's name as the file has it. */
  readonly server?: string;
  readonly edits?: WindowEdits;
  /** Of MCP servers alone: of the whole server. */
  readonly serverEdits?: WindowEdits;
}

/** One agent's window. */
export interface AgentWindow {
  readonly agent: AgentId;
  readonly name: string;
  readonly asOf: string;
  readonly source: string;
  readonly model: string | null;
  /** Null where the window is not public. */
  readonly windowTokens: number | null;
  /** Of the model's tokenizer against o200k: 1 where that is its own. */
  readonly factor:
    | { readonly value: number; readonly low: number; readonly high: number; readonly source: string }
    | undefined;
  /** What the agent loads besides, and is not looked at here. */
  readonly notRead: readonly string[];
  readonly items: readonly WindowItem[];
}

/** A passage that an agent loads more than once. */
export interface Duplicate {
  readonly agent: AgentId;
  /** Of one copy: what is saved for each further place. */
  readonly tokens: number;
  /** Such as `AGENTS.md#L10-L31`. */
  readonly places: readonly string[];
}

export interface WindowReport {
  readonly agents: readonly AgentWindow[];
  readonly duplicates: readonly Duplicate[];
  readonly problems: readonly string[];
}

const IN_WINDOW: ReadonlySet<WindowFate> = new Set(['loaded', 'listed', 'cut']);
const ON_DEMAND: ReadonlySet<WindowFate> = new Set(['listed', 'deferred']);

/** Tokens that are in the window before the first word. */
export function loadedTokens(items: readonly WindowItem[]): number {
  return items.reduce((sum, { fate, tokens }) => sum + (IN_WINDOW.has(fate) ? tokens : 0), 0);
}

/** Tokens that come only when something asks for them. */
export function onDemandTokens(items: readonly WindowItem[]): number {
  return items.reduce((sum, { fate, tokens, tokensFull }) => sum + (ON_DEMAND.has(fate) ? tokensFull - tokens : 0), 0);
}

/** The kinds that an agent has rows of, in their order. */
export function categoriesOf(items: readonly WindowItem[]) {
  return WINDOW_KINDS.map((kind) => ({ kind, items: items.filter((item) => item.kind === kind) }))
    .filter(({ items: own }) => own.length > 0)
    .map(({ kind, items: own }) => ({
      kind,
      items: own,
      tokens: loadedTokens(own),
      exact: isExact(own),
    }));
}

/** Whether no row is an estimate or without a figure. */
export function isExact(items: readonly WindowItem[]): boolean {
  return items.every(({ exact, fate }) => exact && fate !== 'unmeasured');
}

function agentJson({ agent, asOf, model, windowTokens, factor, notRead, items }: AgentWindow) {
  return {
    agent,
    as_of: asOf,
    model,
    window_tokens: windowTokens,
    loaded_tokens: loadedTokens(items),
    on_demand_tokens: onDemandTokens(items),
    exact: isExact(items),
    ...(factor ? { factor } : {}),
    not_read: notRead,
    categories: categoriesOf(items).map(({ kind, tokens, exact, items: own }) => ({
      kind,
      tokens,
      exact,
      items: own.map((item) => ({
        id: item.id,
        source: item.source,
        line: item.line,
        tokens: item.tokens,
        tokens_full: item.tokensFull,
        fate: item.fate,
        certain: item.certain,
        reason: item.reason,
        ...(item.measured
          ? { measured: { server: item.measured.server, command_hash: item.measured.commandHash } }
          : {}),
      })),
    })),
  };
}

/** `window.v1`. */
export function windowJson({ agents, duplicates, problems }: WindowReport) {
  return { version: 'window.v1', agents: agents.map(agentJson), duplicates, problems };
}

import * as z from 'zod/mini';
import type { MapSymbol, RepoMapView } from '../model/repoMap';
import { defineTool } from './defineTool';
import { eventGroup } from './eventGroup';
import { answerBudget, profileInForce } from './fitAnswer';
import { ROW_COLUMNS, symbolRows } from './rows';
import { fitTable, type RowGroup, tableOutput } from './tablePage';
import type { ToolHost } from './tool';
import { ToolError } from './toolError';
import { argumentsOf, described, nameText, queryText } from './toolInput';

/** A map of so many tokens holds more symbols than anybody looks through. */
const SYMBOL_MAP_TOKENS = 3000;

/** Files whose names of symbols are looked at besides. */
const NAME_FILES = 30;

/** Rows of symbols that a search pages through. */
const MAX_SYMBOLS = 100;

function symbolsOf(items: RepoMapView['items']): readonly MapSymbol[] {
  return items.flatMap(({ symbols }) => symbols);
}

/** How well a name is what was asked for: 0 the same, 1 has it, 2 neither. */
function nameRank(name: string, wanted: string): number {
  const own = name.toLowerCase();
  if (own === wanted) return 0;
  return own.includes(wanted) ? 1 : 2;
}

/** Symbols with the name first, then those that the task's words point at, best file first. */
async function findSymbols({ session }: ToolHost, query: string): Promise<readonly MapSymbol[]> {
  const name = query.trim().toLowerCase();
  const isName = !/\s/.test(name);
  const { view, leftOut } = await session.map({
    query,
    budgetTokens: SYMBOL_MAP_TOKENS,
    ...(isName ? { leftOut: { limit: NAME_FILES, matching: name } } : {}),
  });
  const named = symbolsOf(leftOut?.items ?? []).filter((symbol) => nameRank(symbol.name, name) < 2);
  const byHandle = new Map([...symbolsOf(view.items), ...named].map((symbol) => [symbol.handle, symbol]));
  const found = [...byHandle.values()];
  if (isName) found.sort((a, b) => nameRank(a.name, name) - nameRank(b.name, name));
  return found.slice(0, MAX_SYMBOLS);
}

async function symbolGroup(host: ToolHost, query: string, after: string | undefined): Promise<readonly RowGroup[]> {
  const symbols = await findSymbols(host, query);
  const at = after === undefined ? -1 : symbols.findIndex(({ handle }) => handle === after);
  if (after !== undefined && at < 0) throw new ToolError('unknown', 'after: the list has no row with this handle.');
  return [{ rows: await symbolRows(host, symbols.slice(at + 1)), more: 0 }];
}

/** Finds events and symbols. */
export const CONTEXT_SEARCH = defineTool({
  name: 'context_search',
  title: 'Context search',
  description: 'Finds recorded events and code symbols by words or by name; rows with handles.',
  input: () => argumentsOf({ query: queryText(), after: described(z.optional(nameText()), 'go on after this handle') }),
  output: tableOutput,
  answer: async ({ query, after }, host, call) => {
    await host.session.whenCollected(call.signal);
    if (call.signal.aborted) return undefined;
    const { indexTokens, topK } = profileInForce(host.session);
    const isAfterSymbol = after?.startsWith('sym:') ?? false;
    const isAfterEvent = after !== undefined && !isAfterSymbol;
    const events = isAfterSymbol ? [] : await eventGroup(host, { query, after, limit: Math.max(1, topK.index) });
    const symbols = isAfterEvent ? [] : await symbolGroup(host, query, after);
    if (call.signal.aborted) return undefined;
    const groups = [...events, ...symbols];
    const isEmpty = groups.every(({ rows }) => rows.length === 0);
    const page = { head: [], columns: ROW_COLUMNS, groups, notes: isEmpty ? ['Nothing matches.'] : [] };
    return fitTable(page, answerBudget(host, call, indexTokens));
  },
});

import * as z from 'zod/mini';
import type { MapSymbol, WordMatch } from '../model/repoMap';
import { leastShareFor } from '../repomap/map/selection';
import { noFileLines } from '../repomap/ranking/wordMatch';
import type { TextBlock } from '../workspace/codeLines';
import type { SizedSymbol } from '../workspace/detailQueries';
import { answerBudget, profileInForce } from './fitAnswer';
import { emptyNotes, eventGroup, lineHandle, lineRows, symbolRow } from './rows';
import { fitTable, type RowGroup, rowsAfter } from './tablePage';
import type { ToolHost } from './tool';
import { argumentsOf, defineTool, described, nameText, queryText } from './toolInput';

/** Tokens of two maps: a small one with the symbols that fit best, a large one with more than an answer shows. */
const SYMBOL_MAP_TOKENS = [160, 3000] as const;

/** Rows of symbols that a search pages through. */
const MAX_SYMBOLS = 100;

/** Symbols whose detail is counted: more than an answer shows. */
const SIZED_SYMBOLS = 40;

/** Symbols shown of those whose name begins as asked or that words point at, and events that say the name. */
const MAX_PREFIXED = 10;
const MAX_POINTED = 5;
/** Symbols shown beside lines that say most of the text; beside a line that says all of it, none are. */
const MAX_BESIDE = 2;
const MAX_NAMED_EVENTS = 3;
/** Blocks of lines that are shown in any case, and lines after which no more of them are. */
const MIN_BLOCKS = 3;
const MAX_LINES = 6;
/** Lines after which no more blocks are shown, where all of them are of one file. */
const MAX_LINES_OF_FILE = 10;

/** What a search finds in the code. */
interface SymbolsFound {
  readonly symbols: readonly SizedSymbol[];
  /** The query is a name that symbols have, or that theirs begin with: nothing else is an answer. */
  readonly isName: boolean;
  readonly shown: number;
  readonly match: WordMatch | undefined;
  /** Files that are meant and have no symbol. */
  readonly bare?: readonly string[];
}

/** Symbols of that name alone, else those that hold it and those that the words point at, best file first. */
async function findSymbols({ workspace }: ToolHost, query: string): Promise<SymbolsFound> {
  const name = query.trim();
  const named = /\s/.test(name) ? undefined : await workspace.findNames(name, SIZED_SYMBOLS);
  const isName = named !== undefined && named.symbols.length > 0 && named.how !== 'inside';
  if (isName) {
    const shown = named.how === 'prefix' ? MAX_PREFIXED : MAX_SYMBOLS;
    return { symbols: named.symbols, isName, shown, match: { isMatch: true, known: [name], unknown: [], nearest: {} } };
  }
  const [best, all] = await Promise.all(
    SYMBOL_MAP_TOKENS.map((budgetTokens) =>
      workspace.map({ query, budgetTokens, leastShare: leastShareFor(undefined) }),
    ),
  );
  const seen = new Set(named?.symbols.map(({ handle }) => handle));
  const others = [best, all]
    .flatMap((map) => map?.view.items.flatMap(({ symbols }) => innermost(symbols)) ?? [])
    .filter(({ handle }) => !seen.has(handle) && seen.add(handle));
  const found = others.slice(0, Math.max(0, MAX_SYMBOLS - (named?.symbols.length ?? 0)));
  const bare = all?.view.items.filter(({ symbols }) => symbols.length === 0).map(({ path }) => path) ?? [];
  const tokens = await workspace.symbolTokens(found.slice(0, SIZED_SYMBOLS));
  const sized = found.map((symbol, at) => ({ ...symbol, tokens: tokens[at] }));
  return { symbols: [...(named?.symbols ?? []), ...sized], isName, shown: MAX_POINTED, match: all?.match, bare };
}

/** Symbols without those that are there for what stands inside of them. */
function innermost(symbols: readonly MapSymbol[]): readonly MapSymbol[] {
  return symbols.filter(
    (around) =>
      !symbols.some((each) => each !== around && around.lineStart <= each.lineStart && each.lineEnd <= around.lineEnd),
  );
}

/** Lines that say the text, without the first lines of the symbols that have it for a name. */
function lineGroup(
  blocks: readonly TextBlock[],
  found: SymbolsFound | undefined,
  after: string | undefined,
): RowGroup & { readonly told: ReadonlySet<string> } {
  const named = new Set(found?.isName ? found.symbols.map(({ path, lineStart }) => `${path}:${lineStart}`) : []);
  const others = blocks.filter(({ path, line }) => !named.has(`${path}:${line}`));
  const handled = others.map((block) => ({ ...block, handle: lineHandle(block) }));
  const rest = rowsAfter(handled, after, 'the list has no row with this handle');
  const before = rest.map((_, at) => rest.slice(0, at).reduce((sum, { lines }) => sum + lines.length, 0));
  const most = new Set(rest.map(({ path }) => path)).size === 1 ? MAX_LINES_OF_FILE : MAX_LINES;
  const shown = rest.filter((_, at) => at < MIN_BLOCKS || (before[at] as number) < most);
  const told = shown.flatMap(({ path, lines }) => lines.map(({ line }) => `${path}:${line}`));
  return { rows: lineRows(shown), more: rest.length - shown.length, told: new Set(told) };
}

/** Symbols without those whose first line is told already. */
function symbolGroup(
  { symbols, shown }: SymbolsFound,
  after: string | undefined,
  told: ReadonlySet<string> = new Set(),
): RowGroup {
  const all = rowsAfter(symbols, after, 'the list has no row with this handle');
  const rows = all.filter(({ path, lineStart }) => !told.has(`${path}:${lineStart}`));
  return { rows: rows.slice(0, shown).map(symbolRow), more: Math.max(0, rows.length - shown) };
}

/** Events that say a name as it is written, in any case: its parts alone are about something else. */
function sayingName(groups: readonly RowGroup[], name: string): readonly RowGroup[] {
  const wanted = name.trim().toLowerCase();
  return groups.map(({ rows }) => {
    const saying = rows.filter(({ text }) => text.toLowerCase().includes(wanted));
    return { rows: saying.slice(0, MAX_NAMED_EVENTS), more: 0 };
  });
}

/** The handle of a line of code: `src/a.ts:12`. */
const LINE_HANDLE = /^(?!sym:).*:\d+$/u;

/** Finds events, symbols and lines of code. */
export const CONTEXT_SEARCH = defineTool({
  name: 'context_search',
  description: 'Recorded events, symbols and lines of code, by words or name.',
  input: () => argumentsOf({ query: queryText(), after: described(z.optional(nameText()), 'go on after this handle') }),
  answer: async ({ query, after }, host, call) => {
    await host.workspace.whenCollected(call.signal);
    if (call.signal.aborted) return undefined;
    const { indexTokens, topK } = profileInForce(host.workspace);
    const isAfterSymbol = after?.startsWith('sym:') ?? false;
    const isAfterLine = after !== undefined && LINE_HANDLE.test(after);
    const isAfterEvent = after !== undefined && !isAfterSymbol && !isAfterLine;
    const found = isAfterEvent || isAfterLine ? undefined : await findSymbols(host, query);
    const lines = isAfterEvent || isAfterSymbol ? [] : await host.workspace.findLines(query);
    const events =
      isAfterSymbol || isAfterLine ? [] : await eventGroup(host, { query, after, limit: Math.max(1, topK.index) });
    if (call.signal.aborted) return undefined;
    const said = lineGroup(lines, found, isAfterLine ? after : undefined);
    const isSaid = !isAfterSymbol && lines.some(({ isWhole }) => isWhole);
    const groups = [
      ...(found?.isName ? sayingName(events, query) : events),
      ...(found?.isName ? [symbolGroup(found, after)] : []),
      ...(lines.length > 0 ? [said] : []),
      ...(found && !found.isName && !isSaid
        ? [symbolGroup(lines.length > 0 ? { ...found, shown: MAX_BESIDE } : found, after, said.told)]
        : []),
    ];
    const isEmpty = groups.every(({ rows }) => rows.length === 0);
    const page = { head: [], groups, notes: isEmpty ? emptyNotes(found?.match, noFileLines, found?.bare) : [] };
    return fitTable(page, answerBudget(host, call, indexTokens));
  },
});

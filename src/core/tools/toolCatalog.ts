import * as z from 'zod/mini';
import { isObservationHandle } from '../model/observation';
import type { Problem } from '../model/problem';
import type { MapSymbol, WordMatch } from '../model/repoMap';
import type { PayloadReport, ReportSection } from '../model/report';
import { WORST_FIRST } from '../model/section';
import type { ObservationPage } from '../observations/browse';
import { leastShareFor } from '../repomap/map/selection';
import { noFileLines, noMatchLines } from '../repomap/ranking/wordMatch';
import { formatCount, plural } from '../text/numbers';
import { toOneLine } from '../text/sentence';
import type { SizedSymbol } from '../workspace/detailQueries';
import type { TextBlock } from '../workspace/textLines';
import type { WorkspaceSnapshot } from '../workspace/workspace';
import { CONTEXT_DETAIL } from './contextDetail';
import { CONTEXT_TIMELINE } from './contextTimeline';
import { answerBudget, profileInForce } from './fitAnswer';
import { REPO_MAP } from './repoMap';
import { lineHandle, lineRows, observationRow, sectionRow, symbolRow, withoutPlaces } from './rows';
import { fitTable, type RowGroup, rowsAfter, type TableRow } from './tablePage';
import { type ContextTool, ToolError, type ToolHost } from './tool';
import { argumentsOf, defineTool, described, nameText, queryText } from './toolInput';

/** What the list of tools costs an agent that is given all of it, in o200k_base tokens of its JSON; a test counts it. */
export const TOOL_LIST_TOKENS = 599;

/** Which observations, in which order. */
interface EventsWanted {
  /** Best match first with it, newest first without. */
  readonly query?: string | undefined;
  readonly task?: string | undefined;
  /** Id of the observation that the first row follows. */
  readonly after?: string | undefined;
  /** Rows at most. */
  readonly limit: number;
}

/**
 * Rows of observations; no group where the host keeps none.
 * @throws ToolError `unknown` when the list does not have the observation to go on after
 */
async function eventGroup(
  host: ToolHost,
  { query, task, after, limit }: EventsWanted,
): Promise<readonly (RowGroup & Pick<ObservationPage, 'match'>)[]> {
  const service = host.workspace.observations;
  if (!service) return [];
  const within = task === undefined ? undefined : ({ by: 'task', key: task } as const);
  const follows = after === undefined ? undefined : Number(after.trim());
  const { rows, total, start, match } = await service.list({ query, within, limit, after: follows });
  if (start < 0) throw new ToolError('unknown', 'after: the list has no row with this handle.');
  const more = Math.max(0, total - start - rows.length);
  return [{ rows: rows.map(observationRow), more, ...(match ? { match } : {}) }];
}

/** A map of so few tokens holds the symbols that fit best, one of so many more than anybody looks through. */
const SYMBOL_MAP_TOKENS = [160, 3000] as const;

/** Rows of symbols that a search pages through. */
const MAX_SYMBOLS = 100;

/** Symbols whose detail is counted: more than an answer shows. */
const SIZED_SYMBOLS = 40;

/** Symbols shown of those whose name begins as asked or that words point at, and events that say the name. */
const MAX_PREFIXED = 10;
const MAX_POINTED = 5;
/** The same beside lines that say most of the text; beside one that says all of it there is none. */
const MAX_BESIDE = 2;
const MAX_NAMED_EVENTS = 3;
/** Blocks of lines that are shown in any case, and lines after which no more of them are. */
const MIN_BLOCKS = 3;
const MAX_LINES = 6;
/** The same where all of them are of one file. */
const MAX_LINES_OF_FILE = 10;

/** What a search finds in the code. */
interface SymbolsFound {
  readonly symbols: readonly SizedSymbol[];
  /** The query is a name that symbols have, or that theirs begin with: nothing else is an answer. */
  readonly isName: boolean;
  readonly shown: number;
  readonly match: WordMatch | undefined;
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
  const tokens = await workspace.symbolTokens(found.slice(0, SIZED_SYMBOLS));
  const sized = found.map((symbol, at) => ({ ...symbol, tokens: tokens[at] }));
  return { symbols: [...(named?.symbols ?? []), ...sized], isName, shown: MAX_POINTED, match: all?.match };
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

/** What an answer without rows says. */
function emptyNotes(match: WordMatch | undefined, linesOf = noMatchLines): readonly string[] {
  return match ? linesOf(match).map((line) => line.trimEnd()) : ['Nothing matches.'];
}

/** The handle of a line of code: `src/a.ts:12`. */
const LINE_HANDLE = /^(?!sym:).*:\d+$/u;

/** Finds events, symbols and lines of code. */
const CONTEXT_SEARCH = defineTool({
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
    const page = { head: [], groups, notes: isEmpty ? emptyNotes(found?.match, noFileLines) : [] };
    return fitTable(page, answerBudget(host, call, indexTokens));
  },
});

/** Problems that are told; the panel tells all. */
const MAX_PROBLEMS = 3;

function totals({ budget }: PayloadReport): string {
  const { tokens, budgetTokens, chars, hardCapChars, status } = budget;
  const used = `${formatCount(tokens)} of ${formatCount(budgetTokens)} tokens`;
  return `${status}: ${used}, ${formatCount(chars)} of ${formatCount(hardCapChars)} characters\n`;
}

function rowsOf({ sections }: PayloadReport): readonly TableRow[] {
  return sections.map(({ handle, status, tokens, tokensFull, disclosure, reason }) => {
    const shown = toOneLine(`${disclosure}: ${reason}`).replaceAll('|', '¦');
    return { handle, text: `${status} | ${handle} | ${tokens} of ${tokensFull} tok | ${shown}\n` };
  });
}

function problemNotes(problems: readonly Problem[]): readonly string[] {
  const told = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ severity, message }) => `${severity}: ${withoutPlaces(toOneLine(message))}`);
  const more = problems.length - told.length;
  return [...told, ...(more > 0 ? [plural(more, 'more problem')] : [])];
}

/** What the context costs, section by section. */
const CONTEXT_BUDGET = defineTool({
  name: 'context_budget',
  description: 'What each section of the context costs in tokens, against the caps.',
  input: () => argumentsOf({ after: described(z.optional(nameText()), 'go on after this handle') }),
  answer: async ({ after }, host, call) => {
    const { report } = await host.workspace.whenReady(call.signal);
    if (call.signal.aborted) return undefined;
    if (!report) throw new ToolError('failed', 'The folder could not be read.');
    const rows = rowsAfter(rowsOf(report.payloads.expanded), after?.trim(), 'no section has this handle');
    const page = {
      head: [totals(report.payloads.expanded)],
      groups: [{ rows, more: 0 }],
      notes: problemNotes(await host.problems()),
    };
    const { indexTokens } = profileInForce(host.workspace);
    return fitTable(page, answerBudget(host, call, indexTokens));
  },
});

/** Sections with something to show, alarms first, else in the order of the payload. */
function byAlarm(sections: readonly ReportSection[]): readonly ReportSection[] {
  const shown = sections.filter(({ isExcluded }) => !isExcluded);
  return WORST_FIRST.flatMap((status) => shown.filter((section) => section.status === status));
}

/** The group of sections after the one with that handle. @throws ToolError `unknown` when there is none */
function sectionGroup(snapshot: WorkspaceSnapshot, after: string | undefined): RowGroup {
  const sections = byAlarm(snapshot.report?.payloads.index.sections ?? []);
  return { rows: rowsAfter(sections, after, 'no row has this handle').map(sectionRow), more: 0 };
}

/** What there is: a row a section and a row an observation, from which an agent asks for details. */
const CONTEXT_INDEX = defineTool({
  name: 'context_index',
  description:
    'What is known here, a row each: sections (alarms first), then recorded events, newest first; handles for detail.',
  input: () =>
    argumentsOf({
      query: described(z.optional(queryText()), 'only events with these words'),
      task: described(z.optional(nameText()), 'only events of this task id'),
      after: described(z.optional(nameText()), 'go on after this handle'),
    }),
  answer: async ({ query, task, after }, host, call) => {
    const snapshot = await host.workspace.whenCollected(call.signal);
    if (call.signal.aborted) return undefined;
    const isAfterEvent = after !== undefined && isObservationHandle(after);
    const hasSections = query === undefined && task === undefined && !isAfterEvent;
    const sections = hasSections ? [sectionGroup(snapshot, after)] : [];
    const { indexTokens, topK } = profileInForce(host.workspace);
    const events = await eventGroup(host, { query, task, after: isAfterEvent ? after : undefined, limit: topK.index });
    const isEmpty = [...sections, ...events].every(({ rows }) => rows.length === 0);
    // Words that other tasks have are no reason.
    const match = events.find((group) => group.match?.isMatch === false)?.match;
    const page = {
      head: [],
      groups: [...sections, ...events],
      notes: isEmpty ? emptyNotes(match) : [],
      isInOrder: true,
    };
    return fitTable(page, answerBudget(host, call, indexTokens));
  },
});

/** All tools, in the order in which agents use them. */
export const CONTEXT_TOOLS: readonly ContextTool[] = [
  CONTEXT_INDEX,
  CONTEXT_TIMELINE,
  CONTEXT_DETAIL,
  REPO_MAP,
  CONTEXT_SEARCH,
  CONTEXT_BUDGET,
];

/** The tool of that name. */
export function findTool(name: string): ContextTool | undefined {
  return CONTEXT_TOOLS.find((tool) => tool.name === name);
}

/**
 * What Claude Code should have from the start where it loads tools on demand: it then looks at the code by map before it
 * greps. Other clients ignore the key; its own list of tools does not hold `_meta` (recorded 2026-11, version 2.1).
 */
const FIRST_TOOLS: readonly ContextTool[] = [REPO_MAP, CONTEXT_DETAIL];

/** What a list of tools says of each, in the words of the Model Context Protocol. */
export function listTools() {
  return CONTEXT_TOOLS.map((tool) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema(),
    annotations: tool.annotations,
    ...(FIRST_TOOLS.includes(tool) ? { _meta: { 'anthropic/alwaysLoad': true } } : {}),
  }));
}

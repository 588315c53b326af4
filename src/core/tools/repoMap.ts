import * as z from 'zod/mini';
import type { MapResult } from '../engine/map';
import { ChangesError } from '../pipeline/collect/gitChanges';
import { PACKAGE_MARK } from '../repomap/map/mapLines';
import { leastShareFor } from '../repomap/map/selection';
import { nearestLine } from '../repomap/ranking/wordMatch';
import { formatCount, plural } from '../text/numbers';
import { inEnglish } from '../text/phrase';
import { isSafePath, normalizePath } from '../text/safePath';
import type { MapOptions } from '../workspace/workspace';
import { type AnswerBudget, answerBudget, answerTokens, largestAnswer, profileInForce, shareOf } from './fitAnswer';
import type { ToolCall, ToolHost } from './tool';
import { ToolError } from './tool';
import { argumentsOf, baseText, defineTool, described, listOf, nameText, queryText, wholeNumber } from './toolInput';

/** Clients warn above this (Claude Code: 10,000 tokens a tool result). */
const MAX_MAP_TOKENS = 10_000;

const MAX_FOCUS = 50;

/** Files named that come next. */
const NEXT_FILES = 5;

/** Tokens of a map for a task that names no budget: names alone, nearly always with the one that is looked for. */
const TASK_MAP_TOKENS = 256;

/** Times that a smaller map is asked for before lines are left out. */
const MAX_TRIES = 4;

/** Share of the budget that the map's own lines get at first: what is left is for the last line. */
const FIRST_SHARE = 0.95;

/** Lines of one file: its path, and its symbols below it. */
interface MapBlock {
  readonly path: string;
  /** As in the text, the path's line first. */
  readonly lines: readonly string[];
  /** The line of its package, where it is the first of one. */
  readonly above?: string | undefined;
}

/** A map cut into files. */
interface MapParts {
  readonly blocks: readonly MapBlock[];
  readonly view: MapResult['view'];
  readonly match: MapResult['match'];
  /** Lines above the files. */
  readonly said: string;
  readonly next: readonly string[];
}

function partsOf({ text, view, match, leftOut, since }: MapResult): MapParts {
  const blocks: { path: string; lines: string[]; above?: string | undefined }[] = [];
  let above: string | undefined;
  // Nothing matches: the text says so, and names no file.
  if (match && view.filesShown === 0) return { blocks, view, match, said: text, next: [] };
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const last = blocks.at(-1);
    if (last && line.startsWith(' ')) last.lines.push(line);
    else if (line.startsWith(PACKAGE_MARK)) above = line;
    else {
      blocks.push({ path: view.items[blocks.length]?.path ?? line, lines: [line], above });
      above = undefined;
    }
  }
  const said = since
    ? `changed since ${since.base} (${since.commit.slice(0, 8)}): ${plural(since.files, 'file')}\n` +
      (since.note ? `${inEnglish(since.note)}\n` : '')
    : '';
  return { blocks, view, match, said, next: leftOut?.items.map(({ path }) => `file:${path}`) ?? [] };
}

/** The first `count` lines, whole files but for the last. */
function firstLines(blocks: readonly MapBlock[], count: number): readonly MapBlock[] {
  const kept: MapBlock[] = [];
  let left = count;
  for (const block of blocks) {
    // A path alone says nothing of its file.
    if (left < 2) break;
    kept.push({ ...block, lines: block.lines.slice(0, left) });
    left -= block.lines.length;
  }
  return kept;
}

function linesOf(blocks: readonly MapBlock[]): readonly string[] {
  return blocks.flatMap(({ lines, above }) => (above === undefined ? lines : [above, ...lines]));
}

function render({ blocks, view, match, said, next }: MapParts): string {
  const shown = `${formatCount(blocks.length)} of ${plural(view.filesTotal, 'file')}`;
  const near = match && said === '' ? nearestLine(match.nearest) : '';
  const goOn = next.length > 0 ? `; next ${next.join(', ')}` : '';
  const lines = linesOf(blocks)
    .map((line) => `${line}\n`)
    .join('');
  return `${said}${lines}${near}… ${shown}${goOn}\n`;
}

/** A map that fits: asked for again with less where another tokenizer counts more, then cut by lines. */
async function fitMap(mapAt: (budgetTokens: number) => Promise<MapResult>, budget: AnswerBudget): Promise<string> {
  let ask = Math.max(1, Math.floor(budget.tokens * FIRST_SHARE));
  for (let tries = 1; ; tries++) {
    const parts = partsOf(await mapAt(ask));
    const answer = render(parts);
    const cost = await answerTokens(answer, budget);
    if (cost <= budget.tokens) return answer;
    ask = Math.floor(ask * shareOf(answer, cost, budget) * 0.96);
    if (tries < MAX_TRIES && ask > 0) continue;
    const lines = parts.blocks.reduce((sum, block) => sum + block.lines.length, 0);
    const cut = (count: number): string => render({ ...parts, next: [], blocks: firstLines(parts.blocks, count) });
    return largestAnswer([0, lines], cut, budget);
  }
}

/** Files in focus; each path must be a file of the folder, or a folder of it, which stands for its files. @throws ToolError `unknown` */
async function focusOf({ workspace }: ToolHost, focus: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [at, path] of focus.entries()) {
    const plain = isSafePath(path) ? normalizePath(path) : undefined;
    const below = plain === undefined ? [] : await workspace.filesBelow(plain);
    const isText = async () => (await workspace.resolve([`file:${plain}`])).items.length > 0;
    const isFile = plain !== undefined && below.length === 0 && (await isText());
    if (plain === undefined || (below.length === 0 && !isFile)) {
      const hint = "Name it as maps do, from the folder's root.";
      throw new ToolError('unknown', `focus[${at}] is not a folder or a text file here, or is too large. ${hint}`);
    }
    found.push(...(isFile ? [plain] : below));
  }
  return [...new Set(found)];
}

interface MapInput {
  readonly query?: string | undefined;
  readonly focus?: readonly string[] | undefined;
  readonly changed?: string | undefined;
  readonly budget?: number | undefined;
}

/** @throws ToolError `unavailable` where it cannot be said what changed */
async function mapOfChanges({ workspace }: ToolHost, options: MapOptions): Promise<MapResult> {
  try {
    return await workspace.map(options);
  } catch (error) {
    if (!ChangesError.is(error)) throw error;
    // The message says all: as a cause it would be logged a second time.
    throw new ToolError('unavailable', error.message);
  }
}

async function answerMap(
  { query, focus, changed, budget: asked }: MapInput,
  host: ToolHost,
  call: ToolCall,
): Promise<string | undefined> {
  const { workspace } = host;
  if (changed !== undefined && (query ?? focus) !== undefined)
    throw new ToolError('input', 'Give changed alone: it lists what changed, whatever the task.');
  // Only what is being worked on is known by collecting it.
  await (query === undefined && focus === undefined
    ? workspace.whenCollected(call.signal)
    : workspace.whenListed(call.signal));
  const focusPaths = focus === undefined ? undefined : await focusOf(host, focus);
  if (call.signal.aborted) return undefined;
  const { mapTokens } = profileInForce(host.workspace);
  const budget = {
    ...answerBudget(host, call, Number.POSITIVE_INFINITY),
    tokens: Math.min(
      asked ?? (query === undefined ? mapTokens : Math.min(mapTokens, TASK_MAP_TOKENS)),
      MAX_MAP_TOKENS,
      call.budgetTokens ?? Number.POSITIVE_INFINITY,
    ),
    isOfCall: true,
  };
  const options = {
    leastShare: leastShareFor(asked),
    ...(query === undefined ? {} : { query }),
    ...(focusPaths === undefined ? {} : { focusPaths }),
    ...(budget.tokens < 300 ? {} : { leftOut: { limit: NEXT_FILES } }),
  };
  if (changed !== undefined) {
    const changedSince = { base: changed.trim() || undefined };
    return fitMap((budgetTokens) => mapOfChanges(host, { changedSince, budgetTokens }), budget);
  }
  return fitMap((budgetTokens) => host.workspace.map({ ...options, budgetTokens }), budget);
}

/** Where in the code a task belongs. */
export const REPO_MAP = defineTool({
  name: 'repo_map',
  description:
    'Ranked files and names for a task, those in focus first: look before you grep. Rows begin with the line; ' +
    'context_detail takes PATH:LINE or names.',
  input: () =>
    argumentsOf({
      query: described(z.optional(queryText()), 'issue, stack trace'),
      changed: described(z.optional(baseText()), 'diff base; "": main'),
      focus: z.optional(listOf(nameText(), 1, MAX_FOCUS)),
      budget: described(z.optional(wholeNumber(1, MAX_MAP_TOKENS)), 'tokens'),
    }),
  answer: answerMap,
});

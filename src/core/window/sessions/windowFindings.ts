/** Findings that the windows of a session's requests show by themselves. */
import { formatCount, listNames, plural } from '../../text/numbers';
import { inEnglish, phrase } from '../../text/phrase';
import { MIN_SHRUNK_TOKENS, partsOf, type WindowParts, windowOf } from './parts';
import type { Finding, KeyedFinding, TimelineRequest } from './sessionData';

/** SESSIONS.md of the design, section 8: of the largest window. */
const FULL_SHARE = 0.6;
/** Of all that a session read and wrote. */
const SUBAGENT_SHARE = 0.2;
const SHOWN_SUBAGENTS = 5;

type Counted = TimelineRequest & { readonly usage: NonNullable<TimelineRequest['usage']> };

function isCounted(request: TimelineRequest): request is Counted {
  return request.usage !== undefined && windowOf(request.usage) > 0;
}

/**
 * @param main requests of the main window in order, with those that a fork copied
 * @param isCut the log begins in the middle of the session
 */
export function windowFindings(
  main: readonly TimelineRequest[],
  windowTokens: number | undefined,
  isCut: boolean,
): KeyedFinding[] {
  const counted = main.filter(isCounted);
  const full = windowTokens === undefined || isCut ? undefined : fullBeforeWork(counted, windowTokens);
  return [...(full ? [full] : []), ...shrunk(counted)];
}

/** What helps against the largest part of a window in which nothing was done yet. */
function largestOf({ residual, instructions, user, ...parts }: WindowParts) {
  const mcp = Object.values(parts.mcp).reduce((sum, tokens) => sum + tokens, 0);
  const rows = [
    { name: phrase("agent's prompt and tools"), tokens: residual, fix: 'fewer-tools' },
    { name: phrase('instructions'), tokens: instructions, fix: 'on-demand' },
    { name: phrase('user'), tokens: user, fix: 'none' },
    { name: phrase('files read'), tokens: parts.read, fix: 'map' },
    { name: phrase('MCP servers'), tokens: mcp, fix: 'fewer-tools' },
    { name: phrase('summary'), tokens: parts.summary, fix: 'none' },
  ] as const;
  return rows.reduce((best, each) => (each.tokens > best.tokens ? each : best));
}

function fullBeforeWork(counted: readonly Counted[], windowTokens: number): KeyedFinding | undefined {
  const [first] = counted;
  const worked = counted.find(({ calls }) => calls > 0);
  if (!first || !worked || worked.cuts > 0) return undefined;
  const window = windowOf(worked.usage);
  const limit = Math.round(FULL_SHARE * windowTokens);
  // A new window finds no more than the agent's prompt in the cache: this log begins in the middle of a session.
  const isBeginning = first.usage.cacheRead <= windowOf(first.usage) / 2;
  if (window <= limit || !isBeginning) return undefined;
  const { name, tokens, fix } = largestOf(partsOf(worked, worked.usage));
  const most = `${inEnglish(name)} ${formatCount(tokens)}`;
  const carried = counted.filter(({ cuts }) => cuts === 0).length;
  const said = `${formatCount(window)} of ${formatCount(windowTokens)} tokens before the first tool call; most: ${most}`;
  const finding: Finding = {
    rule: 'full-before-work',
    turns: [worked.turn],
    tokens: (window - limit) * carried,
    what: said,
    about: { from: window, to: windowTokens, largest: [{ name, tokens }] },
    fix,
  };
  return { key: worked.key, finding };
}

/** Windows that are smaller than the one before although the log has no mark of it. */
function shrunk(counted: readonly Counted[]): readonly KeyedFinding[] {
  return counted.flatMap((request, at) => {
    const before = counted[at - 1];
    // Another model counts otherwise.
    if (!before || before.cuts !== request.cuts || before.model !== request.model) return [];
    const [from, to] = [windowOf(before.usage), windowOf(request.usage)];
    // Providers drop what was thought in earlier turns; how much that is, is an estimate.
    const thinking = before.turn === request.turn ? 0 : partsOf(before, before.usage).thinking;
    if (from - to <= MIN_SHRUNK_TOKENS + 1.5 * thinking) return [];
    const what = `content left without a mark: ${formatCount(from)} tokens, then ${formatCount(to)}`;
    const turns = [...new Set([before.turn, request.turn])];
    const about = { from, to };
    return [
      { key: request.key, finding: { rule: 'window-shrank', turns, tokens: 0, what, about, fix: 'none' } as const },
    ];
  });
}

function spentBy(requests: readonly TimelineRequest[]): number {
  return requests.reduce((sum, { usage }) => sum + (usage ? windowOf(usage) + (usage.output ?? 0) : 0), 0);
}

/** What subagents read and wrote, when that is much of a session: the agent shows the last request of each alone. */
export function subagentCost(requests: readonly TimelineRequest[]): readonly Finding[] {
  const own = requests.filter(({ subagent }) => subagent !== undefined);
  const tokens = spentBy(own);
  const all = spentBy(requests);
  if (tokens <= SUBAGENT_SHARE * all) return [];
  const names = [...new Set(own.map(({ subagent }) => subagent ?? ''))];
  const sums = names
    .map((name) => ({ name, tokens: spentBy(own.filter(({ subagent }) => subagent === name)) }))
    .sort((a, b) => b.tokens - a.tokens);
  const largest = sums.slice(0, SHOWN_SUBAGENTS);
  const shown = sums.map((each) => `${each.name} ${formatCount(each.tokens)}`);
  const share = Math.round((100 * tokens) / all);
  const what = `${plural(names.length, 'subagent')} used ${share}% of the session's tokens: ${listNames(shown, SHOWN_SUBAGENTS)}`;
  const turns = [...new Set(own.map(({ turn }) => turn))].sort((a, b) => a - b);
  return [{ rule: 'subagent-cost', turns, tokens, what, about: { times: names.length, share, largest }, fix: 'none' }];
}

/**
 * Sessions of one folder, made of the timelines of its logs: each request counts once, for the session that made it, and
 * subagents stand in their parent's session.
 */
import { modelFacts } from '../../agents/modelTable';
import type { SessionAgent, SessionHead } from '../../transcripts/sessions/sessionLog';
import { cacheBreaks } from './cacheBreaks';
import { partsOf, type WindowParts, windowOf } from './parts';
import type { Finding, TimelineRequest } from './sessionData';
import type { Timeline } from './timeline';
import { subagentCost, windowFindings } from './windowFindings';

/** What one log holds. */
export interface SessionFile {
  readonly agent: SessionAgent;
  /** Names the session where the log does not. */
  readonly name: string;
  readonly head: SessionHead;
  /** See `sessionTitle.ts`. Held in memory only. */
  readonly title?: string | undefined;
  readonly timeline: Timeline;
}

export interface SessionRequest extends TimelineRequest {
  readonly parts: WindowParts;
}

/** One session with its subagents. */
export interface AgentSession {
  /** `claude-code:3f2a9c…`: the agent and its own id of the session. */
  readonly id: string;
  readonly agent: SessionAgent;
  /** The beginning of its first message; undefined when unknown. May hold secrets: to be masked before it is shown. */
  readonly title: string | undefined;
  /** Of most requests; undefined when there is none. */
  readonly model: string | undefined;
  /** Milliseconds since the epoch. */
  readonly started: number | undefined;
  readonly ended: number | undefined;
  readonly turns: number;
  /** Main ones first, then those of each subagent. Without those that a fork copied. */
  readonly requests: readonly SessionRequest[];
  /** The largest window of the main chain, and the largest that its model takes; undefined when unknown. */
  readonly peakTokens: number;
  readonly windowTokens: number | undefined;
  readonly compactions: number;
  /** The log begins in the middle of the session. */
  readonly isCut: boolean;
  /** Whose figures these are: `counted` are ours, since the log has none. */
  readonly usage: 'provider' | 'counted';
  /** Most tokens first. */
  readonly findings: readonly Finding[];
}

/** A server that was not called in fewer sessions than this may be needed in the next one. */
const MIN_SESSIONS_UNUSED = 3;

function idOf({ head, name }: SessionFile): string {
  return head.id ?? name;
}

/** Newest first. */
export function assembleSessions(files: readonly SessionFile[]): readonly AgentSession[] {
  const owners = ownersOf(files);
  const isSubagent = ({ head }: SessionFile): boolean => head.parent?.as === 'subagent';
  const unused = unusedServers(files.filter((file) => !isSubagent(file)));
  const groups = new Map<string, SessionFile[]>();
  for (const file of files) {
    const id = `${file.agent}:${isSubagent(file) ? file.head.parent?.id : idOf(file)}`;
    const group = groups.get(id) ?? [];
    if (isSubagent(file)) group.push(file);
    else group.unshift(file);
    groups.set(id, group);
  }
  return [...groups]
    .map(([id, group]) => assemble(id, group, owners, unused))
    .filter(({ requests, turns }) => requests.length > 0 || turns > 0)
    .sort((a, b) => (b.started ?? 0) - (a.started ?? 0) || (a.id < b.id ? -1 : 1));
}

/**
 * The file that each request belongs to. A fork begins with its parent's requests and goes on with its own, so of the files
 * that have a request the one without any of its own is the first, else the one that went on earlier.
 */
function ownersOf(files: readonly SessionFile[]): ReadonlyMap<string, SessionFile> {
  const holders = new Map<string, SessionFile[]>();
  for (const file of files) {
    for (const { key } of file.timeline.requests) {
      const known = holders.get(key);
      if (!known) holders.set(key, [file]);
      else if (known.at(-1) !== file) known.push(file);
    }
  }
  const wentOn = new Map(
    files.map((file) => {
      const own = file.timeline.requests.find(({ key }) => holders.get(key)?.length === 1);
      const forked = file.head.parent?.as === 'fork' ? Number.MAX_VALUE : 0;
      return [file, forked || (own ? (own.time ?? Number.MAX_VALUE / 2) : 0)];
    }),
  );
  const rank = (file: SessionFile): number => wentOn.get(file) ?? 0;
  const owners = [...holders].map(([key, found]): [string, SessionFile] => {
    const [first, ...others] = found as [SessionFile, ...SessionFile[]];
    return [key, others.reduce((best, each) => (isBefore(each, best, rank) ? each : best), first)];
  });
  return new Map(owners);
}

function isBefore(file: SessionFile, other: SessionFile, rank: (file: SessionFile) => number): boolean {
  const difference = rank(file) - rank(other);
  return difference === 0 ? idOf(file) < idOf(other) : difference < 0;
}

/** Servers by agent that enough sessions had and none called. */
function unusedServers(files: readonly SessionFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byAgent = new Map<string, Map<string, number>>();
  for (const { agent, timeline } of files) {
    const counts = byAgent.get(agent) ?? new Map<string, number>();
    byAgent.set(agent, counts);
    for (const name of timeline.servers) {
      const isCalled = timeline.calledServers.includes(name);
      counts.set(name, isCalled ? Number.NEGATIVE_INFINITY : (counts.get(name) ?? 0) + 1);
    }
  }
  return new Map(
    [...byAgent].map(([agent, counts]) => [
      agent,
      new Set([...counts].flatMap(([name, count]) => (count >= MIN_SESSIONS_UNUSED ? [name] : []))),
    ]),
  );
}

function assemble(
  id: string,
  group: readonly SessionFile[],
  owners: ReadonlyMap<string, SessionFile>,
  unused: ReadonlyMap<string, ReadonlySet<string>>,
): AgentSession {
  const main = group.find(({ head }) => head.parent?.as !== 'subagent');
  const promptTimes = main?.timeline.promptTimes ?? [];
  const all = group.flatMap((file) => file.timeline.requests.map((request) => placed(file, request, promptTimes)));
  const isOwn = new Set(
    group.flatMap((file) => file.timeline.requests.filter(({ key }) => owners.get(key) === file).map(({ key }) => key)),
  );
  const seen = new Set<string>();
  const requests = all
    .filter(({ key }) => isOwn.has(key) && !seen.has(key) && seen.add(key))
    .map((request) => ({ ...request, parts: partsOf(request, request.usage) }))
    .sort((a, b) => Number(a.subagent !== undefined) - Number(b.subagent !== undefined));
  const chain = requests.filter(({ subagent }) => subagent === undefined);
  const peakTokens = Math.max(0, ...chain.map(({ usage, parts }) => (usage ? windowOf(usage) : sumOf(parts))));
  const model = mostCommon((chain.length > 0 ? chain : requests).flatMap((request) => request.model ?? []));
  const { agent } = group[0] as SessionFile;
  const times = group.flatMap(({ timeline }) => timeline.lastTime ?? []);
  const servers = (main?.timeline.servers ?? []).filter((name) => unused.get(agent)?.has(name));
  const isCut = main?.head.isCut === true;
  const limit = main?.head.windowTokens ?? windowTokens(model ?? '', peakTokens);
  // Requests that a fork copied explain what comes behind them, and have their own findings elsewhere.
  const mainChain = all.filter(({ subagent }) => subagent === undefined);
  const shown = [...cacheBreaks(mainChain), ...windowFindings(mainChain, limit, isCut)].filter(({ key }) =>
    isOwn.has(key),
  );
  const findings = [
    ...group.flatMap(({ timeline }) => timeline.findings),
    ...shown.map(({ finding }) => finding),
    ...subagentCost(requests),
    ...servers.map((name): Finding => {
      const what = `${name}: its tools are in the window and no session called them`;
      return { rule: 'unused-server', turns: [1], tokens: 0, what, about: { server: name }, fix: 'fewer-tools' };
    }),
  ];
  return {
    id,
    agent,
    title: main?.title,
    model,
    started: least(group.flatMap(({ timeline }) => timeline.firstTime ?? [])),
    ended: times.length === 0 ? undefined : times.reduce((a, b) => Math.max(a, b)),
    turns: main?.timeline.turns ?? 0,
    requests,
    peakTokens,
    windowTokens: limit,
    compactions: main?.timeline.compactions ?? 0,
    isCut,
    usage: requests.some(({ usage }) => usage !== undefined) ? 'provider' : 'counted',
    findings: findings.sort((a, b) => b.tokens - a.tokens),
  };
}

/** A request of a subagent's own log, as part of its parent's session. */
function placed(
  { head, name, timeline }: SessionFile,
  request: TimelineRequest,
  promptTimes: readonly (number | undefined)[],
): TimelineRequest {
  if (head.parent?.as !== 'subagent') return request;
  const began = timeline.firstTime ?? request.time ?? 0;
  const turn = promptTimes.filter((time) => time !== undefined && time <= began).length;
  return { ...request, turn: Math.max(1, turn), subagent: request.subagent ?? head.id ?? name };
}

/** The smallest window of the model that holds the peak; undefined when none does that we know of. */
function windowTokens(model: string, peakTokens: number): number | undefined {
  const { windowTokens: usual, largerWindowTokens: larger } = modelFacts(model) ?? {};
  return [usual, larger].find((tokens) => typeof tokens === 'number' && tokens >= peakTokens) ?? undefined;
}

/** Tokens of all parts. */
export function sumOf({ mcp, ...parts }: WindowParts): number {
  return [...Object.values(parts), ...Object.values(mcp)].reduce((sum, tokens) => sum + tokens, 0);
}

function mostCommon(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

function least(times: readonly number[]): number | undefined {
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b));
}

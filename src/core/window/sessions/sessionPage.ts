/** A session as the editor shows it: its row in the list, and its page. Plain data; texts are those of the session given. */
import type { Phrase } from '../../text/phrase';
import type { SessionAgent } from '../../transcripts/sessions/sessionLog';
import { cacheBreaks } from './cacheBreaks';
import { type FindingGroup, findingWords, groupFindings } from './findingWords';
import type { WindowParts } from './parts';
import type { Finding } from './sessionData';
import { type AgentSession, type SessionRequest, sumOf } from './sessions';

/** One session of the list. */
export interface SessionRow {
  readonly id: string;
  readonly agent: SessionAgent;
  readonly model: string | undefined;
  readonly title: string | undefined;
  /** Milliseconds since the epoch. */
  readonly started: number | undefined;
  readonly ended: number | undefined;
  readonly turns: number;
  readonly requests: number;
  /** Tokens of its largest window, and those that the window takes; undefined when unknown. */
  readonly peakTokens: number;
  readonly windowTokens: number | undefined;
  readonly findings: number;
}

/** One turn, as the largest window of its requests; or one request. */
export interface SessionStep {
  /** Of the turn, or of the request among all; from 1. */
  readonly number: number;
  readonly turn: number;
  readonly requests: number;
  /** They add up to `tokens`. */
  readonly parts: WindowParts;
  readonly tokens: number;
  /** The window was compacted in it, or between it and the one before. */
  readonly isCompacted: boolean;
  readonly cacheBreaks: number;
}

export interface SessionPageFinding extends Pick<Finding, 'rule' | 'fix'> {
  readonly sentence: Phrase;
  readonly evidence: Phrase;
  readonly tokens: number;
  /** A file that it is about, as the log names it, and its lines from 1. */
  readonly path: string | undefined;
  readonly line: number;
  /** The step at which it shows, from 0. */
  readonly step: number;
}

export interface SessionPage extends SessionRow {
  /** `counted`: the log has no figures of the provider. */
  readonly usage: 'provider' | 'counted';
  readonly compactions: number;
  /** What a step is: single requests where there are few turns. */
  readonly unit: 'turn' | 'request';
  readonly steps: readonly SessionStep[];
  /** Where the window was compacted, in steps from 0: halves lie between two of them. */
  readonly compactedAt: readonly number[];
  readonly cacheBreaks: number;
  /** What all requests read, and how much of that from the cache. */
  readonly readTokens: number;
  readonly cachedTokens: number;
  /** What the requests of subagents read. */
  readonly subagentTokens: number;
  /** Most tokens first. */
  readonly list: readonly SessionPageFinding[];
}

/** Fewer turns say little: their requests are shown one by one. */
const MIN_TURNS = 8;

export function sessionRow(session: AgentSession): SessionRow {
  const { id, agent, model, title, started, ended, turns, requests, peakTokens, windowTokens, findings } = session;
  return {
    id,
    agent,
    model,
    title,
    started,
    ended,
    turns,
    requests: requests.length,
    peakTokens,
    windowTokens,
    findings: groupFindings(findings).length,
  };
}

function total(requests: readonly SessionRequest[]): number {
  return requests.reduce((sum, { parts }) => sum + sumOf(parts), 0);
}

/** Requests of each step, in order; never none. */
type StepRequests = readonly [SessionRequest, ...SessionRequest[]];

function stepsOf(chain: readonly SessionRequest[], unit: SessionPage['unit']): readonly StepRequests[] {
  const steps = new Map<unknown, [SessionRequest, ...SessionRequest[]]>();
  for (const request of chain) {
    const key = unit === 'turn' ? request.turn : request;
    const step = steps.get(key);
    if (step) step.push(request);
    else steps.set(key, [request]);
  }
  return [...steps.values()];
}

/** Where a window was compacted, and the step in which a reader looks for that. */
interface Compaction {
  readonly step: number;
  readonly at: number;
}

/** A compaction inside of a step lies behind the window that the step shows, unless that came after it. */
function compactionsIn(
  chain: readonly SessionRequest[],
  stepOf: (request: SessionRequest) => number,
  shown: readonly SessionRequest[],
): readonly Compaction[] {
  return chain.slice(1).flatMap((request, before): readonly Compaction[] => {
    const last = chain[before] as SessionRequest;
    if (request.compactions <= last.compactions) return [];
    const step = stepOf(request);
    const isBehind = stepOf(last) === step && (shown[step]?.compactions ?? 0) < request.compactions;
    return [{ step, at: isBehind ? step + 0.5 : step - 0.5 }];
  });
}

export function sessionPage(session: AgentSession): SessionPage {
  const chain = session.requests.filter(({ subagent }) => subagent === undefined);
  const unit = new Set(chain.map(({ turn }) => turn)).size < MIN_TURNS ? 'request' : 'turn';
  const groups = stepsOf(chain, unit);
  const steps = new Map(groups.flatMap((group, at) => group.map((request) => [request.key, at] as const)));
  const stepOf = ({ key }: SessionRequest): number => steps.get(key) ?? 0;
  const shown = groups.map((group) =>
    group.reduce((best, each) => (sumOf(each.parts) > sumOf(best.parts) ? each : best)),
  );
  const compactions = compactionsIn(chain, stepOf, shown);
  const breaks = cacheBreaks(chain).flatMap(({ key }) => steps.get(key) ?? []);
  return {
    ...sessionRow(session),
    usage: session.usage,
    compactions: session.compactions,
    unit,
    steps: shown.map(
      ({ turn, parts }, at): SessionStep => ({
        number: unit === 'turn' ? turn : at + 1,
        turn,
        requests: groups[at]?.length ?? 1,
        parts,
        tokens: sumOf(parts),
        isCompacted: compactions.some(({ step }) => step === at),
        cacheBreaks: breaks.filter((step) => step === at).length,
      }),
    ),
    compactedAt: compactions.map(({ at }) => at),
    cacheBreaks: breaks.length,
    readTokens: total(session.requests),
    cachedTokens: session.requests.reduce((sum, { usage }) => sum + (usage?.cacheRead ?? 0), 0),
    subagentTokens: total(session.requests.filter(({ subagent }) => subagent !== undefined)),
    list: groupFindings(session.findings).map((group) => pageFinding(group, shown, breaks)),
  };
}

function pageFinding(
  group: FindingGroup,
  shown: readonly SessionRequest[],
  breaks: readonly number[],
): SessionPageFinding {
  const [{ rule, fix, about }] = group.findings;
  const turn = group.findings[0].turns.at(-1) ?? 1;
  const first = shown.findIndex((step) => step.turn >= turn);
  const inTurn = breaks.find((step) => shown[step]?.turn === turn);
  return {
    rule,
    fix,
    ...findingWords(group),
    tokens: group.tokens,
    path: about?.path,
    line: Number(/^L(\d+)/.exec(about?.range ?? '')?.[1] ?? 1),
    step: rule === 'cache-break' && inTurn !== undefined ? inTurn : Math.max(0, first),
  };
}

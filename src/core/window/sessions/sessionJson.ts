/** `sessions.v1` and `session.v1`. */
import type { Finding } from './sessionData';
import type { AgentSession, SessionRequest } from './sessions';

/** A log, or a part of it, that could not be read. */
export interface SessionProblem {
  /** Below the home folder, with `~` for it; of `--from`, below the folder as it was given. */
  readonly path: string;
  /** The first line that could not be read, where lines could not be. 1-based. */
  readonly line?: number;
  readonly message: string;
}

/** `~/.codex/sessions/a.jsonl:17: 1 line could not be read.` */
export function sessionProblemText({ path, line, message }: SessionProblem): string {
  return `${path}${line === undefined ? '' : `:${line}`}: ${message}`;
}

/** Sessions of an agent that records no tokens. */
export interface SessionsWithoutFigures {
  readonly agent: 'cursor' | 'kiro';
  readonly sessions: number;
}

/** `2026-11-20T09:12:03Z`; null when unknown. */
function timeText(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

export function sessionsJson(
  sessions: readonly AgentSession[],
  problems: readonly SessionProblem[],
  withoutFigures: readonly SessionsWithoutFigures[] = [],
): unknown {
  const rows = sessions.map(sessionRow);
  return { version: 'sessions.v1', sessions: rows, problems, without_figures: withoutFigures };
}

function sessionRow(session: AgentSession): unknown {
  return {
    id: session.id,
    agent: session.agent,
    model: session.model ?? null,
    started: timeText(session.started),
    turns: session.turns,
    requests: session.requests.length,
    peak_tokens: session.peakTokens,
    window_tokens: session.windowTokens ?? null,
    compactions: session.compactions,
    usage: session.usage,
  };
}

export function sessionJson({ id, requests, findings }: AgentSession, problems: readonly SessionProblem[]): unknown {
  return {
    version: 'session.v1',
    id,
    requests: requests.map(requestRow),
    findings: findings.map(findingRow),
    problems,
  };
}

function findingRow({ rule, turns, tokens, what, fix }: Finding): unknown {
  return { rule, turns, tokens, what, fix };
}

function requestRow({ turn, id, subagent, usage, parts }: SessionRequest): unknown {
  const figures = usage && {
    input: usage.input,
    cache_read: usage.cacheRead,
    cache_write: usage.cacheWrite,
    // Null: the log has a figure from before the answer was complete.
    output: usage.output ?? null,
  };
  return { turn, id, ...(subagent === undefined ? {} : { subagent }), usage: figures ?? null, parts };
}

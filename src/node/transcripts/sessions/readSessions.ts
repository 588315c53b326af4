/** Reads the sessions of one workspace from the agents' logs, one log after the other. */

import path from 'node:path';
import { plural } from '../../../core/text/numbers';
import { messageOf } from '../../../core/text/phrase';
import type { SessionAgent } from '../../../core/transcripts/sessions/sessionLog';
import { WorkspacePaths, type WorkspacePlace } from '../../../core/transcripts/workspacePaths';
import type { SessionProblem, SessionsWithoutFigures } from '../../../core/window/sessions/sessionJson';
import { type AgentSession, assembleSessions, type SessionFile } from '../../../core/window/sessions/sessions';
import { errorCode } from '../../errorCode';
import { HOST } from '../../platform';
import { type FoundLog, findLogs } from './findSessions';
import { type LogRequest, readLog } from './readLog';
import type { ReadLog, SessionCache } from './sessionCache';
import { sessionsWithoutFigures } from './withoutFigures';

/** What to read, and with what. */
export interface SessionsRequest extends Omit<LogRequest, 'paths'> {
  readonly agents: readonly SessionAgent[];
  readonly place: WorkspacePlace;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  /** Absolute; the home folder unless given. */
  readonly from?: string | undefined;
  /** `from` as problems name it; itself unless given. */
  readonly shownFrom?: string | undefined;
  /** Logs that were written last before this are not read. Milliseconds since the epoch; without it all are. */
  readonly since?: number | undefined;
  /** What earlier looks at logs of this workspace came to; without it every log is read. */
  readonly cache?: SessionCache | undefined;
}

/** Sessions of the workspace, newest first, and what could not be read. */
export interface ReadSessions {
  readonly sessions: readonly AgentSession[];
  readonly problems: readonly SessionProblem[];
  /** Found, and not read: their agents record no tokens. */
  readonly withoutFigures: readonly SessionsWithoutFigures[];
}

/** Reads all sessions of the workspace. Never rejects for what a file holds. */
export async function readSessions(request: SessionsRequest): Promise<ReadSessions> {
  const { agents, env, home, from, shownFrom = from, signal, place, cache, since = 0 } = request;
  const paths = new WorkspacePaths(place);
  const files: SessionFile[] = [];
  const problems: SessionProblem[] = [];
  for (const log of await findLogs(agents, env, home, from)) {
    if (signal.aborted) break;
    if (log.mtimeMs < since) {
      cache?.leave(log);
      continue;
    }
    const shown = shownPath(log.path, from ?? home, shownFrom ?? '~');
    const tell = (message: string, line?: number): void =>
      void problems.push({ path: shown, ...(line === undefined ? {} : { line }), message });
    const read = (await cache?.get(log)) ?? (await readAnew(log, { ...request, paths }, cache, tell));
    const unit = log.isDatabase ? 'row' : log.messages ? 'file' : 'line';
    const more = read.firstBroken !== undefined && read.broken > 1 ? '; this is the first' : '';
    if (read.broken > 0) tell(`${plural(read.broken, unit)} could not be read${more}.`, read.firstBroken);
    files.push(...read.files);
  }
  if (!signal.aborted) await cache?.save(agents);
  const withoutFigures = await sessionsWithoutFigures(place, env, home, from);
  return { sessions: assembleSessions(withoutMigrated(files)), problems, withoutFigures };
}

/** OpenCode left the files of a session where they were when it put them into its database: the longer one counts. */
function withoutMigrated(files: readonly SessionFile[]): readonly SessionFile[] {
  const longest = new Map<string, SessionFile>();
  const requestsOf = (file: SessionFile | undefined): number => file?.timeline.requests.length ?? -1;
  for (const file of files) {
    const { agent, head } = file;
    const id = agent === 'opencode' ? head.id : undefined;
    if (id !== undefined && requestsOf(file) > requestsOf(longest.get(id))) longest.set(id, file);
  }
  return files.filter((file) => file.agent !== 'opencode' || longest.get(file.head.id ?? '') === file);
}

function shownPath(file: string, base: string, shownBase: string): string {
  return HOST.isInside(base, file) ? HOST.portable(path.join(shownBase, path.relative(base, file))) : file;
}

/** What one log comes to. One that was read to its end, or is of another folder, is kept. */
async function readAnew(
  log: FoundLog,
  request: LogRequest,
  cache: SessionCache | undefined,
  tell: (message: string) => void,
): Promise<ReadLog> {
  const places = new Map<string, readonly [offset: number, bytes: number]>();
  try {
    const read = await readLog(log, request, places);
    if (!request.signal.aborted) cache?.put(log, read, places);
    return read;
  } catch (cause) {
    tell(`The file could not be read (${errorCode(cause) ?? messageOf(cause)}).`);
    return { files: [], broken: 0 };
  }
}

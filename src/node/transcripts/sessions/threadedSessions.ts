import type { Logger } from '../../../core/ports/ports';
import type { SessionAgent } from '../../../core/transcripts/sessions/sessionLog';
import type { SessionProblem } from '../../../core/window/sessions/sessionJson';
import type { SessionPage, SessionRow } from '../../../core/window/sessions/sessionPage';
import { runInThread } from '../../jobThread';

/** What a thread is to read. Plain data: it crosses. */
export interface SessionsJob {
  /** The folder that holds `dist/`. Absolute. */
  readonly productRoot: string;
  /** The folder as it was opened. Absolute. */
  readonly opened: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly agents: readonly SessionAgent[];
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** The session whose page is wanted. */
  readonly id?: string | undefined;
}

/** What people see of the sessions: secrets are masked. */
export interface SessionsAnswer {
  /** Newest first. */
  readonly sessions: readonly SessionRow[];
  /** Page of the session that was asked for; undefined when the session is gone. */
  readonly page: SessionPage | undefined;
  readonly problems: readonly SessionProblem[];
}

/**
 * Reads the folder's sessions in a thread of its own, which has a tokenizer of its own too: no text of a session comes to
 * the host. @param script absolute path of the bundle of `sessionsThread.ts`
 * @throws Error when the folder cannot be read, the thread is lost or `signal` aborts
 */
export function readSessionsInThread(
  script: string,
  job: SessionsJob,
  logger: Logger,
  signal: AbortSignal,
): Promise<SessionsAnswer> {
  return runInThread<SessionsJob, SessionsAnswer>({ script, name: 'sessions', job, logger, signal });
}

import { inEnglish, type Phrase } from '../text/phrase';

/** Why observations could not be recorded or read. */
export type ObservationErrorReason =
  /** What was to be recorded is not an observation. */
  | 'invalid'
  /** Another process held the lock for too long. */
  | 'locked'
  | 'unwritable'
  | 'unreadable'
  /** The configured file holds something else and is left alone. */
  | 'notALog'
  /** No such id or task. */
  | 'unknown';

/** A failure of the observations, in words for the user: what was wrong and what to do; no absolute path. */
export class ObservationError extends Error {
  constructor(
    readonly reason: ObservationErrorReason,
    /** For interfaces in other languages; `message` is its English. */
    readonly words: Phrase,
    options?: ErrorOptions,
  ) {
    super(inEnglish(words), options);
    this.name = 'ObservationError';
  }

  /** By name, not by class: the MCP server is a bundle of its own, over a session of the command line's bundle. */
  static is(error: unknown, reason?: ObservationErrorReason): error is ObservationError {
    if (!(error instanceof Error) || error.name !== 'ObservationError') return false;
    return reason === undefined || (error as ObservationError).reason === reason;
  }
}

import { inEnglish, type Phrase } from '../../text/phrase';

/** Why a hook could not be answered, installed or removed. */
export type HookErrorReason =
  /** What came in on stdin is not an event that this hook answers. */
  | 'badEvent'
  /** An answer would be longer than its agent takes; a fault of the caller. */
  | 'overLimit'
  /** The settings file cannot be edited: not JSON, or of another shape. */
  | 'badFile'
  /** A path that no command line can carry safely. */
  | 'badPath';

/** A failure of the agents' hooks, in words for the user: what was wrong, where, what to do; no absolute path. */
export class HookError extends Error {
  constructor(
    readonly reason: HookErrorReason,
    /** For interfaces in other languages; `message` is its English. */
    readonly words: Phrase,
    options?: ErrorOptions,
  ) {
    super(inEnglish(words), options);
    this.name = 'HookError';
  }

  static is(error: unknown, reason?: HookErrorReason): error is HookError {
    return error instanceof HookError && (reason === undefined || error.reason === reason);
  }
}

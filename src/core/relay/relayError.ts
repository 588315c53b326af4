import { inEnglish, type Phrase } from '../text/phrase';

/** Why a relay log or a ledger could not be used. */
export type RelayErrorReason =
  /** The text is not JSON. */
  | 'notJson'
  /** JSON, but not an object. */
  | 'notAnObject';

/** A relay log or ledger that cannot be used at all, in words for the user: what, where, what to do. */
export class RelayError extends Error {
  constructor(
    readonly reason: RelayErrorReason,
    /** For interfaces in other languages; `message` is its English. */
    readonly words: Phrase,
    options?: ErrorOptions,
  ) {
    super(inEnglish(words), options);
    this.name = 'RelayError';
  }

  static is(error: unknown, reason?: RelayErrorReason): error is RelayError {
    return error instanceof RelayError && (reason === undefined || error.reason === reason);
  }
}

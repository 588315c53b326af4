/** Why a transcript that somebody named cannot be read. */
export type TranscriptErrorReason = 'unreadable' | 'unknownFormat' | 'otherFolder';

/** A failure of reading a named transcript, in words for the user. */
export class TranscriptError extends Error {
  constructor(
    readonly reason: TranscriptErrorReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'TranscriptError';
  }

  static is(error: unknown, reason?: TranscriptErrorReason): error is TranscriptError {
    return error instanceof TranscriptError && (reason === undefined || error.reason === reason);
  }
}

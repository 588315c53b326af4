import { inEnglish, type Phrase } from '../../core/text/phrase';

/** Why a transcript that somebody named cannot be read; `threadLost`: the thread that was to read any is gone. */
export type TranscriptErrorReason = 'unreadable' | 'unknownFormat' | 'otherFolder' | 'threadLost';

/** A failure of reading transcripts, in words for the user. */
export class TranscriptError extends Error {
  constructor(
    readonly reason: TranscriptErrorReason,
    /** For interfaces in other languages; `message` is its English. */
    readonly words: Phrase,
    options?: ErrorOptions,
  ) {
    super(inEnglish(words), options);
    this.name = 'TranscriptError';
  }

  static is(error: unknown, reason?: TranscriptErrorReason): error is TranscriptError {
    return error instanceof TranscriptError && (reason === undefined || error.reason === reason);
  }
}

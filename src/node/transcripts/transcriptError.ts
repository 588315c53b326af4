import { wordedErrorClass } from '../../core/text/errorWords';

/** Why a transcript that somebody named cannot be read; `threadLost`: the thread that was to read any is gone. */
export type TranscriptErrorReason = 'unreadable' | 'unknownFormat' | 'otherFolder' | 'threadLost';

/** A failure of reading transcripts, in words for the user. */
export class TranscriptError extends wordedErrorClass<TranscriptErrorReason>('TranscriptError') {}

/** Why something that was asked for cannot be done. */
export type EditorErrorReason =
  | 'noFolder'
  | 'noReport'
  | 'unknownSection'
  | 'noDetail'
  /** The folder cannot keep observations. */
  | 'noObservations'
  | 'noRunLogs'
  /** The folder cannot keep a usage log. */
  | 'noUsageLog'
  | 'unreadableLog'
  /** The config could not be read or written. */
  | 'config';

/** An expected failure of the editor layer; its message is localised and written for the person who asked. */
export class EditorError extends Error {
  override readonly name = 'EditorError';
  readonly reason: EditorErrorReason;

  constructor(reason: EditorErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }

  static is(error: unknown, reason?: EditorErrorReason): error is EditorError {
    return error instanceof EditorError && (reason === undefined || error.reason === reason);
  }
}

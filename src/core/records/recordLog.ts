/** Where a reader stands. Opaque to everybody but the log that gave it. */
export interface LogCursor {
  /** Bytes read so far. */
  readonly offset: number;
  /** Tells this file from one that took its place. */
  readonly identity: string;
}

/** What following the log gave. */
export interface LogRead {
  /** True when the log was cut, replaced or read for the first time: what was read before counts no more. */
  readonly isReset: boolean;
  /** Whole lines, each with its `\n`. */
  readonly bytes: Uint8Array;
  readonly cursor: LogCursor;
  /** True when there are more lines than this call gave. */
  readonly hasMore: boolean;
  /** Bytes after the last `\n`: a line being written, or one whose writer was killed. */
  readonly tornBytes: number;
  /** Bytes that were passed over before `bytes`: the beginning of a log that is too large, or a line that is no record. */
  readonly unreadBytes?: number;
}

/** A last line without its end that a writer was killed at, set aside when the next writer came. */
export interface LogRepair {
  /** Where the line began, in bytes. */
  readonly offset: number;
  readonly sizeBytes: number;
  /** `completed`: only the line end was missing. `setAside`: kept in `keptIn`, workspace-relative. */
  readonly kind: 'completed' | 'setAside';
  readonly keptIn: string | undefined;
}

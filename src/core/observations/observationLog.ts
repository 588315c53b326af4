/**
 * The port to where observations are kept: an append-only log of `obs.v1` lines that several processes may write at
 * once. A log gives ids, keeps bytes and lets readers follow; it does not search and does not judge what a line says.
 */
import type { ObservationDraft } from './observation';

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

/** What appending gave. */
export type LogAppend =
  | { readonly kind: 'appended'; readonly ids: readonly number[]; readonly repairs: readonly LogRepair[] }
  /** Somebody appended since `onlyAt`: nothing was written. */
  | { readonly kind: 'moved' };

export interface ObservationLog {
  /**
   * Appends all drafts, in order, as one: after a crash or an error either side of it no id is given twice. Resolves when
   * they are on disk. With `onlyAt`, writes only if nothing was appended since that cursor. Rejects with an
   * `ObservationError`.
   */
  append(drafts: readonly ObservationDraft[], onlyAt?: LogCursor): Promise<LogAppend>;
  /** Lines after `cursor`, about a megabyte at a time; from the start without one. A missing log is empty. */
  follow(cursor: LogCursor | undefined): Promise<LogRead>;
}

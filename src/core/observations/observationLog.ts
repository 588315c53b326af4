/**
 * The port to where observations are kept: an append-only log of `obs.v1` lines that several processes may write at
 * once. A log gives ids, keeps bytes and lets readers follow; it does not search and does not judge what a line says.
 */
import type { LogCursor, LogRead, LogRepair } from '../records/recordLog';
import { plural } from '../text/numbers';
import type { ObservationDraft } from './observation';

/** What was repaired of a log at `path` (workspace-relative) and where the rest of the line is, as a sentence. */
export function repairText(path: string, { kind, sizeBytes, keptIn }: LogRepair): string {
  if (kind === 'completed') return `${path}: the last line lacked its end, which was added.`;
  return `${path}: a writer was killed; ${plural(sizeBytes, 'byte')} of its line are set aside in ${keptIn}.`;
}

/** What appending gave. */
export type LogAppend =
  | { readonly kind: 'appended'; readonly ids: readonly number[]; readonly repairs: readonly LogRepair[] }
  /** Another writer appended since `onlyAt`: nothing was written. */
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

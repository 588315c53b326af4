/**
 * Messages between the extension host and the usage report in the editor. The host sends complete snapshots with a
 * revision; the page says `ready` first and drops snapshots older than the one it shows.
 */
import { isRecord } from '../core/text/jsonRecord';
import type { UsageReport } from '../core/usage/report/usageReport';

// The page imports types of core only; what it shares with the CLI comes through here.
export { ROI_CLASSES } from '../core/model/usage';
export {
  changeWords,
  cyclesWords,
  METRIC_WORDS,
  MODE_WORDS,
  metricWords,
  metWords,
  NO_CYCLES,
  roiWords,
  TARGET_WORDS,
  VERDICTS,
} from '../core/usage/report/reportWords';

/** Everything the page shows. */
export interface ReportSnapshot {
  /**
   * `noFolder`: nothing is open. `noLog`: the host keeps no usage of this folder. `loading`: the log is being read for the
   * first time. `failed`: it could not be read, `message` says why. `ready`: `report` is there.
   */
  readonly state: 'noFolder' | 'noLog' | 'loading' | 'failed' | 'ready';
  readonly folderName: string | undefined;
  readonly report: UsageReport | undefined;
  readonly message: string | undefined;
}

/** Host → page. */
export type HostToReport =
  | { readonly type: 'snapshot'; readonly revision: number; readonly snapshot: ReportSnapshot }
  /** To be said to screen readers. */
  | { readonly type: 'announce'; readonly text: string };

/** Page → host. */
export type ReportToHost =
  | { readonly type: 'ready' }
  | { readonly type: 'copyMarkdown' }
  | { readonly type: 'showLog' };

/** Guards what the page sends; anything malformed is `undefined`. */
export function asReportMessage(value: unknown): ReportToHost | undefined {
  if (!isRecord(value)) return undefined;
  switch (value.type) {
    case 'ready':
    case 'copyMarkdown':
    case 'showLog':
      return { type: value.type };
    default:
      return undefined;
  }
}

/** Guards what the host sends. A snapshot's inside is not looked into: both ends are built together. */
export function asReportHostMessage(value: unknown): HostToReport | undefined {
  if (!isRecord(value)) return undefined;
  if (value.type === 'announce')
    return typeof value.text === 'string' ? { type: 'announce', text: value.text } : undefined;
  const { type, revision, snapshot } = value;
  const isSnapshot = type === 'snapshot' && typeof revision === 'number' && isRecord(snapshot);
  return isSnapshot ? { type, revision, snapshot: snapshot as unknown as ReportSnapshot } : undefined;
}

/**
 * Messages between the extension host and the usage report in the editor. The host sends complete snapshots with a
 * revision; the page says `ready` first and drops snapshots older than the one it shows.
 */
import type { UsageReport } from '../core/usage/report/usageReport';
import { type MessageOf, messageReader, snapshotMessages } from './messages';

// The page imports types of core only; what it shares with the CLI comes through here.
export { ROI_CLASSES } from '../core/model/usage';
export {
  changeWords,
  cyclesWords,
  METRIC_WORDS,
  metricWords,
  metWords,
  NO_CYCLES,
  roiWords,
  TARGET_WORDS,
  verdictWords,
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
  /** Ids of the payload's present sections with their titles: the log has ids alone. */
  readonly titles: readonly (readonly [id: string, title: string])[];
  readonly message: string | undefined;
}

const HOST_MESSAGES = snapshotMessages<ReportSnapshot>();
const PAGE_MESSAGES = { ready: {}, copyMarkdown: {}, showLog: {} };

/** Page → host. */
export type ReportToHost = MessageOf<typeof PAGE_MESSAGES>;

export const asReportHostMessage = messageReader(HOST_MESSAGES);
export const asReportMessage = messageReader(PAGE_MESSAGES);

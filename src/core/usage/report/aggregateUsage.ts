import type { Cancel } from '../../ports';
import type { RoiThresholds } from '../roi';
import { UsageAggregator } from './usageAggregator';
import type { UsageReport } from './usageReport';

/** What a host's thread may be held by: under a millisecond, and 6 ms where every line has to be decoded (measured). */
const SLICE_BYTES = 256 * 1024;

/** How a log is read. */
export interface AggregateOptions {
  readonly thresholds?: RoiThresholds | undefined;
  /** Awaited after each slice, so that others get their turn; not when absent. */
  readonly pause?: (() => Promise<void>) | undefined;
  /** Ends the reading early; the report then is of what was read. */
  readonly cancel?: Cancel | undefined;
}

/** The report of a whole log, which is never in memory as a whole. */
export async function aggregateUsage(
  pieces: AsyncIterable<Uint8Array>,
  { thresholds, pause, cancel }: AggregateOptions = {},
): Promise<UsageReport> {
  const aggregator = new UsageAggregator();
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += SLICE_BYTES) {
      if (cancel?.isCancelled) return aggregator.finish(thresholds);
      aggregator.add(piece.subarray(at, at + SLICE_BYTES));
      await pause?.();
    }
  }
  return aggregator.finish(thresholds);
}

import type { RoiThresholds } from '../../model/usage';
import type { Clock } from '../../ports/ports';
import { UsageAggregator } from './usageAggregator';
import type { UsageReport } from './usageReport';

/** Slices begin small: code that has not run often is a hundred times slower (4 KB: under a millisecond, measured). */
const FIRST_SLICE_BYTES = 4 * 1024;
const MAX_SLICE_BYTES = 256 * 1024;
/** A slice that took less is followed by one twice as large; one that took more than twice that by a smaller one. */
const SHORT_MS = 2;

/** How a log is read. */
export interface AggregateOptions {
  readonly thresholds?: RoiThresholds | undefined;
  /** Leaves the thread to others after each slice of a few milliseconds; read without a break when absent. */
  readonly clock?: Clock | undefined;
  /** Ends the reading early; the report then is of what was read. */
  readonly signal?: AbortSignal | undefined;
}

/** Cuts the work into slices of a few milliseconds. */
class Pace {
  readonly #clock: Clock | undefined;
  sliceBytes: number;

  constructor(clock: Clock | undefined) {
    this.#clock = clock;
    this.sliceBytes = clock ? FIRST_SLICE_BYTES : MAX_SLICE_BYTES;
  }

  /** Runs `slice`, then lets others have their turn. */
  async run(slice: () => void): Promise<void> {
    const clock = this.#clock;
    const start = clock?.now() ?? 0;
    slice();
    if (!clock) return;
    const took = clock.now() - start;
    if (took < SHORT_MS) this.sliceBytes = Math.min(this.sliceBytes * 2, MAX_SLICE_BYTES);
    else if (took > 2 * SHORT_MS) this.sliceBytes = Math.max(this.sliceBytes / 2, FIRST_SLICE_BYTES);
    await new Promise<void>((resolve) => clock.schedule(resolve, 0));
  }
}

/** The report of a whole log, which is never in memory as a whole. */
export async function aggregateUsage(
  pieces: AsyncIterable<Uint8Array>,
  { thresholds, clock, signal }: AggregateOptions = {},
): Promise<UsageReport> {
  const aggregator = new UsageAggregator();
  const pace = new Pace(clock);
  for await (const piece of pieces) {
    let at = 0;
    while (at < piece.length && !signal?.aborted) {
      const slice = piece.subarray(at, at + pace.sliceBytes);
      at += slice.length;
      await pace.run(() => aggregator.add(slice));
    }
    if (signal?.aborted || aggregator.isFull) break;
  }
  return aggregator.finish(thresholds);
}

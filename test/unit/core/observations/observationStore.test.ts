import { expect, it } from 'vitest';
import { makeDraft } from '../../../../src/core/observations/observation';
import { encodeObservation } from '../../../../src/core/observations/observationCodec';
import type { ObservationLog } from '../../../../src/core/observations/observationLog';
import { EngineObservationStore } from '../../../../src/core/observations/observationStore';
import { encode, fileOfBytes, readFrom } from '../../../../src/core/records/recordBytes';
import type { LogCursor, LogRead } from '../../../../src/core/records/recordLog';
import { DeskEngine } from '../../../support/observationEngine';

const LINE_BYTES = observation(1000).length;

function observation(id: number): string {
  const summary = `number ${String(id).padStart(6, '0')}`;
  return encodeObservation(id, makeDraft({ ts: '2026-02-03 10:00:00', summary }));
}

/** A log that gives at most its newest lines, as real ones do, and chunks of two. */
class GrowingLog implements ObservationLog {
  lines = 0;

  async append(): ReturnType<ObservationLog['append']> {
    throw new Error('nobody records here');
  }

  async follow(cursor: LogCursor | undefined): Promise<LogRead> {
    const all = Array.from({ length: this.lines }, (_, at) => observation(1000 + at)).join('');
    const limits = { newestBytes: 10 * LINE_BYTES, lineBytes: 10 * LINE_BYTES };
    return readFrom(fileOfBytes(encode(all)), cursor, 2 * LINE_BYTES, limits);
  }
}

function make(maxFedBytes?: number) {
  const log = new GrowingLog();
  const engine = new DeskEngine({ name: 'o200k_base', count: (text) => text.length });
  return { log, engine, store: new EngineObservationStore(log, engine, maxFedBytes) };
}

it('reads the newest of a log that is too large, and says how much it did not', async () => {
  const { log, store } = make();
  log.lines = 25;
  const unreadBytes = 15 * LINE_BYTES;
  expect(await store.stats()).toEqual({ total: 10, problems: [], problemCount: 0, unreadBytes });
  log.lines = 27;
  expect(await store.stats()).toMatchObject({ total: 12, unreadBytes });
  expect(await store.stats()).toMatchObject({ total: 12, unreadBytes });
});

it('lets go of the oldest when a log grows without end', async () => {
  const { log, store } = make(20 * LINE_BYTES);
  for (log.lines = 5; log.lines < 200; log.lines += 5) {
    const { total, unreadBytes } = await store.stats();
    expect(total).toBeLessThanOrEqual(20);
    expect(total + unreadBytes / LINE_BYTES).toBe(log.lines);
  }
});

it('reads a log all the same that gives more at once than is kept', async () => {
  const { log, store } = make(5 * LINE_BYTES);
  log.lines = 9;
  expect(await store.stats()).toMatchObject({ total: 9, unreadBytes: 0 });
});

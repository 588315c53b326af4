import { describe, expect, it } from 'vitest';
import { makeDraft } from '../../../../src/core/observations/observation';
import { encodeObservation } from '../../../../src/core/observations/observationCodec';
import type { ObservationLog } from '../../../../src/core/observations/observationLog';
import { EngineObservationStore } from '../../../../src/core/observations/observationStore';
import { encode, fileOfBytes, readFrom } from '../../../../src/core/records/recordBytes';
import type { LogCursor, LogRead } from '../../../../src/core/records/recordLog';
import { DeskEngine } from '../../../support/observationEngine';

function observation(id: number): string {
  // Two a day; every third is of no task, and all lines are equally long.
  const ts = `2026-02-${String(1 + (Math.floor(id / 2) % 28)).padStart(2, '0')} 10:00:0${id % 2}`;
  const taskId = ['', 'TASK-1', 'TASK-2'][id % 3]!;
  const summary = `number ${String(id).padStart(12 - taskId.length, '0')}`;
  return encodeObservation(id, makeDraft({ ts, summary, taskId }));
}

const LINE_BYTES = observation(1001).length;

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

it('tells what is new in many run logs, and reads what is recorded once for all of them', async () => {
  const { engine } = make();
  const bytes = encode(Array.from({ length: 20_000 }, (_, at) => observation(1 + at)).join(''));
  const start = { generation: 0, offset: 0 };
  await engine.feedObservations({ from: start, bytes });
  const drafts = [makeDraft({ ts: '2026-02-03 10:00:00', summary: 'new' })];
  const asked = { at: { ...start, offset: bytes.length }, question: { kind: 'unknownOf' as const, drafts } };
  // Reading it again for each of them would take many minutes.
  for (let log = 1; log < 4000; log++) await engine.askObservations(asked);
  expect(await engine.askObservations(asked)).toEqual({ kind: 'answered', value: drafts });
});

describe('leafing through the log', () => {
  it('groups by day, newest first, and says how many groups there are', async () => {
    const { log, store } = make();
    log.lines = 7;
    const { groups, total, observations } = await store.groups('day', 2);
    expect(groups.map(({ key, count, newest }) => [key, count, newest.id])).toEqual([
      ['2026-02-28', 1, 1006],
      ['2026-02-27', 2, 1005],
    ]);
    expect([total, observations]).toEqual([4, 7]);
  });

  it('groups by task, those of no task too', async () => {
    const { log, store } = make();
    log.lines = 7;
    const { groups, total } = await store.groups('task', 9);
    expect(groups.map(({ key, count }) => [key, count])).toEqual([
      ['TASK-1', 3],
      ['', 2],
      ['TASK-2', 2],
    ]);
    expect(total).toBe(3);
  });

  it('gives the rows of a group a page at a time, and none behind a row that is not in it', async () => {
    const { log, store } = make();
    log.lines = 7;
    const page = async (after?: number, key = 'TASK-1') => {
      const { rows, total, start } = await store.list({ within: { by: 'task', key }, limit: 2, after }, 'o200k_base');
      return [rows.map(({ id }) => id), total, start];
    };
    expect(await page()).toEqual([[1006, 1003], 3, 0]);
    expect(await page(1003)).toEqual([[1000], 3, 2]);
    expect(await page(1000)).toEqual([[], 3, 3]);
    expect(await page(1001)).toEqual([[], 3, -1]);
    expect(await page(undefined, 'TASK-9')).toEqual([[], 0, 0]);
  });

  it('gives what a search finds, after the search index was made', async () => {
    const { log, store } = make();
    log.lines = 7;
    await store.prepareSearch();
    const { rows, total } = await store.list({ query: '000000001005', limit: 5 }, 'o200k_base');
    expect([rows.map(({ id }) => id), total]).toEqual([[1005], 1]);
  });

  it('has another revision once something was appended', async () => {
    const { log, store } = make();
    log.lines = 2;
    expect(await store.refresh()).toBe(true);
    const { revision } = store;
    expect([await store.refresh(), store.revision]).toEqual([false, revision]);
    log.lines = 3;
    expect(await store.refresh()).toBe(true);
    expect(store.revision).not.toBe(revision);
  });
});

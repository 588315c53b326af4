import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../../../src/core/ports/ports';
import { aggregateUsage } from '../../../../../src/core/usage/report/usageAggregator';
import { STUDY_CYCLES, studyLog } from '../../../../support/studyLog';

const LOG = new TextEncoder().encode(studyLog());

async function* pieces(sizeBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < LOG.length; at += sizeBytes) yield LOG.subarray(at, at + sizeBytes);
}

/** A clock whose time goes on by `perSliceMs` between two looks, and that notes every break. */
function fakeClock(perSliceMs: number): Clock & { readonly breaks: number[] } {
  let now = 0;
  const breaks: number[] = [];
  return {
    breaks,
    now: () => {
      now += perSliceMs;
      return now;
    },
    schedule: (callback, delayMs) => {
      breaks.push(delayMs);
      queueMicrotask(callback);
      return { dispose: () => undefined };
    },
  };
}

describe('aggregateUsage', () => {
  it('gives the same report with and without breaks', async () => {
    const whole = await aggregateUsage(pieces(100_000));
    expect(whole.cycles).toBe(STUDY_CYCLES);
    expect(await aggregateUsage(pieces(777), { clock: fakeClock(0) })).toEqual(whole);
  });

  it('leaves the thread after each slice, and makes slices as large as they may be', async () => {
    const quick = fakeClock(0);
    const slow = fakeClock(10);
    await aggregateUsage(pieces(LOG.length), { clock: quick });
    await aggregateUsage(pieces(LOG.length), { clock: slow });
    expect(slow.breaks.length).toBe(Math.ceil(LOG.length / 4096));
    expect(quick.breaks.length).toBeGreaterThan(4);
    expect(quick.breaks.length).toBeLessThan(20);
    expect(new Set([...quick.breaks, ...slow.breaks])).toEqual(new Set([0]));
  });

  it('ends early when nobody wants the report any more', async () => {
    const caller = new AbortController();
    let given = 0;
    async function* counted(): AsyncGenerator<Uint8Array> {
      for await (const piece of pieces(50_000)) {
        given++;
        yield piece;
        caller.abort();
      }
    }
    const report = await aggregateUsage(counted(), { signal: caller.signal });
    expect(given).toBe(2);
    expect(report.cycles).toBeGreaterThan(0);
    expect(report.cycles).toBeLessThan(STUDY_CYCLES / 2);
  });
});

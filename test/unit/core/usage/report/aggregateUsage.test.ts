import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../../../src/core/ports/ports';
import { aggregateUsage } from '../../../../../src/core/usage/report/usageAggregator';
import { STUDY_CYCLES, studyLog } from '../../../../support/studyLog';

const LOG = new TextEncoder().encode(studyLog());

async function* pieces(sizeBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < LOG.length; at += sizeBytes) yield LOG.subarray(at, at + sizeBytes);
}

/** A clock that notes every break. */
function fakeClock(): Clock & { readonly breaks: number[] } {
  const breaks: number[] = [];
  return {
    breaks,
    now: () => 0,
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
    expect(await aggregateUsage(pieces(777), { clock: fakeClock() })).toEqual(whole);
  });

  it('leaves the thread after each slice of a few milliseconds', async () => {
    const clock = fakeClock();
    await aggregateUsage(pieces(LOG.length), { clock });
    const slices = Math.ceil(LOG.length / (128 * 1024));
    expect(slices).toBeGreaterThan(2);
    expect(clock.breaks).toEqual(new Array(slices).fill(0));
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

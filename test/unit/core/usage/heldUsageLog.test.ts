import { beforeEach, describe, expect, it } from 'vitest';
import { asGiven } from '../../../../src/core/text/phrase';
import { HeldUsageLog } from '../../../../src/core/usage/heldUsageLog';
import { decodeUsage } from '../../../../src/core/usage/usageCodec';
import type { Citation, UsageDraft } from '../../../../src/core/usage/usageRecord';
import { UsageError } from '../../../../src/core/usage/usageRecord';
import { MemoryUsageLog } from '../../../support/memoryUsageLog';

const TS = '2026-02-03 21:23:34';
const CITED: readonly Citation[] = [{ id: 'memory', evidence: 'id', what: 'memory' }];

function draft(more: Partial<UsageDraft> = {}): UsageDraft {
  const sections = [{ id: 'memory', chars: 400, tokens: 100, disclosure: 'full' as const }];
  return { ts: TS, trigger: 'copy', profile: 'default', sections, cited: [], ...more };
}

describe('a usage log that is held back', () => {
  let base: MemoryUsageLog;
  let mayWrite: boolean;
  let log: HeldUsageLog;

  beforeEach(async () => {
    base = new MemoryUsageLog();
    mayWrite = false;
    log = new HeldUsageLog(base, () => mayWrite);
    await base.append([draft({ trigger: 'theirs' }), draft({ trigger: 'theirs' })]);
  });

  const newest = async (count: number) => (await log.readNewest(count)).records;
  const seen = async (count = 9) =>
    (await newest(count)).map(({ cycle, trigger, cited }) => [cycle, trigger, cited.length]);
  const lines = async () => {
    let text = '';
    for await (const piece of log.readAll()) text += new TextDecoder().decode(piece);
    return text
      .trimEnd()
      .split('\n')
      .map((line) => {
        const decoded = decodeUsage(line);
        return decoded.kind === 'ok' ? decoded.record : undefined;
      });
  };

  it('goes on with the numbers of the log behind it, and writes nothing there', async () => {
    expect((await log.append([draft(), draft()])).cycles).toEqual([3, 4]);
    expect((await log.append([draft()])).cycles).toEqual([5]);
    expect(await seen()).toEqual([
      [1, 'theirs', 0],
      [2, 'theirs', 0],
      [3, 'copy', 0],
      [4, 'copy', 0],
      [5, 'copy', 0],
    ]);
    expect(await seen(2)).toEqual([
      [4, 'copy', 0],
      [5, 'copy', 0],
    ]);
    expect(await newest(0)).toEqual([]);
    expect((await lines()).map((record) => record?.cycle)).toEqual([1, 2, 3, 4, 5]);
    expect(base.lines).toHaveLength(2);
  });

  it('begins with 1 where there is no log', async () => {
    base.lines.length = 0;
    expect((await log.append([draft()])).cycles).toEqual([1]);
  });

  it('gives each of many at once a number of its own', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => log.append([draft()])));
    expect(new Set(all.flatMap(({ cycles }) => cycles)).size).toBe(20);
  });

  it('takes citations of its own cycles and of those behind it', async () => {
    await log.append([draft()]);
    await log.amend(3, { profile: 'default', ts: TS, cited: CITED });
    await log.amend(2, { profile: 'default', ts: TS, cited: CITED });
    await log.amend(2, { profile: 'default', ts: TS, cited: CITED });
    expect(await seen()).toEqual([
      [1, 'theirs', 0],
      [2, 'theirs', 1],
      [3, 'copy', 1],
    ]);
    // A cycle that was not asked for does not come along with its citations.
    expect(await seen(1)).toEqual([[3, 'copy', 1]]);
    expect(base.lines).toHaveLength(2);
  });

  it('keeps a turn of a transcript once, whichever log has it', async () => {
    await base.append([draft({ origin: 'codex:a:1' })]);
    const turns = [1, 2, 2, 3].map((turn) => draft({ origin: `codex:a:${turn}` }));
    expect((await log.append(turns)).cycles).toEqual([4, 5]);
    expect((await log.append([...turns, draft()])).cycles).toEqual([6]);
  });

  it('goes behind what another program writes meanwhile; no number means two things of ours', async () => {
    await log.append([draft(), draft()]);
    await base.append([draft({ trigger: 'theirs' })]);
    expect(await seen()).toEqual([
      [1, 'theirs', 0],
      [2, 'theirs', 0],
      [3, 'theirs', 0],
      [5, 'copy', 0],
      [6, 'copy', 0],
    ]);
    expect((await log.append([draft()])).cycles).toEqual([7]);
    await base.append([draft({ trigger: 'theirs' })]);
    expect((await lines()).map((record) => record?.cycle)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('writes what it kept once that is allowed, in order and once', async () => {
    await log.append([draft({ trigger: 'a' }), draft({ trigger: 'b' })]);
    await log.amend(4, { profile: 'default', ts: TS, cited: CITED });
    await log.amend(1, { profile: 'default', ts: TS, cited: CITED });
    expect(await log.release()).toEqual({ hasWritten: false, repairs: [] });
    const before = await newest(9);
    mayWrite = true;
    expect(await log.release()).toEqual({ hasWritten: true, repairs: [] });
    expect(await newest(9)).toEqual(before);
    expect((await base.readNewest(9)).records).toEqual(before);
    expect(await log.release()).toEqual({ hasWritten: false, repairs: [] });
    expect((await log.append([draft({ trigger: 'c' })])).cycles).toEqual([5]);
    await log.amend(5, { profile: 'default', ts: TS, cited: CITED });
    expect((await base.readNewest(1)).records[0]).toMatchObject({ cycle: 5, trigger: 'c', cited: CITED });
  });

  it('writes what it kept before the next record, where nobody asked for it', async () => {
    await log.append([draft({ trigger: 'kept' })]);
    mayWrite = true;
    expect((await log.append([draft({ trigger: 'later' })])).cycles).toEqual([4]);
    expect(base.lines.map(({ trigger }) => trigger)).toEqual(['theirs', 'theirs', 'kept', 'later']);
  });

  it('keeps what could not be written, and writes it the next time', async () => {
    await log.append([draft()]);
    mayWrite = true;
    const { append } = base;
    base.append = () => Promise.reject(new UsageError('locked', asGiven('held by another')));
    await expect(log.release()).rejects.toSatisfy((error) => UsageError.is(error, 'locked'));
    expect(await seen(1)).toEqual([[3, 'copy', 0]]);
    base.append = append;
    expect(await log.release()).toMatchObject({ hasWritten: true });
    expect(base.lines).toHaveLength(3);
  });

  it('lets citations go whose cycle somebody took out of the log', async () => {
    await log.amend(2, { profile: 'default', ts: TS, cited: CITED });
    await log.append([draft()]);
    mayWrite = true;
    base.amend = () => Promise.reject(new UsageError('invalid', asGiven('no such cycle')));
    expect(await log.release()).toMatchObject({ hasWritten: true });
    expect(await log.release()).toMatchObject({ hasWritten: false });
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { HeldObservationLog } from '../../../../src/core/observations/heldObservationLog';
import { makeDraft } from '../../../../src/core/observations/observation';
import type { ObservationLog } from '../../../../src/core/observations/observationLog';
import type { LogCursor } from '../../../../src/core/records/recordLog';
import { MemoryObservationLog } from '../../../support/memoryLog';

const draft = (summary: string) => makeDraft({ ts: '2026-02-03 21:23:34', summary });

describe('an observation log that is held back', () => {
  let base: MemoryObservationLog;
  let mayWrite: boolean;
  let log: HeldObservationLog;

  beforeEach(async () => {
    base = new MemoryObservationLog(300);
    mayWrite = false;
    log = new HeldObservationLog(base, () => mayWrite);
    await base.append([draft('theirs 1'), draft('theirs 2')]);
  });

  /** What a reader has that follows from `cursor`. */
  async function read(from: { cursor: LogCursor | undefined; lines: readonly string[] }, of: ObservationLog = log) {
    let { cursor, lines } = from;
    for (;;) {
      const step = await of.follow(cursor);
      const text = new TextDecoder().decode(step.bytes);
      const added = text.split('\n').filter((line) => line !== '');
      lines = [...(step.isReset ? [] : lines), ...added];
      cursor = step.cursor;
      if (!step.hasMore) return { cursor, lines };
    }
  }
  const START = { cursor: undefined, lines: [] };
  const shown = (lines: readonly string[]) =>
    lines.map((line) => {
      const { id, summary } = JSON.parse(line) as { id: number; summary: string };
      return `${id} ${summary}`;
    });
  const idsOf = async (...summaries: readonly string[]) => {
    const outcome = await log.append(summaries.map(draft));
    return outcome.kind === 'appended' ? outcome.ids : outcome.kind;
  };

  it('goes on with the numbers of the log behind it, and writes nothing there', async () => {
    expect(await idsOf('a', 'b')).toEqual([3, 4]);
    expect(await idsOf('c')).toEqual([5]);
    expect(shown((await read(START)).lines)).toEqual(['1 theirs 1', '2 theirs 2', '3 a', '4 b', '5 c']);
    expect(shown((await read(START, base)).lines)).toEqual(['1 theirs 1', '2 theirs 2']);
  });

  it('gives a reader that follows only what is new', async () => {
    let reader = await read(START);
    await idsOf('a');
    const step = await log.follow(reader.cursor);
    expect(step.isReset).toBe(false);
    expect(shown(new TextDecoder().decode(step.bytes).trim().split('\n'))).toEqual(['3 a']);
    reader = await read(reader);
    expect((await log.follow(reader.cursor)).bytes).toHaveLength(0);
  });

  it('goes behind what another program writes meanwhile, and readers see both', async () => {
    await idsOf('a', 'b');
    const reader = await read(START);
    await base.append([draft('theirs 3')]);
    const after = await read(reader);
    expect(shown(after.lines)).toEqual(['1 theirs 1', '2 theirs 2', '3 theirs 3', '5 a', '6 b']);
    expect(await idsOf('c')).toEqual([7]);
    expect(shown((await read(after)).lines).at(-1)).toBe('7 c');
  });

  it('does not append where something came since', async () => {
    const reader = await read(START);
    await idsOf('a');
    expect(await log.append([draft('late')], reader.cursor)).toEqual({ kind: 'moved' });
    const next = await read(reader);
    await base.append([draft('theirs 3')]);
    expect(await log.append([draft('late')], next.cursor)).toEqual({ kind: 'moved' });
    const last = await read(next);
    expect(await log.append([draft('in time')], last.cursor)).toMatchObject({ kind: 'appended' });
  });

  it('writes what it kept once that is allowed, in order and once', async () => {
    await idsOf('a', 'b');
    const reader = await read(START);
    expect(await log.release()).toEqual({ hasWritten: false, repairs: [] });
    mayWrite = true;
    expect(await log.release()).toEqual({ hasWritten: true, repairs: [] });
    expect((await read(START, base)).lines).toEqual(reader.lines);
    expect((await read(reader)).lines).toEqual(reader.lines);
    expect(await log.release()).toEqual({ hasWritten: false, repairs: [] });
    expect(await idsOf('c')).toEqual([5]);
    expect(shown((await read(START, base)).lines).at(-1)).toBe('5 c');
  });

  it('writes what it kept before the next record, and lets a reader of before read again', async () => {
    await idsOf('kept');
    const reader = await read(START);
    mayWrite = true;
    expect(await log.append([draft('late')], reader.cursor)).toEqual({ kind: 'moved' });
    const next = await read(reader);
    expect(await log.append([draft('later')], next.cursor)).toMatchObject({ kind: 'appended', ids: [4] });
    expect(shown((await read(START, base)).lines)).toEqual(['1 theirs 1', '2 theirs 2', '3 kept', '4 later']);
  });

  it('keeps what could not be written, and writes it the next time', async () => {
    await idsOf('a');
    mayWrite = true;
    const append = base.append.bind(base);
    base.append = () => Promise.reject(new Error('held by another'));
    await expect(log.release()).rejects.toThrow('held by another');
    expect(shown((await read(START)).lines).at(-1)).toBe('3 a');
    base.append = append;
    expect(await log.release()).toMatchObject({ hasWritten: true });
    expect((await read(START, base)).lines).toHaveLength(3);
  });

  it('gives lines in pieces', async () => {
    const long = 'x'.repeat(300_000);
    for (let at = 0; at < 9; at++)
      await log.append([makeDraft({ ts: '2026-02-03 21:23:34', summary: 'long', detail: long })]);
    let cursor: LogCursor | undefined;
    const sizes: number[] = [];
    for (;;) {
      const step = await log.follow(cursor);
      sizes.push(step.bytes.length);
      cursor = step.cursor;
      if (!step.hasMore) break;
    }
    expect(Math.max(...sizes)).toBeLessThan(1_500_000);
    expect((await read(START)).lines).toHaveLength(11);
  });
});

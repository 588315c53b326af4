import { describe, expect, it } from 'vitest';
import { encode, endOf, fileOfBytes, linesOf, readFrom } from '../../../../src/core/records/recordBytes';
import type { LogCursor } from '../../../../src/core/records/recordLog';
import type { RecordFile } from '../../../../src/core/records/recordStore';
import { USAGE_RECORDS } from '../../../../src/core/usage/storedUsageLog';

const LIMITS = { newestBytes: 100, lineBytes: 40 };

const opened = (text: string): RecordFile => fileOfBytes(encode(text));

/** All that is read of a log in small chunks: its text, and what is told of it. */
async function followed(log: RecordFile, from?: LogCursor) {
  let cursor = from;
  let text = '';
  let unread = 0;
  for (let reads = 0; reads < 1000; reads++) {
    const read = await readFrom(log, cursor, 16, LIMITS);
    text += Buffer.from(read.bytes).toString();
    unread += read.unreadBytes ?? 0;
    cursor = read.cursor;
    if (!read.hasMore) return { text, unread, cursor, torn: read.tornBytes };
  }
  throw new Error('it never ends');
}

const numbered = (first: number, last: number): string =>
  Array.from({ length: last - first + 1 }, (_, at) => `line ${String(first + at).padStart(4, '0')}\n`).join('');

describe('a log that is too large', () => {
  it('is read from its end, in whole lines, and says how much was not', async () => {
    const { text, unread, torn } = await followed(opened(numbered(1, 1000)));
    expect(text).toBe(numbered(991, 1000));
    expect(unread).toBe(9_900);
    expect(torn).toBe(0);
  });

  it('goes on from where it was read, and passes over what came in too large a piece', async () => {
    const { cursor } = await followed(opened(numbered(1, 1000)));
    expect(await followed(opened(numbered(1, 1003)), cursor)).toMatchObject({
      text: numbered(1001, 1003),
      unread: 0,
    });
    expect(await followed(opened(numbered(1, 2000)), cursor)).toMatchObject({
      text: numbered(1991, 2000),
      unread: 9_900,
    });
  });

  it('of one line that has no end is not read', async () => {
    const { text, unread, cursor } = await followed(opened('x'.repeat(5_000)));
    expect({ text, unread }).toEqual({ text: '', unread: 5_000 });
    expect(await followed(opened(`${'x'.repeat(5_000)}\n${numbered(1, 2)}`), cursor)).toMatchObject({
      text: `\n${numbered(1, 2)}`,
      unread: 0,
    });
  });
});

describe('a line that is too long for a record', () => {
  it('is passed over', async () => {
    const log = `${numbered(1, 2)}${'x'.repeat(50)}\n${numbered(3, 4)}`;
    expect(await followed(opened(log))).toMatchObject({ text: numbered(1, 4), unread: 51, torn: 0 });
  });

  it('is torn while it has no end, and is not held in memory', async () => {
    expect(await followed(opened(`${numbered(1, 2)}${'x'.repeat(60)}`))).toMatchObject({
      text: numbered(1, 2),
      unread: 60,
    });
  });

  it('is no record where a file is gone through, whatever it begins with, and the lines around it keep their places', async () => {
    const text = `first\n${'x'.repeat(9_000_000)}\nlast\n`;
    const lines = [];
    const log = opened(text);
    for await (const some of linesOf(log, 0, { ...LIMITS, lineBytes: 1_000_000 })) lines.push(...some);
    expect(lines).toEqual([
      { line: 'first', offset: 0, end: 6, isEnded: true },
      { line: '…', offset: 6, end: 9_000_007, isEnded: true },
      { line: 'last', offset: 9_000_007, end: 9_000_012, isEnded: true },
    ]);
  });

  it('at the end of a file makes it none of ours', async () => {
    const text = `{"v":"usage.v1","cycle":1${' '.repeat(100)}`;
    const state = await endOf(opened(text), USAGE_RECORDS.format, LIMITS);
    expect(state).toMatchObject({ isForeign: true, torn: undefined });
  });
});

it('a file that was cut after it was opened gives nothing, and the reader asks again', async () => {
  const cut: RecordFile = { ...opened(''), sizeBytes: 50 };
  expect(await readFrom(cut, undefined, 16, LIMITS)).toMatchObject({ cursor: { offset: 0 }, hasMore: true });
});

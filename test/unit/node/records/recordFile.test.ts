import { type FileHandle, open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LogCursor } from '../../../../src/core/records/recordLog';
import { USAGE_RECORDS } from '../../../../src/core/usage/usageRecords';
import { ConfinedFolder } from '../../../../src/node/records/confinedFolder';
import { RecordArchive } from '../../../../src/node/records/recordArchive';
import { identityOf, linesOf, readFrom } from '../../../../src/node/records/recordFile';
import { UsageLogFile } from '../../../../src/node/records/usageLogFile';
import { UsageLogReader } from '../../../../src/node/records/usageLogReader';
import { english } from '../../core/text/english';
import { tempFolder } from '../tempFolder';

const LIMITS = { newestBytes: 100, lineBytes: 40 };

let file: string;
let handle: FileHandle | undefined;

beforeEach(async () => {
  file = path.join(await tempFolder(), 'log.jsonl');
});
afterEach(async () => {
  await handle?.close();
  handle = undefined;
});

async function opened(text: string): Promise<FileHandle> {
  await handle?.close();
  await writeFile(file, text);
  handle = await open(file, 'r');
  return handle;
}

/** All that is read of a log in small chunks: its text, and what is told of it. */
async function followed(log: FileHandle, from?: LogCursor) {
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
    const { text, unread, torn } = await followed(await opened(numbered(1, 1000)));
    expect(text).toBe(numbered(991, 1000));
    expect(unread).toBe(9_900);
    expect(torn).toBe(0);
  });

  it('goes on from where it was read, and passes over what came in too large a piece', async () => {
    const { cursor } = await followed(await opened(numbered(1, 1000)));
    expect(await followed(await opened(numbered(1, 1003)), cursor)).toMatchObject({
      text: numbered(1001, 1003),
      unread: 0,
    });
    expect(await followed(await opened(numbered(1, 2000)), cursor)).toMatchObject({
      text: numbered(1991, 2000),
      unread: 9_900,
    });
  });

  it('of one line that has no end is not read', async () => {
    const { text, unread, cursor } = await followed(await opened('x'.repeat(5_000)));
    expect({ text, unread }).toEqual({ text: '', unread: 5_000 });
    expect(await followed(await opened(`${'x'.repeat(5_000)}\n${numbered(1, 2)}`), cursor)).toMatchObject({
      text: `\n${numbered(1, 2)}`,
      unread: 0,
    });
  });
});

describe('a line that is too long for a record', () => {
  it('is passed over', async () => {
    const log = `${numbered(1, 2)}${'x'.repeat(50)}\n${numbered(3, 4)}`;
    expect(await followed(await opened(log))).toMatchObject({ text: numbered(1, 4), unread: 51, torn: 0 });
  });

  it('is torn while it has no end, and is not held in memory', async () => {
    expect(await followed(await opened(`${numbered(1, 2)}${'x'.repeat(60)}`))).toMatchObject({
      text: numbered(1, 2),
      unread: 60,
    });
  });

  it('is no record where a file is gone through, whatever it begins with, and the lines around it keep their places', async () => {
    const text = `first\n${'x'.repeat(9_000_000)}\nlast\n`;
    const lines = [];
    const log = await opened(text);
    for await (const some of linesOf(log, text.length, 0, { ...LIMITS, lineBytes: 1_000_000 })) lines.push(...some);
    expect(lines).toEqual([
      { line: 'first', offset: 0, end: 6, isEnded: true },
      { line: '…', offset: 6, end: 9_000_007, isEnded: true },
      { line: 'last', offset: 9_000_007, end: 9_000_012, isEnded: true },
    ]);
  });

  it('at the end of a file makes it none of ours', async () => {
    const text = `{"v":"usage.v1","cycle":1${' '.repeat(100)}`;
    const state = await identityOf(await opened(text), text.length, USAGE_RECORDS.format, LIMITS);
    expect(state).toMatchObject({ kind: 'foreign', torn: undefined });
  });

  it('is one that cannot be read for a usage report, so that lines keep their numbers', async () => {
    await writeFile(file, `{"a":1}\n${'x'.repeat(18_000_000)}\n{"b":2}\n`);
    const log = new UsageLogFile({ realRoot: path.dirname(file), path: path.basename(file) });
    let text = '';
    for await (const piece of log.readAll()) text += Buffer.from(piece).toString();
    expect(text).toBe('{"a":1}\n…\n{"b":2}\n');
  });
});

it('the newest cycles are looked for in the end of a usage log alone, which is told', async () => {
  await writeFile(file, 'no record\n'.repeat(1_000));
  const folder = await ConfinedFolder.open(path.dirname(file), '');
  const reader = new UsageLogReader('log.jsonl', new RecordArchive('log.jsonl', USAGE_RECORDS.format), 200);
  const { records, problems } = await reader.newest(folder, 5).finally(() => folder.close());
  expect(records).toEqual([]);
  const words = problems.map(({ line, why }) => [line, english(why)]);
  expect(words.at(-1)).toEqual([undefined, 'the newest 200 bytes were read, 9,800 bytes before them were not']);
  // Which line it is would take reading the rest.
  expect(words.slice(0, -1).every(([line]) => line === undefined)).toBe(true);
  expect(words).toHaveLength(20);
});

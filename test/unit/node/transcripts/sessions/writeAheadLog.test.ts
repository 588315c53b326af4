import { readFileSync } from 'node:fs';
import initSqlJs from 'sql.js';
import { describe, expect, it } from 'vitest';
import { withWriteAheadLog } from '../../../../../src/node/transcripts/sessions/writeAheadLog';

// Made by SQLite 3.40: 40 rows, then in the log 40 more in one transaction and a changed one in another.
const DATABASE = readFileSync('test/fixtures/sessions/opencode/open.db');
const LOG = readFileSync('test/fixtures/sessions/opencode/open.db-wal');
const FRAME_BYTES = 24 + 512;

async function rowsOf(log: Buffer | undefined): Promise<readonly unknown[]> {
  const { Database } = await initSqlJs();
  const database = new Database(withWriteAheadLog(DATABASE, log, 1_000_000));
  const [check, rows] = ['PRAGMA integrity_check', 'SELECT a, b FROM t ORDER BY a'].map((query) => {
    const statement = database.prepare(query, []);
    const all = [];
    while (statement.step()) all.push(statement.get());
    return all;
  });
  expect(check).toEqual([['ok']]);
  return rows ?? [];
}

describe('a database whose writer is still there', () => {
  it('has the transactions of its log', async () => {
    const rows = await rowsOf(LOG);
    expect(rows).toHaveLength(80);
    expect(rows[3]).toEqual([3, 'changed']);
    expect(rows[79]).toEqual([79, 'new 79']);
  });

  it('has no transaction that is not whole', async () => {
    const rows = await rowsOf(LOG.subarray(0, LOG.length - 1));
    expect(rows).toHaveLength(80);
    expect(rows[3]).toEqual([3, 'old 3']);
  });

  it('ends where a checksum is wrong', async () => {
    const damaged = Buffer.from(LOG);
    damaged.writeUInt8((damaged[32 + FRAME_BYTES - 1] ?? 0) ^ 1, 32 + FRAME_BYTES - 1);
    expect(await rowsOf(damaged)).toHaveLength(40);
  });

  it.each([
    ['no log', undefined],
    ['an empty one', Buffer.alloc(0)],
    ['one that is none', Buffer.alloc(4_000, 7)],
  ])('is as it was with %s', async (_, log) => {
    expect(await rowsOf(log)).toHaveLength(40);
  });

  it('is not made larger than allowed', () => {
    expect(() => withWriteAheadLog(DATABASE, LOG, 1_000)).toThrow(RangeError);
  });
});

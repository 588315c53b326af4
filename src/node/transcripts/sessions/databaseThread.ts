import { readFileSync, statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import initSqlJs, { type Database, type SqlValue } from 'sql.js';
import type { JsonRecord } from '../../../core/text/jsonRecord';
import { messageOf } from '../../../core/text/phrase';
import { parseObject } from '../../../core/transcripts/jsonFields';
import { MAX_RECORD_BYTES } from '../../../core/transcripts/recordReader';
import {
  type DatabaseJob,
  type FromDatabaseThread,
  MAX_DATABASE_BYTES,
  type SessionRecords,
  type ToDatabaseThread,
} from './threadedDatabase';
import { withWriteAheadLog } from './writeAheadLog';

// The entry of the thread that reads an agent's database. It reads a copy in memory and writes nothing: the agent may have
// the database open. What the database holds is not trusted, so that the host ends a thread that takes too long.

/** Memory of SQLite itself, beside the copy. */
const MAX_HEAP_BYTES = 128 * 1024 * 1024;
const BATCH_CHARS = 1 << 20;
/** The agent may write between two looks. */
const ATTEMPTS = 3;

const PRAGMAS = [
  `hard_heap_limit = ${MAX_HEAP_BYTES}`,
  'trusted_schema = OFF',
  'query_only = ON',
  'temp_store = MEMORY',
  'cell_size_check = ON',
];

/** OpenCode's tables, as far as they are read: of others (accounts, credentials) nothing is. */
const TABLES = {
  session: ['id', 'parent_id', 'directory', 'time_created'],
  message: ['id', 'session_id', 'time_created', 'data'],
  part: ['id', 'message_id', 'data'],
};

function stampOf(file: string): string {
  const status = statSync(file, { throwIfNoEntry: false });
  return status ? `${status.size} ${status.mtimeMs} ${status.ctimeMs} ${status.ino}` : '';
}

/** The database and what its writer has not copied into it yet, both of one moment. */
function readTogether(file: string): Buffer {
  const names = [file, `${file}-wal`, `${file}-journal`];
  const look = (): string => names.map(stampOf).join('\n');
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = look();
    const [database, log, journal] = names.map((name) => {
      const size = statSync(name, { throwIfNoEntry: false })?.size ?? 0;
      if (size > MAX_DATABASE_BYTES) throw new Error(`it has more than ${MAX_DATABASE_BYTES / 1_000_000} MB`);
      return size === 0 ? undefined : readFileSync(name);
    });
    if (before !== look()) continue;
    // A transaction that was not finished: its pages are half written.
    if (journal?.some((byte) => byte !== 0)) break;
    return withWriteAheadLog(database ?? Buffer.alloc(0), log, MAX_DATABASE_BYTES);
  }
  throw new Error('its agent is writing to it: try again');
}

/** Rows of a query, one at a time. */
function* rowsOf(database: Database, query: string, values: readonly SqlValue[] = []): Generator<SqlValue[]> {
  const statement = database.prepare(query, [...values]);
  try {
    while (statement.step()) yield statement.get();
  } finally {
    statement.free();
  }
}

/** Names of views, virtual tables and computed columns run what the database says: they are not read. */
function checkTables(database: Database): void {
  for (const [table, columns] of Object.entries(TABLES)) {
    const [kind] = rowsOf(database, 'SELECT type, sql FROM sqlite_schema WHERE name = ?', [table]);
    const plain = [...rowsOf(database, `SELECT name FROM pragma_table_xinfo('${table}') WHERE hidden = 0`)].flat();
    const isPlain = kind?.[0] === 'table' && /^CREATE TABLE/i.test(String(kind[1]));
    const missing = isPlain ? columns.find((column) => !plain.includes(column)) : table;
    if (missing !== undefined) throw new Error(`it is not as OpenCode makes it: "${missing}" is missing`);
  }
}

const LONG = `octet_length(data) > ${MAX_RECORD_BYTES}`;

class Reading {
  #ids: { readonly session: string; readonly messages: readonly string[] } | undefined;
  /** No text is read twice, so that what comes is no more than what the file has. */
  #charsLeft: number;

  private constructor(
    private readonly database: Database,
    bytes: number,
  ) {
    this.#charsLeft = bytes;
  }

  static async open({ file, wasm }: DatabaseJob): Promise<Reading> {
    const bytes = readTogether(file);
    const { Database } = await initSqlJs({ wasmBinary: new Uint8Array(readFileSync(wasm)).buffer });
    const database = new Database(bytes);
    for (const pragma of PRAGMAS) database.run(`PRAGMA ${pragma}`);
    checkTables(database);
    return new Reading(database, bytes.length);
  }

  sessions(): readonly JsonRecord[] {
    const query = 'SELECT id, parent_id, directory FROM session ORDER BY time_created, id';
    return [...rowsOf(this.database, query)].map(([id, parentID, directory]) => ({ id, parentID, directory }));
  }

  /** Messages from number `from` on, each with its parts, as many as are worth a crossing. */
  records(session: string, from: number): SessionRecords {
    if (this.#ids?.session !== session) {
      const query = 'SELECT id FROM message WHERE session_id = ? ORDER BY time_created, id';
      this.#ids = { session, messages: [...rowsOf(this.database, query, [session])].map(([id]) => String(id)) };
    }
    const { messages } = this.#ids;
    const records: JsonRecord[] = [];
    let broken = 0;
    let chars = 0;
    let at = from;
    const parsed = (id: SqlValue | undefined, data: SqlValue | undefined): JsonRecord | undefined => {
      const text = typeof data === 'string' ? data : '';
      chars += text.length;
      const value = parseObject(text);
      if (value) return { ...value, id };
      broken++;
      return undefined;
    };
    for (; at < messages.length && chars < BATCH_CHARS; at++) {
      const id = messages[at] as string;
      const query = (table: string, key: string): string =>
        `SELECT id, CASE WHEN ${LONG} THEN NULL ELSE data END FROM ${table} WHERE ${key} = ? ORDER BY id`;
      const [row] = rowsOf(this.database, query('message', 'id'), [id]);
      const message = parsed(id, row?.[1]);
      if (!message) continue;
      const parts: JsonRecord[] = [];
      for (const [part, data] of rowsOf(this.database, query('part', 'message_id'), [id])) {
        const value = parsed(part, data);
        if (value) parts.push(value);
        if (chars > this.#charsLeft) throw new Error('it is damaged: it gives more text than it has');
      }
      records.push({ ...message, parts });
    }
    this.#charsLeft -= chars;
    return { records, broken, next: at < messages.length ? at : undefined };
  }
}

const port = parentPort;
if (port) {
  const post = (message: FromDatabaseThread): void => port.postMessage(message);
  const opened = Reading.open(workerData as DatabaseJob);
  opened.then(
    (reading) => post({ type: 'sessions', sessions: reading.sessions() }),
    (error: unknown) => post({ type: 'failed', message: messageOf(error) }),
  );
  port.on('message', ({ session, from }: ToDatabaseThread) => {
    opened
      .then((reading) => post({ type: 'records', ...reading.records(session, from) }))
      .catch((error: unknown) => post({ type: 'failed', message: messageOf(error) }));
  });
}

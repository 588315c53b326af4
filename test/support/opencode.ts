import { readFileSync } from 'node:fs';
import initSqlJs from 'sql.js';

/** A table's rows; `data` is an object, which the table has as JSON. */
interface OpencodeRows {
  readonly session: readonly Record<string, unknown>[];
  readonly message: readonly (Record<string, unknown> & { readonly id: string; readonly data: object })[];
  readonly part: readonly (Record<string, unknown> & {
    readonly id: string;
    readonly message_id: string;
    readonly data: object;
  })[];
}

const COLUMNS = {
  session: 'id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, time_created INTEGER',
  message: 'id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT',
  part: 'id TEXT PRIMARY KEY, message_id TEXT, data TEXT',
} as const;

/** The real client's rows (`continue.json`), as a session of `root`. */
export function opencodeRows(root: string): OpencodeRows {
  return JSON.parse(
    readFileSync('test/fixtures/sessions/opencode/continue.json', 'utf8').replaceAll('/home/u/proj', root),
  );
}

/** The messages of rows, as a reader gets them. */
export function opencodeMessages({ message, part }: OpencodeRows): readonly object[] {
  return message.map(({ id, data }) => {
    const parts = part.filter((each) => each.message_id === id).map((each) => ({ ...each.data, id: each.id }));
    return { ...data, id, parts };
  });
}

/** A database with these rows; `more` is run last. */
export async function opencodeDatabase(rows: Partial<OpencodeRows>, ...more: readonly string[]): Promise<Uint8Array> {
  const { Database } = await initSqlJs();
  const database = new Database();
  for (const [table, columns] of Object.entries(COLUMNS)) {
    const own = rows[table as keyof OpencodeRows];
    if (!own) continue;
    database.run(`CREATE TABLE ${table} (${columns})`);
    const names = columns.split(', ').map((column) => column.split(' ')[0] as string);
    for (const row of own) {
      const values = names.map((name) => {
        const value = (row as Record<string, unknown>)[name] ?? null;
        return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as string | number | null);
      });
      database.run(`INSERT INTO ${table} VALUES (${names.map(() => '?').join(', ')})`, values);
    }
  }
  for (const statement of more) database.run(statement);
  return database.export();
}

import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CliWorld, createEngines } from '../../support/cliWorld';
import { opencodeDatabase, opencodeRows } from '../../support/opencode';
import { some } from '../../support/runs';
import { tempFolder } from '../../support/tempFolder';

const DATA = '.local/share/opencode';
const FILE = `${DATA}/opencode.db`;

const product = mkdtempSync(path.join(tmpdir(), 'context-budget-databases-'));

beforeAll(async () => {
  await esbuild.build({
    entryPoints: ['src/node/transcripts/sessions/databaseThread.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile: path.join(product, 'dist/databases.js'),
  });
  copyFileSync('node_modules/sql.js/dist/sql-wasm.wasm', path.join(product, 'dist/sqlite.wasm'));
});
afterAll(() => rmSync(product, { recursive: true, force: true }));

let world: CliWorld;
let root: string;
let home: string;

beforeEach(async () => {
  world = await CliWorld.create();
  root = await tempFolder();
  home = await tempFolder();
});

async function put(file: string, content: string | Uint8Array): Promise<string> {
  const target = path.join(home, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, content);
  await utimes(target, 1_000, 1_000);
  return target;
}

async function run(...args: string[]) {
  const options = { product: { root: product, createEngines } };
  const { out, code, err } = await world.run([...args, '--root', root, '--from', home, '--json'], options);
  return { ...JSON.parse(out), code, err };
}

const WINDOWS = [
  [6002, 5000, 302],
  [6003, 5000, 303],
  [6004, 5000, 304],
  [6005, 5000, 305],
];

interface Usage {
  readonly input: number;
  readonly cache_read: number;
  readonly cache_write: number;
  readonly output: number;
}

function windowsOf(requests: readonly { readonly usage: Usage }[]): readonly (readonly number[])[] {
  return requests.map(({ usage }) => [
    usage.input + usage.cache_read + usage.cache_write,
    usage.cache_read,
    usage.output,
  ]);
}

function partsOf(request: { readonly parts: Record<string, number | Record<string, number>> }): number {
  const { mcp, ...plain } = request.parts;
  return [...Object.values(plain), ...Object.values(mcp as Record<string, number>)].reduce<number>(
    (sum, each) => sum + (each as number),
    0,
  );
}

/** The rows as files, as older versions keep them. */
async function putStored(): Promise<void> {
  const { session, message, part } = opencodeRows(root);
  const { id, directory } = session[0] as { id: string; directory: string };
  await put(`${DATA}/storage/session/global/${id}.json`, JSON.stringify({ id, directory, title: 'done' }));
  for (const each of message)
    await put(`${DATA}/storage/message/${id}/${each.id}.json`, JSON.stringify({ ...each.data, id: each.id }));
  for (const each of part)
    await put(`${DATA}/storage/part/${each.message_id}/${each.id}.json`, JSON.stringify({ ...each.data, id: each.id }));
}

describe('sessions of OpenCode', () => {
  it('come from its database: each request counts once and its parts add up', async () => {
    await put(FILE, await opencodeDatabase(opencodeRows(root)));
    const { sessions, problems, code, err } = await run('sessions');
    expect({ problems, code, err }).toEqual({ problems: [], code: 0, err: '' });
    expect(sessions).toMatchObject([{ agent: 'opencode', model: 'm1', turns: 2, requests: 4, usage: 'provider' }]);
    const { requests } = await run('session', sessions[0].id);
    expect(windowsOf(requests)).toEqual(WINDOWS);
    for (const [at, request] of requests.entries()) expect(partsOf(request)).toBe(WINDOWS[at]?.[0]);
    expect(requests[0].parts).toMatchObject({ read: 0 });
    expect(requests[0].parts.user).toBeGreaterThan(0);
    expect(requests[1].parts.read).toBeGreaterThan(0);
    // What is kept of it says the same.
    expect(await run('session', sessions[0].id)).toMatchObject({ requests, code: 0 });
  });

  it('come from the files of older versions, and once from both', async () => {
    await putStored();
    const { sessions, problems } = await run('sessions');
    expect(problems).toEqual([]);
    expect(sessions).toMatchObject([{ agent: 'opencode', turns: 2, requests: 4 }]);
    expect(windowsOf((await run('session', sessions[0].id)).requests)).toEqual(WINDOWS);
    await put(FILE, await opencodeDatabase(opencodeRows(root)));
    expect((await run('sessions')).sessions).toMatchObject([{ turns: 2, requests: 4 }]);
  });

  it("put a child's requests into its parent's session", async () => {
    const rows = opencodeRows(root);
    const own = rows.session[0] as { id: string; directory: string };
    const child = { ...own, id: 'ses_child', parent_id: own.id };
    const message = rows.message.map((each) => ({ ...each, id: `c${each.id}`, session_id: 'ses_child' }));
    await put(
      FILE,
      await opencodeDatabase({
        ...rows,
        session: [...rows.session, child],
        message: [...rows.message, ...message],
      }),
    );
    const { sessions } = await run('sessions');
    expect(sessions).toMatchObject([{ turns: 2, requests: 8 }]);
    const { requests } = await run('session', own.id);
    expect(requests.filter(({ subagent }: { subagent?: string }) => subagent === 'ses_child')).toHaveLength(4);
  });

  it("begin a new window with a compaction's summary, and lose results that were cleared", async () => {
    const rows = opencodeRows(root);
    const [first, , third] = rows.message.filter(({ data }) => 'tokens' in data);
    const { time } = third!.data as { time: { created: number } };
    const part = rows.part.map(({ data, ...row }) => {
      const { state, ...rest } = data as { state?: object };
      if (row.message_id !== first?.id || !state) return { ...row, data };
      const output = 'long words '.repeat(300);
      return { ...row, data: { ...rest, state: { ...state, output, time: { compacted: time.created } } } };
    });
    const message = rows.message.map((row) => (row === third ? { ...row, data: { ...row.data, summary: true } } : row));
    await put(FILE, await opencodeDatabase({ ...rows, message, part }));
    const { requests } = await run('session', rows.session[0]?.id as string);
    const parts = requests.map(({ parts: { read, summary } }: { parts: Record<string, number> }) => [read, summary]);
    expect(parts[1][0]).toBeGreaterThan(500);
    expect(parts[2][0]).toBeLessThan(50);
    expect(parts[2][1]).toBe(0);
    expect(parts[3][1]).toBeGreaterThan(0);
  });

  it('count steps apart where one message has several', async () => {
    const rows = opencodeRows(root);
    const [first, second] = rows.message.filter(({ data }) => 'tokens' in data);
    const message = rows.message.filter((row) => row !== first);
    const part = rows.part.map((row) => (row.message_id === first?.id ? { ...row, message_id: second!.id } : row));
    await put(FILE, await opencodeDatabase({ ...rows, message, part }));
    const { requests } = await run('session', rows.session[0]?.id as string);
    expect(windowsOf(requests)).toEqual(WINDOWS);
  });

  it("are none of another folder's", async () => {
    await put(FILE, await opencodeDatabase(opencodeRows(`${root}-other`)));
    expect(await run('sessions')).toMatchObject({ sessions: [], problems: [], code: 0 });
  });
});

/** Gives rows for ever. */
const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT';

describe('a database that cannot be read', () => {
  const message = async (content: string | Uint8Array): Promise<string> => {
    await put(FILE, content);
    const { sessions, problems, code } = await run('sessions');
    expect({ sessions, code }).toEqual({ sessions: [], code: 4 });
    expect(problems).toMatchObject([{ path: `${home}/${FILE}` }]);
    return problems[0].message;
  };

  it('is named with what is wrong', async () => {
    expect(await message('no database at all, but longer than the header of one'.repeat(20))).toContain(
      'file is not a database',
    );
    expect(await message('')).toContain('"session" is missing');
    expect(await message(await opencodeDatabase({ session: [] }))).toContain('"message" is missing');
    const rows = opencodeRows(root);
    expect(await message((await opencodeDatabase(rows)).subarray(0, 5_000))).toContain('malformed');
  });

  it.each([
    ['a view', `CREATE VIEW part AS ${ENDLESS} i AS id, i AS message_id, i AS data FROM n`],
    [
      'a computed column',
      'CREATE TABLE part (id TEXT, message_id TEXT, data TEXT AS (hex(zeroblob(500000000))) VIRTUAL)',
    ],
  ])('is not asked where %s stands for a table', async (_, statement) => {
    const { session, message: messages } = opencodeRows(root);
    expect(await message(await opencodeDatabase({ session, message: messages }, statement))).toMatch(
      /"(?:part|data)" is missing/,
    );
  });

  it('is too large, or being written', async () => {
    await truncate(await put(FILE, ''), 100_000_001);
    expect((await run('sessions')).problems).toMatchObject([
      { message: 'The file could not be read (it has more than 100 MB).' },
    ]);
    await put(FILE, await opencodeDatabase(opencodeRows(root)));
    await put(`${FILE}-journal`, 'a transaction');
    expect((await run('sessions')).problems).toMatchObject([
      { message: 'The file could not be read (its agent is writing to it: try again).' },
    ]);
  });

  it('says how many rows hold no JSON', async () => {
    const change = `UPDATE part SET data = '{"type"' WHERE id IN (SELECT id FROM part LIMIT 2)`;
    await put(FILE, await opencodeDatabase(opencodeRows(root), change));
    const { sessions, problems, code } = await run('sessions');
    expect(sessions).toMatchObject([{ requests: 4 }]);
    expect({ problems, code }).toEqual({
      problems: [{ path: `${home}/${FILE}`, message: '2 rows could not be read.' }],
      code: 4,
    });
  });

  it('ends with an answer, wherever it is damaged', async () => {
    const whole = await opencodeDatabase(opencodeRows(root));
    for (const seed of some([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 4)) {
      const damaged = Uint8Array.from(whole);
      for (let at = 100 + seed * 37; at < damaged.length; at += 191 + seed * 13) damaged[at] = (at * seed) % 256;
      await put(FILE, damaged);
      const { sessions, problems, code } = await run('sessions');
      expect(code).toBe(problems.length === 0 ? 0 : 4);
      expect(Array.isArray(sessions)).toBe(true);
    }
  });

  it('does not stop the others when its reader is missing', async () => {
    await putStored();
    await put(FILE, await opencodeDatabase(opencodeRows(root)));
    const missing = await tempFolder();
    writeFileSync(path.join(missing, 'a'), '');
    const { out, code } = await world.run(['sessions', '--root', root, '--from', home, '--json'], {
      product: { root: missing, createEngines },
    });
    expect(code).toBe(4);
    expect(JSON.parse(out)).toMatchObject({ sessions: [{ requests: 4 }], problems: [{ path: `${home}/${FILE}` }] });
  });
});

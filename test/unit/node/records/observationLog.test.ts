import { spawnSync } from 'node:child_process';
import { appendFile, mkdir, readFile, rm, stat, symlink, truncate, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeDraft } from '../../../../src/core/observations/observation';
import { decodeObservation } from '../../../../src/core/observations/observationCodec';
import { OBSERVATION_RECORDS } from '../../../../src/core/observations/observationRecords';
import type { LogCursor, LogRead } from '../../../../src/core/records/recordLog';
import { JsonlObservationLog, recordLogAt } from '../../../../src/node/records/fileLogs';
import { LOCK_TIMES } from '../../../../src/node/records/recordLock';
import { IS_LONG } from '../../../support/extent.mjs';
import { tempFolder } from '../../../support/tempFolder';
import { startWriter } from './writerProcess';

const PATH = '.context-budget/observations.jsonl';
const TS = '2026-02-03 21:23:34';

const draft = (summary: string, detail = '') => makeDraft({ ts: TS, summary, detail });
const EACH = IS_LONG ? 1000 : 20;
const WRITERS = IS_LONG ? 8 : 4;
const ROUNDS = IS_LONG ? 100 : 2;

const linesOf = (read: LogRead) => new TextDecoder().decode(read.bytes).split('\n').slice(0, -1);

let root: string;
let file: string;
let log: JsonlObservationLog;

beforeEach(async () => {
  root = await tempFolder();
  file = path.join(root, PATH);
  log = new JsonlObservationLog({ realRoot: root, path: PATH });
});

async function append(...summaries: readonly string[]): Promise<readonly number[]> {
  const outcome = await log.append(summaries.map((summary) => draft(summary)));
  return outcome.kind === 'appended' ? outcome.ids : [];
}

/** Every line of the file as an observation; fails when one is none. */
async function observations(): Promise<readonly { id: number; summary: string }[]> {
  const text = await readFile(file, 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => {
      const decoded = decodeObservation(line);
      if (decoded.kind !== 'ok') throw new Error(`${decoded.why}: ${line.slice(0, 80)}`);
      return decoded.observation;
    });
}

describe('appending', () => {
  it('gives ids from 1 on, in the order of the file', async () => {
    expect(await append('a', 'b')).toEqual([1, 2]);
    expect(await append('c')).toEqual([3]);
    expect((await observations()).map(({ id, summary }) => [id, summary])).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
  });

  it('gives distinct ids to calls made at once', async () => {
    const ids = (await Promise.all(Array.from({ length: 200 }, (_, at) => append(`row ${at}`)))).flat();
    expect(new Set(ids).size).toBe(200);
    expect((await observations()).map(({ id }) => id)).toEqual(Array.from({ length: 200 }, (_, at) => at + 1));
  });

  it('never gives an id again after lines were removed, the file was emptied or rebuilt', async () => {
    await append('a', 'b', 'c');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.split('\n').slice(0, 2).join('\n').concat('\n'));
    expect(await append('d')).toEqual([4]);
    await truncate(file);
    expect(await append('e')).toEqual([5]);
    await unlink(file);
    expect(await append('f')).toEqual([6]);
  });

  it('goes on after the highest id of the file when the mark is lost or older', async () => {
    await append('a');
    await unlink(`${file}.mark`);
    const line = (await readFile(file, 'utf8')).replace('"id":1,', '"id":41,');
    await appendFile(file, line);
    expect(await append('b')).toEqual([42]);
    await appendFile(file, line.replace('"id":41,', '"id": 77,'));
    expect(await append('c')).toEqual([78]);
    await writeFile(`${file}.mark`, '{"high_water');
    expect(await append('d')).toEqual([79]);
  });

  it('sets a torn last line aside and says so', async () => {
    await append('a');
    const torn = '{"schema_version":"obs.v1","id":2,"ts":"2026-02-';
    await appendFile(file, torn);
    const outcome = await log.append([draft('b')]);
    expect(outcome).toMatchObject({
      ids: [2],
      repairs: [{ kind: 'setAside', sizeBytes: torn.length, keptIn: `${PATH}.torn` }],
    });
    expect(await readFile(`${file}.torn`, 'utf8')).toBe(`${torn}\n`);
    expect((await observations()).map(({ summary }) => summary)).toEqual(['a', 'b']);
  });

  it('keeps a last line that only lacks its end', async () => {
    await append('a', 'b');
    await truncate(file, (await readFile(file)).length - 1);
    expect(await log.append([draft('c')])).toMatchObject({ ids: [3], repairs: [{ kind: 'completed' }] });
    expect((await observations()).map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('keeps the one torn line of a log that has no other', async () => {
    await mkdir(path.dirname(file));
    await writeFile(file, '{"schema_version":"obs.v1","id":');
    expect(await log.append([draft('a')])).toMatchObject({ ids: [1], repairs: [{ kind: 'setAside' }] });
  });

  it('writes nothing when somebody appended since the cursor', async () => {
    await append('a');
    const { cursor } = await log.follow(undefined);
    await append('b');
    expect(await log.append([draft('c')], cursor)).toEqual({ kind: 'moved' });
    const { cursor: now } = await log.follow(cursor);
    expect(await log.append([draft('c')], now)).toMatchObject({ kind: 'appended', ids: [3] });
  });

  it.each(['# Notes\n\nMine.\n', 'no line end', '{"name":"app"}\n'])(
    'leaves a file alone that holds something else: %j',
    async (text) => {
      await mkdir(path.dirname(file));
      await writeFile(file, text);
      await expect(log.append([draft('a')])).rejects.toMatchObject({ reason: 'notALog' });
      expect(await readFile(file, 'utf8')).toBe(text);
    },
  );

  it.each([
    ['unreadable', 'read'],
    ['unwritable', 'written'],
  ] as const)('says which file is %s, and why', (reason, done) => {
    const cause = Object.assign(new Error('bad disk'), { code: 'EIO' });
    const failure = recordLogAt({ realRoot: root, path: PATH }, OBSERVATION_RECORDS).failure(reason, cause);
    expect(failure).toMatchObject({ reason, cause });
    expect(String(failure)).toContain(`${PATH} could not be ${done} (EIO).`);
  });

  it('does not make a workspace anew that was removed', async () => {
    await rm(root, { recursive: true });
    await expect(log.append([draft('a')])).rejects.toMatchObject({ reason: 'unwritable' });
    await expect(stat(root)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each(['folder', 'file'])('does not follow a %s that leads out of the workspace', async (what) => {
    const outside = await tempFolder({ 'observations.jsonl': '' });
    if (what === 'folder') await symlink(outside, path.join(root, '.context-budget'));
    else {
      await mkdir(path.join(root, '.context-budget'));
      await symlink(path.join(outside, 'observations.jsonl'), file);
    }
    await expect(log.append([draft('a')])).rejects.toMatchObject({ reason: 'notALog' });
    expect(await readFile(path.join(outside, 'observations.jsonl'), 'utf8')).toBe('');
  });
});

describe('following', () => {
  const all = async (after?: LogCursor) => {
    const lines: string[] = [];
    let read = await log.follow(after);
    lines.push(...linesOf(read));
    while (read.hasMore) {
      read = await log.follow(read.cursor);
      lines.push(...linesOf(read));
    }
    return { lines, read };
  };

  it('gives nothing for a log that is not there, and its lines once it is', async () => {
    const first = await log.follow(undefined);
    expect(first).toMatchObject({ isReset: true, hasMore: false });
    await append('a');
    const next = await log.follow(first.cursor);
    expect(next.isReset).toBe(false);
    expect(linesOf(next)).toHaveLength(1);
  });

  it('gives only what was appended since', async () => {
    await append('a', 'b');
    const { read } = await all();
    await append('c');
    const next = await log.follow(read.cursor);
    expect(next.isReset).toBe(false);
    expect(linesOf(next)).toHaveLength(1);
    expect(linesOf(next)[0]).toContain('"c"');
  });

  it('gives whole lines only, and says how much waits for its end', async () => {
    await append('a');
    await appendFile(file, '{"schema');
    const { lines, read } = await all();
    expect(lines).toHaveLength(1);
    expect(read.tornBytes).toBe(8);
  });

  it('starts anew when the file was cut, replaced or rewritten in place', async () => {
    await append('a', 'b', 'c');
    const { read } = await all();
    const text = await readFile(file, 'utf8');
    for (const changed of [text.split('\n').slice(0, 1).join('\n').concat('\n'), text.replaceAll('"c"', '"C"')]) {
      await writeFile(file, changed);
      expect((await log.follow(read.cursor)).isReset).toBe(true);
    }
    await unlink(file);
    expect((await log.follow(read.cursor)).isReset).toBe(true);
  });

  it('reads lines larger than a chunk, and many of them', async () => {
    await log.append([
      draft('big', 'y'.repeat(1_500_000)),
      ...Array.from({ length: 10 }, () => draft('s', 'z'.repeat(200_000))),
    ]);
    const { lines } = await all();
    expect(lines).toHaveLength(11);
    expect(lines.every((line) => decodeObservation(line).kind === 'ok')).toBe(true);
  });
});

describe('the lock', () => {
  it('is taken over at once from a process that is gone', async () => {
    await mkdir(path.dirname(file));
    const dead = spawnSync('git', ['--version']);
    const key = '00000000-0000-0000-0000-000000000000';
    const { hostname } = await import('node:os');
    await writeFile(`${file}.lock`, JSON.stringify({ pid: dead.pid, host: hostname(), key }));
    expect(await append('a')).toEqual([1]);
  });

  it('is taken over from a maker that was killed before it wrote who it is', async () => {
    await mkdir(path.dirname(file));
    await writeFile(`${file}.lock`, '');
    const patient = new JsonlObservationLog({ realRoot: root, path: PATH, lockTimes: { ...LOCK_TIMES, emptyMs: -1 } });
    expect(await patient.append([draft('a')])).toMatchObject({ ids: [1] });
  });

  it('is waited for while its holder lives, and the message says what to do', async () => {
    await mkdir(path.dirname(file));
    const key = '00000000-0000-0000-0000-000000000000';
    const { hostname } = await import('node:os');
    await writeFile(`${file}.lock`, JSON.stringify({ pid: process.pid, host: hostname(), key }));
    const hasty = new JsonlObservationLog({ realRoot: root, path: PATH, lockTimes: { ...LOCK_TIMES, patienceMs: 50 } });
    await expect(hasty.append([draft('a')])).rejects.toMatchObject({
      reason: 'locked',
      message: expect.stringContaining(`${PATH}.lock`),
    });
  });
});

describe('several processes', () => {
  it('gives several writers distinct ids and loses nothing', async () => {
    const writers = await Promise.all(
      Array.from({ length: WRITERS }, (_, at) => startWriter(root, PATH, `w${at}`, EACH)),
    );
    const results = await Promise.all(writers.map(({ ended }) => ended));
    expect(results.map(({ code, err }) => [code, err])).toEqual(results.map(() => [0, '']));
    const ids = results.flatMap((result) => result.ids);
    expect(new Set(ids).size).toBe(WRITERS * EACH);
    const found = await observations();
    expect(found.map(({ id }) => id)).toEqual(Array.from({ length: WRITERS * EACH }, (_, at) => at + 1));
    expect(new Set(found.map(({ summary }) => summary)).size).toBe(WRITERS * EACH);
  });

  it('loses nothing that was given an id when writers are killed', async () => {
    const given = new Set<number>();
    for (let round = 0; round < ROUNDS; round++) {
      const names = ['a', 'b', 'c'].map((name) => `${name}${round}`);
      const writers = await Promise.all(names.map((name) => startWriter(root, PATH, name, 1000)));
      await Promise.all(writers.map(({ started }) => started));
      for (const { child } of writers) child.kill('SIGKILL');
      const before = given.size;
      for (const { ids } of await Promise.all(writers.map(({ ended }) => ended))) {
        for (const id of ids) {
          expect(given.has(id)).toBe(false);
          given.add(id);
        }
      }
      expect(given.size).toBeGreaterThan(before);
      // The next writer repairs what the killed ones left.
      for (const id of await append(`after ${round}`)) given.add(id);
      const ids = (await observations()).map(({ id }) => id);
      expect([...ids].sort((left, right) => left - right)).toEqual(ids);
      expect(new Set(ids).size).toBe(ids.length);
      expect([...given].filter((id) => !ids.includes(id))).toEqual([]);
    }
  });
});

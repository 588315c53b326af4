import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  unlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Rotation } from '../../../../src/core/records/recordArchive';
import { inEnglish } from '../../../../src/core/text/phrase';
import { USAGE_RECORDS } from '../../../../src/core/usage/storedUsageLog';
import { decodeUsage, encodeUsage } from '../../../../src/core/usage/usageCodec';
import { readNewest } from '../../../../src/core/usage/usageLogReader';
import type { UsageDraft, UsageRecord } from '../../../../src/core/usage/usageRecord';
import { recordLogAt, UsageLogFile } from '../../../../src/node/records/fileLogs';
import { english } from '../../../support/english';
import { IS_LONG } from '../../../support/extent.mjs';
import { tempFolder } from '../../../support/tempFolder';
import { startScript } from './writerProcess';

const PATH = '.context-budget/usage.jsonl';
const EACH = IS_LONG ? 1000 : 10;
const ROUNDS = IS_LONG ? 100 : 2;
/** A file is put aside after a few records. */
const SMALL: Rotation = { maxFileBytes: 1_000, keepBytes: 1_000_000, keepRecords: 1_000 };

const draft = (trigger: string, more: Partial<UsageDraft> = {}): UsageDraft => ({
  ts: '2026-02-03 21:23:34',
  trigger,
  profile: 'default',
  sections: [{ id: 'soul', chars: 1000, tokens: 250, disclosure: 'full' }],
  cited: [],
  ...more,
});

let root: string;
let file: string;

const open = (rotation?: Rotation) => new UsageLogFile({ realRoot: root, path: PATH }, rotation);
const append = async (log: UsageLogFile, ...triggers: readonly string[]) =>
  (await log.append(triggers.map((trigger) => draft(trigger)))).cycles;
const cyclesOf = (records: readonly UsageRecord[]) => records.map(({ cycle }) => cycle);
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);
const oldFiles = async () => (await readdir(path.dirname(file))).filter((name) => /\.\d{6}\.jsonl$/.test(name)).sort();

/** Every record of `readAll`, which gives whole lines only; fails when one is none. */
async function everything(log: UsageLogFile): Promise<readonly UsageRecord[]> {
  const records: UsageRecord[] = [];
  for await (const bytes of log.readAll()) {
    const text = new TextDecoder().decode(bytes);
    expect(text.endsWith('\n')).toBe(true);
    for (const line of text.slice(0, -1).split('\n')) {
      const decoded = decodeUsage(line);
      if (decoded.kind !== 'ok') throw new Error(`${inEnglish(decoded.why)}: ${line.slice(0, 80)}`);
      records.push(decoded.record);
    }
  }
  return records;
}

beforeEach(async () => {
  root = await tempFolder();
  file = path.join(root, PATH);
});

describe('recording', () => {
  it('gives cycles from 1 on, also to calls made at once and through another object', async () => {
    const log = open();
    expect(await append(log, 'a', 'b')).toEqual([1, 2]);
    const others = (await Promise.all([append(log, 'c'), append(open(), 'd'), append(log, 'e')])).flat();
    expect([...others].sort()).toEqual([3, 4, 5]);
    const { records, problems } = await log.readNewest(10);
    expect(cyclesOf(records)).toEqual([1, 2, 3, 4, 5]);
    expect(problems).toEqual([]);
  });

  it('is empty before anything was recorded', async () => {
    expect(await open().readNewest(50)).toEqual({ records: [], problems: [] });
    expect(await everything(open())).toEqual([]);
  });

  it('adds citations to a cycle as a line of their own', async () => {
    const log = open();
    await append(log, 'a', 'b', 'c');
    await log.amend(2, {
      profile: 'default',
      ts: '2026-02-03 22:00:00',
      cited: [{ id: 'soul', evidence: 'handle', what: 'section:soul' }],
    });
    const { records } = await log.readNewest(2);
    expect(records.map(({ cycle, trigger, cited }) => [cycle, trigger, cited.length])).toEqual([
      [2, 'b', 1],
      [3, 'c', 0],
    ]);
    expect(await append(log, 'd')).toEqual([4]);
  });

  it('refuses citations of a cycle that there never was', async () => {
    const log = open();
    await append(log, 'a');
    const cited = [{ id: 'soul', evidence: 'id' as const, what: 'soul' }];
    await expect(log.amend(7, { profile: 'default', ts: '2026-02-03 22:00:00', cited: cited })).rejects.toMatchObject({
      reason: 'invalid',
    });
    expect((await readFile(file, 'utf8')).split('\n')).toHaveLength(2);
  });

  it('leaves out what has an origin that is recorded, here or by another window, in old files too', async () => {
    const log = open(SMALL);
    const turn = (at: number) => draft('transcript', { origin: `codex:s:${at}` });
    expect((await log.append([turn(1), turn(2), turn(1)])).cycles).toEqual([1, 2]);
    for (let at = 0; at < 30; at++) await append(log, 'between');
    expect((await oldFiles()).length).toBeGreaterThan(2);
    expect((await log.append([turn(2), turn(3)])).cycles).toEqual([33]);
    expect((await open(SMALL).append([turn(1), turn(2), turn(3)])).cycles).toEqual([]);
    const both = [open(SMALL), open(SMALL), log].map((window) => window.append([turn(4), turn(5)]));
    expect((await Promise.all(both)).flatMap(({ cycles }) => cycles).sort()).toEqual([34, 35]);
  });

  it('sets a torn last line aside, says so, and keeps everything else', async () => {
    const log = open();
    await append(log, 'a');
    await appendFile(file, '{"schema_version":"usage.v1","cycle":2,"ts":"2026-');
    expect(cyclesOf((await log.readNewest(5)).records)).toEqual([1]);
    expect(await log.append([draft('b')])).toMatchObject({ cycles: [2], repairs: [{ kind: 'setAside' }] });
    expect(cyclesOf((await log.readNewest(5)).records)).toEqual([1, 2]);
  });

  it.each(['# Notes\n', '{"schema_version":"obs.v1","id":1}\n'])('leaves a file of others alone: %j', async (text) => {
    await mkdir(path.dirname(file));
    await writeFile(file, text);
    await expect(open().append([draft('a')])).rejects.toMatchObject({
      reason: 'notALog',
      message: expect.stringContaining('usage_log'),
    });
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('does not follow a link that leads out of the workspace, to write or to read', async () => {
    const outside = await tempFolder({ 'usage.jsonl': encodeUsage(1, draft('secret')) });
    await symlink(outside, path.join(root, '.context-budget'));
    await expect(open().append([draft('a')])).rejects.toMatchObject({ reason: 'notALog' });
    await expect(open().readNewest(5)).rejects.toMatchObject({ reason: 'notALog' });
    await expect(everything(open())).rejects.toMatchObject({ reason: 'notALog' });
  });
});

describe('the ignore file beside the log', () => {
  const ignore = () => readFile(path.join(root, '.context-budget/.gitignore'), 'utf8');

  it('is written with the first record, once', async () => {
    await append(open(), 'a');
    expect(await ignore()).toContain('usage.jsonl\n');
    await unlink(path.join(root, '.context-budget/.gitignore'));
    await append(open(), 'b');
    await expect(ignore()).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is never touched where there is one, and never written into a folder of others', async () => {
    await mkdir(path.dirname(file));
    await writeFile(path.join(root, '.context-budget/.gitignore'), 'mine\n');
    await append(open(), 'a');
    expect(await ignore()).toBe('mine\n');
    const elsewhere = new UsageLogFile({ realRoot: root, path: 'logs/usage.jsonl' });
    await append(elsewhere, 'a');
    expect(await readdir(path.join(root, 'logs'))).not.toContain('.gitignore');
  });
});

describe('reading', () => {
  it('names bad lines by path and line, and keeps everything else', async () => {
    const log = open();
    await append(log, 'a', 'b', 'c');
    const lines = (await readFile(file, 'utf8')).split('\n');
    await writeFile(
      file,
      [lines[0], 'garbage', lines[1], '', lines[2]?.replace('"chars":1000', '"chars":-1'), ''].join('\n'),
    );
    expect(english(await log.readNewest(50))).toMatchObject({
      records: [{ cycle: 1 }, { cycle: 2 }],
      problems: [
        { path: PATH, line: 2, why: 'it is not JSON' },
        { path: PATH, line: 5, why: 'sections[0].chars must be a number of at least 0' },
      ],
    });
  });

  it('tells of cycles that two logs gave, put together by a merge, and keeps the citations of both', async () => {
    const what = (id: string) => [{ id, evidence: 'id' as const, what: id }];
    await mkdir(path.dirname(file));
    const mine = [1, 2, 3].map((at) => encodeUsage(at, draft('mine', { cited: what('a') })));
    const theirs = [2, 3, 4].map((at) => encodeUsage(at, draft('theirs', { cited: what('b') })));
    await writeFile(file, [...mine, ...theirs].join(''));
    const { records, problems } = await open().readNewest(50);
    expect(records.map(({ cycle, trigger, cited }) => [cycle, trigger, cited.length])).toEqual([
      [1, 'mine', 1],
      [2, 'mine', 2],
      [3, 'mine', 2],
      [4, 'theirs', 1],
    ]);
    expect(english(problems)).toEqual([
      {
        path: PATH,
        line: undefined,
        why: 'cycle 2 and 1 more cycle are recorded twice: the first record counts, with the citations of both',
      },
    ]);
    expect(await append(open(), 'next')).toEqual([5]);
  });

  it('tells of many bad lines by their number', async () => {
    await append(open(), 'a');
    await appendFile(file, 'x\n'.repeat(100));
    const { problems, records } = await open().readNewest(50);
    expect(cyclesOf(records)).toEqual([1]);
    expect(problems).toHaveLength(21);
    expect(english(problems.at(-1))).toMatchObject({ line: undefined, why: '80 more lines are not records' });
  });

  it('reads lines larger than what is read at once, and ends in the middle of a file', async () => {
    const log = open();
    const wide = (count: number) =>
      draft('wide', {
        sections: range(1, count).map((at) => ({ id: `s-${at}`, chars: at, tokens: at, disclosure: 'full' as const })),
      });
    await log.append([draft('a'), wide(20_000), draft('b'), wide(5_000), draft('c')]);
    for (const count of [1, 2, 3, 4, 5, 50]) {
      const { records } = await log.readNewest(count);
      expect(cyclesOf(records)).toEqual(range(Math.max(1, 6 - count), 5));
    }
    expect((await log.readNewest(5)).records[1]?.sections).toHaveLength(20_000);
  });

  it('counts the cycles, not the lines that add to them', async () => {
    const log = open(SMALL);
    for (let at = 1; at <= 15; at++) {
      await append(log, `t${at}`);
      for (const what of ['x', 'y', 'z'])
        await log.amend(1, {
          profile: 'default',
          ts: '2026-02-03 22:00:00',
          cited: [{ id: 'soul', evidence: 'id', what: `${what}${at}` }],
        });
    }
    expect(cyclesOf((await log.readNewest(7)).records)).toEqual(range(9, 15));
    const { records } = await log.readNewest(100);
    expect(cyclesOf(records)).toEqual(range(1, 15));
    expect(records[0]?.cited).toHaveLength(45);
  });
});

describe('a log that has grown', () => {
  it('is put aside under the next number, and its cycles go on', async () => {
    const log = open(SMALL);
    for (let at = 1; at <= 40; at++) expect(await append(log, `t${at}`)).toEqual([at]);
    const names = await oldFiles();
    expect(names[0]).toBe('usage.000001.jsonl');
    expect(names.length).toBeGreaterThan(3);
    expect(cyclesOf(await everything(log))).toEqual(range(1, 40));
    for (const count of [1, 9, 25, 40, 99])
      expect(cyclesOf((await log.readNewest(count)).records)).toEqual(range(Math.max(1, 41 - count), 40));
  });

  it('never gives a number again, whatever was lost of the log', async () => {
    const log = open(SMALL);
    for (let at = 1; at <= 40; at++) await append(log, `t${at}`);
    await unlink(`${file}.mark`);
    expect(await append(log, 'no mark')).toEqual([41]);
    await unlink(file);
    expect(await append(log, 'no file')).toEqual([42]);
    await Promise.all([unlink(file), unlink(`${file}.mark`)]);
    const newest = path.join(path.dirname(file), (await oldFiles()).at(-1) ?? '');
    const last = (await readFile(newest, 'utf8')).trimEnd().split('\n').at(-1) ?? '';
    const known = decodeUsage(last);
    const next = (known.kind === 'ok' ? known.record.cycle : 0) + 1;
    expect(next).toBeGreaterThan(30);
    expect(await append(log, 'neither')).toEqual([next]);
  });

  it('goes on where a writer was killed between putting aside and writing', async () => {
    const log = open(SMALL);
    for (let at = 1; at <= 5; at++) await append(log, `t${at}`);
    await rename(file, path.join(path.dirname(file), 'usage.000001.jsonl'));
    expect(cyclesOf((await log.readNewest(50)).records)).toEqual(range(1, 5));
    expect(cyclesOf(await everything(log))).toEqual(range(1, 5));
    expect(await append(log, 'next')).toEqual([6]);
    expect(cyclesOf((await log.readNewest(50)).records)).toEqual(range(1, 6));
  });

  it('repairs a torn end before the file is put aside, and tells of it', async () => {
    const log = open(SMALL);
    await log.append(range(1, 12).map((at) => draft(`t${at}`)));
    await truncate(file, (await readFile(file)).length - 20);
    expect(await log.append([draft('next')])).toMatchObject({ cycles: [13], repairs: [{ kind: 'setAside' }] });
    expect(await oldFiles()).toHaveLength(1);
    expect(cyclesOf(await everything(log))).toEqual([...range(1, 11), 13]);
  });

  it('names bad lines of old files by their own path', async () => {
    const log = open(SMALL);
    for (let at = 1; at <= 10; at++) await append(log, `t${at}`);
    await appendFile(path.join(path.dirname(file), 'usage.000001.jsonl'), 'garbage\n');
    const { problems } = await log.readNewest(50);
    expect(english(problems)).toMatchObject([{ path: '.context-budget/usage.000001.jsonl', why: 'it is not JSON' }]);
    expect((await log.readNewest(2)).problems).toEqual([]);
  });

  it('loses its oldest files above the bound, but never one of the newest records', async () => {
    const bounded = open({ maxFileBytes: 2_000, keepBytes: 6_000, keepRecords: 5 });
    for (let at = 1; at <= 60; at++) await append(bounded, `t${at}`);
    const all = cyclesOf(await everything(bounded));
    expect(all.at(-1)).toBe(60);
    expect(all).toEqual(range(all[0] ?? 0, 60));
    expect(all.length).toBeLessThan(45);
    // As many as there is room for: one more would be above the bound.
    expect(await oldFiles()).toHaveLength(2);
  });

  it('keeps old files beyond the bound while they have the newest records', async () => {
    const bounded = open({ maxFileBytes: 2_000, keepBytes: 1, keepRecords: 20 });
    for (let at = 1; at <= 60; at++) await append(bounded, `t${at}`);
    const all = cyclesOf(await everything(bounded));
    expect(all).toEqual(range(all[0] ?? 0, 60));
    expect(all.length).toBeGreaterThanOrEqual(20);
    expect(all.length).toBeLessThan(50);
  });

  it('does not take a line that adds citations for one of the newest records', async () => {
    const bounded = open({ maxFileBytes: 2_000, keepBytes: 1, keepRecords: 10 });
    for (let at = 1; at <= 30; at++) {
      await append(bounded, `t${at}`);
      for (const old of [1, 2, 3].filter((one) => one <= at))
        await bounded.amend(old, {
          profile: 'default',
          ts: '2026-02-03 22:00:00',
          cited: [{ id: 'a', evidence: 'id', what: `${at}` }],
        });
    }
    const { records } = await bounded.readNewest(10);
    expect(cyclesOf(records)).toEqual(range(21, 30));
  });

  it('leaves files of others that have such a name', async () => {
    const bounded = open({ maxFileBytes: 2_000, keepBytes: 1, keepRecords: 1 });
    await mkdir(path.dirname(file));
    const foreign = path.join(path.dirname(file), 'usage.000001.jsonl');
    await writeFile(foreign, 'mine\n');
    for (let at = 1; at <= 40; at++) await append(bounded, `t${at}`);
    expect(await readFile(foreign, 'utf8')).toBe('mine\n');
    await rm(foreign);
  });

  it('is read whole while it is written and put aside', async () => {
    const log = open(SMALL);
    for (let at = 1; at <= 20; at++) await append(log, `t${at}`);
    const writing = (async () => {
      for (let at = 21; at <= 40; at++) await append(open(SMALL), `t${at}`);
    })();
    for (let tries = 0; tries < 20; tries++) {
      const all = cyclesOf(await everything(log));
      expect(all).toEqual(range(1, all.length));
      const { records } = await log.readNewest(15);
      const newest = records.at(-1)?.cycle ?? 0;
      expect(cyclesOf(records)).toEqual(range(newest - 14, newest));
    }
    await writing;
  });
});

describe('several processes', () => {
  it('gives six writers distinct cycles across old files and loses nothing', async () => {
    const writers = await Promise.all(
      range(1, 6).map((at) => startScript('usageWriter', root, [PATH, `w${at}`, String(EACH), '3000', '100000000'])),
    );
    const results = await Promise.all(writers.map(({ ended }) => ended));
    expect(results.map(({ code, err }) => [code, err])).toEqual(results.map(() => [0, '']));
    const given = results.flatMap(({ ids }) => ids);
    expect(new Set(given).size).toBe(6 * EACH);
    const log = open(SMALL);
    expect(cyclesOf(await everything(log))).toEqual(range(1, 6 * EACH));
    expect(new Set((await everything(log)).map(({ trigger }) => trigger)).size).toBe(6 * EACH);
    expect((await oldFiles()).length).toBeGreaterThan(5);
  });

  it('loses nothing that was given a cycle when writers are killed', async () => {
    const given = new Set<number>();
    for (let round = 0; round < ROUNDS; round++) {
      // So small that every second record puts the file aside: most kills fall into it.
      const args = (name: string) => [PATH, name, '1000', '800', '100000000'];
      const names = ['a', 'b', 'c'].map((name) => `${name}${round}`);
      const writers = await Promise.all(names.map((name) => startScript('usageWriter', root, args(name))));
      await Promise.all(writers.map(({ started }) => started));
      for (const { child } of writers) child.kill('SIGKILL');
      for (const { ids } of await Promise.all(writers.map(({ ended }) => ended))) {
        for (const id of ids) {
          expect(given.has(id)).toBe(false);
          given.add(id);
        }
      }
      // The next writer repairs what the killed ones left. Like them it keeps all old files: in a hundred rounds they are
      // more than the bound of others.
      const log = open({ ...SMALL, keepBytes: 100_000_000 });
      for (const id of await append(log, `after ${round}`)) given.add(id);
      const found = cyclesOf(await everything(log));
      expect([...found].sort((left, right) => left - right)).toEqual(found);
      expect(new Set(found).size).toBe(found.length);
      expect([...given].filter((id) => !found.includes(id))).toEqual([]);
    }
    expect((await oldFiles()).length).toBeGreaterThan(ROUNDS);
  });
});

describe('a file that is larger than any log', () => {
  beforeEach(() => mkdir(path.dirname(file)));

  it('has a line that cannot be read for a report, so that lines keep their numbers', async () => {
    await writeFile(file, `{"a":1}\n${'x'.repeat(18_000_000)}\n{"b":2}\n`);
    let text = '';
    for await (const piece of open().readAll()) text += Buffer.from(piece).toString();
    expect(text).toBe('{"a":1}\n…\n{"b":2}\n');
  });

  it('is read from its end alone for the newest cycles, which is told', async () => {
    await writeFile(file, 'no record\n'.repeat(1_000));
    const log = recordLogAt({ realRoot: root, path: PATH }, USAGE_RECORDS);
    const read = await log.reading((folder) => readNewest(log, folder, 5, 200));
    expect(read?.records).toEqual([]);
    const words = read?.problems.map(({ line, why }) => [line, english(why)]) ?? [];
    expect(words.at(-1)).toEqual([undefined, 'the newest 200 bytes were read, 9,800 bytes before them were not']);
    // Which line it is would take reading the rest.
    expect(words.slice(0, -1).every(([line]) => line === undefined)).toBe(true);
    expect(words).toHaveLength(20);
  });
});

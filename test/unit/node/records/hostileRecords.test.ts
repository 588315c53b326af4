/**
 * Folders that are made to mislead whoever records in them: each case leads a write of the record logs out of the folder,
 * into `.git` or another file of it, or keeps the writer waiting. Nothing may be written there, and the answer comes at once.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  access,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeDraft } from '../../../../src/core/observations/observation';
import { encodeObservation } from '../../../../src/core/observations/observationCodec';
import { OBSERVATION_RECORDS } from '../../../../src/core/observations/observationRecords';
import { encodeUsage } from '../../../../src/core/usage/usageCodec';
import type { UsageDraft } from '../../../../src/core/usage/usageRecord';
import { JsonlObservationLog, recordLogAt, UsageLogFile } from '../../../../src/node/records/fileLogs';
import type { HoldWay } from '../../../../src/node/records/heldFolder';
import { LOCK_TIMES, type LockTimes } from '../../../../src/node/records/recordLock';
import { tempFolder } from '../../../support/tempFolder';

const OBSERVATIONS = '.context-budget/observations.jsonl';
const USAGE = '.context-budget/usage.jsonl';
const TS = '2026-02-03 21:23:34';
/** A wait for a lock takes thirty; a pipe without a writer takes for ever. */
const AT_ONCE_MS = 3_000;
const GIT_CONFIG = '[core]\n\trepositoryformatversion = 0\n';
const TORN = '[core] fsmonitor = "touch executed"';
const CYCLE: UsageDraft = {
  ts: TS,
  trigger: 'copy',
  profile: 'default',
  sections: [{ id: 'soul', chars: 1000, tokens: 250, disclosure: 'full' }],
  cited: [],
};
const RECORD = encodeObservation(1, makeDraft({ ts: TS, summary: 'shipped' }));

let root: string;
let outside: string;

const at = (relative: string) => path.join(root, relative);
const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );
const pipe = (relative: string) => execFileSync('mkfifo', [at(relative)]);

/** The failure of `work`, which must come at once. */
async function refusal(work: Promise<unknown>): Promise<{ reason?: string; message: string }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it hangs')), AT_ONCE_MS);
  });
  try {
    const done = await Promise.race([
      work.then(
        () => ({ message: 'it was accepted' }),
        (error: unknown) => error as { reason?: string; message: string },
      ),
      late,
    ]);
    expect(done.message).not.toContain(root);
    return done;
  } finally {
    clearTimeout(timer);
  }
}

/** A pipe that somebody waits at keeps a thread of the pool, and the test run with it. */
async function release(relative: string): Promise<void> {
  if (!(await lstat(at(relative)).catch(() => undefined))?.isFIFO()) return;
  const { open } = await import('node:fs/promises');
  const { constants } = await import('node:fs');
  await (await open(at(relative), constants.O_RDWR | constants.O_NONBLOCK)).close();
}

beforeEach(async () => {
  root = await tempFolder({ '.git/config': GIT_CONFIG, 'AGENTS.md': '# Rules\n', '.context-budget/.keep': '' });
  outside = await tempFolder({ 'victim.txt': 'theirs\n' });
});

/** Each way to hold a folder is tried here; a system uses one. */
describe.each<HoldWay>(process.platform === 'linux' ? ['descriptor', 'path'] : ['path'])('by %s', (way) => {
  const place = (file: string) => ({ realRoot: root, path: file, way });
  const observations = (file = OBSERVATIONS) => new JsonlObservationLog(place(file));
  const observe = (file?: string) => observations(file).append([makeDraft({ ts: TS, summary: 'mine' })]);
  const follow = (file?: string) => observations(file).follow(undefined);
  const usage = (file = USAGE) => new UsageLogFile(place(file));
  const record = (file?: string) => usage(file).append([CYCLE]);

  async function everything(file?: string): Promise<string> {
    const pieces: Uint8Array[] = [];
    for await (const bytes of usage(file).readAll()) pieces.push(bytes);
    return Buffer.concat(pieces).toString();
  }

  describe('a torn last line', () => {
    const shipped = async (log: string, record: string) => writeFile(at(log), `${record}${TORN}`);

    it.each(['../.git/config', '../AGENTS.md'])('is not kept behind a link to %s (usage)', async (target) => {
      await shipped(USAGE, encodeUsage(1, CYCLE));
      await symlink(target, at(`${USAGE}.torn`));
      const before = await readFile(at(`${USAGE}.torn`), 'utf8');
      expect(await refusal(record())).toMatchObject({
        reason: 'notALog',
        message: expect.stringContaining(`${USAGE}.torn is a link`),
      });
      expect(await readFile(at(`${USAGE}.torn`), 'utf8')).toBe(before);
      expect(await readFile(at(USAGE), 'utf8')).toContain(TORN);
    });

    it('is not kept behind a link, or in a file with a second name (observations)', async () => {
      await shipped(OBSERVATIONS, RECORD);
      await symlink(path.join(outside, 'victim.txt'), at(`${OBSERVATIONS}.torn`));
      expect(await refusal(observe())).toMatchObject({ reason: 'notALog' });
      await rm(at(`${OBSERVATIONS}.torn`));
      await symlink(path.join(outside, 'made.txt'), at(`${OBSERVATIONS}.torn`));
      expect(await refusal(observe())).toMatchObject({ reason: 'notALog' });
      await rm(at(`${OBSERVATIONS}.torn`));
      await link(at('.git/config'), at(`${OBSERVATIONS}.torn`));
      expect(await refusal(observe())).toMatchObject({
        reason: 'notALog',
        message: expect.stringContaining(`${OBSERVATIONS}.torn`),
      });
      expect(await readFile(at('.git/config'), 'utf8')).toBe(GIT_CONFIG);
      expect(await readFile(path.join(outside, 'victim.txt'), 'utf8')).toBe('theirs\n');
      expect(await isThere(path.join(outside, 'made.txt'))).toBe(false);
    });
  });

  describe('a link', () => {
    it.each(['mark', 'mark.tmp', 'lock', 'torn'])('in place of the %s is refused at once', async (ending) => {
      await writeFile(at(OBSERVATIONS), `${RECORD}${TORN}`);
      await symlink(path.join(outside, 'victim.txt'), at(`${OBSERVATIONS}.${ending}`));
      expect(await refusal(observe())).toMatchObject({
        reason: 'notALog',
        message: expect.stringContaining(`${OBSERVATIONS}.${ending} is a link`),
      });
      expect(await readFile(path.join(outside, 'victim.txt'), 'utf8')).toBe('theirs\n');
    });

    it.each(['', '.mark', '.mark.tmp', '.lock'])(
      'that leads nowhere, in place of …%s, is refused at once',
      async (ending) => {
        await symlink(path.join(outside, 'made.txt'), at(`${OBSERVATIONS}${ending}`));
        expect(await refusal(observe())).toMatchObject({ reason: 'notALog' });
        expect(await isThere(path.join(outside, 'made.txt'))).toBe(false);
      },
    );

    it.each([
      ['.git', '.git'],
      ['another folder', 'elsewhere'],
    ])('in place of the folder, to %s, is refused to write and to read', async (_, target) => {
      await mkdir(at('elsewhere'));
      await rm(at('.context-budget'), { recursive: true });
      await symlink(target, at('.context-budget'));
      const before = await readdir(at(target));
      for (const work of [observe, record, follow, everything])
        expect(await refusal(work())).toMatchObject({
          reason: 'notALog',
          message: expect.stringContaining('.context-budget is a link'),
        });
      expect(await readdir(at(target))).toEqual(before);
    });

    it('above the folder of the log is refused before anything is made behind it', async () => {
      await symlink(outside, at('logs'));
      expect(await refusal(observe('logs/deep/observations.jsonl'))).toMatchObject({ reason: 'notALog' });
      expect(await readdir(outside)).toEqual(['victim.txt']);
    });

    it('in place of the log is refused, also when it stays in the folder or leads to a device', async () => {
      await writeFile(at('real.jsonl'), RECORD);
      await symlink('../real.jsonl', at(OBSERVATIONS));
      expect(await refusal(observe())).toMatchObject({ reason: 'notALog' });
      expect(await refusal(follow())).toMatchObject({ reason: 'notALog' });
      expect(await readFile(at('real.jsonl'), 'utf8')).toBe(RECORD);
      for (const target of ['/dev/zero', '/proc/self/mem', path.join(outside, 'victim.txt')]) {
        await rm(at(USAGE), { force: true });
        await symlink(target, at(USAGE));
        for (const work of [record, everything, () => usage().readNewest(5)])
          expect(await refusal(work())).toMatchObject({ reason: 'notALog' });
      }
    });

    it('in place of the ignore file beside the log is not written through', async () => {
      await symlink(path.join(outside, 'made.txt'), at('.context-budget/.gitignore'));
      await record();
      expect(await isThere(path.join(outside, 'made.txt'))).toBe(false);
    });
  });

  describe('a log in .git', () => {
    it.each(['.git/usage.jsonl', '.GIT/usage.jsonl', 'vendor/.git/hooks/usage.jsonl', '.git./usage.jsonl'])(
      '%s is refused, and no folder is made for it',
      async (file) => {
        for (const work of [record, observe, everything, follow])
          expect(await refusal(work(file))).toMatchObject({
            reason: 'notALog',
            message: expect.stringContaining(file),
          });
        expect(await readdir(at('.git'))).toEqual(['config']);
        expect(await isThere(at('vendor'))).toBe(false);
      },
    );
  });

  describe.skipIf(process.platform === 'win32')('a pipe', () => {
    it.each(['', '.mark', '.mark.tmp', '.lock', '.torn'])('in place of …%s is refused at once', async (ending) => {
      if (ending !== '') await writeFile(at(OBSERVATIONS), `${RECORD}${TORN}`);
      pipe(`${OBSERVATIONS}${ending}`);
      try {
        expect(await refusal(observe())).toMatchObject({
          reason: 'notALog',
          message: expect.stringContaining(`${OBSERVATIONS}${ending} is not a file`),
        });
      } finally {
        await release(`${OBSERVATIONS}${ending}`);
      }
    });

    it('in place of an old file is not waited for', async () => {
      await writeFile(at(USAGE), encodeUsage(1, CYCLE));
      pipe('.context-budget/usage.000001.jsonl');
      expect(await everything()).toContain('usage.v1');
    });

    it('in place of the folder is refused at once', async () => {
      await rm(at('.context-budget'), { recursive: true });
      pipe('.context-budget');
      expect(await refusal(observe())).toMatchObject({
        reason: 'notALog',
        message: expect.stringContaining('.context-budget is not a folder'),
      });
    });
  });

  describe('a folder', () => {
    it.each(['', '.mark', '.mark.tmp', '.lock', '.torn'])('in place of …%s is refused at once', async (ending) => {
      if (ending !== '') await writeFile(at(OBSERVATIONS), `${RECORD}${TORN}`);
      await mkdir(at(`${OBSERVATIONS}${ending}`));
      expect(await refusal(observe())).toMatchObject({
        reason: 'notALog',
        message: expect.stringContaining(`${OBSERVATIONS}${ending} is not a file`),
      });
    });
  });

  describe('a file with a second name', () => {
    it.each(['', '.mark', '.mark.tmp', '.lock', '.torn'])('in place of …%s is refused', async (ending) => {
      await writeFile(at('other.txt'), RECORD);
      if (ending !== '') await writeFile(at(OBSERVATIONS), `${RECORD}${TORN}`);
      await link(at('other.txt'), at(`${OBSERVATIONS}${ending}`));
      expect(await refusal(observe())).toMatchObject({
        reason: 'notALog',
        message: expect.stringContaining(`${OBSERVATIONS}${ending} `),
      });
      expect(await readFile(at('other.txt'), 'utf8')).toBe(RECORD);
    });
  });

  describe('a folder that is swapped for a link', () => {
    /** What a hostile process does between two system calls of ours. */
    async function swap(): Promise<void> {
      await rename(at('.context-budget'), at('moved'));
      await symlink(outside, at('.context-budget'));
    }

    it('while lines are chosen gets nothing: no mark, no lock, no line', async () => {
      const log = recordLogAt(place(OBSERVATIONS), OBSERVATION_RECORDS);
      const maker = {
        addsTo: undefined,
        make: (id: number) => encodeObservation(id, makeDraft({ ts: TS, summary: 'x' })),
      };
      const choose = async () => {
        await swap();
        return [maker];
      };
      await log.append([maker], { choose }).catch(() => undefined);
      expect(await readdir(outside)).toEqual(['victim.txt']);
      // What is held by its path cannot be reached any more.
      if (way === 'descriptor') expect(await readdir(at('moved'))).not.toContain('observations.jsonl.lock');
    });

    it('before a full log is put aside gets nothing', async () => {
      const log = new UsageLogFile(place(USAGE), { maxFileBytes: 10, keepBytes: 1_000, keepRecords: 1 });
      await log.append([CYCLE]);
      await swap();
      expect(await refusal(log.append([CYCLE]))).toMatchObject({ reason: 'notALog' });
      expect(await readdir(outside)).toEqual(['victim.txt']);
    });
  });

  describe('numbers at the end of what a number can tell apart', () => {
    const huge = [2 ** 53, 2 ** 53 - 1, 2 ** 53 - 2, 2 ** 52 + 1, 1e300];

    it.each(huge)('such as %d of a shipped line leave the log writable', async (number) => {
      await writeFile(at(OBSERVATIONS), RECORD + RECORD.replace('"id":1', `"id":${number}`));
      for (let times = 0; times < 3; times++) await observe();
      const lines = (await readFile(at(OBSERVATIONS), 'utf8')).trimEnd().split('\n').slice(2);
      const ids = lines.map((line) => Number(/"id":(\d+)/.exec(line)?.[1]));
      expect(ids).toEqual([2, 3, 4]);
    });

    it.each(huge)('such as %d of a shipped mark leave the log writable', async (number) => {
      await writeFile(at(OBSERVATIONS), RECORD);
      const mark = { high_water_mark: number, size_bytes: RECORD.length };
      await writeFile(at(`${OBSERVATIONS}.mark`), JSON.stringify(mark));
      for (let times = 0; times < 3; times++) await observe();
      const ids = (await readFile(at(OBSERVATIONS), 'utf8')).match(/(?<="id":)\d+/g)?.map(Number) ?? [];
      expect(new Set(ids).size).toBe(4);
      expect(ids.every(Number.isSafeInteger)).toBe(true);
    });
  });

  describe('a lock that was shipped', () => {
    it('by a living process of another machine costs a few seconds once, not thirty a write', async () => {
      const other = { pid: 1, host: 'another-machine', key: randomUUID() };
      await writeFile(at(`${OBSERVATIONS}.lock`), JSON.stringify(other));
      const observeWithin = (summary: string, times: Partial<LockTimes>) =>
        new JsonlObservationLog({
          realRoot: root,
          path: OBSERVATIONS,
          lockTimes: { ...LOCK_TIMES, ...times },
        }).append([makeDraft({ ts: TS, summary })]);
      const started = Date.now();
      await observeWithin('first', { foreignStillMs: 100 });
      expect(Date.now() - started).toBeGreaterThanOrEqual(100);
      expect(LOCK_TIMES.foreignStillMs).toBeLessThanOrEqual(5_000);
      // Without patience a lock is tried once.
      expect(await observeWithin('second', { patienceMs: 0 })).toMatchObject({ kind: 'appended' });
    });

    const key = '00000000-0000-0000-0000-000000000000';
    const stranger = JSON.stringify({ pid: 1, host: 'another-machine.invalid', key });

    it('and whose breaker is locked by itself does not go round for ever', async () => {
      for (const name of ['', `.${key}`]) {
        await writeFile(at(`${OBSERVATIONS}.lock${name}`), stranger);
        await utimes(at(`${OBSERVATIONS}.lock${name}`), new Date(0), new Date(0));
      }
      expect(await refusal(observe())).toMatchObject({ reason: 'locked' });
    });

    it('from the future counts as abandoned', async () => {
      await writeFile(at(`${OBSERVATIONS}.lock`), stranger);
      const later = new Date(Date.now() + 10 * 365 * 24 * 60 * 60 * 1000);
      await utimes(at(`${OBSERVATIONS}.lock`), later, later);
      expect(await observe()).toMatchObject({ kind: 'appended' });
    });

    it('of any size is read in part only', async () => {
      await writeFile(at(`${OBSERVATIONS}.lock`), '');
      // More than Node reads at once, without taking that much of the disk.
      await truncate(at(`${OBSERVATIONS}.lock`), 3_000_000_000);
      await utimes(at(`${OBSERVATIONS}.lock`), new Date(0), new Date(0));
      expect(await observe()).toMatchObject({ kind: 'appended' });
    });
  });
});

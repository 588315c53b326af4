import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeDraft } from '../../../../src/core/observations/observation';
import { decodeObservation, encodeObservation } from '../../../../src/core/observations/observationCodec';
import { ObservationError } from '../../../../src/core/observations/observationError';
import { ConfinedFolder } from '../../../../src/node/records/confinedFolder';
import { JsonlObservationLog } from '../../../../src/node/records/fileLogs';
import { acquireLock } from '../../../../src/node/records/recordLock';
import { acquireFileLock, WholeFileObservationLog } from '../../../../src/web/records/wholeFileLog';
import type { WholeFiles } from '../../../../src/web/records/wholeFiles';
import { tempFolder } from '../../../support/tempFolder';
import { MemoryFiles } from '../../../support/wholeMemoryFiles';
import { DiskFiles } from './diskFiles';
import { HurriedClock } from './hurriedClock';

const LOG = '.context-budget/observations.jsonl';
const draft = (summary: string) => makeDraft({ ts: '2026-02-03 21:23:34', summary });
const open = (files: WholeFiles, clock = new HurriedClock()) =>
  new WholeFileObservationLog({ files, path: LOG, clock, makeKey: randomUUID });

/** Ids and summaries of a log's lines. */
function rows(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const decoded = decodeObservation(line);
      return decoded.kind === 'ok' ? `${decoded.observation.id} ${decoded.observation.summary}` : decoded.why;
    });
}

describe('a log that is written whole', () => {
  let files: MemoryFiles;

  beforeEach(() => {
    files = new MemoryFiles();
  });

  it('makes the file, and leaves no lock behind', async () => {
    const result = await open(files).append([draft('one'), draft('two')]);
    expect(result).toEqual({ kind: 'appended', ids: [1, 2], repairs: [] });
    expect(rows(files.text(LOG))).toEqual(['1 one', '2 two']);
    expect([...files.files.keys()].sort()).toEqual([LOG, `${LOG}.mark`]);
  });

  it('writes calls that come at once one after another', async () => {
    const log = open(files);
    await Promise.all(Array.from({ length: 20 }, (_, at) => log.append([draft(`call ${at}`)])));
    expect(rows(files.text(LOG))).toEqual(Array.from({ length: 20 }, (_, at) => `${at + 1} call ${at}`));
  });

  it('loses nothing that somebody else writes while it is about to write', async () => {
    await open(files).append([draft('one')]);
    let isDone = false;
    files.before = (operation, at) => {
      // After the log was read, before it is written.
      if (isDone || operation !== 'write' || at !== `${LOG}.mark`) return;
      isDone = true;
      files.put(LOG, `${files.text(LOG)}${encodeObservation(7, draft('from elsewhere'))}`);
    };
    expect(await open(files).append([draft('mine')])).toMatchObject({ ids: [8] });
    expect(rows(files.text(LOG))).toEqual(['1 one', '7 from elsewhere', '8 mine']);
  });

  it('gives up, in words, when the file never stays as it was', async () => {
    let count = 0;
    files.before = (operation, at) => {
      if (operation === 'write' && at === `${LOG}.mark`) files.put(LOG, encodeObservation(++count, draft('again')));
    };
    await expect(open(files).append([draft('mine')])).rejects.toMatchObject({
      reason: 'unwritable',
      message: `${LOG} could not be written (another program keeps changing it).`,
    });
    expect(files.text(`${LOG}.lock`)).toBeUndefined();
  });

  it('never gives a number again that was given to lines which are gone', async () => {
    await open(files).append([draft('one'), draft('two'), draft('three')]);
    files.put(LOG, encodeObservation(1, draft('one')));
    expect(await open(files).append([draft('four')])).toMatchObject({ ids: [4] });
  });

  it('sets a torn line aside, and ends one that only lacks its end', async () => {
    const whole = encodeObservation(1, draft('one'));
    const torn = encodeObservation(2, draft('two')).slice(0, 40);
    files.put(LOG, whole + torn);
    expect(await open(files).append([draft('three')])).toMatchObject({
      ids: [2],
      repairs: [{ offset: whole.length, sizeBytes: 40, kind: 'setAside', keptIn: `${LOG}.torn` }],
    });
    expect(files.text(`${LOG}.torn`)).toBe(`${torn}\n`);
    files.put(LOG, encodeObservation(9, draft('nine')).trimEnd());
    expect(await open(files).append([draft('ten')])).toMatchObject({ ids: [10], repairs: [{ kind: 'completed' }] });
    expect(rows(files.text(LOG))).toEqual(['9 nine', '10 ten']);
  });

  it.each([
    ['notes', 'these are my notes\nand more\n'],
    ['a text without an end', 'these are my notes'],
  ])('leaves a file alone that holds something else: %s', async (_what, text) => {
    files.put(LOG, text);
    await expect(open(files).append([draft('one')])).rejects.toSatisfy(
      (error: unknown) =>
        ObservationError.is(error, 'notALog') && /something other than observations/.test(error.message),
    );
    expect(files.text(LOG)).toBe(text);
    expect(files.text(`${LOG}.lock`)).toBeUndefined();
  });

  it.each([LOG, '.context-budget'])('follows no link: %s', async (link) => {
    files.put(LOG, '');
    files.links.add(link);
    await expect(open(files).append([draft('one')])).rejects.toMatchObject({ reason: 'notALog' });
    await expect(open(files).follow(undefined)).rejects.toMatchObject({ reason: 'notALog' });
  });

  it('can be read where it cannot be written, and says so', async () => {
    files.put(LOG, encodeObservation(1, draft('one')));
    files.isWritable = false;
    const log = open(files);
    expect(rows(new TextDecoder().decode((await log.follow(undefined)).bytes))).toEqual(['1 one']);
    await expect(log.append([draft('two')])).rejects.toMatchObject({
      reason: 'unwritable',
      message: `${LOG} cannot be written: the folder is read-only here. Nothing was recorded.`,
    });
  });

  it('gives a long log about a megabyte at a time, and reads its file once', async () => {
    const line = encodeObservation(1, draft('x'.repeat(100)));
    files.put(LOG, line.repeat(12_000));
    const log = open(files);
    let reads = 0;
    files.before = (operation, at) => {
      if (operation === 'read' && at === LOG) reads++;
    };
    let read = await log.follow(undefined);
    let bytes = read.bytes.length;
    expect(read.bytes.length).toBeLessThanOrEqual(1 << 20);
    while (read.hasMore) {
      read = await log.follow(read.cursor);
      expect(read.isReset).toBe(false);
      bytes += read.bytes.length;
    }
    expect(bytes).toBe(line.length * 12_000);
    expect(reads).toBe(1);
  });

  it('reads nothing again while nothing changed, and everything that is new', async () => {
    files.put(LOG, encodeObservation(1, draft('one')));
    const log = open(files);
    let reads = 0;
    files.before = (operation, at) => {
      if (operation === 'read' && at === LOG) reads++;
    };
    const first = await log.follow(undefined);
    const again = await log.follow(first.cursor);
    expect(again).toEqual({ ...first, isReset: false, bytes: new Uint8Array() });
    expect(reads).toBe(1);
    files.put(LOG, encodeObservation(1, draft('one')) + encodeObservation(2, draft('two')));
    expect(rows(new TextDecoder().decode((await log.follow(first.cursor)).bytes))).toEqual(['2 two']);
    expect((await log.follow(undefined)).isReset).toBe(true);
  });

  it('waits for a lock, and takes over one whose holder is gone', async () => {
    files.put(`${LOG}.lock`, '{"pid":1,"host":"elsewhere","key":"00000000-0000-0000-0000-000000000000"}');
    expect(await open(files).append([draft('one')])).toMatchObject({ ids: [1] });
    expect(files.text(`${LOG}.lock`)).toBeUndefined();
  });

  it('says so when others hold the lock all the time', async () => {
    let count = 0;
    files.before = (operation, at) => {
      if (operation === 'read' && at === `${LOG}.lock`) files.put(at, `holder ${count++}`);
    };
    await expect(open(files).append([draft('one')])).rejects.toMatchObject({ reason: 'locked' });
    expect(files.text(LOG)).toBeUndefined();
  });
});

describe('a log on a disk that it shares with the Node hosts', () => {
  it('goes on where they stopped, and they where it stopped', async () => {
    const realRoot = await tempFolder();
    const node = new JsonlObservationLog({ realRoot, path: LOG });
    const web = open(new DiskFiles(realRoot));
    await node.append([draft('node')]);
    expect(await web.append([draft('web')])).toMatchObject({ ids: [2] });
    expect(await node.append([draft('node again')])).toMatchObject({ ids: [3] });
    await writeFile(path.join(realRoot, LOG), '');
    expect(await web.append([draft('web again')])).toMatchObject({ ids: [4] });
    expect(rows(await readFile(path.join(realRoot, LOG), 'utf8'))).toEqual(['4 web again']);
  });

  it('lets each wait for the other’s lock', async () => {
    const realRoot = await tempFolder();
    const files = new DiskFiles(realRoot);
    const node = new JsonlObservationLog({ realRoot, path: LOG });
    await node.append([draft('first')]);
    const order: string[] = [];
    const folder = await ConfinedFolder.open(realRoot, path.posix.dirname(LOG));
    const held = await acquireLock(folder, `${path.posix.basename(LOG)}.lock`);
    const waiting = open(files)
      .append([draft('web')])
      .then(() => order.push('web'));
    await new Promise((resolve) => setImmediate(resolve));
    order.push('node lets go');
    await held?.release();
    await folder.close();
    await waiting;
    const ours = await acquireFileLock(files, `${LOG}.lock`, new HurriedClock(), randomUUID);
    const theirs = node.append([draft('node')]).then(() => order.push('node'));
    await new Promise((resolve) => setImmediate(resolve));
    order.push('web lets go');
    await ours?.release();
    await theirs;
    expect(order).toEqual(['node lets go', 'web', 'web lets go', 'node']);
  });
});

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { inEnglish } from '../../../../src/core/text/phrase';
import { encodeUsage } from '../../../../src/core/usage/usageCodec';
import type { UsageDraft } from '../../../../src/core/usage/usageRecord';
import { UsageLogFile } from '../../../../src/node/records/fileLogs';
import { WholeFileUsageLog } from '../../../../src/web/records/wholeFileLog';
import { tempFolder } from '../../../support/tempFolder';
import { MemoryFiles } from '../../../support/wholeMemoryFiles';
import { DiskFiles } from './diskFiles';
import { HurriedClock } from './hurriedClock';

const LOG = '.context-budget/usage.jsonl';

function draft(more: Partial<UsageDraft> = {}): UsageDraft {
  const sections = [{ id: 'memory', chars: 400, tokens: 100, disclosure: 'full' as const }];
  return { ts: '2026-02-03 21:23:34', trigger: 'copy', profile: 'default', sections, cited: [], ...more };
}

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += new TextDecoder().decode(piece);
  return text;
}

describe('a usage log that is written whole', () => {
  let files: MemoryFiles;
  const open = (maxFileBytes?: number) =>
    new WholeFileUsageLog({ files, path: LOG, clock: new HurriedClock(), makeKey: randomUUID }, maxFileBytes);
  const cyclesOf = async (log: WholeFileUsageLog, count: number) =>
    (await log.readNewest(count)).records.map(({ cycle }) => cycle);

  beforeEach(() => {
    files = new MemoryFiles();
  });

  it('is empty at first', async () => {
    expect(await open().readNewest(5)).toEqual({ records: [], problems: [] });
    expect(await textOf(open().readAll())).toBe('');
  });

  it('numbers cycles, adds citations to them, and keeps itself out of git once', async () => {
    const log = open();
    expect((await log.append([draft(), draft()])).cycles).toEqual([1, 2]);
    await log.amend(1, {
      profile: 'default',
      ts: '2026-02-03 22:00:00',
      cited: [{ id: 'memory', evidence: 'id', what: 'memory' }],
    });
    const { records } = await log.readNewest(5);
    expect(records.map(({ cycle, cited }) => [cycle, cited.length])).toEqual([
      [1, 1],
      [2, 0],
    ]);
    expect(files.text('.context-budget/.gitignore')).toContain('usage.jsonl');
    files.put('.context-budget/.gitignore', 'mine\n');
    files.put(LOG, '');
    await files.remove(`${LOG}.mark`);
    expect((await open().append([draft()])).cycles).toEqual([1]);
    expect(files.text('.context-budget/.gitignore')).toBe('mine\n');
  });

  it('refuses citations of a cycle that there never was', async () => {
    const log = open();
    await log.append([draft()]);
    const cited = [{ id: 'memory', evidence: 'id' as const, what: 'memory' }];
    await expect(log.amend(2, { profile: 'default', ts: '2026-02-03 22:00:00', cited: cited })).rejects.toMatchObject({
      reason: 'invalid',
    });
  });

  it('records a turn of a transcript once, older files included', async () => {
    const line = encodeUsage(1, draft({ origin: 'codex:a:1' }));
    files.put('.context-budget/usage.000001.jsonl', line);
    files.put(LOG, encodeUsage(2, draft({ origin: 'codex:a:2' })));
    const turns = [1, 2, 3, 3].map((turn) => draft({ origin: `codex:a:${turn}` }));
    expect((await open().append(turns)).cycles).toEqual([3]);
  });

  it('puts a full file aside and goes on with its numbers, over as many files as it takes', async () => {
    const log = open(600);
    for (let at = 0; at < 9; at++) await log.append([draft()]);
    const names = [...files.files.keys()].filter((name) => /usage(\.\d+)?\.jsonl$/.test(name)).sort();
    expect(names.length).toBeGreaterThan(2);
    expect(names[0]).toBe('.context-budget/usage.000001.jsonl');
    expect(await cyclesOf(log, 100)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await cyclesOf(log, 7)).toEqual([3, 4, 5, 6, 7, 8, 9]);
    const cycles = (await textOf(log.readAll())).match(/"cycle":\d+/g);
    expect(cycles).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((cycle) => `"cycle":${cycle}`));
  });

  it('names lines that are no records, by their number, and cycles that are there twice', async () => {
    files.put(LOG, `${encodeUsage(1, draft())}rubbish\n\n{}\n${encodeUsage(2, draft())}${encodeUsage(2, draft())}`);
    const { records, problems } = await open().readNewest(5);
    expect(records).toHaveLength(2);
    expect(problems.map(({ line }) => line)).toEqual([2, 4, undefined]);
    expect(problems[2] && inEnglish(problems[2].why)).toContain('cycle 2 is recorded twice');
  });

  it('reads pieces that end with a line, and a last record without its end', async () => {
    const lines = Array.from({ length: 3_000 }, (_, at) => encodeUsage(at + 1, draft())).join('');
    files.put(LOG, lines + encodeUsage(3_001, draft()).trimEnd());
    let count = 0;
    for await (const piece of open().readAll()) {
      expect(piece.at(-1)).toBe(10);
      count += new TextDecoder().decode(piece).split('\n').length - 1;
    }
    expect(count).toBe(3_001);
    files.put(LOG, `${lines}{"schema_version":"usage.v1","cyc`);
    expect(await textOf(open().readAll())).toBe(lines);
  });

  it('is the same log as that of the Node hosts', async () => {
    const realRoot = await tempFolder();
    const node = new UsageLogFile({ realRoot, path: LOG });
    const disk = new DiskFiles(realRoot);
    const web = new WholeFileUsageLog({ files: disk, path: LOG, clock: new HurriedClock(), makeKey: randomUUID });
    await node.append([draft()]);
    expect((await web.append([draft()])).cycles).toEqual([2]);
    expect((await node.append([draft()])).cycles).toEqual([3]);
    expect(await web.readNewest(5)).toEqual(await node.readNewest(5));
    expect(await textOf(web.readAll())).toBe(await textOf(node.readAll()));
  });
});

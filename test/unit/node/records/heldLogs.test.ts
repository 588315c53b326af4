import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeDraft } from '../../../../src/core/observations/observation';
import { encodeObservation } from '../../../../src/core/observations/observationCodec';
import { encodeUsage } from '../../../../src/core/usage/usageCodec';
import { HeldLogs } from '../../../../src/core/workspace/heldLogs';
import { JsonlObservationLog, UsageLogFile } from '../../../../src/node/records/fileLogs';
import { RecordingLogger } from '../../../support/recordingLogger';
import { tempFolder } from '../../../support/tempFolder';

const USAGE = '.context-budget/usage.jsonl';
const OBSERVATIONS = '.context-budget/observations.jsonl';
const TORN = '[core] fsmonitor = "touch ran"';

const event = makeDraft({ ts: '2026-02-03 21:23:34', summary: 'something happened' });
const cycle = {
  ts: '2026-02-03 21:23:34',
  trigger: 'copy',
  profile: 'default',
  sections: [{ id: 'memory', chars: 400, tokens: 100, disclosure: 'full' as const }],
  cited: [],
};

describe('the logs of a folder that nobody trusts yet', () => {
  let realRoot: string;
  let mayWrite: boolean;
  let logger: RecordingLogger;
  let logs: HeldLogs;

  beforeEach(async () => {
    realRoot = await tempFolder();
    mayWrite = false;
    logger = new RecordingLogger();
    const openers = {
      openObservationLog: (at: string) => new JsonlObservationLog({ realRoot, path: at }),
      openUsageLog: (at: string) => new UsageLogFile({ realRoot, path: at }),
    };
    logs = new HeldLogs(openers, () => mayWrite, logger);
  });

  const textOf = (file: string) => readFile(path.join(realRoot, file), 'utf8');
  const tree = async (): Promise<Readonly<Record<string, string>>> => {
    const entries = await readdir(realRoot, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
    return Object.fromEntries(await Promise.all(files.map(async (file) => [file, await readFile(file, 'latin1')])));
  };
  const recordBoth = async () => {
    await logs.openUsageLog(USAGE).append([cycle]);
    await logs.openObservationLog(OBSERVATIONS).append([event]);
  };

  it('make no file, and write everything once it is trusted', async () => {
    await recordBoth();
    expect(await readdir(realRoot)).toEqual([]);
    expect(await logs.release()).toEqual([]);
    mayWrite = true;
    expect(await logs.release()).toEqual([OBSERVATIONS, USAGE]);
    expect(await textOf(USAGE)).toBe(encodeUsage(1, cycle));
    expect(await textOf(OBSERVATIONS)).toBe(encodeObservation(1, event));
    expect(await textOf('.context-budget/.gitignore')).toContain('usage.jsonl');
    expect(await logs.release()).toEqual([]);
  });

  it('leave a torn line as it is, and repair it once it is trusted', async () => {
    await mkdir(path.join(realRoot, '.context-budget'));
    await writeFile(path.join(realRoot, USAGE), `${encodeUsage(41, cycle)}${TORN}`);
    await writeFile(path.join(realRoot, OBSERVATIONS), `${encodeObservation(7, event)}${TORN}`);
    const before = await tree();
    expect((await logs.openUsageLog(USAGE).append([cycle])).cycles).toEqual([42]);
    expect(await logs.openObservationLog(OBSERVATIONS).append([event])).toMatchObject({ ids: [8] });
    expect((await logs.openUsageLog(USAGE).readNewest(9)).records.map((record) => record.cycle)).toEqual([41, 42]);
    expect(await tree()).toEqual(before);
    mayWrite = true;
    expect(await logs.release()).toEqual([OBSERVATIONS, USAGE]);
    expect(logger.lines.filter((line) => /^warn: .*a writer was killed/.test(line))).toHaveLength(2);
    expect(await textOf(USAGE)).toBe(encodeUsage(41, cycle) + encodeUsage(42, cycle));
  });

  it('have one memory each, however often they are opened', async () => {
    await recordBoth();
    expect((await logs.openUsageLog(USAGE).append([cycle])).cycles).toEqual([2]);
    expect((await logs.openUsageLog('other.jsonl').append([cycle])).cycles).toEqual([1]);
  });

  it('say what could not be written, keep it, and write the others', async () => {
    await recordBoth();
    await mkdir(path.join(realRoot, '.context-budget'));
    await writeFile(path.join(realRoot, OBSERVATIONS), 'the notes of somebody\n');
    mayWrite = true;
    expect(await logs.release()).toEqual([USAGE]);
    expect(logger.lines).toEqual([`error: What was kept in memory could not be written into ${OBSERVATIONS}`]);
    await writeFile(path.join(realRoot, OBSERVATIONS), '');
    expect(await logs.release()).toEqual([OBSERVATIONS]);
    expect(await textOf(OBSERVATIONS)).toBe(encodeObservation(1, event));
  });
});

/** Measures a long usage log against the same work on an empty or short one, in one process. */
import { mkdtemp, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { hashText } from '../../src/core/text/hash';
import { usageHistory } from '../../src/core/usage/usageHistory';
import type { UsageDraft } from '../../src/core/usage/usageRecord';
import { UsageLogFile } from '../../src/node/records/fileLogs';

const CYCLES = 100_000;
const WINDOW = 50;
const SECTIONS = 20;
const BATCH = 500;
const ROUNDS = 25;

function draftAt(at: number): UsageDraft {
  const sections = Array.from({ length: SECTIONS }, (_, number) => ({
    id: `section-of-some-name-${number}`,
    chars: 400 + ((at * 31 + number * 977) % 4000),
    tokens: 100 + ((at * 31 + number * 977) % 1000),
    disclosure: number % 5 === 0 ? ('summary' as const) : ('full' as const),
    charsFull: 4400,
    tokensFull: 1100,
    hash: hashText(`${number} ${Math.floor(at / 7)}`),
  }));
  const cited =
    at % 3 === 0 ? [{ id: `section-of-some-name-${at % SECTIONS}`, evidence: 'path' as const, what: 'src/a.ts' }] : [];
  return {
    ts: '2026-02-03 21:23:34',
    trigger: 'copy',
    profile: 'default',
    mode: 'baseline',
    payload: 'expanded',
    sections,
    cited,
  };
}

async function timed<T>(work: () => Promise<T>): Promise<readonly [number, T]> {
  const started = performance.now();
  const value = await work();
  return [performance.now() - started, value];
}

async function medianOf(work: (at: number) => Promise<unknown>): Promise<number> {
  const all: number[] = [];
  for (let at = 0; at < ROUNDS; at++) all.push((await timed(() => work(at)))[0]);
  return all.sort((left, right) => left - right)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

/** What the disk asks for one line and one flush. */
async function bareAppend(file: string, bytes: number): Promise<number> {
  const line = Buffer.alloc(bytes, 'x');
  return medianOf(async () => {
    const handle = await open(file, 'a');
    try {
      await handle.appendFile(line);
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}

async function drain(log: UsageLogFile): Promise<number> {
  let bytes = 0;
  for await (const piece of log.readAll()) bytes += piece.length;
  return bytes;
}

async function main(): Promise<void> {
  const realRoot = await realpath(await mkdtemp(path.join(os.tmpdir(), 'context-budget-bench-')));
  try {
    const short = new UsageLogFile({ realRoot, path: 'short/usage.jsonl' });
    await short.append(Array.from({ length: WINDOW }, (_, at) => draftAt(at)));
    const shortReadMs = await medianOf(() => short.readNewest(WINDOW));
    const shortAppendMs = await medianOf((at) => short.append([draftAt(at)]));
    const bareMs = await bareAppend(path.join(realRoot, 'bare'), 3_300);
    const log = new UsageLogFile({ realRoot, path: 'long/usage.jsonl' });
    const [fillMs] = await timed(async () => {
      for (let at = 0; at < CYCLES; at += BATCH)
        await log.append(Array.from({ length: BATCH }, (_, add) => draftAt(at + add)));
    });
    const appendMs = await medianOf((at) => log.append([draftAt(at)]));
    const readMs = await medianOf(() => log.readNewest(WINDOW));
    const { records } = await log.readNewest(WINDOW);
    const historyMs = await medianOf(async () => usageHistory(records, WINDOW));
    const [allMs, bytes] = await timed(() => drain(log));
    const origin = (at: number) => ({ ...draftAt(at), origin: `claude-code:a:${at}` });
    const [firstOriginMs] = await timed(() => log.append([origin(0)]));
    const originMs = await medianOf((at) => log.append([origin(at)]));
    const names = await readdir(path.join(realRoot, 'long'));
    const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(realRoot, 'long', name))).size));
    const rows = [
      ['one line and a flush, bare', bareMs],
      ['record one cycle in a short log', shortAppendMs, bareMs, 'a bare line'],
      ['record one cycle', appendMs, shortAppendMs, 'a short log'],
      [`record ${BATCH} at once`, fillMs / (CYCLES / BATCH), BATCH * appendMs, `${BATCH} one by one`],
      [`readNewest(${WINDOW}) of a log of ${WINDOW}`, shortReadMs],
      [`readNewest(${WINDOW})`, readMs, shortReadMs, 'a short log'],
      ['the window made of them', historyMs, readMs, 'reading them'],
      ['readAll', allMs, (readMs / WINDOW) * CYCLES, 'the same number by readNewest'],
      ['first record with an origin: the whole log is looked through', firstOriginMs, allMs, 'readAll'],
      ['the next ones', originMs, appendMs, 'a record without'],
    ];
    const megabytes =
      Math.max(
        bytes,
        sizes.reduce((sum, size) => sum + size, 0),
      ) / 1e6;
    const files = names.filter((name) => name.endsWith('.jsonl')).length;
    console.log(JSON.stringify({ cycles: CYCLES, megabytes, files, rows }));
  } finally {
    await rm(realRoot, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});

/** Measures a long history of observations through the worker, as the editor and the command line ask for it. */
import { mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { DEFAULT_CONFIG } from '../../src/core/config/config';
import { makeDraft } from '../../src/core/observations/observation';
import { createNodeObservations } from '../../src/node/createObservations';
import { openFileSource } from '../../src/node/fileSource';
import { JsonlObservationLog } from '../../src/node/records/fileLogs';

const LOG_PATH = 'observations.jsonl';
const WORDS = [
  'make check',
  '并行隔离',
  'ruff E501',
  'worktree',
  '修复',
  'tests passed',
  'context-rag',
  'timeout',
  'lock',
];
const LOGGER = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error };

function draftAt(at: number) {
  const [first, second] = [WORDS[at % WORDS.length] ?? '', WORDS[(at * 7 + 3) % WORDS.length] ?? ''];
  const minutes = at % (60 * 24 * 28);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = two(1 + Math.floor(minutes / 1440));
  return makeDraft({
    ts: `2026-02-${day} ${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}:00`,
    summary: `run ${at}: ${first} → ${second} in module${at % 997}`,
    taskId: `T${at % 400}`,
    actor: ['planner', 'implementer', 'verifier'][at % 3],
    phase: ['plan', 'implement', 'verify'][at % 3],
    detail:
      `结果/证据: ${first}, attempt ${at}\nsrc/module${at % 997}/file${at % 53}.ts:${at % 800} expected ${second}\n`.repeat(
        2,
      ),
  });
}

async function timed<T>(work: () => Promise<T>): Promise<readonly [number, T]> {
  const started = performance.now();
  const value = await work();
  return [performance.now() - started, value];
}

async function medianOf(times: number, work: (at: number) => Promise<unknown>): Promise<number> {
  const all: number[] = [];
  for (let at = 0; at < times; at++) all.push((await timed(() => work(at)))[0]);
  return all.sort((left, right) => left - right)[Math.floor(times / 2)] ?? Number.NaN;
}

async function measure(productRoot: string, count: number): Promise<readonly (readonly [string, number, number?])[]> {
  const realRoot = await realpath(await mkdtemp(path.join(os.tmpdir(), 'context-budget-bench-')));
  try {
    const log = new JsonlObservationLog({ realRoot, path: LOG_PATH });
    const [appendMs] = await timed(async () => {
      for (let at = 0; at < count; at += 1000)
        await log.append(Array.from({ length: 1000 }, (_, add) => draftAt(at + add)));
    });
    const oneMs = await medianOf(15, (at) => log.append([draftAt(at)]));
    const { files } = await openFileSource(realRoot);
    const [profile] = DEFAULT_CONFIG.profiles;
    if (!profile) throw new Error('There is no profile');
    const settings = { profile, tokenizer: 'o200k_base' as const, sources: [] };
    const { service, dispose } = createNodeObservations({
      realRoot,
      files,
      path: LOG_PATH,
      settings,
      productRoot,
      logger: LOGGER,
    });
    try {
      const [coldMs, layer] = await timed(() => service.index());
      const groupsMs = await medianOf(5, () => service.store.groups('task', 60));
      const listMs = await medianOf(5, (at) => service.list({ within: { by: 'task', key: `T${at}` }, limit: 100 }));
      let isSearching = true;
      const searching = timed(() => service.index({ query: 'lock' })).finally(() => {
        isSearching = false;
      });
      let longestWaitMs = 0;
      while (isSearching) longestWaitMs = Math.max(longestWaitMs, (await timed(() => service.index()))[0]);
      const [searchMs] = await searching;
      const queries = ['worktree timeout', '并行隔离', 'module42', 'T17 verify', 'E501 tests passed'];
      const queryMs = await medianOf(15, (at) => service.index({ query: queries[at % queries.length] }));
      const tokens = new Tiktoken(o200k).encode(layer.text, [], []).length;
      return [
        ['append, by the thousand', appendMs / (count / 1000)],
        ['append one', oneMs],
        ['first answer, cold: worker, ranks, whole log', coldMs],
        ['first answer, warm', await medianOf(15, () => service.index()), 150],
        ['first query: the search index is made', searchMs],
        ['meanwhile: longest wait for another answer', longestWaitMs],
        ['400 tasks as groups, for the tree', groupsMs],
        ['100 rows of a task, for the tree', listMs],
        ['a query, warm', queryMs, 150],
        ['timeline, warm', await medianOf(15, (at) => service.timeline({ around: { id: 1 + at * 1000 } }))],
        [
          'one more recorded, then a query',
          await medianOf(9, async (at) => {
            await service.observe([draftAt(at)]);
            await service.index({ query: 'worktree' });
          }),
        ],
        ['tokens of the index, by js-tiktoken', tokens, profile.indexTokens],
        ['megabytes of the log', (await stat(path.join(realRoot, LOG_PATH))).size / 1e6],
      ];
    } finally {
      dispose();
    }
  } finally {
    await rm(realRoot, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  for (const count of [50_000, 100_000]) {
    console.log(JSON.stringify({ count, rows: await measure(process.argv[2] ?? '', count) }));
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});

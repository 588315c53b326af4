// Part `map`: what the repo map of a repository costs, against the peers in the same run.
import path from 'node:path';
import { withOwnRuns } from './ownRuns.mjs';
import { findPeers } from './peers.mjs';
import {
  count,
  Interrupted,
  median,
  megabytes,
  memory,
  milliseconds,
  plural,
  ratio,
  seconds,
  sizeOf,
  summary,
  table,
} from './support.mjs';
import { tasksOf } from './tasks.mjs';
import { bundleWorkspace, workspaceCosts } from './workspaceCosts.mjs';

const QUERIES = 30;
/** A peer that takes so long is run once. */
const SLOW_MS = 60_000;
/** DESIGN: work of a save, its longest block of the main thread, and a new query. */
const LIMITS = { saveMs: 50, blockMs: 10, queryMs: 100 };

/** Runs the peers of one round; a slow one only in the first, and one that fails never again. */
function runPeers(peers, runs, repository, task) {
  for (const peer of peers) {
    const list = runs.get(peer.name) ?? [];
    runs.set(peer.name, list);
    if (list.failed || list[0]?.ms > SLOW_MS) continue;
    try {
      list.push(peer.run(repository, task));
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      list.failed = error.message.split(/[\r\n]/).at(-1);
    }
  }
}

function printProcesses({ title, ours, peerRuns, baseName, rounds }) {
  const baseRuns = peerRuns.get(baseName) ?? [];
  const base = baseRuns.length > 0 ? summary(baseRuns) : undefined;
  const rows = [...ours, ...peerRuns].map(([name, list]) => {
    if (list.length === 0) return [name, `failed: ${list.failed}`, '–', '–', '–'];
    const { ms, cpuMs, peakMb } = summary(list);
    const label = list.length < rounds ? `${name} (${plural(list.length, 'run')})` : name;
    return [label, seconds(ms), ratio(ms, base?.ms), ratio(cpuMs, base?.cpuMs), memory(peakMb)];
  });
  const head = ['process', `wall, median of ${rounds}`, 'against repomix', 'processor time', 'peak memory'];
  table(title, head, rows);
}

function printSession(title, costs, cacheBytes) {
  const longestQuery = Math.max(...costs.queriesMs);
  const limited = (ms, limit) => [milliseconds(ms), ratio(ms, limit)];
  table(
    `${title}: one workspace`,
    ['what', 'measured', 'against the limit'],
    [
      ['start on a warm cache', seconds(costs.startMs), '–'],
      ['first query', milliseconds(costs.firstQueryMs), '–'],
      [`new query, median of ${costs.queriesMs.length}`, ...limited(median(costs.queriesMs), LIMITS.queryMs)],
      ['new query, slowest', ...limited(longestQuery, LIMITS.queryMs)],
      ['file saved → new snapshot, work of all threads', ...limited(median(costs.savesWorkMs), LIMITS.saveMs)],
      ['file saved → new snapshot, wall', milliseconds(median(costs.savesWallMs)), '–'],
      ['longest block of the main thread', ...limited(median(costs.savesLongestMs), LIMITS.blockMs)],
      ['peak memory', memory(costs.peakMb), '–'],
      ['cache on disk', megabytes(cacheBytes), '–'],
    ],
  );
}

async function measure(repository, peers, { rounds, query }) {
  const { files, bytes } = sizeOf(repository);
  const queries = tasksOf(repository, QUERIES);
  const task = query ?? queries[0];
  if (task === undefined) throw new Error(`${repository} holds nothing to make a task from: give one with --query`);
  const title = `${path.basename(repository)}: ${count(files)} files, ${megabytes(bytes)} of source`;
  console.log(`\nTask: ${task.split('\n', 1)[0].slice(0, 100)}`);
  await withOwnRuns(repository, async (own) => {
    const ours = new Map([
      ['context-budget map --query, cold: first answer', []],
      ['context-budget map, cold: whole index', []],
      ['context-budget map --query, warm cache', []],
    ]);
    const [first, whole, warm] = ours.values();
    const peerRuns = new Map();
    for (let round = 0; round < rounds; round++) {
      first.push(own.firstAnswer(task));
      whole.push(own.wholeIndex());
      warm.push(own.warmStart(task));
      runPeers(peers, peerRuns, repository, task);
      console.error(`${path.basename(repository)}: round ${round + 1} of ${rounds} done`);
    }
    const cacheBytes = own.cacheBytes();
    const costs = workspaceCosts(repository, { queries, paths: own.mappedFiles(), env: own.env });
    const baseName = peers.find(({ isBase }) => isBase)?.name;
    printProcesses({ title, ours, peerRuns, baseName, rounds });
    printSession(title, costs, cacheBytes);
  });
}

/** Measures each repository in turn. */
export async function mapBench(repositories, options) {
  const peers = findPeers();
  await bundleWorkspace();
  for (const repository of repositories) await measure(repository, peers, options);
}

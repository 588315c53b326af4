// Part `scaling`: the same costs at 100 … 30,000 files, to see whether the cost of a file stays the same.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { growRepository } from './growRepository.mjs';
import { withOwnRuns } from './ownRuns.mjs';
import { count, median, memory, milliseconds, seconds, sizeOf, summary, table } from './support.mjs';
import { tasksOf } from './tasks.mjs';
import { bundleWorkspace, workspaceCosts } from './workspaceCosts.mjs';

const QUERIES = 15;
/** From here on a size is measured once: the runs are long, and vary little. */
const LARGE_FILES = 10_000;

/** Processor time where it can be measured: a busy machine moves it less than wall time. */
const workOf = ({ cpuMs, ms }) => cpuMs ?? ms;
const perFile = (ms, files) => `${(ms / files).toFixed(2)} ms`;

async function measure(repository, rounds) {
  const { files, bytes } = sizeOf(repository);
  const queries = tasksOf(repository, QUERIES);
  return withOwnRuns(repository, async (own) => {
    const firsts = [];
    const wholes = [];
    for (let round = 0; round < (files < LARGE_FILES ? rounds : 1); round++) {
      firsts.push(own.firstAnswer(queries[0]));
      wholes.push(own.wholeIndex());
    }
    const cacheBytes = own.cacheBytes();
    const workspace = workspaceCosts(repository, { queries, paths: own.mappedFiles(), env: own.env });
    return { files, bytes, first: summary(firsts), whole: summary(wholes), workspace, cacheBytes };
  });
}

function rowOf({ files, bytes, first, whole, workspace, cacheBytes }) {
  return [
    count(files),
    `${(bytes / 1e6).toFixed(1)}`,
    `${seconds(first.ms)} · ${perFile(workOf(first), files)}`,
    `${seconds(whole.ms)} · ${perFile(workOf(whole), files)}`,
    memory(whole.peakMb),
    milliseconds(median(workspace.queriesMs)),
    milliseconds(Math.max(...workspace.queriesMs)),
    milliseconds(median(workspace.savesWorkMs)),
    memory(workspace.peakMb),
    `${(cacheBytes / files / 1000).toFixed(1)} KB`,
  ];
}

const HEAD = [
  'files',
  'MB',
  'first answer, cold: wall · work a file',
  'whole index, cold: wall · work a file',
  'peak, cold',
  'new query',
  'slowest',
  'save, work',
  'peak, workspace',
  'cache a file',
];

/** Grows repositories of the given sizes from `sources` and measures each; nothing of them is left behind. */
export async function scalingBench(sources, sizes, rounds) {
  await bundleWorkspace();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'context-budget-scaling-'));
  const results = [];
  try {
    for (const size of sizes) {
      const repository = path.join(folder, String(size));
      growRepository(sources, size, repository);
      results.push(await measure(repository, rounds));
      rmSync(repository, { recursive: true, force: true });
      console.error(`${count(size)} files measured`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  table('Scaling', HEAD, results.map(rowOf));
  printFlatness(results);
}

/** The work of one more file, between neighbours: without what every start costs. */
function printFlatness(results) {
  const rows = results.slice(1).map((large, at) => {
    const small = results[at];
    const extra = (of) => perFile(of(large) - of(small), large.files - small.files);
    return [
      `${count(small.files)} → ${count(large.files)}`,
      extra(({ first }) => workOf(first)),
      extra(({ whole }) => workOf(whole)),
      `${(((median(large.workspace.queriesMs) - median(small.workspace.queriesMs)) * 1000) / (large.files - small.files)).toFixed(1)} µs`,
    ];
  });
  table('Work of one more file', ['from → to', 'first answer', 'whole index', 'new query, wall'], rows);
}

// npm run bench [-- PART… [REPO…] [--query TEXT] [--rounds N] [--sizes N,N,…]], parts as listed below:
// what the product costs, as ratios against peers and limits measured in the same run. Without a part all run; without a REPO this project's own folder
// is mapped, and its dependencies' sources are what the scaling grows from; `zero`, `fill`, `memories`, `runlogs` and `sessions` have goals for
// checkouts that are given, end with exit code 1 when one is missed, and run only by name. README.md tells what is measured.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build, installPackages, root } from '../harness/setup.mjs';
import { benchDir, Interrupted } from './support.mjs';

const ALWAYS =
  'map scaling tokens observations usage relevance citations transcripts relay report again fit panel mcp size host'.split(
    ' ',
  );
const OF_REPOSITORIES = ['zero', 'fill', 'memories', 'runlogs', 'sessions', 'walk', 'warm'];
const PARTS = [...ALWAYS, ...OF_REPOSITORIES];
const USAGE = `usage: npm run bench -- [${PARTS.join('|')}] [REPO…] [--query TEXT] [--rounds N] [--sizes N,N,…]`;

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        query: { type: 'string' },
        rounds: { type: 'string', default: '3' },
        sizes: { type: 'string', default: '100,300,1000,3000,10000,30000' },
      },
    });
    const rounds = Number(values.rounds);
    const sizes = values.sizes.split(',').map(Number);
    if (![rounds, ...sizes].every((number) => Number.isSafeInteger(number) && number > 0)) {
      throw new Error('--rounds and --sizes take whole numbers');
    }
    const repositories = positionals.filter((name) => !PARTS.includes(name)).map((name) => path.resolve(name));
    const missing = repositories.find((folder) => !existsSync(folder) || !statSync(folder).isDirectory());
    if (missing) throw new Error(`there is no folder ${missing}`);
    const wanted = PARTS.filter((part) => positionals.includes(part));
    const needy = repositories.length === 0 ? wanted.find((part) => OF_REPOSITORIES.includes(part)) : undefined;
    if (needy) throw new Error(`${needy} needs checkouts: name their folders`);
    return { parts: wanted.length > 0 ? wanted : ALWAYS, repositories, query: values.query, rounds, sizes };
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`);
    return process.exit(2);
  }
}

const { parts, repositories, query, rounds, sizes } = readArguments();
installPackages();
build('--production', '--tests');
mkdirSync(benchDir, { recursive: true });
console.log(`# Benchmark: Node ${process.versions.node}, ${os.cpus().length} × ${os.cpus()[0]?.model ?? 'CPU'}`);

function judged(isMet) {
  if (!isMet) process.exitCode = 1;
}

const run = {
  map: async () => {
    const { mapBench } = await import('./map.mjs');
    await mapBench(repositories.length > 0 ? repositories : [root], { rounds, query });
  },
  scaling: async () => {
    const { scalingBench } = await import('./scaling.mjs');
    await scalingBench(repositories.length > 0 ? repositories : [path.join(root, 'node_modules')], sizes, rounds);
  },
  tokens: async () => (await import('./tokens.mjs')).tokensBench(),
  observations: async () => (await import('./observations.mjs')).observationsBench(),
  usage: async () => (await import('./usage.mjs')).usageBench(),
  fit: async () => (await import('./fit.mjs')).fitBench(rounds),
  relevance: async () => (await import('./relevance.mjs')).relevanceBench(),
  citations: async () => (await import('./citations.mjs')).citationsBench(repositories),
  walk: async () => (await import('./walk.mjs')).walkBench(repositories[0]),
  transcripts: async () => (await import('./transcripts.mjs')).transcriptsBench(),
  relay: async () => (await import('./relay.mjs')).relayBench(rounds),
  report: async () => (await import('./report.mjs')).reportBench(rounds),
  again: async () => (await import('./again.mjs')).againBench(rounds),
  panel: async () => (await import('./panel.mjs')).panelBench(),
  mcp: async () => (await import('./mcp.mjs')).mcpBench(rounds),
  size: async () => (await import('./size.mjs')).sizeBench(),
  host: async () => (await import('./host.mjs')).hostBench(),
  warm: async () => judged((await import('./warm.mjs')).warmBench(repositories, rounds, query)),
  zero: async () => judged((await import('./zeroConfig.mjs')).zeroBench(repositories)),
  fill: async () => judged((await import('./memoryBudgets.mjs')).fillBench(repositories)),
  sessions: async () => judged(await (await import('./sessions.mjs')).sessionsBench(repositories)),
  runlogs: async () => judged(await (await import('./runlogs.mjs')).runLogsBench(repositories)),
  memories: async () => judged((await import('./memoryRanking.mjs')).memoriesBench(repositories)),
};
// With a handler this process outlives the one it waits for, and clears up.
process.on('SIGINT', () => process.exit(130));
try {
  for (const part of parts) await run[part]();
} catch (error) {
  if (!(error instanceof Interrupted)) throw error;
  process.exitCode = 130;
}

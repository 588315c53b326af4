// Part `warm`: the same query on the same tree with an empty, a half-filled, a full and a damaged cache: processor
// time of all threads, and whether the answers are the same bytes, which they must be.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cliScript, memory, ratio, seconds, summary, table, timed } from './support.mjs';

const QUERY = 'An error is lost when a file cannot be read while its folder is listed again';
const OTHER = 'Parse the options of the command line';

/** Changes a byte in the middle of every file of a cache. */
function damage(cache) {
  for (const entry of readdirSync(cache, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1] ^= 0x55;
    writeFileSync(file, bytes);
  }
}

/** What makes each cache, beginning with none. */
const STATES = {
  empty: () => undefined,
  'after the same query': ({ map }) => map(QUERY),
  'after another query': ({ map }) => map(OTHER),
  full: ({ map }) => map(),
  'full, damaged': ({ map, cache }) => {
    map();
    damage(cache);
  },
};

/** Prints a table a repository; false when answers differ. */
export function warmBench(repositories, rounds, query = QUERY) {
  let isSame = true;
  for (const repository of repositories) {
    const folder = path.resolve(repository);
    const rows = Object.entries(STATES).map(([name, prepare]) => {
      const runs = Array.from({ length: rounds }, () => {
        const cache = mkdtempSync(path.join(tmpdir(), 'context-budget-bench-'));
        try {
          const env = { PATH: process.env.PATH, CONTEXT_BUDGET_CONFIG_DIR: cache, CONTEXT_BUDGET_CACHE_DIR: cache };
          const map = (task) =>
            timed(process.execPath, [cliScript, 'map', '--root', folder, ...(task ? ['--query', task] : [])], { env });
          prepare({ map, cache });
          return map(query);
        } finally {
          rmSync(cache, { recursive: true, force: true });
        }
      });
      return { name, runs, ...summary(runs) };
    });
    const [first] = rows;
    const texts = new Set(rows.flatMap(({ runs }) => runs.map(({ stdout }) => stdout)));
    isSame &&= texts.size === 1;
    table(
      `map --query of ${path.basename(folder)} by what the cache holds: ${texts.size === 1 ? 'the same bytes' : 'DIFFERENT bytes'}`,
      ['cache', 'processor time', 'of an empty one', 'time', 'peak'],
      rows.map(({ name, cpuMs, ms, peakMb }) => [
        name,
        seconds(cpuMs),
        ratio(cpuMs, first.cpuMs),
        seconds(ms),
        memory(peakMb),
      ]),
    );
  }
  return isSame;
}

// Runs of our own command line on one repository, with a cache that belongs to these runs alone.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bytesBelow, cliScript, timed } from './support.mjs';

const BUDGET_TOKENS = '1024';

/** Calls `work` with the means to run `context-budget map` on `repository`; its cache is gone afterwards. */
export async function withOwnRuns(repository, work) {
  const cache = mkdtempSync(path.join(os.tmpdir(), 'context-budget-bench-'));
  const env = { ...process.env, CONTEXT_BUDGET_CACHE_DIR: cache };
  const map = (...args) =>
    timed(process.execPath, [cliScript, 'map', '--quiet', '--root', repository, '--budget', BUDGET_TOKENS, ...args], {
      env,
    });
  const forget = () => rmSync(cache, { recursive: true, force: true });
  const own = {
    env,
    cacheBytes: () => bytesBelow(cache),
    /** The first answer for a task, nothing known yet. */
    firstAnswer: (task) => {
      forget();
      return map('--query', task);
    },
    /** A map by structure needs every file; nothing known yet. */
    wholeIndex: () => {
      forget();
      return map();
    },
    warmStart: (task) => map('--query', task),
    /** Files that are in the index, best first. */
    mappedFiles: () => JSON.parse(map('--json').stdout).repo_map.items.map(({ path: file }) => file),
  };
  try {
    return await work(own);
  } finally {
    forget();
  }
}

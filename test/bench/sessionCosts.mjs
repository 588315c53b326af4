// Runs `session.ts` in a process of its own, so that its memory and its threads are the session's alone.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from '../harness/setup.mjs';
import { benchDir, Interrupted } from './support.mjs';

const outfile = path.join(benchDir, 'session.mjs');
const BANNER =
  "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);";

/** To be called once before `sessionCosts`. */
export async function bundleSession() {
  await build({
    entryPoints: [path.join(import.meta.dirname, 'session.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // jsonc-parser's CommonJS build hides its parts from bundlers.
    mainFields: ['module', 'main'],
    outfile,
    logLevel: 'error',
    banner: { js: BANNER },
  });
}

/** Costs of a session of `repository` with the cache in `env`: see `SessionCosts` of `session.ts`. */
export function sessionCosts(repository, { queries, paths, env }) {
  const input = JSON.stringify({ root: repository, productRoot: root, queries, paths });
  const result = spawnSync(process.execPath, [outfile], { input, env, encoding: 'utf8' });
  Interrupted.check(result);
  const { status, stdout, stderr, error } = result;
  if (status !== 0) throw new Error(`the session failed: ${error?.message ?? stderr.trim().slice(-1000)}`);
  return JSON.parse(stdout);
}

// Runs `workspace.ts` in a process of its own, so that its memory and its threads are the workspace's alone.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from '../harness/setup.mjs';
import { benchDir, Interrupted } from './support.mjs';

const outfile = path.join(benchDir, 'workspace.mjs');
const BANNER =
  "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);";

/** To be called once before `workspaceCosts`. */
export async function bundleWorkspace() {
  await build({
    entryPoints: [path.join(import.meta.dirname, 'workspace.ts')],
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

/** Costs of a workspace of `repository` with the cache in `env`: see `WorkspaceCosts` of `workspace.ts`. */
export function workspaceCosts(repository, { queries, paths, env }) {
  const input = JSON.stringify({ root: repository, productRoot: root, queries, paths });
  const result = spawnSync(process.execPath, [outfile], { input, env, encoding: 'utf8' });
  Interrupted.check(result);
  const { status, stdout, stderr, error } = result;
  if (status !== 0) throw new Error(`the workspace failed: ${error?.message ?? stderr.trim().slice(-1000)}`);
  return JSON.parse(stdout);
}

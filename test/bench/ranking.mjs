/**
 * Measures the task-conditioned map, with each signal taken away in turn:
 *
 *   node test/bench/ranking.mjs --tasks TASKS.json --repos DIR [--only TEXT] [--plain]
 *
 * TASKS.json is a list of { id, repo, commit, language, query, gold_files, gold_symbols: [{ path, name }] }. DIR holds a
 * clone of each repository as DIR/owner+name/repo, DIR/owner/name or DIR/owner__name. `--plain` leaves the ablation out.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const { values } = parseArgs({
  options: {
    tasks: { type: 'string' },
    repos: { type: 'string' },
    only: { type: 'string', default: '' },
    plain: { type: 'boolean', default: false },
  },
});
if (!values.tasks || !values.repos) {
  console.error('usage: node test/bench/ranking.mjs --tasks TASKS.json --repos DIR [--only TEXT] [--plain]');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'ranking-bench-'));
try {
  const outfile = join(folder, 'ranking.mjs');
  const shim = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
  const places = "import { fileURLToPath } from 'node:url'; const __filename = fileURLToPath(import.meta.url);";
  await build({
    entryPoints: [join(import.meta.dirname, 'ranking.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile,
    logLevel: 'error',
    banner: { js: `${shim}\n${places}\nconst __dirname = '.';` },
  });
  const { measure } = await import(pathToFileURL(outfile).href);
  const root = join(import.meta.dirname, '..', '..');
  await measure({ root, tasks: values.tasks, repos: values.repos, only: values.only, isPlain: values.plain });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

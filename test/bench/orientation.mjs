/**
 * Measures the map without a task: how many of the names that a project's own docs list it shows, the docs left out of
 * the folder.
 *
 *   node test/bench/orientation.mjs --repos DIR [--split held-out] [--before CLI.js] [--maps DIR] [--budget 1024]
 *
 * DIR holds a clone of each repository of `orientation.json` as for `ranking.mjs`. Arms: the command line of this
 * checkout (built), that of `--before`, and types ordered by how often their name occurs. `--maps` writes the maps there.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withBundled } from './bundled.mjs';

const { values } = parseArgs({
  options: {
    repos: { type: 'string' },
    split: { type: 'string', default: 'held-out' },
    before: { type: 'string' },
    maps: { type: 'string' },
    budget: { type: 'string', default: '1024' },
  },
});
const { repos, split, before, maps, budget } = values;
if (!repos) {
  console.error('usage: node test/bench/orientation.mjs --repos DIR [--split dev|held-out] [--before CLI.js]');
  process.exit(2);
}

const root = join(import.meta.dirname, '..', '..');
const DOCS =
  /(^|\/)(docs?|documentation|website)\/|\.(md|mdx|rst|adoc|markdown)$|(^|\/)(readme|changelog|changes|history)[^/]*$/iu;
const ME = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.invalid', '-c', 'commit.gpgSign=false'];

/** A checkout without docs, its history kept; files that a partial clone lacks are left out too. */
function copyOf(clone, commit, folder) {
  execFileSync('git', ['clone', '-q', '--shared', '--no-checkout', clone, folder]);
  const git = (args, input) => execFileSync('git', ['-C', folder, ...ME, ...args], { input, maxBuffer: 1 << 28 });
  git(['update-ref', '--no-deref', 'HEAD', commit]);
  git(['read-tree', 'HEAD']);
  const files = git(['ls-files', '-s', '-z']).toString().split('\0').slice(0, -1);
  const ids = files.map((line) => line.split(' ')[1]);
  const found = git(['cat-file', '--batch-check'], `${ids.join('\n')}\n`)
    .toString()
    .split('\n');
  const dropped = files.flatMap((line, at) => {
    const path = line.slice(line.indexOf('\t') + 1);
    return DOCS.test(path) || found[at]?.endsWith('missing') ? [path] : [];
  });
  git(['update-index', '--force-remove', '-z', '--stdin'], dropped.map((path) => `${path}\0`).join(''));
  git(['commit', '-q', '-m', 'docs left out']);
  git(['checkout-index', '-a', '-f']);
}

/** What the map of a command line shows. */
function mapOf(cli, folder, cache) {
  const env = { ...process.env, XDG_CACHE_HOME: cache };
  const run = (...more) =>
    execFileSync(process.execPath, [cli, 'map', '--root', folder, '--trust', '--budget', budget, ...more], {
      env,
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).toString();
  const { items } = JSON.parse(run('--json')).repo_map;
  return { names: items.flatMap(({ symbols }) => symbols.map(({ name }) => name.split('.').at(-1))), text: run() };
}

const percent = (share) => `${(100 * share).toFixed(0)}%`;
const tasks = JSON.parse(readFileSync(join(import.meta.dirname, 'orientation.json'), 'utf8'));
const sums = new Map();

await withBundled('orientation.ts', async ({ TypesByCount, cloneOf }) => {
  const byCount = await TypesByCount.open(root, Number(budget));
  console.log('| repository | arm | recall | shown | of them in the list |\n| --- | --- | --- | --- | --- |');
  for (const { repo, commit, names } of tasks.filter((task) => task.split === split)) {
    const clone = cloneOf(repos, repo);
    if (!clone) throw new Error(`${repo} is not below ${repos}`);
    const folder = mkdtempSync(join(tmpdir(), 'orientation-'));
    try {
      const tree = join(folder, 'tree');
      copyOf(clone, commit, tree);
      const arms = {
        'types by count': await byCount.map(tree),
        ...(before ? { before: mapOf(before, tree, join(folder, 'before')) } : {}),
        orientation: mapOf(join(root, 'dist', 'cli.js'), tree, join(folder, 'cache')),
      };
      const wanted = new Set(names.split(' '));
      for (const [arm, shown] of Object.entries(arms)) {
        const hits = shown.names.filter((name) => wanted.has(name));
        const row = [new Set(hits).size / wanted.size, hits.length / Math.max(1, shown.names.length)];
        sums.set(arm, [...(sums.get(arm) ?? []), row]);
        console.log(`| ${repo} | ${arm} | ${percent(row[0])} | ${shown.names.length} | ${percent(row[1])} |`);
        if (maps) {
          mkdirSync(maps, { recursive: true });
          writeFileSync(join(maps, `${repo.replace('/', '+')}.${arm.replaceAll(' ', '-')}.txt`), shown.text);
        }
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
});
for (const [arm, rows] of sums) {
  const mean = (at) => percent(rows.reduce((sum, row) => sum + row[at], 0) / rows.length);
  console.log(`| mean | ${arm} | ${mean(0)} | | ${mean(1)} |`);
}

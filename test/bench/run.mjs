// npm run bench [-- [map|tokens|observations|host|size] [REPO…]]: what the product costs, as ratios against peers measured in the same run.
// Peers are installed into .bench/ where they can be; one that cannot is named as left out. Without REPO a repository of 2,000 files
// is made from this project's dependencies' sources.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { build, installPackages, root, runOrExit } from '../harness/setup.mjs';

const require = createRequire(import.meta.url);
const benchDir = path.join(root, '.bench');
const ROUNDS = 3;
const REPOMIX_VERSION = '1.14.0'; // the last that runs on Node 20
const PARTS = ['map', 'tokens', 'observations', 'host', 'size'];

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
const ratio = (value, base) => (base ? `${(value / base).toFixed(2)}×` : '–');

/** Prints rows as a Markdown table. */
function table(title, head, rows) {
  console.log(`\n## ${title}\n`);
  console.log(`| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|`);
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
}

/** Runs a command; wall milliseconds and, where /usr/bin/time is there, peak memory in MB. */
function timed(command, args, options = {}) {
  const hasTime = existsSync('/usr/bin/time');
  const argv = hasTime ? ['/usr/bin/time', '-f', 'PEAK_KB %M', command, ...args] : [command, ...args];
  const started = performance.now();
  const result = spawnSync(argv[0], argv.slice(1), { encoding: 'utf8', maxBuffer: 1 << 28, ...options });
  const ms = performance.now() - started;
  if (result.status !== 0)
    throw new Error(`${command} ${args.join(' ')}: ${result.stderr?.slice(-500) ?? result.error}`);
  const peak = /PEAK_KB (\d+)/.exec(result.stderr ?? '');
  return { ms, peakMb: peak ? Number(peak[1]) / 1024 : undefined, stdout: result.stdout };
}

// #region repositories

const SOURCE = /\.(ts|tsx|js|jsx|mjs|cjs|py|go|rs|java|c|h|cc|cpp|hpp)$/;

/** Copies sources of installed packages until there are `count` files. */
function makeRepository(count) {
  const folder = path.join(benchDir, `sources-${count}`);
  if (existsSync(folder)) return folder;
  const files = [];
  const visit = (dir) => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      const full = path.join(dir, entry.name);
      if (entry.isDirectory()) visit(full);
      else if (SOURCE.test(entry.name) && statSync(full).size < 200_000) files.push(full);
    }
  };
  visit(path.join(root, 'node_modules'));
  const step = Math.max(1, Math.floor(files.length / count));
  for (const [i, file] of files
    .filter((_, k) => k % step === 0)
    .slice(0, count)
    .entries()) {
    const to = path.join(folder, `part${i % 40}`, `${i}-${path.basename(file)}`);
    mkdirSync(path.dirname(to), { recursive: true });
    cpSync(file, to);
  }
  return folder;
}

function sizeOf(folder) {
  let files = 0;
  let bytes = 0;
  const visit = (dir) => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      if (entry.name === '.git' || entry.name === 'node_modules') continue;
      const full = path.join(dir, entry.name);
      if (entry.isDirectory()) visit(full);
      else if (entry.isFile()) {
        files++;
        if (SOURCE.test(entry.name)) bytes += statSync(full).size;
      }
    }
  };
  visit(folder);
  return { files, bytes };
}

// #endregion
// #region peers

function installRepomix() {
  const cli = path.join(benchDir, 'node_modules/repomix/bin/repomix.cjs');
  if (!existsSync(cli)) {
    mkdirSync(benchDir, { recursive: true });
    writeFileSync(path.join(benchDir, 'package.json'), '{"private":true}');
    const result = spawnSync(
      'npm',
      ['install', '--prefix', benchDir, '--no-fund', '--no-audit', '--loglevel=error', `repomix@${REPOMIX_VERSION}`],
      { stdio: 'inherit' },
    );
    if (result.status !== 0) return undefined;
  }
  return existsSync(cli) ? cli : undefined;
}

function findCtags() {
  const found = spawnSync('ctags', ['--version'], { encoding: 'utf8' });
  return found.status === 0 && found.stdout.includes('Universal Ctags') ? 'ctags' : undefined;
}

// #endregion
// #region parts

function mapBench(repositories) {
  const repomix = installRepomix();
  const ctags = findCtags();
  if (!repomix) console.log('repomix: left out, npm could not install it');
  if (!ctags) console.log('universal-ctags: left out, not on the PATH (Debian: apt-get install universal-ctags)');
  for (const repository of repositories) {
    const { files, bytes } = sizeOf(repository);
    const cache = mkdtempSync(path.join(os.tmpdir(), 'context-budget-bench-'));
    const env = { ...process.env, CONTEXT_BUDGET_CACHE_DIR: cache };
    const ours = () =>
      timed(process.execPath, [path.join(root, 'dist/cli.js'), 'map', '--root', repository, '--budget', '1024'], {
        env,
      });
    const runs = { cold: [], warm: [], repomix: [], ctags: [] };
    for (let round = 0; round < ROUNDS; round++) {
      rmSync(cache, { recursive: true, force: true });
      runs.cold.push(ours());
      runs.warm.push(ours());
      if (repomix) {
        const out = path.join(benchDir, 'repomix.out');
        runs.repomix.push(
          timed(process.execPath, [repomix, '--compress', '--no-security-check', '--quiet', '-o', out, repository]),
        );
      }
      if (ctags)
        runs.ctags.push(
          timed(ctags, [
            '-R',
            '--exclude=.git',
            '--exclude=node_modules',
            '-f',
            path.join(benchDir, 'tags'),
            repository,
          ]),
        );
    }
    rmSync(cache, { recursive: true, force: true });
    const base = runs.repomix.length ? median(runs.repomix.map((run) => run.ms)) : undefined;
    const names = {
      cold: 'context-budget map, cold',
      warm: 'context-budget map, warm cache',
      repomix: `repomix ${REPOMIX_VERSION} --compress`,
      ctags: 'universal-ctags (definitions only)',
    };
    const rows = Object.entries(runs)
      .filter(([, list]) => list.length > 0)
      .map(([name, list]) => {
        const ms = median(list.map((run) => run.ms));
        const peak = list[0].peakMb === undefined ? '–' : `${Math.round(median(list.map((run) => run.peakMb)))} MB`;
        return [names[name], seconds(ms), ratio(ms, base), peak];
      });
    table(
      `Map of ${path.basename(repository)}: ${files.toLocaleString('en-US')} files, ${(bytes / 1e6).toFixed(1)} MB of source`,
      ['what', 'wall, median of 3', 'against repomix', 'peak memory'],
      rows,
    );
  }
}

async function tokensBench() {
  const worker = require(path.join(root, 'dist/worker.js'));
  const assets = { read: async (name) => new Uint8Array(readFileSync(path.join(root, name))) };
  const { engine } = worker.createInProcess(assets);
  const code = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  const lib = readFileSync(path.join(root, 'dist/extension.js'), 'utf8');
  const source = (lib + code).slice(0, 1_000_000);
  const { Tiktoken } = require('js-tiktoken/lite');
  const ranks = require('js-tiktoken/ranks/o200k_base');
  let at = performance.now();
  const reference = new Tiktoken(ranks.default ?? ranks);
  const referenceLoad = performance.now() - at;
  at = performance.now();
  await engine.countTokens(['warm'], 'o200k_base');
  const load = performance.now() - at;
  const inputs = {
    'code, 1 MB': source,
    'Chinese, 1 MB': '上下文预算工具会在编辑器里显示每一段内容的成本，并给出最小可用的载荷。'
      .repeat(30_000)
      .slice(0, 1_000_000),
    '"a" × 1,000,000': 'a'.repeat(1_000_000),
    '"=" × 1,000,000': '='.repeat(1_000_000),
    'spaces × 1,000,000': ' '.repeat(1_000_000),
    'emoji × 500,000': '😀'.repeat(500_000),
  };
  const rows = [['load', `${load.toFixed(0)} ms`, `${referenceLoad.toFixed(0)} ms`, ratio(load, referenceLoad)]];
  for (const [name, text] of Object.entries(inputs)) {
    at = performance.now();
    await engine.countTokens([text], 'o200k_base');
    const ms = performance.now() - at;
    const isHostile = name.includes('×');
    let referenceMs;
    if (!isHostile) {
      at = performance.now();
      reference.encode(text.slice(0, 100_000), [], []);
      referenceMs = (performance.now() - at) * (text.length / 100_000);
    }
    rows.push([
      name,
      `${ms.toFixed(0)} ms`,
      referenceMs ? `${referenceMs.toFixed(0)} ms` : 'does not end',
      referenceMs ? ratio(ms, referenceMs) : `${(ms / 2000).toFixed(2)}× of the limit of 2 s`,
    ]);
  }
  table('Exact token counts, o200k_base', ['input', 'ours', 'js-tiktoken', 'ratio'], rows);
}

/** Lines of the integration suite that tell what something took, with the limit each is held to. */
const MEASURED = [
  [/activate\(\): ([\d.]+) ms/, 'activate()', 20],
  [/saved → panel: ([\d.]+) ms/, 'file saved → panel shows it', 1000],
  [/written → ALERT in the panel: ([\d.]+) ms/, 'plug-in turns to ALERT → panel shows it', 1000],
  [/first count: longest stretch ([\d.]+) ms/, 'longest stretch of our code, first count of 2,000 files', 10],
  [/refresh: longest stretch ([\d.]+) ms/, 'longest stretch of our code, refresh of 2,000 files', 10],
  [/one save: longest stretch ([\d.]+) ms/, 'longest stretch of our code, one save', 10],
];

function hostBench() {
  const env = { ...process.env, SKIP_BUILD: '1' };
  const result = spawnSync(process.execPath, ['test/harness/integration.mjs', 'trusted', 'large'], {
    cwd: root,
    encoding: 'utf8',
    env,
  });
  const output = `${result.stdout}${result.stderr}`;
  const rows = MEASURED.map(([pattern, what, limit]) => {
    const ms = Number(pattern.exec(output)?.[1] ?? Number.NaN);
    if (Number.isNaN(ms)) throw new Error(`"${what}" was not measured:\n${output.slice(-3000)}`);
    return [what, `${ms} ms`, `${limit} ms`, ratio(ms, limit)];
  });
  table('In a real extension host', ['what', 'measured', 'limit', 'ratio'], rows);
}

async function observationsBench() {
  const script = path.join(benchDir, 'observations.cjs');
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['test/bench/observations.ts'],
    bundle: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    outfile: script,
    logLevel: 'error',
  });
  const { stdout } = timed(process.execPath, [script, root]);
  for (const line of stdout.split('\n').filter((text) => text !== '')) {
    const { count, rows } = JSON.parse(line);
    const cells = rows.map(([what, value, limit]) => {
      const shown = value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1);
      return [what, shown, limit ?? '', limit ? ratio(value, limit) : ''];
    });
    table(`${count.toLocaleString('en')} observations (milliseconds)`, ['what', 'measured', 'limit', 'ratio'], cells);
  }
}

function sizeBench() {
  runOrExit('npm', ['run', '--silent', 'package']);
  const megabytes = statSync(path.join(root, 'dist/context-budget.vsix')).size / 1e6;
  table('VSIX', ['size', 'limit', 'ratio'], [[`${megabytes.toFixed(2)} MB`, '8 MB', ratio(megabytes, 8)]]);
}

// #endregion

installPackages();
build('--production', '--tests');
const args = process.argv.slice(2);
const wanted = PARTS.filter((part) => args.includes(part));
const repositories = args.filter((arg) => !PARTS.includes(arg)).map((arg) => path.resolve(arg));
const parts = wanted.length > 0 ? wanted : PARTS;
console.log(`# Benchmark: Node ${process.versions.node}, ${os.cpus().length} × ${os.cpus()[0]?.model ?? 'CPU'}`);
if (parts.includes('map')) mapBench(repositories.length > 0 ? repositories : [makeRepository(2000)]);
if (parts.includes('tokens')) await tokensBench();
if (parts.includes('observations')) await observationsBench();
if (parts.includes('size')) sizeBench();
if (parts.includes('host')) hostBench();

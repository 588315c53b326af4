// What a killed process leaves behind: the command line indexes a folder, is killed (SIGKILL) in the middle, and the
// next start must answer exactly as one that never had a cache.
//   node test/tools/killRounds.mjs [--rounds 100] [--pairs 20] [--root DIR] [--cli FILE]
// Of each four runs one is killed at some moment of the indexing, one when a pack is being written, one when the
// first pack is there, one when small packs are put together. A pair is two processes that index at the same time.
// Without --root a folder is made of this project's sources. Prints `N passed, N failed`.
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  watch,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const project = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
/** Files changed between two rounds: enough that there is always something to parse and to write. */
const CHANGED_PER_ROUND = 40;

/** One run of the command line; `killWhen` gets `kill` and what to call at the end. */
function run({ cli, folder, caches, config }, killWhen) {
  return new Promise((resolve, reject) => {
    const args = [cli, 'map', '--root', folder, '--budget', '4096', '--json'];
    const child = spawn(process.execPath, args, {
      env: { ...process.env, CONTEXT_BUDGET_CACHE_DIR: caches, CONTEXT_BUDGET_CONFIG_DIR: config },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data) => (stdout += data));
    child.stderr.on('data', (data) => (stderr += data));
    const stop = killWhen?.(() => child.kill('SIGKILL'));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      stop?.();
      resolve({ stdout, stderr, code, isKilled: signal === 'SIGKILL' });
    });
  });
}

const afterMs = (ms) => (kill) => {
  const timer = setTimeout(kill, ms);
  return () => clearTimeout(timer);
};

/** Kills at the `nth` event of a file in the cache whose name matches. */
const atFile = (folder, pattern, nth) => (kill) => {
  let seen = 0;
  const watcher = watch(folder, (_event, name) => {
    if (name && pattern.test(name) && ++seen === nth) kill();
  });
  return () => watcher.close();
};

const sourcesOf = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => /\.(ts|tsx|js|mjs|go|py|rs|c|h|java)$/.test(name) && statSync(path.join(folder, name)).isFile())
    .sort();

/** A copy of `root` without history and packages, or of this project's sources, twice. */
function makeFolder(root, folder) {
  const filter = (source) => !/[\\/](\.git|node_modules|dist)$/.test(source);
  if (root) return cpSync(root, folder, { recursive: true, filter });
  for (const copy of ['a', 'b'])
    cpSync(path.join(project, 'src'), path.join(folder, copy), { recursive: true, filter });
  for (const name of sourcesOf(path.join(folder, 'b')))
    appendFileSync(path.join(folder, 'b', name), '\n// Another one.\n');
}

/** Changes some files, so that content comes and goes. */
function change(folder, sources, round) {
  for (let i = 0; i < CHANGED_PER_ROUND; i++) {
    const name = sources[(round * CHANGED_PER_ROUND * 7 + i * 13) % sources.length];
    appendFileSync(path.join(folder, name), `\n// Round ${round}.\n`);
  }
}

/** A folder, a cache and a command line, and what went wrong with them. */
class World {
  failures = [];
  killed = {};

  constructor(cli, root) {
    this.cli = cli;
    this.work = mkdtempSync(path.join(os.tmpdir(), 'context-budget-kill-'));
    for (const name of ['folder', 'config', 'caches']) {
      this[name] = path.join(this.work, name);
      mkdirSync(this[name]);
    }
    makeFolder(root, this.folder);
    this.sources = sourcesOf(this.folder);
  }

  /** What a start without any cache answers, and how long it takes. */
  async cold() {
    const caches = mkdtempSync(path.join(this.work, 'cold-'));
    const started = performance.now();
    const result = await run({ ...this, caches });
    if (result.code !== 0) throw new Error(`a cold start failed: ${result.stderr}`);
    // Known and there before a run, so that its events are seen from the first on.
    this.own = path.join(this.caches, readdirSync(caches)[0]);
    mkdirSync(this.own, { recursive: true });
    rmSync(caches, { recursive: true, force: true });
    return { ...result, ms: performance.now() - started };
  }

  get kills() {
    return Object.values(this.killed).reduce((sum, count) => sum + count, 0);
  }

  forget() {
    for (const name of readdirSync(this.own)) rmSync(path.join(this.own, name), { force: true });
  }

  expectSame(what, { stdout, stderr, code }, expected) {
    if (code !== 0) this.failures.push(`${what}: exit code ${code}: ${stderr}`);
    else if (stdout !== expected.stdout) this.failures.push(`${what}: another answer than a cold start's`);
    else if (/cache/.test(stderr)) this.failures.push(`${what}: ${stderr}`);
  }

  /** Makes the packs look settled, so that the next process brings them in order. */
  age() {
    const before = new Date(Date.now() - 2 * 60 * 1000);
    for (const name of readdirSync(this.own)) utimesSync(path.join(this.own, name), before, before);
  }

  /** Changes files, kills a run, and compares the next one. Every 20th round begins with a long first index. */
  async killRound(round) {
    change(this.folder, this.sources, round);
    const expected = await this.cold();
    if (round % 20 === 0) this.forget();
    this.age();
    const kinds = {
      indexing: afterMs(expected.ms * ((round * 0.37) % 1)),
      writing: atFile(this.own, /\.tmp$/, 1 + (round % 3)),
      written: atFile(this.own, /\.pack$/, 1 + (round % 2)),
      tidying: atFile(this.own, /\.pack$/, 2 + (round % 4)),
    };
    const kind = Object.keys(kinds)[round % 4];
    const { isKilled } = await run(this, kinds[kind]);
    if (isKilled) this.killed[kind] = (this.killed[kind] ?? 0) + 1;
    const what = `round ${round} (${kind}, ${isKilled ? 'killed' : 'ended before'})`;
    this.expectSame(what, await run(this), expected);
    return what;
  }

  /** Two processes at once, every other time without a cache, and one after them. */
  async pairRound(pair, round) {
    change(this.folder, this.sources, round);
    const expected = await this.cold();
    if (pair % 2 === 0) this.forget();
    const [first, second] = await Promise.all([run(this), run(this)]);
    this.expectSame(`pair ${pair}, first`, first, expected);
    this.expectSame(`pair ${pair}, second`, second, expected);
    this.expectSame(`pair ${pair}, after`, await run(this), expected);
    return `pair ${pair}`;
  }
}

/**
 * Runs the rounds; resolves with what went wrong, one line each, and how many runs were killed in each way.
 * @param {{ rounds: number, pairs: number, root?: string, cli?: string, log?: (line: string) => void }} options
 */
export async function killRounds({ rounds, pairs, root, cli = path.join(project, 'dist/cli.js'), log = () => {} }) {
  const world = new World(cli, root);
  const tell = (what) => log(`${what}: ${world.failures.length} failed so far`);
  try {
    let round = 0;
    // A run may end before its moment comes: that round does not count.
    while (world.kills < rounds && round < 3 * rounds) tell(await world.killRound(round++));
    for (let pair = 0; pair < pairs; pair++) tell(await world.pairRound(pair, round + pair));
    return { failures: world.failures, killed: world.killed };
  } finally {
    rmSync(world.work, { recursive: true, force: true });
  }
}

async function main() {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '100' },
      pairs: { type: 'string', default: '20' },
      root: { type: 'string' },
      cli: { type: 'string' },
    },
  });
  const rounds = Number(values.rounds);
  const pairs = Number(values.pairs);
  const { root, cli } = values;
  const { failures, killed } = await killRounds({
    rounds,
    pairs,
    root,
    ...(cli ? { cli } : {}),
    log: console.log,
  });
  for (const failure of failures) console.error(failure);
  const kills = Object.values(killed).reduce((sum, count) => sum + count, 0);
  console.log(`killed ${kills} times: ${JSON.stringify(killed)}`);
  console.log(`${kills + 3 * pairs - failures.length} passed, ${failures.length} failed`);
  process.exitCode = failures.length === 0 && kills >= rounds ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();

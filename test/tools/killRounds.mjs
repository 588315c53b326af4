// What a killed process leaves behind: a process indexes a folder, is killed (SIGKILL) in the middle, and the next start
// must give the structural map that a start without a cache gives.
//   node test/tools/killRounds.mjs [--rounds 100] [--pairs 20] [--root DIR] [--cli FILE]
// The rounds take turns: see `killKinds.mjs`. A pair is two processes that index at the same time. The folder is made of
// copies of DIR, or of this project's sources. Prints `N passed, N failed`; also fails when a kind of kill never happened.
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { KINDS } from './killKinds.mjs';

const project = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const KILL_AT = path.join(project, 'test/tools/killAt.cjs');
const TASK = 'read and write the cache of facts';
/** Files changed between two rounds: enough that there is always something to parse and to write. */
const CHANGED_PER_ROUND = 40;
/** Folders of more files have two speeds; `TWO_SPEED_FILES` of the indexing. */
const TWO_SPEED_FILES = 400;
/** Part of a cold start's time: a start that knows most files takes less. */
const FIRST_SHARE = 0.7;

/** Runs node; `killAt` is for `killAt.cjs`, `killAfterMs` for the moments that no file tells. */
function run({ caches, config }, args, { killAt, killAfterMs } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, killAt ? ['--require', KILL_AT, ...args] : args, {
      env: {
        ...process.env,
        CONTEXT_BUDGET_CACHE_DIR: caches,
        CONTEXT_BUDGET_CONFIG_DIR: config,
        ...(killAt ? { CONTEXT_BUDGET_KILL_AT: JSON.stringify(killAt) } : {}),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data) => (stdout += data));
    child.stderr.on('data', (data) => (stderr += data));
    const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ stdout, stderr, code, isKilled: signal === 'SIGKILL' });
    });
  });
}

const sourcesOf = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => /\.(ts|tsx|js|mjs|go|py|rs|c|h|java)$/.test(name) && statSync(path.join(folder, name)).isFile())
    .sort();

/** Copies of `root` without history and packages, each a little different: as many as make `minFiles` sources. */
function makeFolder(root, folder, minFiles) {
  const filter = (source) => !/[\\/](\.git|node_modules|dist)$/.test(source);
  for (let copy = 1; sourcesOf(folder).length < minFiles; copy++) {
    const target = path.join(folder, `copy${copy}`);
    cpSync(root, target, { recursive: true, filter });
    const names = sourcesOf(target);
    if (names.length === 0) throw new Error(`there is no source file in ${root}`);
    if (copy > 1) for (const name of names) appendFileSync(path.join(target, name), `\n// Copy ${copy}.\n`);
  }
}

/** Changes some files, so that content comes and goes. */
function change(folder, sources, round, label = 'Round') {
  for (let i = 0; i < CHANGED_PER_ROUND; i++) {
    const name = sources[(round * CHANGED_PER_ROUND * 7 + i * 13) % sources.length];
    appendFileSync(path.join(folder, name), `\n// ${label} ${round}.\n`);
  }
}

/** Where two answers part, with some of both. */
function firstDifference(answer, expected) {
  let at = 0;
  while (answer[at] === expected[at]) at++;
  const around = (text) => JSON.stringify(text.slice(Math.max(0, at - 80), at + 80));
  return `${around(answer)}, not ${around(expected)}`;
}

/** A folder, a cache and a command line, and what went wrong with them. */
class World {
  failures = [];
  #turns;
  /** Of the time of a cold start, for kills by time; less after one that came too late. */
  #share = FIRST_SHARE;

  constructor(cli, root, kinds, minFiles) {
    this.cli = cli;
    this.kinds = kinds;
    this.killed = Object.fromEntries(kinds.map((kind) => [kind, 0]));
    this.#turns = { ...this.killed };
    this.work = mkdtempSync(path.join(os.tmpdir(), 'context-budget-kill-'));
    for (const name of ['folder', 'config', 'caches']) {
      this[name] = path.join(this.work, name);
      mkdirSync(this[name]);
    }
    makeFolder(root, this.folder, minFiles);
    this.sources = sourcesOf(this.folder);
  }

  /** Bundles what stays open, and finds out where the cache is. */
  async prepare() {
    this.host = path.join(this.work, 'leftOpen.cjs');
    if (this.kinds.some((kind) => KINDS[kind].runs === 'leftOpen')) await this.#buildHost();
    await this.map();
    this.own = path.join(this.caches, readdirSync(this.caches)[0]);
  }

  async #buildHost() {
    await build({
      entryPoints: [path.join(project, 'test/tools/leftOpen.ts')],
      outfile: this.host,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      mainFields: ['module', 'main'],
      logLevel: 'warning',
    });
  }

  /** The arguments of each kind of process. */
  get commands() {
    const map = [this.cli, 'map', '--root', this.folder, '--budget', '4096', '--json'];
    return {
      map,
      query: [...map, '--query', TASK],
      leftOpen: [this.host, path.dirname(path.dirname(this.cli)), this.folder, TASK],
    };
  }

  /** The structural map, with the cache as it is. */
  map() {
    return run(this, this.commands.map);
  }

  /** What a start without any cache answers, and how long it takes. */
  async cold() {
    const caches = mkdtempSync(path.join(this.work, 'cold-'));
    const started = performance.now();
    const result = await run({ ...this, caches }, this.commands.map);
    const ms = performance.now() - started;
    if (result.code !== 0) throw new Error(`a cold start failed: ${result.stderr}`);
    rmSync(caches, { recursive: true, force: true });
    return { ...result, ms };
  }

  get kills() {
    return Object.values(this.killed).reduce((sum, count) => sum + count, 0);
  }

  /** Kinds of kills that did not happen yet. */
  get missing() {
    return Object.keys(this.killed).filter((kind) => this.killed[kind] === 0);
  }

  forget() {
    for (const name of readdirSync(this.own)) rmSync(path.join(this.own, name), { force: true });
  }

  forgetAtTimes(turn) {
    if (turn % 2 === 0) this.forget();
  }

  /** Everything is in the cache twice, as after two processes that have known nothing. */
  async double(turn) {
    this.forget();
    await this.map();
    const aside = path.join(this.work, 'aside');
    renameSync(this.own, aside);
    await this.map();
    for (const name of readdirSync(aside)) renameSync(path.join(aside, name), path.join(this.own, name));
    rmSync(aside, { recursive: true });
    change(this.folder, this.sources, turn, 'Turn');
  }

  expectSame(what, { stdout, stderr, code }, expected) {
    if (code !== 0) this.failures.push(`${what}: exit code ${code}: ${stderr}`);
    else if (stdout !== expected.stdout)
      this.failures.push(`${what}: another answer than a cold start's: ${firstDifference(stdout, expected.stdout)}`);
    else if (/cache/.test(stderr)) this.failures.push(`${what}: ${stderr}`);
  }

  /** Makes the packs look settled, so that the next process brings them in order. */
  age() {
    const before = new Date(Date.now() - 2 * 60 * 1000);
    for (const name of readdirSync(this.own)) utimesSync(path.join(this.own, name), before, before);
  }

  /** Changes files, kills a run, and compares the next one. */
  async killRound(kind, round) {
    const turn = this.#turns[kind]++;
    const { before, runs, at } = KINDS[kind];
    change(this.folder, this.sources, round);
    if (before) await this[before](turn);
    const expected = await this.cold();
    this.age();
    const moment = at({ turn, ms: expected.ms * this.#share });
    const result = await run(this, this.commands[runs], moment);
    const what = `round ${round} (${kind}, ${result.isKilled ? 'killed' : 'ended before'})`;
    if (result.isKilled) this.killed[kind]++;
    else if (result.code !== 0) this.failures.push(`${what}: exit code ${result.code}: ${result.stderr}`);
    // A run that ended before tells that the machine is quicker than the cold start was.
    else if (moment.killAfterMs !== undefined) this.#share *= 0.7;
    this.expectSame(what, await this.map(), expected);
    return what;
  }

  /** Two processes at once, every other time without a cache, and one after them. */
  async pairRound(pair, round) {
    change(this.folder, this.sources, round);
    const expected = await this.cold();
    if (pair % 2 === 0) this.forget();
    const [first, second] = await Promise.all([this.map(), this.map()]);
    this.expectSame(`pair ${pair}, first`, first, expected);
    this.expectSame(`pair ${pair}, second`, second, expected);
    this.expectSame(`pair ${pair}, after`, await this.map(), expected);
    return `pair ${pair}`;
  }
}

/**
 * Runs the rounds; resolves with what went wrong, one line each, and how many runs were killed in each way. A run may
 * end before its moment comes: such a round does not count, and every kind gets its turn until all have happened.
 * @param {{ rounds: number, pairs: number, kinds?: string[], root?: string, minFiles?: number, cli?: string, log?: (line: string) => void }} options
 * `minFiles`: of source files in the folder; by itself as many as make two speeds
 */
export async function killRounds(options) {
  const {
    rounds,
    pairs,
    kinds = Object.keys(KINDS),
    root,
    minFiles = TWO_SPEED_FILES + 1,
    cli,
    log = () => {},
  } = options;
  const world = new World(
    path.resolve(cli ?? path.join(project, 'dist/cli.js')),
    root ?? path.join(project, 'src'),
    kinds,
    minFiles,
  );
  const tell = (what) => log(`${what}: ${world.failures.length} failed so far`);
  const mostRounds = 3 * Math.max(rounds, kinds.length);
  try {
    await world.prepare();
    let round = 0;
    while (round < mostRounds && (world.kills < rounds || world.missing.length > 0)) {
      const turns = world.kills < rounds ? kinds : world.missing;
      tell(await world.killRound(turns[round % turns.length], round));
      round++;
    }
    for (let pair = 0; pair < pairs; pair++) tell(await world.pairRound(pair, round + pair));
    for (const kind of world.missing) world.failures.push(`no run was killed at "${kind}" in ${round} rounds`);
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
    cli,
    log: console.log,
  });
  for (const failure of failures) console.error(failure);
  const kills = Object.values(killed).reduce((sum, count) => sum + count, 0);
  console.log(`killed ${kills} times: ${JSON.stringify(killed)}`);
  console.log(`${kills + 3 * pairs - failures.length} passed, ${failures.length} failed`);
  process.exitCode = failures.length === 0 && kills >= rounds ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();

// npm test: installs what is missing and runs everything. One line when a stage begins and one when it ends; at the end
// why something failed, the slowest tests, and last of all `N passed, N failed`. Nothing is tried twice.
//   node test/run.mjs [--long] [STAGE…]     only these (default: all): check unit integration ui contract panel web languages report session; with --long also oldest oldestUi gitFuzz chinese
//   --long     what `npm test` takes a sample of is run whole, and the stages that are only there
import { statfsSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import path from 'node:path';
import { finishPackages, missingPackages, root } from './harness/setup.mjs';
import { countsOf, notRun, ofVitest, runStage, tailOf } from './harness/stage.mjs';

const node = (...args) => [process.execPath, ...args];
const vsix = path.join(root, 'dist/context-budget.vsix');
const vitest = ['npx', 'vitest', 'run', '--reporter=dot', '--reporter=json'];

/** What stages need before they can begin; `isOfBuild`: not before everything is built. */
const PREPARATIONS = {
  package: {
    title: 'the package (VSIX)',
    command: ['npm', 'run', '--silent', 'package:built'],
    isOfBuild: true,
  },
  host: { title: 'VS Code and a browser', command: ['bash', 'test/harness/install.sh'] },
  webHost: { title: 'VS Code for the Web', command: ['bash', 'test/harness/installWeb.sh'] },
  oldestHost: { title: 'the oldest VS Code', command: ['bash', 'test/harness/install.sh', 'oldest'] },
};

/**
 * What is run, in the order in which stages begin: those that others need nothing of first, and of the rest the longest
 * first, so that none runs alone at the end. `needs`: preparations, `needsLong`: more of them with `--long`; `isOnlyLong`: a
 * stage of `--long` alone.
 */
const STAGES = {
  // Formats, lint, types.
  check: { command: ['npm', 'run', '--silent', 'check'], read: null },
  // Unit, property and golden tests.
  unit: { command: [...vitest, '--project=unit', '--project=mocking'], read: ofVitest },
  // In a real VS Code.
  integration: { command: node('test/harness/integration.mjs'), needs: ['host'] },
  // The installed extension, as a person uses it.
  ui: { command: node('test/harness/ui.mjs'), needs: ['host', 'package'] },
  // Contract tests: mostly the CLI and the server as processes; a sample of the hostile folders of `npm run test:attack`.
  contract: { command: [...vitest, '--project=contract', '--project=attack'], read: ofVitest },
  // Panel in a browser: themes, widths, accessibility.
  panel: { command: node('test/ui/panel/panel.ui.mjs'), needs: ['host'] },
  // A web extension host: the sample needs no other VS Code than the rest.
  web: { command: node('test/harness/web.mjs'), needs: ['host'], needsLong: ['webHost'] },
  // Panel, usage report and the page of a session in Chinese.
  languages: { command: node('test/ui/panel/languages.ui.mjs'), needs: ['host'] },
  // The usage report in a browser.
  report: { command: node('test/ui/report/report.ui.mjs'), needs: ['host'] },
  // The page of a session in a browser.
  session: { command: node('test/ui/session/session.ui.mjs'), needs: ['host'] },
  // Every command in the oldest VS Code that is supported.
  oldest: {
    command: node('test/harness/integration.mjs', 'trusted', 'restricted', 'noFolder', '--host', 'oldest'),
    needs: ['host', 'oldestHost'],
    isOnlyLong: true,
  },
  // The installed extension in the oldest VS Code, and in a VS Code whose display language is Chinese.
  oldestUi: {
    command: node('test/harness/ui.mjs', '--host', 'oldest'),
    needs: ['host', 'oldestHost', 'package'],
    isOnlyLong: true,
  },
  // Untrusted repositories with random configuration, other ones each day.
  gitFuzz: {
    command: node(
      'test/attack/gitFuzz.mjs',
      '--seconds',
      '120',
      '--seed',
      String(1000 * Math.floor(Date.now() / 864e5)),
    ),
    isOnlyLong: true,
  },
  chinese: { command: node('test/harness/languages.mjs'), needs: ['host', 'package'], isOnlyLong: true },
};

/** The stage that is run first, alone. */
const ALONE = 'unit';

/** A host that waits for what it did leaves a processor free, which a third stage can use; each takes up to 2 GB. */
const LANES = totalmem() > 7 * 1024 ** 3 ? Math.max(2, availableParallelism()) + 1 : 2;
/** What a fresh clone takes until the end: packages 1.3 GB, VS Code 0.8 GB, then its build and temporary files. Bytes. */
const ROOM_ON_DISK = 3 * 1024 ** 3;
const SLOWEST_SHOWN = 10;
const ERROR_LINES = 20;
const TAIL_LINES = 12;
const FAILURES_SHOWN = 20;

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
const started = performance.now();

/** One line, with the time since the start. */
function tell(text) {
  console.log(`${String(Math.round((performance.now() - started) / 1000)).padStart(4)} s  ${text}`);
}

/** Runs a preparation; undefined when it was done, else the stage that failed. */
async function prepare(name, title, command, env) {
  tell(`${title} …`);
  const result = await runStage({ name, command, env, read: null });
  const isDone = countsOf(result).failed === 0;
  tell(`${isDone ? 'ok  ' : 'FAIL'} ${title}: ${seconds(result.ms)}${isDone ? '' : `; log: ${result.log}`}`);
  return isDone
    ? undefined
    : { ...result, tests: [], why: `${title} could not be made ready: ${result.tests[0].error}` };
}

/** Runs stages, as many at once as there are lanes; one whose preparation failed is not begun. */
async function runStages(names, env, isLong, ready) {
  const waiting = [...names];
  const results = [];
  const runOne = async (name) => {
    const { command, read } = STAGES[name];
    for (const need of needsOf(name, isLong)) {
      const failed = await ready.get(need);
      if (failed) return notRun(name, failed.why, failed.log);
    }
    tell(`${name} …`);
    return await runStage({ name, command: commandOf(name, command), env, read });
  };
  const runAndTell = async (name) => {
    const result = await runOne(name);
    const { passed, failed } = countsOf(result);
    const why = result.why ? ` (${result.why})` : '';
    const log = failed > 0 ? `; log: ${result.log}` : '';
    const mark = failed === 0 ? 'ok  ' : 'FAIL';
    tell(`${mark} ${name}: ${passed} passed, ${failed} failed in ${seconds(result.ms)}${why}${log}`);
    results.push(result);
  };
  const lane = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await runAndTell(name);
  };
  // With as many workers as there are processors: beside it, only what others need is made ready.
  if (waiting.includes(ALONE)) await runAndTell(waiting.splice(waiting.indexOf(ALONE), 1)[0]);
  await Promise.all(Array.from({ length: LANES }, lane));
  return results.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
}

function needsOf(name, isLong) {
  const { needs = [], needsLong = [] } = STAGES[name];
  return isLong ? [...needs, ...needsLong] : needs;
}

function commandOf(name, command) {
  if (command[1] !== 'vitest') return command;
  return [...command, `--outputFile.json=${path.join(root, `dist/test-logs/${name}.json`)}`];
}

/**
 * Begins what the stages need: what installs hosts at once, since it mostly waits for the network as `npm ci` does, one
 * after another, since two installations would share their caches; what is made of the build when `built` resolves.
 */
function startPreparations(names, env, isLong, built) {
  const wanted = Object.keys(PREPARATIONS).filter((need) => names.some((name) => needsOf(name, isLong).includes(need)));
  const ready = new Map();
  let last = Promise.resolve();
  for (const need of wanted) {
    const { title, command, isOfBuild } = PREPARATIONS[need];
    const start = isOfBuild ? built : last;
    const done = start.then((failed) => failed ?? prepare(need, title, command, env));
    if (!isOfBuild) last = done.then(() => undefined);
    ready.set(need, done);
  }
  return ready;
}

/** Why a stage failed: its failed tests with what they said, or the end of its log when it broke off. */
function printFailure(result) {
  const failed = result.tests.filter(({ state }) => state !== 'passed');
  console.log(`\n── ${result.name}${result.why ? `: ${result.why}` : ''} ──`);
  for (const { title, state, error, picture } of failed.slice(0, FAILURES_SHOWN)) {
    console.log(`\n${state}: ${title}\n${(error ?? '').trim().split('\n').slice(0, ERROR_LINES).join('\n')}`);
    if (picture) console.log(`picture: ${picture}`);
  }
  if (failed.length > FAILURES_SHOWN) console.log(`\n… and ${failed.length - FAILURES_SHOWN} more`);
  if (!result.log) return;
  console.log(`\nlog: ${result.log}, which ends:\n${tailOf(result.log, TAIL_LINES).replace(/^/gm, '  | ')}`);
}

function printSlowest(results) {
  const tests = results.flatMap(({ name, tests }) => tests.map((test) => ({ stage: name, ...test })));
  const slowest = tests.filter(({ ms }) => ms > 0).sort((a, b) => b.ms - a.ms);
  if (slowest.length === 0) return;
  console.log('\nThe slowest tests:');
  for (const { stage, title, ms } of slowest.slice(0, SLOWEST_SHOWN))
    console.log(`${seconds(ms).padStart(8)}  ${stage}: ${title}`);
}

/** Prints what failed, the slowest tests and the counts. @returns whether all passed */
function printSummary(results) {
  const counts = results.map(countsOf);
  for (const [at, result] of results.entries()) if (counts[at].failed > 0) printFailure(result);
  printSlowest(results);
  console.log(`\nEverything took ${seconds(performance.now() - started)}.`);
  const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') === 0;
}

/** Says when a fresh clone may not fit on this disk: what fails for that often says something else. */
function warnOfFullDisk() {
  const { bavail, bsize } = statfsSync(root);
  const free = bavail * bsize;
  const inGigabytes = (bytes) => `${(bytes / 1024 ** 3).toFixed(1)} GB`;
  if (free < ROOM_ON_DISK)
    tell(
      `WARN the disk of ${root} has ${inGigabytes(free)} left, and a fresh clone takes ${inGigabytes(ROOM_ON_DISK)}`,
    );
}

/** Everything before the stages; undefined when it was done, else what failed. */
async function setUp(env) {
  const packages = missingPackages();
  if (packages) warnOfFullDisk();
  const failed = packages && (await prepare('packages', 'npm packages', packages, env));
  if (failed) return failed;
  finishPackages();
  return await prepare('build', 'the build', node('esbuild.mjs', '--production', '--tests'), env);
}

async function main() {
  const args = process.argv.slice(2);
  const isLong = args.includes('--long');
  const wanted = args.filter((arg) => arg !== '--long');
  const unknown = wanted.find((name) => !Object.hasOwn(STAGES, name));
  if (unknown !== undefined) {
    console.error(`no stage "${unknown}": use ${Object.keys(STAGES).join(', ')}`);
    return 2;
  }
  const names = Object.keys(STAGES).filter((name) =>
    wanted.length > 0 ? wanted.includes(name) : isLong || !STAGES[name].isOnlyLong,
  );
  // Every stage uses what was built once, so that none builds under another's feet. Colours fill a log and are not read there.
  const env = {
    ...process.env,
    NO_COLOR: '1',
    SKIP_BUILD: '1',
    VSIX: vsix,
    ...(isLong && { CONTEXT_BUDGET_LONG: '1' }),
  };
  const built = setUp(env);
  const ready = startPreparations(names, env, isLong, built);
  const failed = await built;
  const results = failed ? [failed] : await runStages(names, env, isLong, ready);
  // Nothing is said behind the last line.
  await Promise.all(ready.values());
  return printSummary(results) ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}

// npm run test:soak: every test of an editor or a page, and every one that waits for another thread or process, again and
// again while other processes keep the machine busy. The counts are kept in dist/soak.json, so it goes on where it was
// stopped. A test that failed counts from the start once something was changed; a run whose own tests were changed too.
//   node test/soak.mjs [--times N] [--minutes M] [--busy N] [RUN…]     default: 20 times, no limit of time, two busy processes
//   --table    only shows what there is
// Exit code: 0 when every test passed so often, 1 when one failed, 2 when time was up before.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build, installPackages, root, runOrExit } from './harness/setup.mjs';
import { ofVitest, runStage } from './harness/stage.mjs';
import { waitingTests } from './tools/waitingTests.mjs';

const STATE = path.join(root, 'dist/soak.json');
const FAILED_LOGS = path.join(root, 'dist/soak-logs');
const PRODUCT = ['src', 'webview', 'grammars', 'package.json', 'esbuild.mjs', 'esbuild.web.mjs'];
const HARNESS = ['test/harness', 'test/support'];

const node = (...args) => [process.execPath, ...args];
const integration = (...args) => ({
  command: node('test/harness/integration.mjs', ...args),
  inputs: ['test/integration', ...HARNESS],
});
const pages = (file) => ({
  command: node(file),
  inputs: ['test/ui/browserStage.mjs', path.dirname(file), 'test/support'],
});

/** What is run again and again; `inputs` are the tests themselves. */
function runs() {
  const waiting = waitingTests();
  return {
    ...Object.fromEntries(
      ['trusted', 'restricted', 'noFolder', 'multiRoot', 'chat', 'large'].map((name) => [name, integration(name)]),
    ),
    ui: { command: node('test/harness/ui.mjs'), inputs: ['test/ui/extension', ...HARNESS] },
    panel: pages('test/ui/panel/panel.ui.mjs'),
    languages: pages('test/ui/panel/languages.ui.mjs'),
    report: pages('test/ui/report/report.ui.mjs'),
    session: pages('test/ui/session/session.ui.mjs'),
    web: { command: node('test/harness/web.mjs'), inputs: ['test/integration', ...HARNESS] },
    waiting: {
      command: ['npx', 'vitest', 'run', '--reporter=json', ...waiting],
      inputs: [...waiting, 'test/support'],
      read: ofVitest,
    },
  };
}

/** A hash of what files and folders hold. */
function hashOf(names) {
  const hash = createHash('sha256');
  const add = (file) =>
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update('\0');
  for (const name of names) {
    const files = path.extname(name)
      ? [name]
      : readdirSync(path.join(root, name), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && !entry.name.endsWith('.wasm.br') && !entry.parentPath.includes('/shots'))
          .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
          .sort();
    for (const file of files) add(file);
  }
  return hash.digest('hex').slice(0, 12);
}

/**
 * The counts: of each run its tests' hash, and of each test how often it passed since it last failed. `failedAt` is the
 * hash of everything at that moment.
 * @typedef {{ hash: string, rounds: number, tests: Record<string, { passed: number, failedAt?: string, error?: string }> }} RunState
 */
function readState() {
  return existsSync(STATE) ? JSON.parse(readFileSync(STATE, 'utf8')) : {};
}

/** As a whole: whoever stops this in the middle goes on from the last one. */
function writeState(state) {
  mkdirSync(path.dirname(STATE), { recursive: true });
  writeFileSync(`${STATE}.new`, `${JSON.stringify(state, null, 1)}\n`);
  renameSync(`${STATE}.new`, STATE);
}

/** A run's counts, anew where its tests are not those that were counted. @returns {RunState} */
function countsOf(state, name, inputs) {
  const hash = hashOf(inputs);
  if (state[name]?.hash !== hash) state[name] = { hash, rounds: 0, tests: {} };
  return state[name];
}

const leastOf = ({ tests }) => Math.min(...Object.values(tests).map(({ passed }) => passed), Number.POSITIVE_INFINITY);
const roundsOf = (counts) => (counts.rounds === 0 ? 0 : leastOf(counts));
const failuresOf = ({ tests }, everything) =>
  Object.entries(tests).filter(([, { failedAt }]) => failedAt !== undefined && failedAt === everything);

/** Counts one round. @returns the titles that failed */
function count(counts, { tests, why }, everything) {
  counts.rounds++;
  const results = why === undefined ? tests : [...tests, { title: 'the run itself', state: 'failed', error: why }];
  const failed = [];
  for (const { title, state, error } of results) {
    if (state === 'passed') {
      const { passed = 0 } = counts.tests[title] ?? {};
      counts.tests[title] = { passed: passed + 1 };
    } else {
      counts.tests[title] = { passed: 0, failedAt: everything, error: (error ?? state).slice(0, 2000) };
      failed.push(title);
    }
  }
  // What broke off once and ran since has passed since.
  const own = counts.tests['the run itself'];
  if (own && why === undefined) own.passed++;
  return failed;
}

function printTable(state, names, everything) {
  console.log(
    `\n${'run'.padEnd(20)} ${'rounds'.padStart(6)} ${'each passed'.padStart(12)} ${'tests'.padStart(6)}  failed`,
  );
  for (const name of names) {
    const counts = state[name];
    if (!counts) continue;
    const failed = failuresOf(counts, everything).map(([title]) => title);
    const cells = [String(counts.rounds).padStart(6), String(roundsOf(counts)).padStart(12)];
    const tests = String(Object.keys(counts.tests).length).padStart(6);
    console.log(`${name.padEnd(20)} ${cells.join(' ')} ${tests}  ${failed.join('; ')}`);
  }
}

/** Keeps processors busy until this process ends. */
function makeBusy(processes) {
  const children = Array.from({ length: processes }, () =>
    spawn(
      process.execPath,
      [
        '-e',
        'process.on("disconnect", () => process.exit()); const spin = () => { const end = Date.now() + 100; while (Date.now() < end); setImmediate(spin); }; spin();',
      ],
      {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      },
    ),
  );
  process.on('exit', () => {
    for (const child of children) child.kill('SIGKILL');
  });
}

/** The run that was counted least and has none that failed since the last change; undefined when all were often enough. */
function nextOf(state, all, names, times, everything) {
  const due = names.filter((name) => {
    const counts = countsOf(state, name, all[name].inputs);
    return roundsOf(counts) < times && failuresOf(counts, everything).length === 0;
  });
  return due.sort((a, b) => roundsOf(state[a]) - roundsOf(state[b]))[0];
}

async function soak({ all, names, times, until, env }) {
  const state = readState();
  const everything = hashOf([...PRODUCT, 'test']);
  for (;;) {
    const name = nextOf(state, all, names, times, everything);
    if (name === undefined || Date.now() > until) break;
    const { command, read } = all[name];
    const stage = `soak-${name.replace(':', '-')}`;
    const json = path.join(root, `dist/test-logs/${stage}.json`);
    const whole = read === ofVitest ? [...command, `--outputFile.json=${json}`] : command;
    const result = await runStage({ name: stage, command: whole, env, read });
    const failed = count(state[name], result, everything);
    writeState(state);
    const took = `${(result.ms / 1000).toFixed(0)} s`;
    console.log(`${failed.length === 0 ? 'ok  ' : 'FAIL'} ${name}: ${roundsOf(state[name])} of ${times} (${took})`);
    if (failed.length === 0) continue;
    mkdirSync(FAILED_LOGS, { recursive: true });
    const kept = path.join(FAILED_LOGS, `${stage}-${state[name].rounds}.log`);
    copyFileSync(path.join(root, result.log), kept);
    for (const title of failed) console.log(`  ${title}\n    ${state[name].tests[title].error.split('\n')[0]}`);
    console.log(`  log: ${path.relative(root, kept)}`);
  }
  printTable(state, names, everything);
  if (names.some((name) => failuresOf(state[name], everything).length > 0)) return 1;
  return names.every((name) => roundsOf(state[name]) >= times) ? 0 : 2;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '20' },
    minutes: { type: 'string' },
    busy: { type: 'string', default: '2' },
    table: { type: 'boolean', default: false },
  },
});
installPackages();
const all = runs();
const unknown = positionals.find((name) => !Object.hasOwn(all, name));
if (unknown !== undefined) {
  console.error(`no run "${unknown}": use ${Object.keys(all).join(', ')}`);
  process.exit(2);
}
const names = positionals.length > 0 ? positionals : Object.keys(all);
if (values.table) {
  printTable(readState(), names, hashOf([...PRODUCT, 'test']));
  process.exit();
}
build('--production', '--tests');
runOrExit('npm', ['run', '--silent', 'package:built']);
runOrExit('bash', ['test/harness/install.sh']);
makeBusy(Number(values.busy));
const env = { ...process.env, NO_COLOR: '1', SKIP_BUILD: '1', VSIX: path.join(root, 'dist/context-budget.vsix') };
const until = values.minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(values.minutes) * 60_000;
process.exit(await soak({ all, names, times: Number(values.times), until, env }));

// npm test: installs what is missing and runs everything. Says last which stages failed, and in one line `N passed, N failed`.
//   node test/run.mjs [STAGE…]     only these (default: all): check unit integration oldest web ui panel languages report
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { build, installPackages, root, runOrExit } from './harness/setup.mjs';
import { checked, complaintsOf, Output, ofVitest, runStage } from './harness/stage.mjs';

const node = (...args) => [process.execPath, ...args];
const vitestReport = path.join(root, 'dist/vitest.json');
const vsix = path.join(root, 'dist/context-budget.vsix');

/** What is run, and how its tests are counted. `hosts`: install scripts of the VS Code and the browser that it needs. */
const STAGES = {
  check: {
    title: 'check (format, lint, types)',
    command: ['npm', 'run', '--silent', 'check'],
    count: checked,
  },
  unit: {
    title: 'unit, property, golden, contract',
    command: ['npx', 'vitest', 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${vitestReport}`],
    count: () => ofVitest(vitestReport),
  },
  integration: {
    title: 'integration in a real VS Code',
    command: node('test/harness/integration.mjs'),
    hosts: ['install.sh'],
  },
  // Every command in the oldest VS Code that is supported; the long scenarios there are `npm run test:oldest`.
  oldest: {
    title: 'integration in the oldest supported VS Code',
    command: node('test/harness/integration.mjs', 'restricted', 'noFolder', '--host', 'oldest'),
    hosts: ['install.sh oldest'],
  },
  web: {
    title: 'integration in web extension hosts',
    command: node('test/harness/web.mjs'),
    hosts: ['install.sh', 'installWeb.sh'],
  },
  ui: { title: 'UI of the installed extension', command: node('test/harness/ui.mjs'), hosts: ['install.sh'] },
  panel: {
    title: 'panel in a browser: themes, widths, accessibility',
    command: node('test/ui/panel/panel.ui.mjs'),
    hosts: ['install.sh'],
  },
  languages: {
    title: 'panel and usage report in Chinese, in a browser',
    command: node('test/ui/panel/languages.ui.mjs'),
    hosts: ['install.sh'],
  },
  report: {
    title: 'usage report in a browser: themes, widths, accessibility',
    command: node('test/ui/report/report.ui.mjs'),
    hosts: ['install.sh'],
  },
};

/**
 * Turns come one after another; the lanes of a turn run beside each other. Only stages without tight limits share a turn:
 * pages in a browser, and what a person does, which is mostly waiting. The others measure how long a host is held up.
 */
const TURNS = [
  [['check']],
  [['unit']],
  [['integration']],
  [['oldest']],
  [['web']],
  [['ui'], ['panel', 'languages', 'report']],
];

/** Every stage uses what was built once, so that none builds under another's feet. Colours fill a log and are not read there. */
const environment = { ...process.env, NO_COLOR: '1', SKIP_BUILD: '1', VSIX: vsix };

/** Runs the stages of a lane in order. */
async function runLane(names, output) {
  const results = [];
  for (const name of names) results.push({ name, ...(await runStage(STAGES[name], environment, output)) });
  return results;
}

/** Runs a turn: the first lane is seen as it goes, the others once it has ended. */
async function runTurn(lanes) {
  const [first, ...others] = lanes.filter((lane) => lane.length > 0);
  if (!first) return [];
  const outputs = others.map(() => new Output());
  const beside = others.map((lane, at) => runLane(lane, outputs[at]));
  const results = await runLane(first, new Output().open());
  for (const [at, output] of outputs.entries()) {
    output.open();
    results.push(...(await beside[at]));
  }
  return results;
}

/** Installs hosts beside the unit tests, since it is mostly waiting. A stage that misses its host says so, or installs it. */
function installHosts(names, out) {
  const scripts = new Set(names.flatMap((name) => STAGES[name].hosts ?? []));
  const line = [...scripts].map((script) => `bash test/harness/${script}`).join(' && ');
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', line || ':'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => out.write(String(data)));
    child.on('error', (error) => {
      out.write(`${error.message}\n`);
      resolve();
    });
    child.on('close', () => resolve());
  });
}

/** Characters of a failed stage that are said again. */
const SAID_AGAIN = 4000;

/** Says which stages failed and repeats why, since a log is often kept by its end alone. */
function printSummary(results) {
  console.log('');
  for (const { title, passed, failed, ms, why } of results) {
    const counts = `${passed} passed, ${failed} failed in ${(ms / 1000).toFixed(1)} s`;
    console.log(`${failed === 0 ? 'ok  ' : 'FAIL'} ${title}: ${counts}${why ? ` (${why})` : ''}`);
  }
  const broken = results.filter(({ failed }) => failed > 0);
  for (const { name, output } of broken) {
    // A stage that broke off names no test: then its end tells most.
    const said = (name === 'check' ? output : complaintsOf(output)).trim().slice(0, SAID_AGAIN);
    console.log(`\n── ${name} again ──\n${said || output.trim().slice(-SAID_AGAIN)}`);
  }
  if (broken.length > 0) console.log(`\nFAILED: ${broken.map(({ name, failed }) => `${name} (${failed})`).join(', ')}`);
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') === 0;
}

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !Object.hasOwn(STAGES, name));
if (unknown !== undefined) {
  console.error(`no stage "${unknown}": use ${Object.keys(STAGES).join(', ')}`);
  process.exit(2);
}
const names = wanted.length > 0 ? wanted : Object.keys(STAGES);
installPackages();
rmSync(vitestReport, { force: true });
if (names.includes('ui')) runOrExit('npm', ['run', '--silent', 'package']);
build('--tests');

const results = [];
const ofHosts = new Output();
let installing;
for (const turn of TURNS) {
  const lanes = turn.map((lane) => lane.filter((name) => names.includes(name)));
  const needsHost = lanes.flat().some((name) => STAGES[name].hosts);
  if (needsHost || lanes.flat().includes('unit')) installing ??= installHosts(names, ofHosts);
  if (needsHost) {
    await installing;
    ofHosts.open();
  }
  results.push(...(await runTurn(lanes)));
}
process.exit(printSummary(results) ? 0 : 1);

// Part `host`: what the extension costs inside a real extension host, as its integration suite measures it.
import { spawnSync } from 'node:child_process';
import { root } from '../harness/setup.mjs';
import { ratio, table } from './support.mjs';

/** Lines of the integration suite that tell what something took, with the limit each is held to. */
const MEASURED = [
  [/activate\(\): ([\d.]+) ms/, 'activate()', 20],
  [/saved → panel: ([\d.]+) ms/, 'file saved → panel shows it', 1000],
  [/written → ALERT in the panel: ([\d.]+) ms/, 'plug-in turns to ALERT → panel shows it', 1000],
  [/first count: longest stretch ([\d.]+) ms/, 'longest stretch of our code, first count of 2,000 files', 10],
  [/refresh: longest stretch ([\d.]+) ms/, 'longest stretch of our code, refresh of 2,000 files', 10],
  [/one save: longest stretch ([\d.]+) ms/, 'longest stretch of our code, one save', 10],
  [/observations listed: longest stretch ([\d.]+) ms/, 'longest stretch of our code, 20,000 observations listed', 10],
  [/searched: longest stretch ([\d.]+) ms/, 'longest stretch of our code, their search index made', 10],
];

/** Lines of the scenario `ownBudget`: what the extension takes while nobody looks, and with 10,000 files indexed. */
const OWN = [
  [
    /indexed: resident [\d.]+ MB more, ([\d.]+) MB at most/,
    '10,000 files indexed: resident memory more, at most',
    400,
    'MB',
  ],
  // A thousandth of the time that is waited.
  [/never shown: our code ([\d.]+) ms/, 'our code in 60 s, never shown', 60, 'ms'],
  [/hidden again: our code ([\d.]+) ms/, 'our code in 60 s, hidden again', 60, 'ms'],
  [/status bar alone: our code ([\d.]+) ms, 0 timers/, 'our code in 60 s, status bar alone', 60, 'ms'],
  [/20 saves, hidden: our code ([\d.]+) ms/, 'our code, 20 saves while hidden', 20, 'ms'],
  [/20 saves, status bar alone: our code ([\d.]+) ms/, 'our code, 20 saves with the status bar alone', 1000, 'ms'],
];

/** Runs scenarios of the integration suite. @returns everything that they printed */
function runScenarios(names, env) {
  const result = spawnSync(process.execPath, ['test/harness/integration.mjs', ...names], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, SKIP_BUILD: '1', ...env },
  });
  return `${result.stdout}${result.stderr}`;
}

function measured(output, [pattern, what, limit, unit = 'ms']) {
  const value = Number(pattern.exec(output)?.[1] ?? Number.NaN);
  if (Number.isNaN(value)) throw new Error(`"${what}" was not measured:\n${output.slice(-3000)}`);
  return [what, `${value} ${unit}`, `${limit} ${unit}`, ratio(value, limit)];
}

export function hostBench() {
  const output = runScenarios(['trusted', 'large'], {});
  const own = runScenarios(['ownBudget'], {
    CONTEXT_BUDGET_IDLE_MS: '60000',
    TEST_TIMEOUT_MS: '1200000',
    CONTEXT_BUDGET_PATIENCE: '25',
  });
  const rows = [...MEASURED.map((row) => measured(output, row)), ...OWN.map((row) => measured(own, row))];
  table('In a real extension host', ['what', 'measured', 'limit', 'ratio'], rows);
}

// Runs the integration suite inside the extension host of a real VS Code, a window for each scenario: trusted, Restricted
// Mode, two folders; with CONTEXT_BUDGET_LONG=1 no folder, a large folder and chat too; `ownBudget` only when it is named.
// Scenarios with the same trust and settings share one server, all share one browser. Prints `N passed, N failed` last;
// exit code 1 when anything failed or left no results.
//   node test/harness/integration.mjs [SCENARIO…] [--host oldest]
// env: SKIP_BUILD=1 uses dist as it is; CONTEXT_BUDGET_GREP; VERBOSE=1; KEEP=1; TEST_TIMEOUT_MS
import path from 'node:path';
import { IS_LONG } from '../support/extent.mjs';
import { ensureHost, LEAN_SETTINGS, makeProfile, openBrowser, removeProfile, runNode, startServer } from './host.mjs';
import { tellResults } from './results.mjs';
import { runWindow } from './runSuites.mjs';
import { SCENARIOS } from './scenarios.mjs';

/** Of one scenario: tells what hangs. */
const LIMIT_MS = Number(process.env.TEST_TIMEOUT_MS ?? 1_800_000);
/** Nobody looks: drawing takes processor time. */
const SMALL = { width: 640, height: 400 };

/** Runs one scenario in a window of its own. @returns the tests' results; one failed result when there are none */
async function runScenario(name, { profile, server, browser }) {
  const place = path.join(profile, 'scenarios', name);
  const options = { place, query: SCENARIOS[name].open(place), limitMs: LIMIT_MS, server, browser };
  return (await runWindow(name, options)).map((result) => ({ ...result, title: `${name}: ${result.title}` }));
}

/** Runs scenarios one after another in windows of one server. */
async function runOnServer(names, browser) {
  const { isTrusted, settings } = SCENARIOS[names[0]];
  const profile = makeProfile({ ...LEAN_SETTINGS, ...settings });
  const server = await startServer(profile, { isDriven: true, isTrusted });
  const all = [];
  try {
    for (const name of names) {
      console.log(`\n# ${name}`);
      const start = performance.now();
      const results = await runScenario(name, { profile, server, browser });
      all.push(...results);
      console.log(`${name}: ${results.length} tests in ${((performance.now() - start) / 1000).toFixed(1)} s`);
    }
  } finally {
    await server.stop();
    removeProfile(profile);
  }
  return all;
}

/** Scenarios that may share a server, in the order of their first. */
function groupsOf(names) {
  const groups = new Map();
  for (const name of names) {
    const { isTrusted, settings, hasOwnServer } = SCENARIOS[name];
    const key = hasOwnServer ? name : JSON.stringify([isTrusted, settings]);
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return [...groups.values()];
}

const always = Object.keys(SCENARIOS).filter(
  (name) => !SCENARIOS[name].isAskedFor && (IS_LONG || !SCENARIOS[name].isOnlyLong),
);
const names = process.argv.slice(2).length > 0 ? process.argv.slice(2) : always;
const unknown = names.filter((name) => !SCENARIOS[name]);
if (unknown.length > 0) {
  console.error(`unknown scenario: ${unknown.join(', ')}; known: ${Object.keys(SCENARIOS).join(', ')}`);
  process.exit(2);
}
ensureHost();
if (!process.env.SKIP_BUILD) runNode('esbuild.mjs', '--tests');
const all = [];
const browser = await openBrowser(SMALL);
try {
  for (const group of groupsOf(names)) all.push(...(await runOnServer(group, browser)));
} finally {
  await browser.close();
}
tellResults(all);
process.exit();

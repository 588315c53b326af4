// Runs the integration suite inside the extension host of a real VS Code, once a scenario: trusted, Restricted Mode, no
// folder, two folders, a large folder; `ownBudget` only when it is named. Prints `N passed, N failed` last; exit code 1 when anything failed or left no results.
//   node test/harness/integration.mjs [SCENARIO…] [--host oldest]
// env: SKIP_BUILD=1 uses dist as it is; CONTEXT_BUDGET_GREP; VERBOSE=1; KEEP=1; TEST_TIMEOUT_MS
import { ensureHost, makeProfile, removeProfile, runNode } from './host.mjs';
import { runSuites } from './runSuites.mjs';
import { SCENARIOS } from './scenarios.mjs';

const LIMIT_MS = Number(process.env.TEST_TIMEOUT_MS ?? 180_000);

/** Runs one scenario. @returns the tests' results; one failed result when there are none */
async function runScenario(name) {
  const { isTrusted, open, settings } = SCENARIOS[name];
  const profile = makeProfile(settings);
  try {
    return await runSuites(name, { profile, query: open(profile), isTrusted, limitMs: LIMIT_MS });
  } finally {
    removeProfile(profile);
  }
}

const always = Object.keys(SCENARIOS).filter((name) => !SCENARIOS[name].isAskedFor);
const names = process.argv.slice(2).length > 0 ? process.argv.slice(2) : always;
const unknown = names.filter((name) => !SCENARIOS[name]);
if (unknown.length > 0) {
  console.error(`unknown scenario: ${unknown.join(', ')}; known: ${Object.keys(SCENARIOS).join(', ')}`);
  process.exit(2);
}
ensureHost();
if (!process.env.SKIP_BUILD) runNode('esbuild.mjs', '--tests');
const all = [];
for (const name of names) {
  console.log(`\n# ${name}`);
  const results = await runScenario(name);
  // Nothing run is nothing proved.
  all.push(...(results.length > 0 ? results : [{ title: `${name}: no tests`, state: 'failed' }]));
}
const failed = all.filter(({ state }) => state !== 'passed');
for (const { title, state, error } of failed) console.error(`\n${state}: ${title}\n${error ?? ''}`);
console.log(`\n${all.length - failed.length} passed, ${failed.length} failed`);
process.exit(failed.length > 0 ? 1 : 0);

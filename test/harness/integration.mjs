// Runs the integration suite inside the extension host of a real VS Code, once a scenario: trusted, Restricted Mode, no
// folder, two folders, a large folder; `ownBudget` only when it is named. Prints `N passed, N failed` last; exit code 1 when anything failed or left no results.
//   node test/harness/integration.mjs [SCENARIO…] [--host oldest]
// env: SKIP_BUILD=1 uses dist as it is; CONTEXT_BUDGET_GREP; VERBOSE=1; KEEP=1; TEST_TIMEOUT_MS
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';
import { ensureHost, makeProfile, NOISE, openBrowser, ROOT, removeProfile, runNode, startServer } from './host.mjs';
import { SCENARIOS } from './scenarios.mjs';

const LIMIT_MS = Number(process.env.TEST_TIMEOUT_MS ?? 180_000);
const TESTS = path.join(ROOT, 'dist/test/integration/index');

/** Runs one scenario. @returns the tests' results; one failed result when there are none */
async function runScenario(name) {
  const { isTrusted, open, settings } = SCENARIOS[name];
  const profile = makeProfile(settings);
  const resultsFile = path.join(profile, 'results.json');
  const query = open(profile);
  const server = await startServer(profile, {
    isDriven: true,
    isTrusted,
    env: { CONTEXT_BUDGET_SCENARIO: name, CONTEXT_BUDGET_RESULTS: resultsFile },
  });
  const browser = await openBrowser();
  try {
    const page = await browser.context.newPage();
    const ended = new Promise((resolve) => {
      page.exposeFunction('codeAutomationExit', (code) => resolve(`the extension host ended with ${code}`));
      page.on('crash', () => resolve('the page crashed'));
      setTimeout(() => resolve(`no end within ${LIMIT_MS} ms`), LIMIT_MS).unref();
    });
    await page.exposeFunction('codeAutomationLog', (_type, args) => {
      const line = format(...args);
      if (process.env.VERBOSE || !NOISE.test(line)) console.log(line);
    });
    const remote = (file) => `vscode-remote://${server.authority}${file}`;
    const payload = JSON.stringify([
      ['extensionDevelopmentPath', remote(ROOT)],
      ['extensionTestsPath', remote(TESTS)],
    ]);
    await page.goto(`${server.url}/?${query}&payload=${encodeURIComponent(payload)}`);
    const end = await ended;
    // A killed extension host reports 0 as well: only the results count.
    if (existsSync(resultsFile)) return JSON.parse(readFileSync(resultsFile, 'utf8')).results;
    console.error(server.log().slice(-4000));
    return [{ title: `${name}: no results`, state: 'failed', error: end }];
  } finally {
    await browser.close();
    await server.stop();
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

// Runs the integration suite inside the extension host of a real VS Code, once a scenario: trusted, Restricted Mode, no
// folder, two folders, a large folder. Prints `N passed, N failed` last; exit code 1 when anything failed or left no results.
//   node test/harness/integration.mjs [SCENARIO…]
// env: SKIP_BUILD=1 uses dist as it is; CONTEXT_BUDGET_GREP; VERBOSE=1; KEEP=1; TEST_TIMEOUT_MS
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';
import {
  copyWorkspace,
  ensureHost,
  makeProfile,
  openBrowser,
  ROOT,
  removeProfile,
  runNode,
  startServer,
} from './host.mjs';

const LIMIT_MS = Number(process.env.TEST_TIMEOUT_MS ?? 180_000);
const TESTS = path.join(ROOT, 'dist/test/integration/index');
/** Lines of the workbench itself that say nothing about the extension. */
const NOISE =
  /gallery as it is disabled|connection token|a socket \(|reconnection-grace-time|^\[(Service Worker|AgentHost|AccountPolicyGate)|builtin extensions cache/;

/** Name → how the workbench is opened. `open` gives the query of its address. */
const SCENARIOS = {
  trusted: { isTrusted: true, open: (profile) => folderQuery(copyWorkspace(profile, 'editor/main', 'main')) },
  restricted: { isTrusted: false, open: (profile) => folderQuery(copyWorkspace(profile, 'editor/main', 'main')) },
  noFolder: { isTrusted: true, open: () => 'ew=true' },
  multiRoot: { isTrusted: true, open: multiRootQuery },
  large: { isTrusted: true, open: (profile) => folderQuery(writeLargeWorkspace(profile)) },
};

/** Sources of the large folder: as many as the repository of which the extension host's pauses are measured. */
const LARGE_FILES = 2000;
const LARGE_FUNCTIONS = 12;

/** A folder of many small source files, made anew because 2,000 fixtures would only be noise in the repository. */
function writeLargeWorkspace(profile) {
  const root = path.join(profile, 'workspaces/large');
  for (let i = 0; i < LARGE_FILES; i++) {
    const folder = path.join(root, `src/part${i % 50}`);
    mkdirSync(folder, { recursive: true });
    const functions = Array.from({ length: LARGE_FUNCTIONS }, (_, n) => {
      const name = `compute${i}Step${n}`;
      return `/** Step ${n} of part ${i}. */\nexport function ${name}(input: number): number {\n  return helper${(i + n) % LARGE_FILES}(input) + ${n};\n}\n`;
    });
    writeFileSync(
      path.join(folder, `file${i}.ts`),
      `${functions.join('\n')}\nfunction helper${i}(value: number): number {\n  return value * 2;\n}\n`,
    );
  }
  writeFileSync(path.join(root, 'AGENTS.md'), '# Large\n\nMany files, for measuring.\n');
  return root;
}

function folderQuery(folder) {
  return `folder=${encodeURIComponent(folder)}`;
}

function multiRootQuery(profile) {
  const folders = ['main', 'second'].map((name) => ({ path: copyWorkspace(profile, `editor/${name}`, name) }));
  const file = path.join(profile, 'workspaces/two.code-workspace');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ folders }));
  return `workspace=${encodeURIComponent(file)}`;
}

/** Runs one scenario. @returns the tests' results; one failed result when there are none */
async function runScenario(name) {
  const { isTrusted, open } = SCENARIOS[name];
  const profile = makeProfile();
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

const names = process.argv.slice(2).length > 0 ? process.argv.slice(2) : Object.keys(SCENARIOS);
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

// Runs the integration suite inside web extension hosts, where the extension is its browser build:
//   worker       code-server's VS Code with the extension in the page's web worker, on folders of the server
//   serverless   VS Code for the Web, served as static files, on a virtual file system
// Prints `N passed, N failed` last; exit code 1 when anything failed or left no results.
//   node test/harness/web.mjs [HOST:SCENARIO…]      default: a sample, with CONTEXT_BUDGET_LONG=1 all
// env: SKIP_BUILD=1 uses dist as it is; CONTEXT_BUDGET_GREP; VERBOSE=1; KEEP=1; TEST_TIMEOUT_MS; SHOT=file.png
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import path from 'node:path';
import { format } from 'node:util';
import { IS_LONG } from '../support/extent.mjs';
import {
  ensureHost,
  LEAN_SETTINGS,
  makeProfile,
  NOISE,
  openBrowser,
  ROOT,
  readManifest,
  removeProfile,
  runNode,
  startServer,
} from './host.mjs';
import { tellResults } from './results.mjs';
import { SCENARIOS } from './scenarios.mjs';

/** Of one run: tells what hangs. */
const LIMIT_MS = Number(process.env.TEST_TIMEOUT_MS ?? 1_800_000);
const TESTS = path.join(ROOT, 'dist/web/test/index');
const WEB_DIR = path.resolve(ROOT, process.env.VSCODE_WEB_DIR ?? '.vscode-web');
/** Nobody looks: drawing takes processor time. */
const SMALL = { width: 640, height: 400 };
const RESULTS = 'CONTEXT_BUDGET_RESULTS ';
/** Lines of the serverless workbench that say nothing about the extension. */
const WEB_NOISE = /^ENOPRO|Failed to fetch|was not found in the build/;

/** Host → what is run there. The serverless build opens one folder at most and knows no Restricted Mode. */
const RUNS = {
  worker: ['trusted', 'restricted', 'noFolder', 'multiRoot', 'large'],
  serverless: ['trusted', 'noFolder'],
};
/** Of `npm test`: what needs no second VS Code. */
const SAMPLE = ['worker:restricted'];

/** Opens what `address` gives and waits for the results of the suite. @returns them, or one failed one */
async function results(browser, run, expected, address) {
  const page = await browser.context.newPage();
  try {
    let found;
    const ended = new Promise((resolve) => {
      page.exposeFunction('codeAutomationExit', (code) => resolve(`the extension host ended with ${code}`));
      page.on('crash', () => resolve('the page crashed'));
      setTimeout(() => resolve(`no end within ${LIMIT_MS} ms`), LIMIT_MS).unref();
    });
    await page.exposeFunction('codeAutomationLog', (_type, args) => {
      const line = format(...args);
      if (line.startsWith(RESULTS)) found = JSON.parse(line.slice(RESULTS.length));
      else if (process.env.VERBOSE || !(NOISE.test(line) || WEB_NOISE.test(line))) console.log(line);
    });
    await page.goto(address, { timeout: LIMIT_MS });
    const end = await ended;
    if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
    // Nothing run is nothing proved.
    if (!found || found.results.length === 0) return [{ title: `${run}: no results`, state: 'failed', error: end }];
    if (found.scenario !== expected)
      return [{ title: run, state: 'failed', error: `the workspace that opened is that of ${found.scenario}` }];
    return found.results.map((result) => ({ ...result, title: `${run}: ${result.title}` }));
  } finally {
    await page.close();
  }
}

/** Servers whose windows run the extension in the page's worker, one a kind of trust, kept for all runs. */
class WorkerServers {
  #open = new Map();

  async #server(isTrusted) {
    const { publisher, name } = readManifest();
    const kinds = { ...LEAN_SETTINGS['remote.extensionKind'], [`${publisher}.${name}`]: ['web'] };
    const profile = makeProfile({ ...LEAN_SETTINGS, 'remote.extensionKind': kinds });
    return { profile, server: await startServer(profile, { isDriven: true, isTrusted }) };
  }

  async run(browser, scenario) {
    const { isTrusted, open } = SCENARIOS[scenario];
    if (!this.#open.has(isTrusted)) this.#open.set(isTrusted, await this.#server(isTrusted));
    const { profile, server } = this.#open.get(isTrusted);
    const query = open(path.join(profile, 'scenarios', scenario));
    const remote = (file) => `vscode-remote://${server.authority}${file}`;
    const payload = JSON.stringify([
      ['extensionDevelopmentPath', remote(ROOT)],
      ['extensionTestsPath', remote(TESTS)],
    ]);
    const address = `${server.url}/?${query}&payload=${encodeURIComponent(payload)}`;
    return await results(browser, `worker:${scenario}`, scenario, address);
  }

  async stop() {
    for (const { profile, server } of this.#open.values()) {
      await server.stop();
      removeProfile(profile);
    }
  }
}

async function runServerless(browser, scenario) {
  const profile = makeProfile();
  const folder = new URLSearchParams(SCENARIOS[scenario].open(profile)).get('folder');
  const web = await serveWeb({ extensionTestsPath: `${TESTS}.js`, ...(folder ? { folderPath: folder } : {}) });
  try {
    return await results(browser, `serverless:${scenario}`, scenario, web.url);
  } finally {
    web.dispose();
    removeProfile(profile);
  }
}

/** Serves VS Code for the Web with the extension. Webviews need the name localhost. */
export async function serveWeb(options) {
  const { open } = createRequire(path.join(WEB_DIR, 'package.json'))('@vscode/test-web');
  const port = await freePort();
  const print = console.log;
  console.log = () => undefined;
  try {
    const web = await open({
      browserType: 'none',
      quality: 'stable',
      commit: '0'.repeat(40),
      testRunnerDataDir: path.join(WEB_DIR, 'builds'),
      host: 'localhost',
      port,
      extensionDevelopmentPath: ROOT,
      ...options,
    });
    return { url: `http://localhost:${port}/`, dispose: () => web.dispose() };
  } finally {
    console.log = print;
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Installs VS Code for the Web where it is missing. @throws Error when it cannot be installed */
export function ensureWebHost() {
  const { status } = spawnSync('bash', [path.join(ROOT, 'test/harness/installWeb.sh')], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`the web host could not be installed (exit ${status})`);
}

async function main() {
  const known = Object.entries(RUNS).flatMap(([host, scenarios]) => scenarios.map((name) => `${host}:${name}`));
  const usual = IS_LONG ? known : SAMPLE;
  const wanted = process.argv.slice(2).length > 0 ? process.argv.slice(2) : usual;
  const unknown = wanted.filter((run) => !known.includes(run));
  if (unknown.length > 0) {
    console.error(`unknown: ${unknown.join(', ')}; known: ${known.join(', ')}`);
    process.exit(2);
  }
  ensureHost();
  if (wanted.some((run) => run.startsWith('serverless:'))) ensureWebHost();
  if (!process.env.SKIP_BUILD) runNode('esbuild.mjs', '--tests');
  const all = [];
  const servers = new WorkerServers();
  const browser = await openBrowser(SMALL);
  try {
    for (const run of wanted) {
      const [host, scenario] = run.split(':');
      console.log(`\n# ${run}`);
      const start = performance.now();
      const found = await (host === 'worker' ? servers.run(browser, scenario) : runServerless(browser, scenario));
      console.log(`${run}: ${found.length} tests in ${((performance.now() - start) / 1000).toFixed(1)} s`);
      all.push(...found);
    }
  } finally {
    await browser.close();
    await servers.stop();
  }
  tellResults(all);
  process.exit();
}

if (process.argv[1] === import.meta.filename) await main();

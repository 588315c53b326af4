// Runs the suites of a scenario inside the extension host of a real VS Code.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';
import { NOISE, openBrowser, ROOT, startServer } from './host.mjs';

const TESTS = path.join(ROOT, 'dist/test/integration/index');

/** The module that a window loads as its tests: it says which scenario that window is. */
function writeTests(place, scenario, resultsFile) {
  const file = path.join(place, 'tests.js');
  const call = `require(${JSON.stringify(TESTS)}).runScenario(${JSON.stringify(scenario)}, ${JSON.stringify(resultsFile)})`;
  writeFileSync(file, `exports.run = () => ${call};\n`);
  return file;
}

/**
 * Opens a window with the suites of `scenario` on a server and waits for their end.
 * @param {{ place: string, query: string, limitMs: number, server: object, browser: object, stop?: Promise<string> }} options
 * `place` is a folder for the window's own files; `query` says what is opened; `stop` resolves with the reason when the
 * caller gives up before
 * @returns the tests' results; one failed result when there are none
 */
export async function runWindow(scenario, { place, query, limitMs, server, browser, stop }) {
  mkdirSync(place, { recursive: true });
  const resultsFile = path.join(place, 'results.json');
  const tests = writeTests(place, scenario, resultsFile);
  const page = await browser.context.newPage();
  try {
    const ended = new Promise((resolve) => {
      page.exposeFunction('codeAutomationExit', (code) => resolve(`the extension host ended with ${code}`));
      page.on('crash', () => resolve('the page crashed'));
      setTimeout(() => resolve(`no end within ${limitMs} ms`), limitMs).unref();
      stop?.then(resolve);
    });
    await page.exposeFunction('codeAutomationLog', (_type, args) => {
      const line = format(...args);
      if (process.env.VERBOSE || !NOISE.test(line)) console.log(line);
    });
    const remote = (file) => `vscode-remote://${server.authority}${file}`;
    const payload = JSON.stringify([
      ['extensionDevelopmentPath', remote(ROOT)],
      ['extensionTestsPath', remote(tests)],
    ]);
    await page.goto(`${server.url}/?${query}&payload=${encodeURIComponent(payload)}`, { timeout: limitMs });
    const end = await ended;
    // A killed extension host reports 0 as well: only the results count, and nothing run is nothing proved.
    const { results = [] } = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : {};
    if (results.length > 0) return results;
    console.error(server.log().slice(-4000));
    return [{ title: `${scenario}: no results`, state: 'failed', error: end }];
  } finally {
    await page.close();
  }
}

/** The same on a server and in a browser of its own. */
export async function runSuites(scenario, { profile, query, isTrusted, limitMs, env = {}, stop }) {
  const server = await startServer(profile, { isDriven: true, isTrusted, env });
  const browser = await openBrowser();
  try {
    return await runWindow(scenario, { place: profile, query, limitMs, server, browser, stop });
  } finally {
    await browser.close();
    await server.stop();
  }
}

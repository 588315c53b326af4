// Runs the suites of a scenario inside the extension host of a real VS Code.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';
import { NOISE, openBrowser, ROOT, startServer } from './host.mjs';

const TESTS = path.join(ROOT, 'dist/test/integration/index');

/**
 * Opens a workbench with the suites of `scenario` and waits for their end.
 * @param {{ profile: string, query: string, isTrusted: boolean, limitMs: number, env?: object, stop?: Promise<string> }} options
 * `query` says what is opened; `stop` resolves with the reason when somebody gives up before
 * @returns the tests' results; one failed result when there are none
 */
export async function runSuites(scenario, { profile, query, isTrusted, limitMs, env = {}, stop }) {
  const resultsFile = path.join(profile, 'results.json');
  const server = await startServer(profile, {
    isDriven: true,
    isTrusted,
    env: { CONTEXT_BUDGET_SCENARIO: scenario, CONTEXT_BUDGET_RESULTS: resultsFile, ...env },
  });
  const browser = await openBrowser();
  try {
    const page = await browser.context.newPage();
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
      ['extensionTestsPath', remote(TESTS)],
    ]);
    await page.goto(`${server.url}/?${query}&payload=${encodeURIComponent(payload)}`);
    const end = await ended;
    // A killed extension host reports 0 as well: only the results count.
    if (existsSync(resultsFile)) return JSON.parse(readFileSync(resultsFile, 'utf8')).results;
    console.error(server.log().slice(-4000));
    return [{ title: `${scenario}: no results`, state: 'failed', error: end }];
  } finally {
    await browser.close();
    await server.stop();
  }
}

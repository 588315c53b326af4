import * as vscode from 'vscode';
import { type TestHost, tellLeftOut, useHost } from './host';
import type { Suite } from './suites';

/** Tells what hangs, not what is slow: each wait inside a test has its own limit, by the machine's speed. */
export const TEST_LIMIT_MS = 600_000;

/** One test that was run. */
export interface TestResult {
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'pending';
  readonly ms?: number;
  readonly error?: string;
}

/** Keeps what is shown as an error or a warning, by the test: a command tells its failure there and does not reject. */
function followMessages(): { readonly shown: string[] } {
  const shown: string[] = [];
  const { showErrorMessage, showWarningMessage } = vscode.window;
  Object.assign(vscode.window, {
    showErrorMessage: (message: string, ...rest: string[]) => {
      shown.push(message);
      return showErrorMessage(message, ...rest);
    },
    showWarningMessage: (message: string, ...rest: string[]) => {
      shown.push(message);
      return showWarningMessage(message, ...rest);
    },
  });
  return { shown };
}

/** Defines the suites for `host` and runs them. @param mocha set up, with its interface in place */
export function runSuites(mocha: Mocha, suites: readonly Suite[], host: TestHost): Promise<readonly TestResult[]> {
  useHost(host);
  for (const define of suites) define();
  tellLeftOut();
  const results: TestResult[] = [];
  const { shown } = followMessages();
  return new Promise((resolve) => {
    const runner = mocha.run(() => resolve(results));
    runner.on('test', () => shown.splice(0));
    runner.on('pass', (test) => results.push({ title: test.fullTitle(), state: 'passed', ms: test.duration ?? 0 }));
    runner.on('pending', (test) => results.push({ title: test.fullTitle(), state: 'pending' }));
    runner.on('fail', (test, error: Error) =>
      results.push({
        title: test.fullTitle(),
        state: 'failed',
        ms: test.duration ?? 0,
        error: [error.stack ?? error.message, ...shown.map((message) => `shown: ${message}`)].join('\n'),
      }),
    );
  });
}

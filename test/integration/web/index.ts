/** What the extension host of a browser runs: the same suites, for the scenario that it finds itself in. */
import 'mocha/mocha.js';
import * as vscode from 'vscode';
import { until } from '../../support/until.mjs';
import { useHost } from '../host';
import { runSuites, TEST_LIMIT_MS } from '../runSuites';
import { scenarios } from '../suites';
import { WEB_HOST } from './host';

/** Mocha's build for browsers. */
declare const mocha: Mocha & { setup(options: Mocha.MochaOptions): void };
/** Put in by the bundler, from the environment variable of this name; empty for all. */
declare const CONTEXT_BUDGET_GREP: string;

/** Nothing of the harness's environment reaches a browser: the workspace itself says what it is. */
async function scenarioHere(): Promise<string> {
  // The editor starts its extensions before it has read which folders a workspace has.
  const folderCount = (): number => vscode.workspace.workspaceFolders?.length ?? 0;
  if (vscode.workspace.workspaceFile) await until('the folders are open', () => folderCount() > 0);
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) return 'noFolder';
  if (folders.length > 1) return 'multiRoot';
  if (!vscode.workspace.isTrusted) return 'restricted';
  return (await WEB_HOST.exists('src/part0')) ? 'large' : 'trusted';
}

/** Called by VS Code; rejects when a test failed. Says the results in one line, which the harness reads. */
export async function run(): Promise<void> {
  useHost(WEB_HOST);
  const scenario = await scenarioHere();
  // A browser saves by itself after a second, which tests of unsaved work must not race.
  await vscode.workspace.getConfiguration('files').update('autoSave', 'off', vscode.ConfigurationTarget.Global);
  mocha.setup({ ui: 'tdd', timeout: TEST_LIMIT_MS, reporter: 'spec', color: false });
  if (CONTEXT_BUDGET_GREP !== '') mocha.grep(CONTEXT_BUDGET_GREP);
  const results = await runSuites(mocha, scenarios([])[scenario] ?? [], WEB_HOST);
  console.log(`CONTEXT_BUDGET_RESULTS ${JSON.stringify({ scenario, results })}`);
  const failed = results.filter(({ state }) => state === 'failed').length;
  if (failed > 0) throw new Error(`${failed} failed`);
}

/** What the extension host of Node runs: one Mocha suite for the scenario that the harness names. */
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import { IS_LONG } from '../support/extent.mjs';
import { attackTests } from './attack.test';
import { hookTests } from './hooks.test';
import { chatTests, mcpServerTests } from './mcpServers.test';
import { metricTests } from './metrics.test';
import { NODE_HOST } from './nodeHost';
import { ownBudgetTests } from './ownBudget.test';
import { runSuites, TEST_LIMIT_MS } from './runSuites';
import { type Suite, scenarios } from './suites';
import { transcriptTests } from './transcripts.test';

/** Called by a desktop VS Code, which starts one extension host a scenario. */
export function run(): Promise<void> {
  return runScenario(process.env.CONTEXT_BUDGET_SCENARIO ?? 'trusted', process.env.CONTEXT_BUDGET_RESULTS);
}

/** Rejects when a test failed. Leaves the results in the file that the harness names. */
export async function runScenario(scenario: string, file: string | undefined): Promise<void> {
  const all = {
    ...scenarios([transcriptTests, hookTests, mcpServerTests, metricTests], IS_LONG),
    chat: [chatTests],
    attack: [attackTests],
    // Of Node's host alone, since it tells what threads and processes take.
    ownBudget: [ownBudgetTests],
  };
  const suites = new Map<string, readonly Suite[]>(Object.entries(all)).get(scenario);
  if (!suites) throw new Error(`unknown scenario ${scenario}`);
  const mocha = new Mocha({ ui: 'tdd', color: false, timeout: TEST_LIMIT_MS, reporter: 'spec' });
  if (process.env.CONTEXT_BUDGET_GREP) mocha.grep(process.env.CONTEXT_BUDGET_GREP);
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  const results = await runSuites(mocha, suites, NODE_HOST);
  if (file) writeFileSync(file, JSON.stringify({ scenario, results }, null, 2));
  const failed = results.filter(({ state }) => state === 'failed').length;
  if (failed > 0) throw new Error(`${failed} failed`);
}

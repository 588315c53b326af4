/** What the extension host runs: one Mocha suite for the scenario that the harness names. */
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import { configTests } from './config.test';
import { editorSymbolTests } from './editorSymbols.test';
import { fileNoticeTests } from './fileNotices.test';
import { hookTests } from './hooks.test';
import { largeTests } from './large.test';
import { liveTests } from './live.test';
import { multiRootTests } from './multiRoot.test';
import { noFolderTests } from './noFolder.test';
import { observationTests } from './observations.test';
import { panelUsageTests } from './panelUsage.test';
import { replyTests } from './reply.test';
import { repoMapTests } from './repoMap.test';
import { restrictedTests } from './restricted.test';
import { secretTests } from './secrets.test';
import { transcriptTests } from './transcripts.test';
import { trustedTests } from './trusted.test';
import { usageTests } from './usage.test';
import { usageReportTests } from './usageReport.test';

const SCENARIOS: Readonly<Record<string, readonly (() => void)[]>> = {
  // Observations last: they write many files at once, after which plug-ins rightly rest for a while.
  trusted: [
    trustedTests,
    configTests,
    repoMapTests,
    usageTests,
    usageReportTests,
    liveTests,
    editorSymbolTests,
    transcriptTests,
    replyTests,
    hookTests,
    secretTests,
    fileNoticeTests,
    panelUsageTests,
    observationTests,
  ],
  restricted: [restrictedTests, repoMapTests],
  noFolder: [noFolderTests],
  multiRoot: [multiRootTests],
  large: [largeTests],
};

interface TestResult {
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'pending';
  readonly error?: string;
}

/** Called by VS Code; rejects when a test failed. Leaves the results in the file that the harness names. */
export async function run(): Promise<void> {
  const scenario = process.env.CONTEXT_BUDGET_SCENARIO ?? 'trusted';
  const suites = SCENARIOS[scenario];
  if (!suites) throw new Error(`unknown scenario ${scenario}`);
  const mocha = new Mocha({ ui: 'tdd', color: false, timeout: 30_000, reporter: 'spec' });
  if (process.env.CONTEXT_BUDGET_GREP) mocha.grep(process.env.CONTEXT_BUDGET_GREP);
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  for (const define of suites) define();
  const results: TestResult[] = [];
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('pass', (test) => results.push({ title: test.fullTitle(), state: 'passed' }));
    runner.on('pending', (test) => results.push({ title: test.fullTitle(), state: 'pending' }));
    runner.on('fail', (test, error: Error) =>
      results.push({ title: test.fullTitle(), state: 'failed', error: error.stack ?? error.message }),
    );
  });
  const file = process.env.CONTEXT_BUDGET_RESULTS;
  if (file) writeFileSync(file, JSON.stringify({ scenario, results }, null, 2));
  if (failures > 0) throw new Error(`${failures} failed`);
}

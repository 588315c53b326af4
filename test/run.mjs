// npm test: installs what is missing and runs everything. Ends with one line, `N passed, N failed`.
//   node test/run.mjs [check] [unit] [integration] [oldest] [web] [ui] [panel] [report]     only these stages (default: all)
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build, installPackages, installVsCodeHost, root } from './harness/setup.mjs';

/** Runs a stage, echoing its output; resolves with the counts that it printed or reported. */
function run(name, command, args, countOf) {
  return new Promise((resolve) => {
    console.log(`\n── ${name} ${'─'.repeat(Math.max(0, 70 - name.length))}`);
    const started = Date.now();
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      shell: process.platform === 'win32',
    });
    let output = '';
    child.stdout.on('data', (data) => {
      output += data;
      process.stdout.write(data);
    });
    child.on('error', (error) => resolve({ name, passed: 0, failed: 1, why: error.message, ms: Date.now() - started }));
    child.on('close', (code) => {
      const counts = countOf(output, code ?? 1);
      // A stage that fails without a failed test, or passes without a test, has failed.
      if (code !== 0 && counts.failed === 0) counts.failed = 1;
      if (counts.passed + counts.failed === 0) counts.failed = 1;
      resolve({ name, ...counts, ms: Date.now() - started });
    });
  });
}

/** Sums every `N passed, N failed` line. */
function summedLines(output) {
  let passed = 0;
  let failed = 0;
  for (const [, p, f] of output.matchAll(/^(?:\w+: )?(\d+) passed, (\d+) failed/gm)) {
    passed += Number(p);
    failed += Number(f);
  }
  return { passed, failed };
}

const vitestReport = path.join(root, 'dist/vitest.json');
const stages = {
  check: () =>
    run('check (format, lint, types)', 'npm', ['run', '--silent', 'check'], (_, code) => ({
      passed: code === 0 ? 1 : 0,
      failed: code === 0 ? 0 : 1,
    })),
  unit: () => {
    rmSync(vitestReport, { force: true });
    return run(
      'unit, property, golden, contract',
      'npx',
      ['vitest', 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${vitestReport}`],
      () => {
        try {
          const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
            readFileSync(vitestReport, 'utf8'),
          );
          const broken = testResults.filter(
            (file) => file.status === 'failed' && file.assertionResults.length === 0,
          ).length;
          // Nothing is skipped silently: a skipped test counts as failed.
          return { passed: numPassedTests, failed: numFailedTests + numPendingTests + broken };
        } catch (error) {
          console.error(`vitest left no report: ${error.message}`);
          return { passed: 0, failed: 1 };
        }
      },
    );
  },
  integration: () =>
    run('integration in a real VS Code', process.execPath, ['test/harness/integration.mjs'], summedLines),
  // Every command in the oldest VS Code that is supported; the long scenarios there are `npm run test:oldest`.
  oldest: () =>
    run(
      'integration in the oldest supported VS Code',
      process.execPath,
      ['test/harness/integration.mjs', 'restricted', 'noFolder', '--host', 'oldest'],
      summedLines,
    ),
  web: () => run('integration in web extension hosts', process.execPath, ['test/harness/web.mjs'], summedLines),
  ui: () => run('UI of the installed extension', process.execPath, ['test/harness/ui.mjs'], summedLines),
  panel: () =>
    run(
      'panel in a browser: themes, widths, accessibility',
      process.execPath,
      ['test/ui/panel/panel.ui.mjs'],
      summedLines,
    ),
  languages: () =>
    run(
      'panel and usage report in Chinese, in a browser',
      process.execPath,
      ['test/ui/panel/languages.ui.mjs'],
      summedLines,
    ),
  report: () =>
    run(
      'usage report in a browser: themes, widths, accessibility',
      process.execPath,
      ['test/ui/report/report.ui.mjs'],
      summedLines,
    ),
};

const wanted = process.argv.slice(2);
for (const name of wanted) {
  if (!(name in stages)) {
    console.error(`no stage "${name}": use ${Object.keys(stages).join(', ')}`);
    process.exit(2);
  }
}
installPackages();
build('--tests');
const names = wanted.length > 0 ? wanted : Object.keys(stages);
if (names.some((name) => ['integration', 'web', 'ui', 'panel', 'languages', 'report'].includes(name)))
  installVsCodeHost();
const results = [];
for (const name of names) results.push(await stages[name]());

console.log('');
for (const { name, passed, failed, ms, why } of results) {
  console.log(
    `${failed === 0 ? 'ok  ' : 'FAIL'} ${name}: ${passed} passed, ${failed} failed in ${(ms / 1000).toFixed(1)} s${why ? ` (${why})` : ''}`,
  );
}
const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

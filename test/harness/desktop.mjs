// Runs the integration suite in a desktop VS Code: VSCODE_EXECUTABLE if that is set, else one that @vscode/test-electron
// downloads. Exit code 1 when a test fails, 3 when there is no desktop VS Code to be had.
//   node test/harness/desktop.mjs [SCENARIO…]      trusted, noFolder, multiRoot (restricted: default of the desktop's trust)
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { copyWorkspace, makeProfile, ROOT, removeProfile, runNode } from './host.mjs';
import { tellResults } from './results.mjs';

const NO_DESKTOP = 3;
const SCENARIOS = {
  trusted: (profile) => ['--disable-workspace-trust', copyWorkspace(profile, 'editor/main', 'main')],
  restricted: (profile) => [copyWorkspace(profile, 'editor/main', 'main')],
  noFolder: () => ['--disable-workspace-trust'],
  multiRoot: (profile) => ['--disable-workspace-trust', multiRootFile(profile)],
};

function multiRootFile(profile) {
  const folders = ['main', 'second'].map((name) => ({ path: copyWorkspace(profile, `editor/${name}`, name) }));
  const file = path.join(profile, 'workspaces/two.code-workspace');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ folders }));
  return file;
}

function giveUp(why) {
  console.error(`No desktop VS Code: ${why}`);
  console.error(
    'Set VSCODE_EXECUTABLE to one, or run the same suite in the npm-hosted VS Code: npm run test:integration',
  );
  process.exit(NO_DESKTOP);
}

async function findExecutable() {
  const own = process.env.VSCODE_EXECUTABLE;
  if (own) {
    if (!existsSync(own)) giveUp(`VSCODE_EXECUTABLE is ${own}, which does not exist`);
    return own;
  }
  try {
    return await downloadAndUnzipVSCode({ cachePath: path.join(ROOT, '.vscode-test'), extensionDevelopmentPath: ROOT });
  } catch (error) {
    return giveUp(`it could not be downloaded (${error instanceof Error ? error.message : error})`);
  }
}

async function runScenario(name, vscodeExecutablePath) {
  const profile = makeProfile();
  const resultsFile = path.join(profile, 'results.json');
  try {
    await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: ROOT,
      extensionTestsPath: path.join(ROOT, 'dist/test/integration/index'),
      extensionTestsEnv: { CONTEXT_BUDGET_SCENARIO: name, CONTEXT_BUDGET_RESULTS: resultsFile },
      launchArgs: [
        ...SCENARIOS[name](profile),
        ...['--user-data-dir', path.join(profile, 'data')],
        ...['--extensions-dir', path.join(profile, 'extensions')],
        '--disable-gpu',
        '--skip-welcome',
        '--skip-release-notes',
      ],
    });
  } catch (error) {
    // The results tell more; without them this is the result.
    if (!existsSync(resultsFile)) return [{ title: `${name}: no results`, state: 'failed', error: String(error) }];
  }
  try {
    return JSON.parse(readFileSync(resultsFile, 'utf8')).results;
  } finally {
    removeProfile(profile);
  }
}

const names = process.argv.slice(2).length > 0 ? process.argv.slice(2) : Object.keys(SCENARIOS);
const unknown = names.filter((name) => !SCENARIOS[name]);
if (unknown.length > 0) {
  console.error(`unknown scenario: ${unknown.join(', ')}; known: ${Object.keys(SCENARIOS).join(', ')}`);
  process.exit(2);
}
if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY)
  giveUp('there is no display; start this under xvfb-run');
const executable = await findExecutable();
if (!process.env.SKIP_BUILD) runNode('esbuild.mjs', '--tests');
const all = [];
for (const name of names) {
  const results = await runScenario(name, executable);
  all.push(...(results.length > 0 ? results : [{ title: `${name}: no tests`, state: 'failed' }]));
}
tellResults(all);
process.exit();

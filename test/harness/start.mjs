// npm start [-- FOLDER]: makes a fresh clone ready and runs the main job on FOLDER (default: this repository): prints the budget
// table, the top of the repo map and the index payload, then opens the folder in a VS Code that has the extension loaded.
// Without a terminal on stdin it ends after printing.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build, installPackages, installVsCodeHost, root } from './setup.mjs';

const MAP_LINES = 25;

const target = path.resolve(process.env.INIT_CWD ?? process.cwd(), process.argv[2] ?? root);
if (!existsSync(target) || !statSync(target).isDirectory()) {
  console.error(`${process.argv[2]} is not a folder. Use: npm start -- FOLDER`);
  process.exit(2);
}

/** Runs the CLI on the folder and returns what it printed. */
function cli(...args) {
  const result = spawnSync(process.execPath, [path.join(root, 'dist/cli.js'), ...args, '--root', target], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 28,
  });
  // 3 is "over budget" and 2 a broken config: both still print their result.
  if (result.status !== 0 && !result.stdout) process.exit(result.status ?? 1);
  return result.stdout;
}

function printPart(title, text) {
  console.log(`\n── ${title} ${'─'.repeat(Math.max(0, 76 - title.length))}\n`);
  console.log(text.trimEnd());
}

/** A desktop VS Code on the PATH, when there is a display to show it on. */
function desktopCode() {
  const hasDisplay = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (!hasDisplay) return undefined;
  return ['code', 'code-insiders', 'codium'].find(
    (name) => spawnSync(name, ['--version'], { stdio: 'ignore', shell: process.platform === 'win32' }).status === 0,
  );
}

function openDesktop(command) {
  console.log(`\nOpening ${target} in ${command} with the extension loaded.`);
  spawn(command, ['--new-window', `--extensionDevelopmentPath=${root}`, target], {
    stdio: 'ignore',
    detached: true,
    shell: process.platform === 'win32',
  }).unref();
}

async function openHosted() {
  installVsCodeHost();
  spawnSync('npm', ['run', '--silent', 'package'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  const { installVsix, makeProfile, startServer } = await import('./host.mjs');
  const profile = await makeProfile({
    dir: mkdtempSync(path.join(os.tmpdir(), 'context-budget-start-')),
    settings: { 'git.enabled': true },
  });
  await installVsix(profile, path.join(root, 'dist/context-budget.vsix'));
  const server = await startServer(profile, { trust: false });
  console.log(`\nVS Code with the extension: ${server.base}/?folder=${encodeURIComponent(target)}`);
  console.log('Press Ctrl+C to stop it.');
  const stop = () => server.stop().then(() => process.exit(0));
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

installPackages();
build();
printPart('Budget', cli('budget'));
const map = cli('map').split('\n');
printPart(
  'Repo map',
  map.length > MAP_LINES
    ? [...map.slice(0, MAP_LINES), `… ${map.length - MAP_LINES} more lines`].join('\n')
    : map.join('\n'),
);
printPart('Index payload', cli('payload'));

if (process.stdin.isTTY) {
  const desktop = desktopCode();
  if (desktop) openDesktop(desktop);
  else await openHosted();
}

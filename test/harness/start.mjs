// npm start [-- FOLDER]: makes a fresh clone ready and runs the main job on FOLDER (default: this repository): prints the budget
// table, the top of the repo map and the index payload, then opens the folder in a VS Code that has the extension loaded.
// Of a fixture it opens a copy, since the product writes its logs into the folder.
// Without a terminal on stdin it ends after printing.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { ownCopy } from './ownCopy.mjs';
import { build, installPackages, installVsCodeHost, root, runOrExit } from './setup.mjs';

const MAP_LINES = 25;

const given = path.resolve(process.env.INIT_CWD ?? process.cwd(), process.argv[2] ?? root);
if (!existsSync(given) || !statSync(given).isDirectory()) {
  console.error(`${process.argv[2]} is not a folder. Use: npm start -- FOLDER`);
  process.exit(2);
}
const target = ownCopy(given);
if (target !== given) console.log(`${process.argv[2]} stays as it is: this is about a copy of it, ${target}`);

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
  runOrExit('npm', ['run', '--silent', 'package']);
  const { installVsix, makeProfile, removeProfile, startServer } = await import('./host.mjs');
  // A person opens it: VS Code asks whether the folder is trusted, as it would anywhere.
  const profile = makeProfile({ 'security.workspace.trust.startupPrompt': 'once' });
  // Runs after the server has been ended: both listen for this process's exit, the host's module first.
  process.on('exit', () => removeProfile(profile));
  for (const signal of ['SIGINT', 'SIGTERM']) process.prependListener(signal, () => process.exit(0));
  installVsix(profile, path.join(root, 'dist/context-budget.vsix'));
  const server = await startServer(profile, { isTrusted: false });
  console.log(`\nVS Code with the extension: ${server.url}/?folder=${encodeURIComponent(target)}`);
  console.log('Press Ctrl+C to stop it.');
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

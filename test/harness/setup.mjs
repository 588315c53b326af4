// Makes a fresh clone ready: npm packages, the build, and (when asked for) the npm-hosted VS Code. Uses Node's own modules only,
// since it runs before anything is installed. Every step is skipped when its stamp says that nothing changed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Runs a program in the project's root with its output on stderr; ends this process when it fails. */
export function runOrExit(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
    ...options,
  });
  if (result.status === 0) return;
  console.error(
    `\n${command} ${args.join(' ')} failed (${result.error?.message ?? result.signal ?? `exit ${result.status}`})`,
  );
  process.exit(result.status || 1);
}

function sha(...files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(path.join(root, file)));
  return `${hash.digest('hex')} node ${process.versions.node.split('.')[0]} ${process.platform}`;
}

const STAMP = path.join(root, 'node_modules/.installed');
const wantedPackages = () => sha('package.json', 'package-lock.json');

/** The command that installs the npm packages, once per lock file; undefined when they are there. */
export function missingPackages() {
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wantedPackages()) return undefined;
  return ['npm', 'ci', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'];
}

/** Notes that they are there. */
export function finishPackages() {
  writeFileSync(STAMP, wantedPackages());
}

/** Installs them, if they are missing. */
export function installPackages() {
  const command = missingPackages();
  if (!command) return;
  console.error('Installing npm packages …');
  const [program, ...args] = command;
  runOrExit(program, args);
  finishPackages();
}

/** Bundles everything into dist/. Fast enough to run each time. */
export function build(...flags) {
  console.error('Building …');
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  runOrExit(process.execPath, ['esbuild.mjs', ...flags]);
}

/** Installs the VS Code of npm's code-server and Chromium, once. */
export function installVsCodeHost() {
  runOrExit('bash', [path.join(root, 'test/harness/install.sh')]);
}

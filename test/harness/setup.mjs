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

/** `npm ci`, once per lock file. */
export function installPackages() {
  const stamp = path.join(root, 'node_modules/.installed');
  const want = sha('package.json', 'package-lock.json');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === want) return;
  console.error('Installing npm packages …');
  runOrExit('npm', ['ci', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error']);
  writeFileSync(stamp, want);
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

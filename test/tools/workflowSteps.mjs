// Runs each `run:` step of `.github` here, one after another, in a fresh clone in a temporary folder, as GitHub's runner
// calls bash. Prints a line each: it ended well, it failed, or why it is not run. `if:` is ignored: a step for another
// platform is tried here too. Steps of release.yml see a release made in the clone: version, changelog and tag.
//   node test/tools/workflowSteps.mjs [--quick] [--only TEXT]     --quick: without the steps that run all tests; --only: steps with TEXT in their name, and the installation
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { parse } from 'yaml';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const ACTION = '.github/actions/check/action.yml';
const LIMIT_MS = 60 * 60_000;
const TAIL_LINES = 12;

/** Steps that cannot be run outside GitHub, each with the reason. A test checks that each exists. */
export const NOT_RUN = {
  'test.yml: Test in the desktop VS Code':
    'needs a virtual display and a desktop VS Code, which is not in the npm registry',
  'release.yml: Attach the files': 'creates a release on GitHub',
  'release.yml: Publish to npm': 'publishes; `npm run release` tries it with --dry-run',
  'release.yml: Publish to the Marketplace': 'publishes; `npm run release` packs the same file',
};

/** Steps that run all tests, which takes minutes. */
const SLOW = ['Test everything', 'Test without an editor', 'Build and test the release'];

/** Inputs of the action as a caller gives them; the others have their defaults. */
const INPUTS = { base: 'HEAD', 'max-increase': '500', format: 'sarif', output: 'check.sarif' };

/** Workflows and the composite action, from the root. */
export function workflowFiles(root = ROOT) {
  const workflows = readdirSync(path.join(root, '.github/workflows')).map((name) => `.github/workflows/${name}`);
  return [...workflows.sort().reverse(), ACTION];
}

/**
 * Every `run:` step, in order.
 * @returns {{ id: string, file: string, name: string, run: string, env: Record<string, string>, folder: string | undefined }[]}
 *   `id`: the file's name and the step's
 */
export function runSteps(root = ROOT) {
  return workflowFiles(root).flatMap((file) => {
    const content = parse(readFileSync(path.join(root, file), 'utf8'));
    const steps = content.runs?.steps ?? Object.values(content.jobs).flatMap((job) => job.steps);
    return steps
      .filter((step) => step.run !== undefined)
      .map(({ name, run, env = {}, 'working-directory': folder }) => {
        return { id: `${path.basename(file)}: ${name}`, file, name, run, env, folder };
      });
  });
}

/** The values of `env`; only inputs of the action can be known here. */
function valuesOf(env, inputs) {
  const entries = Object.entries(env).map(([key, value]) => {
    const known = String(value).replace(
      /\$\{\{ inputs\.([\w-]+) \}\}/g,
      (_, name) => INPUTS[name] ?? inputs[name].default,
    );
    if (known.includes('${{')) throw new Error(`env ${key}: ${value} has no value outside GitHub`);
    return [key, known];
  });
  return Object.fromEntries(entries);
}

/** Makes the release commit that CONTRIBUTING describes, and its tag. */
function makeRelease(clone) {
  const git = (...args) => execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: clone });
  const edit = (file, from, to) => {
    const at = path.join(clone, file);
    const text = readFileSync(at, 'utf8');
    if (!text.includes(from)) throw new Error(`${file} has no "${from}"`);
    writeFileSync(at, text.replaceAll(from, to));
  };
  const { version: old } = JSON.parse(readFileSync(path.join(clone, 'package.json'), 'utf8'));
  execFileSync('npm', ['version', 'minor', '--no-git-tag-version', '--loglevel=error'], { cwd: clone });
  const { version } = JSON.parse(readFileSync(path.join(clone, 'package.json'), 'utf8'));
  edit('CHANGELOG.md', '## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - 2026-01-01\n`);
  edit('.pre-commit-hooks.yaml', old, version);
  edit('docs/check.md', `v${old}`, `v${version}`);
  git('commit', '--quiet', '--all', '--message', `chore: release ${version}`);
  git('tag', `v${version}`);
  return `v${version}`;
}

/**
 * A registry with one package, the one that was built, since the action installs from a registry. It runs in a thread
 * because steps block this one. @returns its address, and what ends it
 */
async function serveRegistry(tarball) {
  const bytes = readFileSync(tarball);
  const listing = execFileSync('tar', ['-xzOf', tarball, 'package/package.json']);
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const source = `
    const { parentPort, workerData: { manifest, integrity, bytes } } = require('node:worker_threads');
    const server = require('node:http').createServer((request, response) => {
      const tarball = 'http://' + request.headers.host + '/package.tgz';
      if (request.url === '/package.tgz') response.end(Buffer.from(bytes));
      else if (request.url !== '/' + manifest.name) response.writeHead(404).end();
      else {
        const versions = { [manifest.version]: { ...manifest, dist: { tarball, integrity } } };
        response.end(JSON.stringify({ name: manifest.name, 'dist-tags': { latest: manifest.version }, versions }));
      }
    });
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;
  const worker = new Worker(source, { eval: true, workerData: { manifest: JSON.parse(listing), integrity, bytes } });
  const port = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  return { address: `http://127.0.0.1:${port}/`, end: () => worker.terminate() };
}

/** What a job that downloads the release finds, and where. */
function downloadRelease(clone, place) {
  mkdirSync(place, { recursive: true });
  cpSync(path.join(clone, 'dist/release'), path.join(place, 'release'), { recursive: true });
}

async function main() {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } } });
  const place = mkdtempSync(path.join(tmpdir(), 'context-budget-workflows-'));
  const clone = path.join(place, 'clone');
  const empty = path.join(place, 'job');
  const { inputs } = parse(readFileSync(path.join(ROOT, ACTION), 'utf8'));
  const counts = { ok: 0, failed: 0, not: 0 };
  let registry;
  let tag = 'main';
  const tell = (mark, { id }, text) => console.log(`${mark.padEnd(7)} ${id}: ${text}`);
  try {
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', ROOT, clone]);
    for (const step of runSteps()) {
      const isAsked = values.only === undefined || step.name.includes(values.only) || step.name === 'Install';
      if (!isAsked) continue;
      const slow = values.quick && SLOW.includes(step.name);
      const reason = NOT_RUN[step.id] ?? (slow ? '--quick leaves out what runs all tests' : undefined);
      if (reason !== undefined) {
        tell('not run', step, reason);
        counts.not++;
        // What later steps read.
        if (slow && step.id.startsWith('release.yml'))
          spawnSync('npm', ['run', 'release', '--', '--no-test'], { cwd: clone, stdio: 'ignore' });
        continue;
      }
      if (step.file.endsWith('release.yml') && tag === 'main') tag = makeRelease(clone);
      const isDownload = step.id === 'release.yml: Check the checksums and pack the plugin';
      if (isDownload) downloadRelease(clone, empty);
      if (step.file === ACTION && !registry) {
        const name = readdirSync(path.join(clone, 'dist/release')).find((each) => each.endsWith('.tgz'));
        registry = await serveRegistry(path.join(clone, 'dist/release', name));
      }
      const script = path.join(place, 'step.sh');
      writeFileSync(script, step.run);
      const started = performance.now();
      const result = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
        cwd: isDownload ? empty : path.join(clone, step.folder ?? ''),
        env: {
          ...process.env,
          CI: 'true',
          GITHUB_REF_NAME: tag,
          GITHUB_REPOSITORY: 'context-budget/context-budget',
          GITHUB_ACTION_PATH: path.join(clone, path.dirname(ACTION)),
          RUNNER_TEMP: place,
          ...(registry && { npm_config_registry: registry.address, npm_config_cache: path.join(place, 'npm') }),
          ...valuesOf(step.env, inputs),
        },
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
        timeout: LIMIT_MS,
      });
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      if (result.status === 0) {
        tell('ok', step, `ran and ended well (${seconds} s)`);
        counts.ok++;
        continue;
      }
      const said = `${result.stdout}${result.stderr}`.trimEnd().split('\n').slice(-TAIL_LINES).join('\n  | ');
      tell(
        'FAILED',
        step,
        `${result.error?.message ?? result.signal ?? `exit ${result.status}`} (${seconds} s)\n  | ${said}`,
      );
      counts.failed++;
    }
  } finally {
    await registry?.end();
    rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  }
  console.log(`${counts.ok} ran and ended well, ${counts.failed} failed, ${counts.not} not run`);
  return counts.failed === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main();

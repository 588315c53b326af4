// The programs that a repo map is compared with. Each is installed into .bench/ where it can be; one that cannot is named
// with the reason. A peer's `run(repository, task)` gives what `timed` gives.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { benchDir, timed } from './support.mjs';

const REPOMIX_VERSION = '1.14.0'; // the last that runs on Node 20
const AIDER_VERSION = '0.86.2';
/** What `aider.repomap` imports, in the versions that Aider pins: all of Aider would be several times as much. */
const AIDER_PACKAGES = [
  `aider-chat==${AIDER_VERSION}`,
  'grep-ast==0.9.0',
  'diskcache==5.6.3',
  'networkx==3.4.2',
  'numpy==1.26.4',
  'scipy==1.15.3',
  'pygments==2.19.2',
  'tqdm==4.67.3',
  'rich==14.3.2',
  'packaging==26.0',
  'pathspec==1.0.4',
  'tree-sitter==0.25.2',
  'tree-sitter-language-pack==0.13.0',
  'tree-sitter-c-sharp==0.23.1',
  'tree-sitter-embedded-template==0.25.0',
  'tree-sitter-yaml==0.7.2',
];
const AIDER_LIMIT_MS = 600_000;
const AIDER_LIMIT_GB = 8;

const run = (command, args, options = {}) => spawnSync(command, args, { encoding: 'utf8', ...options });
const lastLine = (text) => (text ?? '').trim().split('\n').at(-1);

/** Runs `work` with a folder that is gone afterwards. */
function withFolder(work) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'context-budget-peer-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function repomix() {
  const name = `repomix ${REPOMIX_VERSION} --compress`;
  const script = path.join(benchDir, 'node_modules/repomix/bin/repomix.cjs');
  if (!existsSync(script)) {
    mkdirSync(benchDir, { recursive: true });
    writeFileSync(path.join(benchDir, 'package.json'), '{"private":true}');
    const flags = ['--no-fund', '--no-audit', '--loglevel=error'];
    const result = run('npm', ['install', '--prefix', benchDir, ...flags, `repomix@${REPOMIX_VERSION}`]);
    if (!existsSync(script)) return { name, reason: `npm could not install it (${lastLine(result.stderr)})` };
  }
  const flags = ['--compress', '--no-security-check', '--quiet'];
  return {
    name,
    isBase: true,
    run: (repository) =>
      withFolder((folder) =>
        timed(process.execPath, [script, ...flags, '-o', path.join(folder, 'out.xml'), repository]),
      ),
  };
}

function ctags() {
  const name = 'universal-ctags, definitions only';
  const found = run('ctags', ['--version']);
  if (found.status !== 0 || !found.stdout.includes('Universal Ctags')) {
    return { name, reason: 'it is not on the PATH (Debian: apt-get install universal-ctags)' };
  }
  const flags = ['-R', '--exclude=.git', '--exclude=node_modules'];
  return {
    name,
    run: (repository) =>
      withFolder((folder) => timed('ctags', [...flags, '-f', path.join(folder, 'tags'), repository])),
  };
}

function aider() {
  const name = `Aider ${AIDER_VERSION} repo map for the task, cold`;
  const environment = path.join(benchDir, 'aider');
  const python = path.join(environment, 'bin/python');
  const isThere = () => existsSync(python) && run(python, ['-c', 'import aider.repomap']).status === 0;
  if (!isThere()) {
    mkdirSync(benchDir, { recursive: true });
    const steps = [
      ['python3', ['-m', 'venv', environment]],
      [python, ['-m', 'pip', 'install', '--quiet', '--no-deps', '--only-binary=:all:', ...AIDER_PACKAGES]],
    ];
    for (const [command, args] of steps) {
      const { status, stderr, error } = run(command, args, { timeout: AIDER_LIMIT_MS });
      if (status !== 0) return { name, reason: `it could not be installed (${error?.message ?? lastLine(stderr)})` };
    }
    if (!isThere()) return { name, reason: 'its RepoMap could not be loaded' };
  }
  const script = path.join(import.meta.dirname, 'aiderMap.py');
  return {
    name,
    run: (repository, task) =>
      withFolder((folder) =>
        timed(python, [script, repository, path.join(folder, 'cache'), String(AIDER_LIMIT_GB)], {
          input: task,
          timeout: AIDER_LIMIT_MS,
        }),
      ),
  };
}

/** The peers that can be run here; the others are named on stdout. `isBase` marks what ratios are taken against. */
export function findPeers() {
  const peers = [repomix(), ctags(), aider()];
  for (const { name, reason } of peers) if (reason) console.log(`Left out: ${name}: ${reason}`);
  return peers.filter(({ run: canRun }) => canRun);
}

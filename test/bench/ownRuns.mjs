// Runs of our own command line on one repository, with a cache that belongs to these runs alone.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bytesBelow, cliScript, Interrupted, plural, timed } from './support.mjs';

const BUDGET_TOKENS = '1024';

/** Calls `work` with the means to run `context-budget map` on `repository`; its cache is gone afterwards. */
export async function withOwnRuns(repository, work) {
  const cache = mkdtempSync(path.join(os.tmpdir(), 'context-budget-bench-'));
  const env = { ...process.env, CONTEXT_BUDGET_CACHE_DIR: cache };
  const map = (...args) =>
    timed(process.execPath, [cliScript, 'map', '--quiet', '--root', repository, '--budget', BUDGET_TOKENS, ...args], {
      env,
    });
  const forget = () => rmSync(cache, { recursive: true, force: true });
  const own = {
    env,
    cacheBytes: () => bytesBelow(cache),
    /** The first answer for a task, nothing known yet. */
    firstAnswer: (task) => {
      forget();
      return map('--query', task);
    },
    /** A map by structure needs every file; nothing known yet. */
    wholeIndex: () => {
      forget();
      return map();
    },
    warmStart: (task) => map('--query', task),
    /** Files that are in the index, best first. */
    mappedFiles: () => JSON.parse(map('--json').stdout).repo_map.items.map(({ path: file }) => file),
  };
  try {
    return await work(own);
  } finally {
    forget();
  }
}

/** No hook, key or name of this machine's Git has a say. */
const PLAIN_GIT = ['user.name=bench', 'user.email=bench@localhost', 'commit.gpgsign=false', 'core.hooksPath=/dev/null'];

function runGit(folder, args) {
  const settings = PLAIN_GIT.flatMap((setting) => ['-c', setting]);
  const result = spawnSync('git', ['-C', folder, ...settings, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
  Interrupted.check(result);
  return result;
}

/** What Git prints. Throws when it fails. */
export function git(folder, ...args) {
  const { status, stdout, stderr, error } = runGit(folder, args);
  if (status !== 0) throw new Error(`git ${args[0]}: ${error?.message ?? stderr.trim().slice(-500)}`);
  return stdout;
}

/** The paths of a list that Git ends with NUL. */
export function gitPaths(folder, ...args) {
  return git(folder, ...args, '-z')
    .split('\0')
    .filter((file) => file !== '');
}

/** What a repository has committed, else the files as they lie there. */
function copyFolder(folder, copy) {
  if (!existsSync(path.join(folder, '.git'))) {
    cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
    return;
  }
  git(folder, 'clone', '--quiet', '--shared', '--no-checkout', folder, copy);
  git(copy, 'read-tree', 'HEAD');
  // Fails where a snapshot lacks some (large) files, and writes all the others; those are then no part of the copy.
  runGit(copy, ['checkout-index', '--all', '--quiet']);
  const missing = gitPaths(copy, 'ls-files', '--deleted');
  if (missing.length === 0) return;
  console.error(`${path.basename(folder)}: without ${plural(missing.length, 'file')} that the snapshot lacks`);
  git(copy, 'rm', '--quiet', '--cached', '--', ...missing);
  git(copy, 'commit', '--quiet', '--message', 'files that the snapshot lacks');
}

/** Ends of a run that print a payload all the same: done, and over budget. */
const PRINTS_PAYLOAD = new Set([0, 3]);

/**
 * Calls `work` with a copy of `folder`, which it may change, and the means to run a command on it that prints JSON. The runs
 * know nothing of this machine's user, and all that they leave behind goes with the copy.
 */
export function withCopy(folder, work) {
  const base = mkdtempSync(path.join(os.tmpdir(), 'context-budget-bench-'));
  const home = path.join(base, 'home');
  const copy = path.join(base, 'copy', path.basename(folder));
  const env = {
    ...process.env,
    HOME: home,
    USERPROFILE: home,
    CONTEXT_BUDGET_CACHE_DIR: path.join(home, 'cache'),
    CONTEXT_BUDGET_CONFIG_DIR: path.join(home, 'config'),
  };
  /** The payload; undefined where this version does not know an option. Throws when the run fails. */
  const payload = (...args) => {
    const argv = [cliScript, ...args, '--json', '--quiet', '--root', copy];
    const result = spawnSync(process.execPath, argv, { encoding: 'utf8', env, maxBuffer: 1 << 28 });
    Interrupted.check(result);
    if (PRINTS_PAYLOAD.has(result.status)) return JSON.parse(result.stdout);
    if (/unknown option/.test(result.stderr)) return undefined;
    throw new Error(`${path.basename(folder)}: ${args.join(' ')} ended with ${result.status}: ${result.stderr.trim()}`);
  };
  try {
    mkdirSync(home);
    copyFolder(folder, copy);
    return work({ copy, payload });
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

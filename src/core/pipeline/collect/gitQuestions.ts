/**
 * Every question that the product asks git, with its command where the folder is trusted and where it is not. A new
 * question starts here. Untrusted, git reads a directory of our own that has no config (`GitDirectorySource`), and a
 * question may only need what lies in objects and index: no blame, no diff, no textconv. A history of files is then
 * `log --raw --no-renames --no-abbrev`, where a rename is an equal blob id.
 */
import type { ProcessRequest, ReadyGitDirectory } from '../../ports/ports';

export type GitQuestion = 'status' | 'prefix' | 'subjects';

interface GitCommands {
  readonly trusted: readonly string[];
  /** `undefined`: git is not asked, our git directory tells it. */
  readonly untrusted: readonly string[] | undefined;
  /** Untrusted, git knows no work tree unless the question needs one. */
  readonly needsWorkTree: boolean;
}

/** A status of a huge working tree on a cold disk takes seconds; a minute means that something hangs. */
export const GIT_TIMEOUT_MS = 15_000;

/** About 40,000 changed paths. */
const MAX_OUTPUT_BYTES = 4_000_000;

const COMMITS = 5;

/**
 * `--no-optional-locks`: git would else refresh the index file, which watchers of it take for a change. Without
 * fsmonitor git starts no daemon. The network is closed by the environment that the runner makes.
 */
const ALWAYS: readonly string[] = ['--no-pager', '--no-optional-locks', '-c', 'core.fsmonitor=false'];

const STATUS: readonly string[] = ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=normal'];

/** An index may hold paths that no git would add: upwards, from the root, on a drive. Git would look at what is there. */
const INSIDE = ['.', ':(top,exclude,glob)**/[.][.]/**', ':(top,exclude)[/]*', ':(top,exclude)[A-Za-z]:*'];

/** The mail map is of no use for subjects; one that is a pipe would hold git up. */
const SUBJECTS = ['log', `-${COMMITS}`, '--no-show-signature', '--no-mailmap', '--format=%s', '-z'];

const QUESTIONS: Readonly<Record<GitQuestion, GitCommands>> = {
  status: {
    trusted: [...STATUS, '--ignore-submodules=dirty', '--', '.'],
    // Git reads a submodule with that submodule's own config. Only equal contents count as renamed: no blob is read.
    untrusted: [...STATUS, '--ignore-submodules=all', '--find-renames=100%', '--', ...INSIDE],
    needsWorkTree: true,
  },
  prefix: { trusted: ['rev-parse', '--show-prefix'], untrusted: undefined, needsWorkTree: false },
  subjects: { trusted: SUBJECTS, untrusted: SUBJECTS, needsWorkTree: false },
};

/** What an untrusted answer lacks, for its reader. */
export const MISSING_WITHOUT_TRUST =
  'Not read without trust: upstream, submodules, filters and Git settings. Counts may differ.';

/**
 * The process that asks `question`; `undefined` when git is not to be asked.
 * @param directory `undefined` in a trusted folder, where git finds the repository by itself
 */
export function gitRequest(
  question: GitQuestion,
  directory: ReadyGitDirectory | undefined,
): ProcessRequest | undefined {
  const { trusted, untrusted, needsWorkTree } = QUESTIONS[question];
  const limits = { timeoutMs: GIT_TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES };
  if (!directory) return { argv: ['git', ...ALWAYS, ...trusted], ...limits, git: { isTrusted: true } };
  if (!untrusted) return undefined;
  const workTree = needsWorkTree ? { GIT_WORK_TREE: directory.workTree } : {};
  const variables = { ...directory.variables, ...workTree };
  return { argv: ['git', ...ALWAYS, ...untrusted], ...limits, git: { isTrusted: false, variables } };
}

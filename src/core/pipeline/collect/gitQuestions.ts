/**
 * Every question that the product asks git, with its command where the folder is trusted and where it is not. A new
 * question starts here. Untrusted, git reads a directory of our own that has no config (`GitDirectorySource`), and a
 * question may only need what lies in objects and index: no blame, no diff, no textconv. A history of files is then
 * `log --raw --no-renames --no-abbrev`, where a rename is an equal blob id.
 */
import type { ProcessRequest, ReadyGitDirectory } from '../../ports/ports';

export type GitQuestion =
  | 'status'
  | 'prefix'
  | 'subjects'
  | 'tracked'
  | 'contents'
  | 'dates'
  | 'head'
  | 'history'
  | 'removed'
  | 'shallow'
  | 'blame';

interface GitCommands {
  readonly trusted: readonly string[];
  /** `undefined`: git is not asked, our git directory tells it. */
  readonly untrusted: readonly string[] | undefined;
  /** Untrusted, git knows no work tree unless the question needs one. */
  readonly needsWorkTree: boolean;
  readonly timeoutMs?: number;
  readonly maxOutputBytes?: number;
}

/** What reads a huge working tree on a cold disk takes seconds; a minute means that something hangs. */
const GIT_TIMEOUT_MS = 15_000;

/** Where an ignore file is a pipe, `tracked` and then `status` wait for nothing: together 15 s. */
export const STATUS_TIMEOUT_MS = 10_000;

/** Reads the index and ignore files, and no working tree. */
const TRACKED_TIMEOUT_MS = 5_000;

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

/** What the index has although an ignore file names it: people ignore a folder and add files of it by force. */
const TRACKED = ['ls-files', '--cached', '--ignored', '--exclude-standard', '-z', '--'];

/**
 * The whole index with what the file system said of each file when Git last saw its content, but for files that a filter
 * or an encoding may have made another content of: what converts line ends alone shows in the size.
 */
const CONTENTS = ['ls-files', '--stage', '--debug', '-z', '--', ':(attr:!filter !ident !working-tree-encoding)'];
/** About 300,000 files. */
const MAX_INDEX_OUTPUT_BYTES = 64_000_000;

/** Commits that are searched for dates; in a folder that seldom changes, git would otherwise walk the whole history. */
const MAX_DATED_COMMITS = 2000;

/** A huge history takes longer; files without a date stand last then. */
const DATES_TIMEOUT_MS = 5_000;

/** Each commit's day, and the files that it touched; below the folder that git runs in. */
const DATES: readonly string[] = [
  '--literal-pathspecs',
  'log',
  `-${MAX_DATED_COMMITS}`,
  ...['--no-show-signature', '--no-mailmap', '--no-ext-diff', '--date=short', '--format=%x01%cd'],
  ...['--raw', '--no-renames', '--no-abbrev', '--relative', '-z'],
];

/** What the history ends with. */
const HEAD: readonly string[] = ['rev-parse', '--verify', '--quiet', 'HEAD'];

/** As many say which files are worked on; each further one says less. */
const HISTORY_COMMITS = 1500;

/** The title of each of the last commits and the files that it touched, a mark before each commit. */
export const HISTORY: readonly string[] = [
  ...['log', `-${HISTORY_COMMITS}`, '--no-merges', '--no-show-signature', '--no-mailmap', '--no-ext-diff'],
  ...['--format=%x01%s', '--name-only', '--no-renames', '--relative', '-z'],
];

/** Commits that are searched for removed paths; an older removal explains no stale path. */
const REMOVED_COMMITS = 10_000;

/** A commit that moves more files at once is compared by equal contents alone. */
const MAX_RENAMES = 400;

/** Deleted and renamed paths, newest first, with commit and day before each commit's. */
const REMOVED: readonly string[] = [
  ...['log', `-${REMOVED_COMMITS}`, '--no-show-signature', '--no-mailmap', '--no-ext-diff', '--no-textconv'],
  ...['--date=short', '--format=%x01%H %cd', '--diff-filter=DR', '-M', `-l${MAX_RENAMES}`],
  ...['--name-status', '--relative', '-z'],
];

/** `true` where older commits were not cloned. */
const SHALLOW: readonly string[] = ['rev-parse', '--is-shallow-repository'];

/** Who wrote each line of one file and when; the text of each line comes along. */
const BLAME: readonly string[] = ['--literal-pathspecs', 'blame', '--porcelain', '--no-progress'];

const QUESTIONS: Readonly<Record<GitQuestion, GitCommands>> = {
  status: {
    trusted: [...STATUS, '--ignore-submodules=dirty', '--', '.'],
    // Git reads a submodule with that submodule's own config. Only equal contents count as renamed: no blob is read.
    untrusted: [...STATUS, '--ignore-submodules=all', '--find-renames=100%', '--', ...INSIDE],
    needsWorkTree: true,
    timeoutMs: STATUS_TIMEOUT_MS,
  },
  prefix: { trusted: ['rev-parse', '--show-prefix'], untrusted: undefined, needsWorkTree: false },
  subjects: { trusted: SUBJECTS, untrusted: SUBJECTS, needsWorkTree: false },
  tracked: {
    trusted: [...TRACKED, '.'],
    untrusted: [...TRACKED, ...INSIDE],
    needsWorkTree: true,
    timeoutMs: TRACKED_TIMEOUT_MS,
  },
  contents: {
    trusted: CONTENTS,
    untrusted: CONTENTS,
    needsWorkTree: true,
    timeoutMs: TRACKED_TIMEOUT_MS,
    maxOutputBytes: MAX_INDEX_OUTPUT_BYTES,
  },
  dates: { trusted: DATES, untrusted: DATES, needsWorkTree: false, timeoutMs: DATES_TIMEOUT_MS },
  // Which files are worked on ranks a map: nothing that an unknown folder should decide.
  head: { trusted: HEAD, untrusted: undefined, needsWorkTree: false },
  history: { trusted: HISTORY, untrusted: undefined, needsWorkTree: false, timeoutMs: DATES_TIMEOUT_MS },
  // A rename is found by contents, which may be missing in an unknown folder.
  removed: { trusted: REMOVED, untrusted: undefined, needsWorkTree: false },
  shallow: { trusted: SHALLOW, untrusted: undefined, needsWorkTree: false },
  // It reads the working tree through filters that the repository names.
  blame: { trusted: BLAME, untrusted: undefined, needsWorkTree: true, timeoutMs: DATES_TIMEOUT_MS },
};

/** What an untrusted answer lacks, for its reader. */
export const MISSING_WITHOUT_TRUST =
  'Not read without trust: upstream, submodules, filters and Git settings. Counts may differ.';

/**
 * The process that asks `question`; `undefined` when git is not to be asked.
 * @param directory `undefined` in a trusted folder, where git finds the repository by itself
 * @param folders below the opened folder, each with `/` at its end; what the question is about, if it is about folders.
 *   `blame` is about one file
 */
export function gitRequest(
  question: GitQuestion,
  directory: ReadyGitDirectory | undefined,
  folders: readonly string[] = [],
): ProcessRequest | undefined {
  const { trusted, untrusted, needsWorkTree, ...limited } = QUESTIONS[question];
  const limits = { timeoutMs: GIT_TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES, ...limited };
  const paths = folders.map((folder) => `${directory?.prefix ?? ''}${folder}` || '.');
  const about = paths.length > 0 ? ['--', ...paths] : [];
  if (!directory) return { argv: ['git', ...ALWAYS, ...trusted, ...about], ...limits, git: { isTrusted: true } };
  if (!untrusted) return undefined;
  const workTree = needsWorkTree ? { GIT_WORK_TREE: directory.workTree } : {};
  const variables = { ...directory.variables, ...workTree };
  return { argv: ['git', ...ALWAYS, ...untrusted, ...about], ...limits, git: { isTrusted: false, variables } };
}

/** Branches that a change is held against, the first that exists: what the remote calls its main branch, then usual names. */
export const DEFAULT_BASES: readonly string[] = [
  'refs/remotes/origin/HEAD',
  'refs/remotes/origin/main',
  'refs/remotes/origin/master',
  'refs/heads/main',
  'refs/heads/master',
];

/** A diff of more text says nothing that a map could show; its files are then known without their lines. */
const MAX_DIFF_BYTES = 16_000_000;

/** A changed file is read whole up to this size; a larger one is as good as binary. */
const MAX_OLD_FILE_BYTES = 1_000_000;

/**
 * Names of the files that differ, and how: with NUL between fields, below the folder. Without a refresh of the index, which
 * would lock it (git-diff(1); `GIT_OPTIONAL_LOCKS` does not hold it back): who reads the answer leaves out what is the same.
 */
const DIFF: readonly string[] = [
  ...['-c', 'diff.autoRefreshIndex=false'],
  ...['-c', `core.bigFileThreshold=${MAX_OLD_FILE_BYTES}`, '-c', 'diff.renameLimit=1000', '-c', 'core.quotePath=true'],
  ...['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=all', '--relative'],
  ...['--find-renames', '--src-prefix=a/', '--dst-prefix=b/', '--inter-hunk-context=0', '-O/dev/null'],
  ...['--no-abbrev', '--raw', '--numstat', '-z'],
];

/** Options for which git reads the texts on both sides. */
const NEEDS_TEXTS = new Set(['--find-renames', '--numstat']);

/** What is asked to know a change. Commits are names that {@link gitRequest}'s caller has checked, or hashes. */
const CHANGE_QUESTIONS = {
  /** Which of the default branches are there, and what `origin/HEAD` stands for. */
  bases: () => ['for-each-ref', '--format=%(refname)%00%(symref)', ...DEFAULT_BASES],
  mergeBase: (base: string) => ['merge-base', base, 'HEAD'],
  diff: (commit: string) => [...DIFF, '--patch', '--unified=0', commit, '--'],
  /** Differences by file, without lines. */
  names: (commit: string) => [...DIFF, commit, '--'],
  /** Differing files by hash alone, for commits whose texts are missing. */
  trees: (commit: string) => [...DIFF.filter((word) => !NEEDS_TEXTS.has(word)), '--no-renames', commit, '--'],
  untracked: () => ['ls-files', '--others', '--exclude-standard', '-z', '--', '.'],
  /** A file as it was; `path` is below the folder. */
  oldFile: (commit: string, path: string) => ['cat-file', 'blob', `${commit}:./${path}`],
} as const;

type ChangeQuestions = typeof CHANGE_QUESTIONS;

/** The process that asks a question about a change, for a trusted folder only: a diff reads files through filters. */
export function changeRequest<Q extends keyof ChangeQuestions>(
  question: Q,
  ...args: Parameters<ChangeQuestions[Q]>
): ProcessRequest {
  const make = CHANGE_QUESTIONS[question] as (...given: readonly string[]) => readonly string[];
  const maxOutputBytes =
    question === 'diff' ? MAX_DIFF_BYTES : question === 'oldFile' ? MAX_OLD_FILE_BYTES : MAX_OUTPUT_BYTES;
  const argv = ['git', ...ALWAYS, ...make(...args)] as const;
  return { argv: [...argv], timeoutMs: GIT_TIMEOUT_MS, maxOutputBytes, git: { isTrusted: true } };
}

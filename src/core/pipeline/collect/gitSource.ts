/**
 * The built-in source `git`: asks the git executable how the working tree stands and says it as a `SUMMARY` text. It
 * never writes and never talks to a remote; what it asks, with and without trust, is in `gitQuestions.ts`. No git and no
 * repository are not errors: there is no section then.
 */

import type { RemovedPath } from '../../agents/stale/stalePaths';
import {
  type GitDirectorySource,
  neverRan,
  type ProcessOutcome,
  type ProcessRequest,
  type ProcessRunner,
} from '../../ports/ports';
import { type History, NO_HISTORY } from '../../repomap/project/packages';
import { plural } from '../../text/numbers';
import { type Phrase, phrase } from '../../text/phrase';
import { isInGit, isSafePath } from '../../text/safePath';
import {
  type CommitDates,
  type GitChange,
  type GitStatus,
  parseBlameDays,
  parseCommitDates,
  parseGitStatus,
  parseHistory,
  parseRemovedPaths,
} from './gitOutput';
import { type GitQuestion, gitRequest, MISSING_WITHOUT_TRUST } from './gitQuestions';

/** Text and note, nothing at all, or git itself in trouble in a repository. */
export type GitRead =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly note: Phrase;
      /** Files in conflict, staged, changed or untracked, relative to the folder; deleted ones are left out. */
      readonly changedPaths: readonly string[];
    }
  | { readonly kind: 'absent' }
  /** There is a repository that is read in trusted folders only. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly outcome: ProcessOutcome };

const REFUSED: { readonly kind: 'refused' } = { kind: 'refused' };

/** Paths named in each group; counts are always complete. */
const MAX_PATHS = 50;

/**
 * Reads branch, changes and last commits; two or three short git processes.
 * @param directories asked in a folder that is not trusted; without it git is not run there
 */
export async function readGit(
  processes: ProcessRunner,
  directories: GitDirectorySource | undefined,
  isTrusted: boolean,
  signal: AbortSignal,
): Promise<GitRead> {
  const opened = isTrusted ? undefined : ((await directories?.open()) ?? REFUSED);
  if (signal.aborted) return { kind: 'cancelled' };
  if (opened && opened.kind !== 'ready') return { kind: opened.kind };
  const ask = (question: GitQuestion) => askGit(processes, gitRequest(question, opened), signal);
  const [status, prefix, log] = await Promise.all([ask('status'), ask('prefix'), ask('subjects')]);
  if (signal.aborted || status?.kind === 'cancelled') return { kind: 'cancelled' };
  // Git says 128 for "not a repository", and for one that another user owns, which it refuses to read.
  if (status?.exitCode === 128 && opened?.isPartial) return REFUSED;
  if (!status || status.kind === 'notStarted' || status.exitCode === 128) return { kind: 'absent' };
  if (!isDone(status)) return { kind: 'failed', outcome: status };
  const subjects = isDone(log) ? log.stdout.split('\0').filter((subject) => subject.trim() !== '') : [];
  const asked = isDone(prefix) ? prefix.stdout.replace(/\r?\n$/, '') : '';
  return describe(parseGitStatus(status.stdout, opened?.prefix ?? asked), subjects, isTrusted);
}

/**
 * Files that Git tracks although its ignore rules name them, relative to the folder; none where Git cannot say. What is
 * tracked may be gone from the disk.
 */
export async function readTrackedIgnored(
  processes: ProcessRunner | undefined,
  directories: GitDirectorySource | undefined,
  isTrusted: boolean,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (!processes) return [];
  const opened = isTrusted ? undefined : ((await directories?.open()) ?? REFUSED);
  if (signal.aborted || (opened && opened.kind !== 'ready')) return [];
  const answer = await askGit(processes, gitRequest('tracked', opened), signal);
  if (!isDone(answer)) return [];
  return answer.stdout.split('\0').filter((path) => path !== '' && isSafePath(path) && !isInGit(path));
}

async function askGit(
  processes: ProcessRunner,
  request: ProcessRequest | undefined,
  signal: AbortSignal | undefined,
): Promise<ProcessOutcome | undefined> {
  try {
    return request && (await processes.run(request, signal));
  } catch {
    // A runner that throws breaks its contract; without it there is no git here.
    return neverRan('notStarted');
  }
}

/** The commit that the folder stands at; `undefined` without trust, git, a repository or a commit. */
export async function readHead(
  processes: ProcessRunner | undefined,
  isTrusted: boolean,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (!processes || !isTrusted) return undefined;
  const answer = await askGit(processes, gitRequest('head', undefined), signal);
  return isDone(answer) ? /^[0-9a-f]{40,64}$/.exec(answer.stdout.trim())?.[0] : undefined;
}

/** What the last commits of a trusted folder did; one git process. Empty where git cannot say in time. */
export async function readHistory(processes: ProcessRunner, signal: AbortSignal): Promise<History> {
  const log = await askGit(processes, gitRequest('history', undefined), signal);
  return isDone(log) ? parseHistory(log.stdout) : NO_HISTORY;
}

/**
 * Paths that the last commits of a trusted folder deleted or renamed, newest first; one git process, which never fetches.
 * Undefined where git cannot say in time, would say too much, or was cloned without the commits that could tell.
 */
export async function readRemovedPaths(
  processes: ProcessRunner,
  signal: AbortSignal | undefined,
): Promise<readonly RemovedPath[] | undefined> {
  const log = await askGit(processes, gitRequest('removed', undefined), signal);
  if (!isDone(log)) return undefined;
  const removed = parseRemovedPaths(log.stdout);
  if (removed.length > 0) return removed;
  const shallow = await askGit(processes, gitRequest('shallow', undefined), signal);
  return isDone(shallow) && shallow.stdout.trim() === 'true' ? undefined : removed;
}

/**
 * The day of the last commit that touched each file below `folders`, as `YYYY-MM-DD`; one git process. Without git, a
 * repository or an answer in time there are none. `undefined` when that was called off.
 */
export async function readCommitDates(
  processes: ProcessRunner,
  directories: GitDirectorySource | undefined,
  isTrusted: boolean,
  folders: readonly string[],
  signal: AbortSignal,
): Promise<CommitDates | undefined> {
  const opened = isTrusted ? undefined : ((await directories?.open()) ?? REFUSED);
  if (signal.aborted) return undefined;
  if (opened && opened.kind !== 'ready') return new Map();
  const log = await askGit(processes, gitRequest('dates', opened, folders), signal);
  if (signal.aborted || log?.kind === 'cancelled') return undefined;
  return isDone(log) ? parseCommitDates(log.stdout, opened?.prefix) : new Map();
}

/**
 * The day on which each line of a file (1-based) was last changed, as `YYYY-MM-DD` where its author was; one git process,
 * for a trusted folder only. Lines that are not committed have none; no line has one where git cannot say.
 */
export async function readBlameDays(
  processes: ProcessRunner,
  path: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
  const blame = isSafePath(path) ? await askGit(processes, gitRequest('blame', undefined, [path]), signal) : undefined;
  return isDone(blame) ? parseBlameDays(blame.stdout) : new Map();
}

function isDone(outcome: ProcessOutcome | undefined): outcome is ProcessOutcome {
  return outcome?.kind === 'exited' && outcome.exitCode === 0;
}

/** Makes the text; a pure function of what git said. */
function describe(status: GitStatus, subjects: readonly string[], isTrusted: boolean): GitRead {
  const { branch, upstream, ahead, behind, conflicts, staged, changed, untracked } = status;
  const counts = [
    conflicts.length > 0 ? `${plural(conflicts.length, 'file')} in conflict` : '',
    staged.length > 0 ? `${staged.length} staged` : '',
    changed.length > 0 ? `${changed.length} changed` : '',
    untracked.length > 0 ? `${untracked.length} untracked` : '',
  ].filter((part) => part !== '');
  const distance = [ahead > 0 ? `${ahead} ahead` : '', behind > 0 ? `${behind} behind` : '']
    .filter((part) => part !== '')
    .join(' and ');
  const where = branch === undefined ? 'Detached HEAD' : `On ${branch}`;
  const known = distance === '' ? '' : `, ${distance}${behind > 0 ? '' : ' of'} ${upstream ?? 'its upstream'}`;
  // Which upstream a branch has is in the config.
  const against = isTrusted || branch === undefined ? known : ', upstream not read';
  const word = conflicts.length > 0 ? 'ALERT' : behind > 0 ? 'WARN' : 'OK';
  const lines = [
    `SUMMARY:${word}:${oneLine(`${where}${against}: ${counts.join(', ') || 'clean'}`)}`,
    '---',
    ...group('In conflict', conflicts),
    ...group('Staged', staged.map(changeLine)),
    ...group('Changed', changed.map(changeLine)),
    ...group('Untracked', untracked),
    ...group('Last commits', subjects),
    ...(isTrusted ? [] : [MISSING_WITHOUT_TRUST]),
  ];
  return {
    kind: 'text',
    text: `${lines.join('\n')}\n`,
    note: noteOf(status),
    changedPaths: changedPaths(status),
  };
}

function changedPaths({ conflicts, staged, changed, untracked }: GitStatus): readonly string[] {
  const edited = [...changed, ...staged].filter(({ letter }) => letter !== 'D').map(({ path }) => path);
  return [...new Set([...conflicts, ...edited, ...untracked])].filter((path) => !path.endsWith('/'));
}

/** At most about 20 characters, for a row's reason. */
function noteOf({ upstream, behind, conflicts, staged, changed, untracked }: GitStatus): Phrase {
  if (conflicts.length > 0) return phrase(conflicts.length === 1 ? '{0} conflict' : '{0} conflicts', conflicts.length);
  // `origin/main` is `main` to people; the sentence has the whole name.
  const branch = upstream?.slice(upstream.indexOf('/') + 1) ?? phrase('upstream');
  if (behind > 0) return phrase('{0} behind {1}', String(behind), branch);
  const paths = new Set([...staged, ...changed].map((change) => change.path));
  const touched = paths.size + untracked.length;
  return touched === 0 ? phrase('clean') : phrase('{0} changed', String(touched));
}

function changeLine({ letter, path, from }: GitChange): string {
  return from === undefined ? `${letter} ${path}` : `${letter} ${path} (was ${from})`;
}

function group(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  const shown = items.slice(0, MAX_PATHS).map((item) => `- ${oneLine(item)}`);
  const more = items.length - shown.length;
  return [`${title}:`, ...shown, ...(more > 0 ? [`- and ${more} more`] : [])];
}

/** File names and commit subjects may hold line breaks and escapes; a line of the text is one line. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}

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
import { type GitQuestion, gitRequest, MISSING_WITHOUT_TRUST } from './gitQuestions';

/** What `git status --porcelain=v2 --branch -z` said. Paths are relative to the repository's root. */
interface GitStatus {
  /** `undefined` when HEAD is detached. */
  readonly branch: string | undefined;
  /** Such as `origin/main`. */
  readonly upstream: string | undefined;
  readonly ahead: number;
  readonly behind: number;
  readonly conflicts: readonly string[];
  /** Each with git's letter: `M` changed, `A` added, `D` deleted, `R` renamed, `C` copied, `T` type changed. */
  readonly staged: readonly GitChange[];
  readonly changed: readonly GitChange[];
  /** A folder ends with `/`. */
  readonly untracked: readonly string[];
}

/** One changed path with git's letter for the change. */
interface GitChange {
  readonly letter: string;
  readonly path: string;
  /** Where it was before, for `R` and `C`. */
  readonly from: string | undefined;
}

/** Fields before the path, by record type (git-status(1), "Porcelain Format Version 2"). */
const FIELDS_BEFORE_PATH: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10 };

/** Reads the output of `git status --porcelain=v2 --branch -z`; records it does not know are passed over. */
export function parseGitStatus(output: string, folder = ''): GitStatus {
  // Git names paths from the repository's root; the folder, such as `packages/app/`, may lie below it.
  const below = (path: string): string => (path.startsWith(folder) ? path.slice(folder.length) : path);
  const headers = new Map<string, string>();
  const [conflicts, untracked]: [string[], string[]] = [[], []];
  const [staged, changed]: [GitChange[], GitChange[]] = [[], []];
  const records = output.split('\0');
  for (let at = 0; at < records.length; at++) {
    const record = records[at] ?? '';
    const type = record[0] ?? '';
    const fields = record.split(' ');
    const [, second = ''] = fields;
    if (type === '#') headers.set(second, fields.slice(2).join(' '));
    else if (type === '?') untracked.push(below(record.slice(2)));
    else if (type in FIELDS_BEFORE_PATH) {
      const path = below(fields.slice(FIELDS_BEFORE_PATH[type]).join(' '));
      // A rename's old path is a record of its own.
      const old = type === '2' ? records[++at] : undefined;
      const from = old === undefined ? undefined : below(old);
      // Of a conflict, the letters say who did what.
      const [inIndex = '.', inTree = '.'] = type === 'u' ? '' : second;
      if (type === 'u') conflicts.push(path);
      if (inIndex !== '.') staged.push({ letter: inIndex, path, from });
      if (inTree !== '.') changed.push({ letter: inTree, path, from: inIndex === '.' ? from : undefined });
    }
  }
  const head = headers.get('branch.head');
  const [, ahead = 0, behind = 0] = /^\+(\d+) -(\d+)$/.exec(headers.get('branch.ab') ?? '') ?? [];
  return {
    branch: head === '(detached)' ? undefined : head,
    upstream: headers.get('branch.upstream'),
    ahead: Number(ahead),
    behind: Number(behind),
    conflicts,
    staged,
    changed,
    untracked,
  };
}

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

/** A commit that touches more files is about none of them. */
const MAX_COMMIT_FILES = 100;
const MAX_TITLE_CHARS = 200;

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

/** Reads `log --name-only -z` with `\x01` and the title before each commit. */
export function parseHistory(output: string): History {
  const commits = output.split('\x01').flatMap((commit): [title: string, paths: readonly string[]][] => {
    const [title = '', ...fields] = commit.split('\0');
    const paths = fields.map((field) => field.replace(/^\n+/, '')).filter((path) => path !== '');
    return paths.length > 0 && paths.length <= MAX_COMMIT_FILES ? [[title.slice(0, MAX_TITLE_CHARS), paths]] : [];
  });
  const counts = new Map<string, number>();
  for (const [, paths] of commits) for (const path of paths) counts.set(path, (counts.get(path) ?? 0) + 1);
  const churn = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  const places = new Map(churn.map(([path], at) => [path, at]));
  const messages = commits.map(([title, paths]): [string, number[]] => [
    title,
    paths.map((path) => places.get(path) as number),
  ]);
  return { churn, messages };
}

/**
 * Paths that the last commits of a trusted folder deleted or renamed, newest first; one git process, which never fetches.
 * Undefined where git cannot say in time, or would say too much.
 */
export async function readRemovedPaths(
  processes: ProcessRunner,
  signal: AbortSignal | undefined,
): Promise<readonly RemovedPath[] | undefined> {
  const log = await askGit(processes, gitRequest('removed', undefined), signal);
  return isDone(log) ? parseRemovedPaths(log.stdout) : undefined;
}

/** Reads `log --name-status -z` with `\x01`, commit and day before each commit. */
export function parseRemovedPaths(output: string): readonly RemovedPath[] {
  const removed: RemovedPath[] = [];
  let [commit, date] = ['', ''];
  const fields = output.split('\0');
  for (let at = 0; at < fields.length; at++) {
    const field = (fields[at] ?? '').replace(/^\n+/, '');
    const [, id, day] = /^([0-9a-f]{40,64}) (\d{4}-\d{2}-\d{2})$/.exec(field.replace('\x01', '')) ?? [];
    if (id && day) [commit, date] = [id, day];
    const [, letter] = /^([DR])\d*$/.exec(field) ?? [];
    if (!letter) continue;
    const path = fields[++at] ?? '';
    const renamedTo = letter === 'R' ? fields[++at] : undefined;
    if (!isSafePath(path)) continue;
    removed.push({ path, commit, date, ...(renamedTo === undefined ? {} : { renamedTo }) });
  }
  return removed;
}

/** Days by path below the folder. */
export type CommitDates = ReadonlyMap<string, string>;

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

/** Reads `log --raw -z` with days behind `\x01`, newest first: the first that names a path counts. */
function parseCommitDates(output: string, folder = ''): CommitDates {
  const dates = new Map<string, string>();
  const fields = output.split('\0');
  let date = '';
  for (let at = 0; at < fields.length; at++) {
    const field = (fields[at] ?? '').replace(/^\n+/, '');
    if (field.startsWith('\x01')) date = field.slice(1).trim();
    if (!field.startsWith(':')) continue;
    const path = fields[++at] ?? '';
    const below = path.startsWith(folder) ? path.slice(folder.length) : path;
    if (/^\d{4}-\d{2}-\d{2}$/.test(date) && !dates.has(below)) dates.set(below, date);
  }
  return dates;
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

/** Reads `blame --porcelain`: a commit's facts stand with its first line, a line's text behind a tab. */
function parseBlameDays(output: string): ReadonlyMap<number, string> {
  const days = new Map<number, string>();
  const commits = new Map<string, { seconds: number; zone: string }>();
  let commit = '';
  let line = 0;
  for (const text of output.split('\n')) {
    const [name = '', first = '', second = ''] = text.split(' ', 3);
    if (text.startsWith('\t')) {
      const { seconds, zone } = commits.get(commit) ?? { seconds: Number.NaN, zone: '' };
      const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d\d)(\d\d)$/.exec(zone) ?? [];
      const east = (sign === '-' ? -60 : 60) * (Number(hours) * 60 + Number(minutes));
      const moment = new Date((seconds + east) * 1000);
      const isKnown = !/^0+$/.test(commit) && !Number.isNaN(moment.getTime());
      if (isKnown) days.set(line, moment.toISOString().slice(0, 10));
    } else if (/^[0-9a-f]{40,64}$/.test(name)) {
      commit = name;
      line = Number(second);
      if (!commits.has(commit)) commits.set(commit, { seconds: Number.NaN, zone: '' });
    } else {
      const facts = commits.get(commit);
      if (facts && name === 'author-time') facts.seconds = Number(first);
      if (facts && name === 'author-tz') facts.zone = first;
    }
  }
  return days;
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

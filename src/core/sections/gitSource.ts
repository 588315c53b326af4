/**
 * The built-in source `git`: asks the git executable how the working tree stands and says it as a `SUMMARY` text. It
 * never writes, never talks to a remote, and runs no program that the repository's own config names unless the folder
 * is trusted. No git and no repository are not errors: there is no section then.
 */

import type { Cancel, ProcessOutcome, ProcessRunner } from '../ports';
import { neverRan } from '../processOutcome';
import { plural } from '../report/words';
import { type Phrase, phrase } from '../text/phrase';
import { type GitChange, type GitStatus, parseGitStatus } from './gitStatus';

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
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly outcome: ProcessOutcome };

/** A status of a huge working tree on a cold disk takes seconds; a minute means that something hangs. */
export const GIT_TIMEOUT_MS = 15_000;

/** About 40,000 changed paths. */
const MAX_OUTPUT_BYTES = 4_000_000;

/** Paths named in each group; counts are always complete. */
const MAX_PATHS = 50;

const COMMITS = 5;

/**
 * `--no-optional-locks`: git would else refresh the index file, which watchers of it take for a change. The rest keeps
 * git from starting a daemon and from fetching objects that a partial clone left at its remote.
 */
const SAFE_OPTIONS = [
  '--no-pager',
  '--no-optional-locks',
  ...options('core.fsmonitor=false'),
  ...options('protocol.allow=never'),
];

/** What a repository's own config could allow again, against the line above. */
const TRANSPORTS = ['file', 'git', 'ssh', 'http', 'https', 'ext'].map((name) => `protocol.${name}.allow=never`);

function options(...settings: readonly string[]): string[] {
  return settings.flatMap((setting) => ['-c', setting]);
}

/** Reads branch, changes and last commits; one to four short git processes. */
export async function readGit(processes: ProcessRunner, isTrusted: boolean, cancel: Cancel): Promise<GitRead> {
  const run = (args: readonly string[]) => runGit(processes, args, cancel);
  const guards = isTrusted ? [] : await untrustedGuards(run);
  if (cancel.isCancelled) return { kind: 'cancelled' };
  if (!guards) return { kind: 'absent' };
  const safe = [...SAFE_OPTIONS, ...guards];
  const [status, prefix, log] = await Promise.all([
    run([
      ...safe,
      'status',
      '--porcelain=v2',
      '--branch',
      '-z',
      '--untracked-files=normal',
      '--ignore-submodules=dirty',
      '--',
      '.',
    ]),
    run([...safe, 'rev-parse', '--show-prefix']),
    run([...safe, 'log', `-${COMMITS}`, '--no-show-signature', '--format=%s', '-z']),
  ]);
  if (cancel.isCancelled || status.kind === 'cancelled') return { kind: 'cancelled' };
  // Git says 128 for "not a repository", and for one that belongs to somebody else, which it refuses to read.
  if (status.kind === 'notStarted' || status.exitCode === 128) return { kind: 'absent' };
  if (!isDone(status)) return { kind: 'failed', outcome: status };
  const subjects = isDone(log) ? log.stdout.split('\0').filter((subject) => subject.trim() !== '') : [];
  const folder = isDone(prefix) ? prefix.stdout.replace(/\r?\n$/, '') : '';
  return describe(relativeTo(parseGitStatus(status.stdout), folder), subjects);
}

async function runGit(processes: ProcessRunner, args: readonly string[], cancel: Cancel): Promise<ProcessOutcome> {
  try {
    const request = { timeoutMs: GIT_TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES };
    return await processes.run({ argv: ['git', ...args], ...request }, cancel);
  } catch {
    // A runner that throws breaks its contract; without it there is no git here.
    return neverRan('notStarted');
  }
}

function isDone(outcome: ProcessOutcome): boolean {
  return outcome.kind === 'exited' && outcome.exitCode === 0;
}

/**
 * In a folder that is not trusted, `git status` could run content filters that the repository's config names (an
 * archive can bring a `.git` folder along). They are switched off one by one; `undefined` when git cannot list them
 * or cannot be told to switch one off.
 */
async function untrustedGuards(
  run: (args: readonly string[]) => Promise<ProcessOutcome>,
): Promise<readonly string[] | undefined> {
  const listed = await run([...SAFE_OPTIONS, 'config', '--list', '--includes', '--show-scope', '--name-only', '-z']);
  if (!isDone(listed)) return undefined;
  const fields = listed.stdout.split('\0');
  const names = new Set<string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const isOwn = fields[at] === 'local' || fields[at] === 'worktree';
    const name = /^filter\.(.*)\.(?:clean|smudge|process)$/s.exec(fields[at + 1] ?? '')?.[1];
    if (isOwn && name !== undefined) names.add(name);
  }
  // `-c` parts name and value at the first `=`, so such a filter would stay on.
  if ([...names].some((name) => name.includes('='))) return undefined;
  const filters = [...names].flatMap((name) => [
    `filter.${name}.clean=`,
    `filter.${name}.process=`,
    `filter.${name}.required=false`,
  ]);
  return options(...TRANSPORTS, ...filters);
}

/** Git names paths from the repository's root; the folder may lie below it. */
function relativeTo(status: GitStatus, folder: string): GitStatus {
  if (folder === '') return status;
  const path = (full: string) => (full.startsWith(folder) ? full.slice(folder.length) : full);
  const change = (entry: GitChange): GitChange => ({
    ...entry,
    path: path(entry.path),
    from: entry.from === undefined ? undefined : path(entry.from),
  });
  return {
    ...status,
    conflicts: status.conflicts.map(path),
    staged: status.staged.map(change),
    changed: status.changed.map(change),
    untracked: status.untracked.map(path),
  };
}

/** Makes the text; a pure function of what git said. */
function describe(status: GitStatus, subjects: readonly string[]): GitRead {
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
  const against = distance === '' ? '' : `, ${distance}${behind > 0 ? '' : ' of'} ${upstream ?? 'its upstream'}`;
  const word = conflicts.length > 0 ? 'ALERT' : behind > 0 ? 'WARN' : 'OK';
  const lines = [
    `SUMMARY:${word}:${oneLine(`${where}${against}: ${counts.join(', ') || 'clean'}`)}`,
    '---',
    ...group('In conflict', conflicts),
    ...group('Staged', staged.map(changeLine)),
    ...group('Changed', changed.map(changeLine)),
    ...group('Untracked', untracked),
    ...group('Last commits', subjects),
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

/**
 * What changed in the working tree since it left another branch, by git: files and lines, in a trusted folder only. It
 * reads what git prints; which definitions that touches is up to `repomap/ranking/changedOrder.ts`.
 */
import { neverRan, type ProcessOutcome, type ProcessRunner } from '../../ports/ports';
import type { ChangedLines } from '../../repomap/ranking/changedOrder';
import { type Phrase, phrase, wordedErrorClass } from '../../text/phrase';
import { isInGit, isSafePath } from '../../text/safePath';
import { changeRequest, DEFAULT_BASES } from './gitQuestions';

type ChangesErrorReason =
  /** The folder is not trusted, or its host runs no git. */
  | 'untrusted'
  /** No repository, or one without a commit. */
  | 'noRepository'
  /** There is no such commit, or none in common with it. */
  | 'noBase'
  /** Git lacks objects of the commit. */
  | 'missing'
  /** Git failed, or took too long. */
  | 'failed';

/** Why it cannot be said what changed, in words for the user: what, where, what to do. */
export class ChangesError extends wordedErrorClass<ChangesErrorReason>('ChangesError') {}

/** A file that differs from its commit. */
export interface FileChange {
  readonly path: string;
  /** Where it was before; its own path unless it was renamed. */
  readonly oldPath: string;
  readonly kind: 'added' | 'changed' | 'deleted';
  /** In the order of the file; undefined where there are no lines to say, as for binary files and very large diffs. */
  readonly hunks: readonly ChangedLines[] | undefined;
}

/** A change against a commit. */
export interface GitChanges {
  /** As people say it: `origin/main`. */
  readonly base: string;
  /** The commit that is in both. */
  readonly commit: string;
  /** Sorted by path, untracked ones included; submodules are left out. */
  readonly files: readonly FileChange[];
  /** What is not known, and why: no lines of a file, or only what is not committed. Undefined where all is known. */
  readonly note: Phrase | undefined;
}

/** Names that git would take for an option, a range or an expression of its own. */
const ODD_BASE = /^-|\.\.|[\s\p{Cc}:?*[\\]|^$/u;

/** Bytes and characters that names longer than any ref have. */
const MAX_BASE_CHARS = 500;

/** A mode that no file of lines has: a submodule, a link. */
const NO_FILE = new Set(['160000', '120000']);

async function ask(
  processes: ProcessRunner,
  request: ReturnType<typeof changeRequest>,
  signal: AbortSignal,
): Promise<ProcessOutcome> {
  try {
    return await processes.run(request, signal);
  } catch {
    // A runner that throws breaks its contract; without it there is no git here.
    return neverRan('notStarted');
  }
}

function isDone({ kind, exitCode }: ProcessOutcome): boolean {
  return kind === 'exited' && exitCode === 0;
}

function failure({ kind, stderr, errorCode }: ProcessOutcome): ChangesError {
  if (kind === 'notStarted' && errorCode === 'ENOENT')
    return new ChangesError('failed', phrase('Git is not installed, so it is not known what changed. Install Git.'));
  if (kind === 'timedOut')
    return new ChangesError('failed', phrase('Git took too long to say what changed. Try again.'));
  const line = stderr.trim().split('\n').at(-1) ?? '';
  return new ChangesError('failed', phrase('Git could not say what changed: {0}', line.slice(0, 200) || kind));
}

/** `origin/HEAD` as what it stands for; other names as people say them. */
function shortName(ref: string): string {
  return ref.replace(/^refs\/(?:remotes|heads)\//u, '');
}

/** The default base: its name for git, and for people; undefined where there is none. @throws ChangesError */
async function findBase(
  processes: ProcessRunner,
  signal: AbortSignal,
): Promise<readonly [ref: string, name: string] | undefined> {
  const refs = await ask(processes, changeRequest('bases'), signal);
  if (refs.kind === 'exited' && refs.exitCode === 128) throw noRepository();
  if (!isDone(refs)) throw failure(refs);
  const known = new Map(refs.stdout.split('\n').map((line) => line.split('\0') as [string, string | undefined]));
  const ref = DEFAULT_BASES.find((each) => known.has(each));
  return ref === undefined ? undefined : [ref, shortName(known.get(ref) || ref)];
}

function noRepository(): ChangesError {
  const words = phrase('It is not known what changed: the folder is no Git repository, or has no commit yet.');
  return new ChangesError('noRepository', words);
}

/** A commit to compare with. */
interface Base {
  readonly base: string;
  readonly commit: string;
}

/** Files of a change, in no order. */
interface ReadDiff {
  readonly files: readonly FileChange[];
  readonly note: Phrase | undefined;
}

/**
 * What changed in the working tree since it left `base`, uncommitted and untracked files included; four short git processes.
 * @param base a branch or commit. Undefined: the remote's main branch, else `main` or `master`; where there is none that
 *   can be compared with, what is not committed
 * @throws ChangesError
 */
export async function readChanges(
  processes: ProcessRunner | undefined,
  isTrusted: boolean,
  base: string | undefined,
  signal: AbortSignal,
): Promise<GitChanges> {
  if (!processes)
    throw new ChangesError('untrusted', phrase('Git cannot be run here, so it is not known what changed.'));
  if (!isTrusted) {
    const words = phrase(
      'What changed is only read in trusted folders, since a diff runs the filters of a repository. Trust this folder in the editor, or pass --trust on the command line.',
    );
    throw new ChangesError('untrusted', words);
  }
  if (base !== undefined && (ODD_BASE.test(base) || base.length > MAX_BASE_CHARS))
    throw new ChangesError('noBase', phrase('"{0}" is no name of a branch or commit.', base.slice(0, 80)));
  const untracked = ask(processes, changeRequest('untracked'), signal);
  const read =
    base === undefined
      ? await readSinceMain(processes, signal)
      : await readSince(processes, { base, commit: await mergeBase(processes, base, base, signal) }, signal);
  const others = await untracked;
  const added = parseUntracked(isDone(others) ? others.stdout : '');
  // What is deleted in Git's index alone is there, untracked.
  const there = new Set(added.map(({ path }) => path));
  const files = [...read.files.filter(({ kind, path }) => kind !== 'deleted' || !there.has(path)), ...added];
  const shown = files.filter(({ path }) => isSafePath(path) && !isInGit(path));
  return { ...read, files: shown.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

/** Since the default base, else what is not committed. @throws ChangesError */
async function readSinceMain(processes: ProcessRunner, signal: AbortSignal): Promise<Base & ReadDiff> {
  const [ref, name = ''] = (await findBase(processes, signal)) ?? [];
  const head = async (note: Phrase): Promise<Base & ReadDiff> => {
    const commit = await mergeBase(processes, 'HEAD', 'HEAD', signal);
    return { ...(await readSince(processes, { base: 'HEAD', commit }, signal)), note };
  };
  if (ref === undefined)
    return head(phrase('No origin/HEAD, main or master to compare with: only uncommitted changes are listed.'));
  try {
    return await readSince(processes, { base: name, commit: await mergeBase(processes, ref, name, signal) }, signal);
  } catch (error) {
    if (!ChangesError.is(error, 'noBase') && !ChangesError.is(error, 'missing')) throw error;
    return head(
      phrase(
        'HEAD cannot be compared with {0} in this clone (shallow or partial): only uncommitted changes are listed.',
        name,
      ),
    );
  }
}

/** @throws ChangesError; `missing` where git lacks what the commit had */
async function readSince(processes: ProcessRunner, since: Base, signal: AbortSignal): Promise<Base & ReadDiff> {
  const whole = await ask(processes, changeRequest('diff', since.commit), signal);
  if (isDone(whole)) return { ...since, files: parseDiff(whole.stdout), note: undefined };
  if (whole.kind === 'flooded' || whole.kind === 'timedOut') {
    const names = await ask(processes, changeRequest('names', since.commit), signal);
    if (!isDone(names)) throw failure(names);
    const note = phrase('The diff is too large to read: all definitions of changed files are listed.');
    return { ...since, files: parseDiff(names.stdout, 'names'), note };
  }
  if (whole.kind !== 'exited' || !MISSING.test(whole.stderr)) throw failure(whole);
  const trees = await ask(processes, changeRequest('trees', since.commit), signal);
  if (!isDone(trees)) throw MISSING.test(trees.stderr) ? missing(trees) : failure(trees);
  const note = phrase('Git lacks old texts in this clone: all definitions of changed files are listed.');
  return { ...since, files: parseDiff(trees.stdout, 'trees'), note };
}

/** What git says where an object of the commit is not there: in partial clones, and in damaged repositories. */
const MISSING =
  /unable to read|could not read|could not fetch|missing blob|bad (?:object|tree)|lazy fetching disabled/iu;

function missing(answer: ProcessOutcome): ChangesError {
  return new ChangesError('missing', failure(answer).words);
}

/** What git says where there is no repository for it, or `HEAD` itself names no commit; `HEAD~1` is the user's own word. */
const NO_COMMITS = /not a git repository|object name HEAD$|dubious ownership/mu;

async function mergeBase(processes: ProcessRunner, ref: string, name: string, signal: AbortSignal): Promise<string> {
  const answer = await ask(processes, changeRequest('mergeBase', ref), signal);
  const commit = /^[0-9a-f]{40,64}$/m.exec(answer.stdout)?.[0];
  if (isDone(answer) && commit !== undefined) return commit;
  if (answer.kind !== 'exited') throw failure(answer);
  if (answer.exitCode === 1) {
    const words = phrase(
      'HEAD and {0} have no commit in common. Name another branch or commit; in a shallow clone, run "git fetch --unshallow".',
      name,
    );
    throw new ChangesError('noBase', words);
  }
  if (NO_COMMITS.test(answer.stderr)) throw noRepository();
  throw new ChangesError(
    'noBase',
    phrase('Git knows no commit "{0}". Name a branch or commit of this repository.', name),
  );
}

function parseUntracked(output: string): readonly FileChange[] {
  const paths = output.split('\0').filter((path) => path !== '' && !path.endsWith('/'));
  return paths.map((path) => ({ path, oldPath: path, kind: 'added', hunks: undefined }));
}

const RAW = /^:(\d{6}) (\d{6}) [0-9a-f]+ [0-9a-f]+ ([A-Z])\d*$/u;
const NUMBERS = /^(\d+|-)\t(\d+|-)\t(.*)$/su;

interface RawChange extends Omit<FileChange, 'hunks'> {
  isLines: boolean;
  /** The index has another time of it, and the same mode: it may be as it was. */
  isDoubtful: boolean;
}

/** Whether the patch says of a binary file that it differs; a name that git quotes counts as if. */
function hasBinary(patch: string, path: string): boolean {
  return patch.includes(`\nBinary files a/${path} and b/${path} differ\n`) || patch.includes('\nBinary files "');
}

/**
 * Reads `diff --raw --numstat -z`, and the patch behind it; leaves out files that are as they were. Of `names` there is no
 * patch; of `trees` no numbers either, so that a file with another time counts as changed.
 */
export function parseDiff(output: string, form: 'patch' | 'names' | 'trees' = 'patch'): readonly FileChange[] {
  const isCut = form !== 'patch';
  const files = new Map<string, RawChange>();
  let at = 0;
  const field = (): string => {
    const end = output.indexOf('\0', at);
    const text = output.slice(at, end < 0 ? output.length : end);
    at = end < 0 ? output.length : end + 1;
    return text;
  };
  while (at < output.length && output[at] !== '\0') {
    const head = field();
    const raw = RAW.exec(head);
    const numbers = raw ? undefined : NUMBERS.exec(head);
    if (raw) {
      const [, oldMode = '', newMode = '', letter = ''] = raw;
      const oldPath = field();
      const path = letter === 'R' || letter === 'C' ? field() : oldPath;
      const kind = letter === 'A' || letter === 'C' ? 'added' : letter === 'D' ? 'deleted' : 'changed';
      if (!NO_FILE.has(newMode) && !NO_FILE.has(oldMode)) {
        const isDoubtful = form !== 'trees' && letter === 'M' && oldMode === newMode;
        files.set(path, { path, oldPath, kind, isLines: true, isDoubtful });
      }
    } else if (numbers) {
      const [, added = '', removed = '', named = ''] = numbers;
      if (named === '') field();
      const path = named === '' ? field() : named;
      const known = files.get(path);
      if (known && added === '-') known.isLines = false;
      else if (known && (added !== '0' || removed !== '0')) known.isDoubtful = false;
    } else break;
  }
  const patch = isCut ? '' : output.slice(at + 1);
  const hunks = parsePatch(patch);
  const isChanged = ({ path, isLines, isDoubtful }: RawChange): boolean =>
    !isDoubtful || (!isLines && (isCut || hasBinary(patch, path)));
  return [...files.values()].filter(isChanged).map(({ isLines, isDoubtful: _, ...file }) => ({
    ...file,
    hunks: isLines && !isCut ? (hunks.get(file.path) ?? []) : undefined,
  }));
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/u;

/** The lines of each file of a patch without context, by its path now, or before where it is gone. */
function parsePatch(patch: string): ReadonlyMap<string, ChangedLines[]> {
  const found = new Map<string, ChangedLines[]>();
  let before: string | undefined;
  let hunks: ChangedLines[] | undefined;
  /** Lines of the hunk that are still to come: what a file holds is never read as a header. */
  let left = 0;
  for (let at = 0; at < patch.length; ) {
    const next = patch.indexOf('\n', at);
    const end = next < 0 ? patch.length : next;
    const first = patch[at];
    if (left > 0 && (first === '+' || first === '-')) left--;
    else if (first === '-' || first === '+' || first === '@') {
      const line = patch.slice(at, end);
      if (line.startsWith('--- ')) before = pathOfHeader(line.slice(4));
      else if (line.startsWith('+++ ')) {
        const path = pathOfHeader(line.slice(4)) ?? before ?? '';
        hunks = found.get(path) ?? [];
        found.set(path, hunks);
      } else {
        const [, removed = '1', start = '0', added = '1'] = HUNK.exec(line) ?? ['', '0', '0', '0'];
        left = Number(removed) + Number(added);
        if (left > 0) hunks?.push({ start: Number(start), lines: Number(added), removed: Number(removed) });
      }
    }
    at = end + 1;
  }
  return found;
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** The path of `a/…` or `b/…`, which git quotes where it holds odd characters; undefined for `/dev/null`. */
function pathOfHeader(text: string): string | undefined {
  if (text.startsWith('"')) return unquoted(text).slice(2);
  // A tab ends a name that holds blanks.
  const name = text.endsWith('\t') ? text.slice(0, -1) : text;
  return name === '/dev/null' ? undefined : name.slice(2);
}

/** Undoes git's quoting, whose octal escapes are bytes of UTF-8. */
function unquoted(text: string): string {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const part of text.slice(1).match(/\\(?:[0-7]{3}|.)|[^\\"]+|"/gsu) ?? []) {
    if (part === '"') break;
    if (!part.startsWith('\\')) bytes.push(...encoder.encode(part));
    else if (part.length === 4) bytes.push(Number.parseInt(part.slice(1), 8));
    else bytes.push(ESCAPES[part.slice(1)] ?? part.charCodeAt(1));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** A file as it was at a commit; undefined where there is none, or one too large. */
export async function readOldFile(
  processes: ProcessRunner,
  commit: string,
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const answer = await ask(processes, changeRequest('oldFile', commit, path), signal);
  return isDone(answer) ? answer.stdout : undefined;
}

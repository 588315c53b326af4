/** Parsers of what git prints: pure functions from the output of a question (`gitQuestions.ts`) to data. */
import type { RemovedPath } from '../../agents/stale/stalePaths';
import type { History } from '../../repomap/project/packages';
import { isSafePath } from '../../text/safePath';

/** What `git status --porcelain=v2 --branch -z` said. Paths are relative to the repository's root. */
export interface GitStatus {
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
export interface GitChange {
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

/** A commit that touches more files is about none of them. */
const MAX_COMMIT_FILES = 100;
const MAX_TITLE_CHARS = 200;

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

/** Reads `log --raw -z` with days behind `\x01`, newest first: the first that names a path counts. */
export function parseCommitDates(output: string, folder = ''): CommitDates {
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

/** Reads `blame --porcelain`: a commit's facts stand with its first line, a line's text behind a tab. */
export function parseBlameDays(output: string): ReadonlyMap<number, string> {
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

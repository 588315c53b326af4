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

interface Mutable {
  branch: string | undefined;
  upstream: string | undefined;
  ahead: number;
  behind: number;
  conflicts: string[];
  staged: GitChange[];
  changed: GitChange[];
  untracked: string[];
}

/** Reads the output of `git status --porcelain=v2 --branch -z`; records it does not know are passed over. */
export function parseGitStatus(output: string): GitStatus {
  const status: Mutable = {
    branch: undefined,
    upstream: undefined,
    ahead: 0,
    behind: 0,
    conflicts: [],
    staged: [],
    changed: [],
    untracked: [],
  };
  const records = output.split('\0');
  for (let at = 0; at < records.length; at++) {
    const record = records[at] ?? '';
    const type = record[0] ?? '';
    if (type === '#') readHeader(record, status);
    else if (type === '?') status.untracked.push(record.slice(2));
    else if (type in FIELDS_BEFORE_PATH) {
      // A rename's old path is a record of its own.
      const from = type === '2' ? records[++at] : undefined;
      readChange(record, type, from, status);
    }
  }
  return status;
}

function readHeader(record: string, status: Mutable): void {
  const [, key, ...rest] = record.split(' ');
  const value = rest.join(' ');
  if (key === 'branch.head') status.branch = value === '(detached)' ? undefined : value;
  else if (key === 'branch.upstream') status.upstream = value;
  else if (key === 'branch.ab') {
    const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(value) ?? [];
    status.ahead = Number(ahead ?? 0);
    status.behind = Number(behind ?? 0);
  }
}

function readChange(record: string, type: string, from: string | undefined, status: Mutable): void {
  const path = record.split(' ').slice(FIELDS_BEFORE_PATH[type]).join(' ');
  if (type === 'u') {
    status.conflicts.push(path);
    return;
  }
  const staged = record[2] ?? '.';
  const changed = record[3] ?? '.';
  if (staged !== '.') status.staged.push({ letter: staged, path, from });
  if (changed !== '.') status.changed.push({ letter: changed, path, from: staged === '.' ? from : undefined });
}

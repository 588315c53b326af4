/**
 * Where git keeps what its section tells: branch, commits, staged files, and how far the upstream branch is. It is beside
 * the files (`.git`), above them when a part of a repository is served, or elsewhere in a work tree or a submodule, where
 * `.git` is a file that names the place.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** Change with a branch, a commit, the index of git or a fetch, in every work tree's own folder. */
const OWN_FILES = ['HEAD', 'index', 'logs/HEAD', 'FETCH_HEAD'];

/** Change with refs that are packed, or that are kept in tables. All work trees share them. */
const SHARED_FILES = ['packed-refs', 'reftable/tables.list'];

/** Git's small files have a line. Bytes. */
const MAX_LINE_BYTES = 8192;

const BRANCH = /^ref: refs\/heads\/(?<branch>.+)$/m;

/** The folders of git for a work tree. */
export interface GitFolders {
  /** Absolute. */
  readonly own: string;
  /** The same but in a linked work tree. */
  readonly shared: string;
}

function isFolder(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // What cannot be looked at is as good as not there.
    return false;
  }
}

/** The text of one of git's small files; empty for what is none or cannot be read, as if it said nothing. */
function textOf(file: string): string {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    // Reading a pipe would never end.
    return stat?.isFile() && stat.size <= MAX_LINE_BYTES ? readFileSync(file, 'utf8') : '';
  } catch {
    return '';
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A repository without remotes.
    return [];
  }
}

function ownFolder(root: string): string | undefined {
  for (let at = root; ; at = path.dirname(at)) {
    const entry = path.join(at, '.git');
    if (isFolder(entry)) return entry;
    const named = /^gitdir: (.+)$/m.exec(textOf(entry))?.[1]?.trim();
    if (named !== undefined) return path.resolve(at, named);
    if (path.dirname(at) === at) return undefined;
  }
}

/** The folders of git for `root`; undefined where there is no repository. @param root absolute */
export function gitFolders(root: string): GitFolders | undefined {
  const own = ownFolder(root);
  if (own === undefined) return undefined;
  const shared = textOf(path.join(own, 'commondir')).trim();
  return { own, shared: shared === '' ? own : path.resolve(own, shared) };
}

/** Absolute paths of files, there or not, one of which changes when the section may say something else. */
export function gitFiles({ own, shared }: GitFolders): readonly string[] {
  const branch = BRANCH.exec(textOf(path.join(own, 'HEAD')))?.groups?.branch;
  const remotes = path.join(shared, 'refs', 'remotes');
  // A push moves nothing but this.
  const upstreams = branch === undefined ? [] : namesIn(remotes).map((remote) => path.join(remotes, remote, branch));
  return [
    ...OWN_FILES.map((file) => path.join(own, file)),
    ...SHARED_FILES.map((file) => path.join(shared, file)),
    ...upstreams,
  ];
}

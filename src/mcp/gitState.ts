/**
 * Where git keeps what its section tells: branch, commits, staged files, and how far the upstream branch is. Only times
 * are looked at, and nothing that a link leads to.
 */
import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { findRepository, type GitRepository, MAX_GIT_LINE_BYTES, readInside } from '../node/git/gitRepository';

/** Change with a branch, a commit, the index of git or a fetch, in every work tree's own folder. */
const OWN_FILES = ['HEAD', 'index', 'logs/HEAD', 'FETCH_HEAD'];

/** Change with refs that are packed, or that are kept in tables. All work trees share them. */
const SHARED_FILES = ['packed-refs', 'reftable/tables.list'];

const BRANCH = /^ref: refs\/heads\/(?<branch>.+)$/m;

/** The folders of git for a work tree. */
type GitFolders = Pick<GitRepository, 'own' | 'shared'>;

/** The folders of git for `root`; undefined where there is no repository that may be looked at. @param root real */
export async function gitFolders(root: string, isTrusted: boolean): Promise<GitFolders | undefined> {
  try {
    const found = await findRepository(root, isTrusted);
    return found.kind === 'found' ? found.repository : undefined;
  } catch {
    // What cannot be looked at is as good as not there.
    return undefined;
  }
}

/** True when every folder between `base` and the file, where there is one, is a folder itself and no link. */
function isReachable(base: string, name: string): boolean {
  const parts = name.split('/');
  if (parts.includes('..')) return false;
  let at = base;
  for (const part of parts.slice(0, -1)) {
    at = path.join(at, part);
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) return false;
  }
  return true;
}

/** Remotes with their name; none where the folder is a link. */
function remotesIn(shared: string): readonly string[] {
  const remotes = path.join(shared, 'refs', 'remotes');
  try {
    return lstatSync(remotes, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(remotes) : [];
  } catch {
    // No permission: nothing to look at.
    return [];
  }
}

/** Absolute paths of files, there or not, one of which changes when the section may say something else. */
export async function gitFiles({ own, shared }: GitFolders): Promise<readonly string[]> {
  const branch = BRANCH.exec((await readInside(own, 'HEAD', MAX_GIT_LINE_BYTES)) ?? '')?.groups?.branch;
  // A push moves nothing but this.
  const upstreams = branch === undefined ? [] : remotesIn(shared).map((remote) => `refs/remotes/${remote}/${branch}`);
  const named = [
    ...OWN_FILES.map((name) => ({ base: own, name })),
    ...[...SHARED_FILES, ...upstreams].map((name) => ({ base: shared, name })),
  ];
  return named
    .filter(({ base, name }) => isReachable(base, name))
    .map(({ base, name }) => path.join(base, ...name.split('/')));
}

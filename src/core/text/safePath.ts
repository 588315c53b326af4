/** A path or glob that the config may name: relative, inside the folder. A pattern, for the JSON Schema has it too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: names with control characters are what it refuses.
export const SAFE_PATH_PATTERN = /^(?!\/)(?!~)(?![A-Za-z]:)(?!(?:.*\/)?\.\.(?:\/|$))(?![./]*$)[^\\\u0000-\u001f]+$/;

/** True when the config may name `path`. */
export function isSafePath(path: string): boolean {
  return SAFE_PATH_PATTERN.test(path);
}

/** Drops `.` segments, doubled and trailing slashes: `./a//b/` is `a/b`. */
export function normalizePath(path: string): string {
  return path
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/');
}

/** Collapses `.`, empty segments and, where it can go up, `..`; the other `..` stay in front. */
export function collapsePath(path: string): string {
  const segments: string[] = [];
  for (const segment of normalizePath(path).split('/')) {
    const above = segments.at(-1);
    if (segment === '..' && above !== undefined && above !== '..') segments.pop();
    else if (segment !== '') segments.push(segment);
  }
  return segments.join('/');
}

/** `path` as seen from `folder`; undefined when it leaves the root. */
export function resolvePath(folder: string, path: string): string | undefined {
  const resolved = collapsePath(`${folder}/${path}`);
  return resolved === '..' || resolved.startsWith('../') ? undefined : resolved;
}

/** The folder that a path lies in; empty for the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The last segment of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Git's own ignore rules of one clone: the one file of git that is read like others. */
export const GIT_EXCLUDE_PATH = '.git/info/exclude';

/** Characters that HFS+ takes for nothing when it compares names, as git lists them. */
const UNSEEN = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** `.git` in each spelling that file systems take for it: any case, what Windows drops behind it, its short form. */
const GIT_NAME = /^(?:\.git|git~\d+)[. ]*(?::.*)?$/i;

/** What nearly every path fails, at once: it has nothing of git's name in it, nor characters that may hide in it. */
const MAY_BE_GIT = /\.git|git~|[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/i;

/** True for a name that leads to git's own folder, here or on another machine. */
export function isGitName(name: string): boolean {
  return MAY_BE_GIT.test(name) && GIT_NAME.test(name.replace(UNSEEN, ''));
}

/** True for a path that is, or lies in, git's own folder. */
export function isInGit(path: string): boolean {
  return MAY_BE_GIT.test(path) && path.split(/[\\/]/).some(isGitName);
}

/** True for what is never read as a file: git's config may hold passwords, and its objects what was deleted. */
export function isClosedByGit(path: string): boolean {
  return isInGit(path) && path !== GIT_EXCLUDE_PATH;
}

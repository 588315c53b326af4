/** Workspace-relative paths as text: joined and taken apart without a file system. */

/** Without `./`, doubled slashes and a slash at either end; `..` goes up where it can, else it stays in front. */
export function normalisePath(path: string): string {
  const segments: string[] = [];
  for (const segment of path.replaceAll('\\', '/').split('/')) {
    if (segment === '' || segment === '.') continue;
    const above = segments.at(-1);
    if (segment === '..' && above !== undefined && above !== '..') segments.pop();
    else segments.push(segment);
  }
  return segments.join('/');
}

/** `path` as seen from `folder`; undefined when it leaves the root. */
export function resolvePath(folder: string, path: string): string | undefined {
  const resolved = normalisePath(folder === '' ? path : `${folder}/${path}`);
  return resolved === '..' || resolved.startsWith('../') ? undefined : resolved;
}

/** The folder that a path lies in; empty for the root. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

/** How a file in `folder` links to `path`, both relative to the root. */
export function relativeTo(folder: string, path: string): string {
  const from = folder === '' ? [] : folder.split('/');
  const to = path.split('/');
  let common = 0;
  while (common < from.length && common < to.length - 1 && from[common] === to[common]) common++;
  return [...from.slice(common).map(() => '..'), ...to.slice(common)].join('/');
}

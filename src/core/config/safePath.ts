/**
 * A workspace path or glob as the config may name it: relative, `/` between segments, not leaving the folder.
 * Written as a regular expression so that the editor's JSON Schema enforces the same rule.
 */
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

/** Replaces an absolute path that lies outside of the known roots. */
const HIDDEN = '<path>';

/**
 * An absolute path: from a slash, a drive or `~` on. A blank belongs to it where another separator follows, so that
 * rather a word too much is hidden than half a path shown.
 */
const ABSOLUTE = /(?<![\w.~>-])(?:~|[A-Za-z]:)?[\\/](?:[^\s\\/:*?"<>|][^\n\\/:*?"<>|]*[\\/])*[^\s\\/:*?"<>|()',;]+/g;

/** What may follow the last segment of a folder's path. */
const END_OF_SEGMENT = '(?=[\\\\/:\\s\'"()\\],;]|$)';

/**
 * `text` without absolute paths: those below one of `roots` begin with its name instead, all others are `<path>`.
 * Relative paths stay. Linear in the text for each root.
 */
export function hidePaths(text: string, roots: readonly { readonly path: string; readonly name: string }[]): string {
  // The longest first: one root may lie in another.
  const known = roots
    .map(({ path, name }) => ({ path: path.replace(/[\\/]+$/, ''), name }))
    .filter(({ path }) => path !== '')
    .sort((a, b) => b.path.length - a.path.length)
    .reduce((rest, { path, name }) => {
      const escaped = path.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
      return rest.replace(new RegExp(escaped + END_OF_SEGMENT, 'gi'), () => name);
    }, text);
  return known.replace(ABSOLUTE, HIDDEN);
}

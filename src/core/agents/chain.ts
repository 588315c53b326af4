/** Folders from the root to the one that holds `path`, outermost first; the root is `''`. */
export function chainOf(path: string | undefined): readonly string[] {
  const names = path === undefined ? [] : path.split('/').slice(0, -1);
  return ['', ...names.map((_, at) => names.slice(0, at + 1).join('/'))];
}

import type { FilePattern } from './agentRules';

/** The folder that a file speaks for by a pattern: `''` for the root; undefined when the pattern is not its. */
export function folderOf(path: string, pattern: FilePattern): string | undefined {
  if (typeof pattern === 'string') {
    if (path === pattern) return '';
    return path.endsWith(`/${pattern}`) ? path.slice(0, -pattern.length - 1) : undefined;
  }
  if (!pattern.endings.some((ending) => path.endsWith(ending))) return undefined;
  const marker = pattern.hasSuffix ? `/${pattern.folder}` : `/${pattern.folder}/`;
  const at = `/${path}`.indexOf(marker);
  if (at < 0) return undefined;
  const start = at + marker.length - 1;
  const rest = pattern.hasSuffix ? path.slice(path.indexOf('/', start) + 1) : path.slice(start);
  if (pattern.hasSuffix && path.indexOf('/', start) < 0) return undefined;
  if (pattern.isFlat && rest.includes('/')) return undefined;
  const first = rest.includes('/') ? rest.slice(0, rest.indexOf('/')) : undefined;
  if (first !== undefined && pattern.except?.includes(first)) return undefined;
  return path.slice(0, Math.max(at - 1, 0));
}

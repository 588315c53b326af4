/** Words of paths: decides what a file is called, as a task would call it (RANKING §1.4). */
import { splitIdentifier } from '../../text/terms';

/** Terms of a file's path: folders and the name without its extension. */
export function pathTerms(path: string): ReadonlySet<string> {
  const bare = path.replace(/\.\w+$/u, '');
  return new Set(bare.split(/[/.\-\s]+/u).flatMap((segment) => [...splitIdentifier(segment), segment.toLowerCase()]));
}

/** Files named so are called after their folder. */
const NAMELESS = /^(?:__init__|__main__|index|main|mod|lib|init)$/u;

/** Without its extension. */
function nameOfFile(path: string): string {
  const segments = path.split('/');
  const base = (segments.pop() ?? '').replace(/\.[\w.]+$/u, '');
  return NAMELESS.test(base) ? (segments.pop() ?? base) : base;
}

/** Parts of the name that a file goes by: its own, or its folder's for `index.ts` and the like. */
export function baseNameParts(path: string): readonly string[] {
  return splitIdentifier(nameOfFile(path).replace(/[-.]/gu, '_'));
}

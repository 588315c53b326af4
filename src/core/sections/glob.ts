import picomatch from 'picomatch/posix';
import { linearMatcher } from './linearGlob';

/** Characters that may mean something in a glob; what stands before the first of them is matched literally. */
const SPECIAL = /[*?[\]{}\\]/;

/** What the library reads as parts of expressions: in a path they are characters. */
const LITERAL = /\\?[()+|]/g;

/** More wildcards than these in one name, or more folders of any depth or alternatives: an expression may take for ever. */
const MAX_STARS = 2;
const MAX_DEEP = 2;
const MAX_BRACES = 2;

/** How a glob is read. */
export interface GlobOptions {
  readonly ignoresCase?: boolean;
}

/**
 * Compiles a glob as sections and config use it: relative to the folder, `/` only, with `*`, `**`, `?`, `[…]` and
 * `{…,…}`; files that start with a dot included, no negation. Whoever wrote the glob, a path costs little: the library's
 * expressions take exponential time on some, so those go another way. Throws for a pattern of 65,536 characters or more.
 */
export function globMatcher(pattern: string, { ignoresCase = false }: GlobOptions = {}): (path: string) => boolean {
  const special = pattern.search(SPECIAL);
  if (special < 0 && !ignoresCase) return (path) => path === pattern;
  const matches = isHeavy(pattern)
    ? linearMatcher(pattern, ignoresCase)
    : picomatch(
        pattern.replace(LITERAL, (found) => (found.startsWith('\\') ? found : `\\${found}`)),
        {
          dot: true,
          nonegate: true,
          noextglob: true,
          nocase: ignoresCase,
        },
      );
  if (ignoresCase) return (path) => matches(path);
  // Most files of a folder fail here, at a hundredth of the price of the expression.
  const prefix = pattern.slice(0, pattern.lastIndexOf('/', special) + 1);
  return (path) => path.startsWith(prefix) && matches(path);
}

function isHeavy(pattern: string): boolean {
  const braces = pattern.split('{').length - 1;
  if (braces > MAX_BRACES || /\{[^}]*\{/.test(pattern)) return true;
  const names = pattern.split('/');
  const stars = (name: string): number => name.split('*').length - 1;
  if (braces > 0) return stars(pattern) > MAX_STARS + MAX_DEEP;
  const deep = names.filter((name) => name.includes('**')).length;
  return deep > MAX_DEEP || names.some((name) => name !== '**' && stars(name) > MAX_STARS);
}

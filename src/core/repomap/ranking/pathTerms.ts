/** What the paths of files say: which of them hold a term, and what a file is called. */
import { splitIdentifier } from '../../text/terms';

/** Files named so are called after their folder. */
const NAMELESS = /^(?:__init__|__main__|index|main|mod|lib|init)$/u;
const BETWEEN_SEGMENTS = /[/.\-\s]+/u;
const BEYOND_ASCII = /[^\0-\x7f]/u;

/** Parts of the name that a file goes by: its own, or its folder's for `index.ts` and the like. */
function namePartsOf(path: string): readonly string[] {
  const segments = path.split('/');
  const base = (segments.pop() ?? '').replace(/\.[\w.]+$/u, '');
  const name = NAMELESS.test(base) ? (segments.pop() ?? base) : base;
  return splitIdentifier(name.replace(/[-.]/gu, '_'));
}

/** A term of a path is a part of a folder's name or of the file's without its extension, or the whole (RANKING §1.4). */
function holdsTerm(path: string, term: string): boolean {
  return path
    .replace(/\.\w+$/u, '')
    .split(BETWEEN_SEGMENTS)
    .some((segment) => segment !== '' && (segment.toLowerCase() === term || splitIdentifier(segment).includes(term)));
}

/** Paths by position. A query has some dozens of terms: each is searched in all paths as one text, and only those with it are taken apart. */
export class PathTerms {
  readonly #found = new Map<string, readonly number[]>();
  readonly #nameParts: (readonly string[] | undefined)[] = [];
  /** All paths, one a line. */
  readonly #text: string;
  /** Path `at` ends before `#ends[at]`. */
  readonly #ends: Uint32Array;
  /** Paths whose parts may be no parts of the path in lower case. */
  readonly #odd: readonly number[];

  constructor(private readonly paths: readonly string[]) {
    const lower = paths.map((path) => path.toLowerCase());
    this.#text = lower.join('\n');
    this.#ends = new Uint32Array(paths.length);
    let end = 0;
    for (const [at, { length }] of lower.entries()) this.#ends[at] = end += length + 1;
    this.#odd = BEYOND_ASCII.test(this.#text) ? paths.flatMap((path, at) => (BEYOND_ASCII.test(path) ? [at] : [])) : [];
  }

  /** Positions of the paths that hold a term in lower case, ascending. */
  get(term: string): readonly number[] {
    const known = this.#found.get(term);
    if (known) return known;
    const found = this.#candidates(term).filter((at) => holdsTerm(this.paths[at] as string, term));
    this.#found.set(term, found);
    return found;
  }

  /** Parts of the name that the file at that position goes by, each a term of its path. */
  nameParts(at: number): readonly string[] {
    this.#nameParts[at] ??= namePartsOf(this.paths[at] as string);
    return this.#nameParts[at];
  }

  #candidates(term: string): readonly number[] {
    const found: number[] = [];
    if (term === '') return found;
    for (let from = this.#text.indexOf(term); from >= 0; ) {
      const at = this.#pathAt(from);
      found.push(at);
      from = this.#text.indexOf(term, this.#ends[at]);
    }
    return this.#odd.length === 0 ? found : [...new Set([...found, ...this.#odd])].sort((a, b) => a - b);
  }

  #pathAt(place: number): number {
    let low = 0;
    let high = this.#ends.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ends[middle] as number) <= place) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

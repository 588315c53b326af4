import type { Clock } from '../ports/ports';
import { type GlobMeter, linearMatcher } from './linearGlob';

/** Characters that may mean something in a glob; what stands before the first of them is matched literally. */
const SPECIAL = /[*?[\]{}\\]/;

/** Steps of matching that the globs of one list may take together: some seconds. Usual ones take a thousandth of it. */
export const MAX_GLOB_STEPS = 100_000_000;

/** Steps after which the thread is let go: some milliseconds. */
const STRETCH_STEPS = 200_000;

/**
 * Compiles a glob as sections and config use it: relative to the folder, `/` only, with `*`, `**`, `?`, `[…]` and
 * `{…,…}`; files that start with a dot included, no negation. Whoever wrote the glob, a path costs little.
 */
export function globMatcher(
  pattern: string,
  { ignoresCase = false, meter = { steps: 0 } }: { readonly ignoresCase?: boolean; readonly meter?: GlobMeter } = {},
): (path: string) => boolean {
  const special = pattern.search(SPECIAL);
  if (special < 0 && !ignoresCase) {
    return (path) => {
      meter.steps++;
      return path === pattern;
    };
  }
  const matches = linearMatcher(pattern, ignoresCase, meter);
  if (ignoresCase) return matches;
  // Most files of a folder fail here, at a tenth of the price.
  const prefix = pattern.slice(0, pattern.lastIndexOf('/', special) + 1);
  const suffix = /[^*?[\]{}\\/]*$/.exec(pattern)?.[0] ?? '';
  return (path) => {
    meter.steps++;
    return path.startsWith(prefix) && path.endsWith(suffix) && matches(path);
  };
}

/** Which of some files each of many globs matches: each is looked for once, and all of them together within a budget. */
export class GlobIndex {
  readonly #meter: GlobMeter = { steps: 0 };
  readonly #matched = new Map<string, Promise<readonly string[] | undefined>>();
  /** One after another: which glob comes too late must not depend on timing. */
  #last: Promise<unknown> = Promise.resolve();
  #pauseAt = STRETCH_STEPS;

  /** @param clock lets the thread do other work now and then */
  constructor(
    private readonly files: readonly string[],
    private readonly clock?: Pick<Clock, 'schedule'>,
    private readonly maxSteps = MAX_GLOB_STEPS,
  ) {}

  /** In the files' order; undefined when the globs before took all there is. */
  filesOf(pattern: string): Promise<readonly string[] | undefined> {
    const known = this.#matched.get(pattern);
    if (known) return known;
    const looking = this.#last.then(() => this.#look(pattern));
    this.#last = looking;
    this.#matched.set(pattern, looking);
    return looking;
  }

  async #look(pattern: string): Promise<readonly string[] | undefined> {
    const meter = this.#meter;
    const matches = globMatcher(pattern, { meter });
    const found: string[] = [];
    for (const path of this.files) {
      if (meter.steps >= this.maxSteps) return undefined;
      if (matches(path)) found.push(path);
      if (meter.steps < this.#pauseAt) continue;
      this.#pauseAt = meter.steps + STRETCH_STEPS;
      await new Promise<void>((resolve) => (this.clock ? this.clock.schedule(resolve, 0) : resolve()));
    }
    return found;
  }
}

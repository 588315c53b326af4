/**
 * Globs in time that grows with pattern × path and no faster: on hostile patterns regular expressions take exponential
 * time. The language: `*`, `**`, `?`, `[…]`, `{…,…}`, `\` before what is meant as it stands.
 */
import type { Clock } from '../ports/ports';

/** Characters that may mean something in a glob; what stands before the first of them is matched literally. */
const SPECIAL = /[*?[\]{}\\]/;

/** Steps of matching that the globs of one list may take together: some seconds. Usual ones take a thousandth of it. */
export const MAX_GLOB_STEPS = 100_000_000;

/** Steps after which the thread is let go: some milliseconds. */
const STRETCH_STEPS = 200_000;

/**
 * Compiles a glob as sections and config use it: relative to the folder, `/` only, with `*`, `**`, `?`, `[…]` and
 * `{…,…}`; files that start with a dot included, no negation. A path costs little with any glob, also a hostile one.
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

/** Of a pattern with more or longer alternatives only so many are looked at. */
const MAX_ALTERNATIVES = 256;
const MAX_ALTERNATIVE_CHARS = 1 << 14;

/** Counts what matching costs: roughly characters compared. Many patterns over many files share one. */
export interface GlobMeter {
  steps: number;
}

/** One place of a name: any run of characters, or one character that passes. */
export type GlobUnit = 'run' | ((character: string) => boolean);

/** A name of a path, any name, any number of names, or what a name begins and ends with. */
export type GlobName =
  | { readonly kind: 'deep' | 'any' }
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'ends'; readonly start: string; readonly end: string }
  | { readonly kind: 'units'; readonly units: readonly GlobUnit[] };

/** Compiles a pattern; what is malformed is meant as it stands. */
export function linearMatcher(
  pattern: string,
  ignoresCase: boolean,
  meter: GlobMeter = { steps: 0 },
): (path: string) => boolean {
  const cased = (text: string): string => (ignoresCase ? text.toLowerCase() : text);
  const alternatives = expandBraces(cased(pattern.replace(/^\.\//, ''))).map((single) => single.split('/').map(toName));
  return (path) => {
    const names = cased(path).split('/');
    return alternatives.some((alternative) => matchesNames(alternative, names, meter));
  };
}

function expandBraces(pattern: string): readonly string[] {
  let open: readonly string[] = [pattern];
  const done: string[] = [];
  while (open.length > 0 && done.length < MAX_ALTERNATIVES) {
    const next: string[] = [];
    for (const single of open) {
      const parts = firstBraces(single);
      if (!parts) done.push(single);
      else for (const choice of parts.choices) next.push(parts.before + choice + parts.after);
    }
    open = atMost(next);
  }
  return atMost(done);
}

/** The first of some patterns, at least one. */
function atMost(patterns: readonly string[]): readonly string[] {
  let chars = 0;
  return patterns.slice(0, MAX_ALTERNATIVES).filter((pattern, index) => {
    chars += pattern.length;
    return index === 0 || chars <= MAX_ALTERNATIVE_CHARS;
  });
}

/** The innermost group that closes first, so that groups in groups come apart one after the other. */
function firstBraces(
  pattern: string,
): { readonly before: string; readonly choices: readonly string[]; readonly after: string } | undefined {
  let start = -1;
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++;
    else if (pattern[at] === '{') start = at;
    else if (pattern[at] === '}' && start >= 0) {
      const choices = pattern.slice(start + 1, at).split(',');
      if (choices.length > 1) return { before: pattern.slice(0, start), choices, after: pattern.slice(at + 1) };
      start = -1;
    }
  }
  return undefined;
}

function toName(name: string): GlobName {
  if (name === '**') return { kind: 'deep' };
  const plain = /^([^*?[\\]*)(\*+)?([^*?[\\]*)$/.exec(name);
  if (!plain) return { kind: 'units', units: toUnits(name) };
  const [, start = '', stars, end = ''] = plain;
  if (stars === undefined) return { kind: 'literal', text: name };
  return start === '' && end === '' ? { kind: 'any' } : { kind: 'ends', start, end };
}

function toUnits(name: string): readonly GlobUnit[] {
  const units: GlobUnit[] = [];
  for (let at = 0; at < name.length; at++) {
    const character = name[at] ?? '';
    if (character === '*') {
      if (units.at(-1) !== 'run') units.push('run');
    } else if (character === '?') units.push(() => true);
    else if (character === '[' && name.indexOf(']', at + 2) > 0) {
      const end = name.indexOf(']', at + 2);
      units.push(toClass(name.slice(at + 1, end)));
      at = end;
    } else {
      const meant = character === '\\' && at + 1 < name.length ? (name[++at] ?? '') : character;
      units.push((given) => given === meant);
    }
  }
  return units;
}

/** @param inside such as `a-z_` or `^0-9` */
function toClass(inside: string): (character: string) => boolean {
  const isNegated = inside.startsWith('^');
  const members = isNegated ? inside.slice(1) : inside;
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < members.length; at++) {
    const from = members[at] ?? '';
    const to = members[at + 1] === '-' ? members[at + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  return (character) => ranges.some(([from, to]) => from <= character && character <= to) !== isNegated;
}

/** Two pointers: after a part of any depth only the last such part is ever tried again. */
export function matchesNames(pattern: readonly GlobName[], names: readonly string[], meter: GlobMeter): boolean {
  let at = 0;
  let part = 0;
  let deepPart = -1;
  let deepAt = 0;
  while (at < names.length) {
    const wanted = pattern[part];
    meter.steps++;
    if (wanted?.kind === 'deep') {
      deepPart = part++;
      deepAt = at;
    } else if (wanted && matchesName(wanted, names[at] ?? '', meter)) {
      part++;
      at++;
    } else if (deepPart >= 0) {
      part = deepPart + 1;
      at = ++deepAt;
    } else return false;
  }
  while (pattern[part]?.kind === 'deep') part++;
  return part === pattern.length;
}

function matchesName(wanted: GlobName, name: string, meter: GlobMeter): boolean {
  switch (wanted.kind) {
    case 'deep':
    case 'any':
      return true;
    case 'literal':
      return name === wanted.text;
    case 'ends': {
      const { start, end } = wanted;
      return name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end);
    }
    case 'units':
      return matchesUnits(wanted.units, name, meter);
  }
}

/** Two pointers: after a run only the last one is ever tried again. */
function matchesUnits(units: readonly GlobUnit[], name: string, meter: GlobMeter): boolean {
  let at = 0;
  let unit = 0;
  let runUnit = -1;
  let runAt = 0;
  while (at < name.length) {
    const wanted = units[unit];
    meter.steps++;
    if (wanted === 'run') {
      runUnit = unit++;
      runAt = at;
    } else if (wanted?.(name[at] ?? '')) {
      unit++;
      at++;
    } else if (runUnit >= 0) {
      unit = runUnit + 1;
      at = ++runAt;
    } else return false;
  }
  while (units[unit] === 'run') unit++;
  return unit === units.length;
}

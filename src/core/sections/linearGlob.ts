/**
 * Globs in time that grows with pattern × path and no faster, for patterns whose regular expression could take for ever.
 * The same language as `glob.ts`: `*`, `**`, `?`, `[…]`, `{…,…}`, `\` before what is meant as it stands.
 */

/** Of a pattern with more alternatives only so many are looked at. */
const MAX_ALTERNATIVES = 256;

/** One place of a name: any run of characters, or one character that passes. */
type Unit = 'run' | ((character: string) => boolean);

/** A name of a path, or any number of them. */
type Name = 'deep' | readonly Unit[];

/** Compiles a pattern; what is malformed is meant as it stands. */
export function linearMatcher(pattern: string, ignoresCase: boolean): (path: string) => boolean {
  const cased = (text: string): string => (ignoresCase ? text.toLowerCase() : text);
  const alternatives = expandBraces(cased(pattern.replace(/^\.\//, ''))).map((single) => single.split('/').map(toName));
  return (path) => {
    const names = cased(path).split('/');
    return alternatives.some((alternative) => matchesNames(alternative, names));
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
    open = next.slice(0, MAX_ALTERNATIVES);
  }
  return done.slice(0, MAX_ALTERNATIVES);
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

function toName(name: string): Name {
  if (name === '**') return 'deep';
  const units: Unit[] = [];
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

/** Rows of a table: whether the first `p` names of the pattern match the first `n` names of the path. */
function matchesNames(pattern: readonly Name[], names: readonly string[]): boolean {
  let row: boolean[] = [true, ...names.map(() => false)];
  for (const name of pattern) {
    const next: boolean[] = new Array<boolean>(row.length).fill(false);
    if (name === 'deep') {
      let isOpen = false;
      for (const [column, isMatch] of row.entries()) {
        isOpen ||= isMatch;
        next[column] = isOpen;
      }
    } else {
      for (const [column, given] of names.entries()) {
        next[column + 1] = row[column] === true && matchesName(name, given);
      }
    }
    row = next;
  }
  return row.at(-1) === true;
}

/** Two pointers: after a run only the last one is ever tried again. */
function matchesName(units: readonly Unit[], name: string): boolean {
  let at = 0;
  let unit = 0;
  let runUnit = -1;
  let runAt = 0;
  while (at < name.length) {
    const wanted = units[unit];
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

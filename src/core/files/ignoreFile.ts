/**
 * One ignore file, compiled, read as git does (`dir.c`, `wildmatch.c`) and matched in time linear in line × path. Names
 * and endings without wildcards are looked up, so that thousands of them cost no more than one.
 */
import { nameOf } from '../text/safePath';
import { type GlobMeter, type GlobName, type GlobUnit, matchesNames } from './glob';

/** What git's `[:class:]` stands for: ASCII alone, whatever the language. */
const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /^[0-9A-Za-z]$/,
  alpha: /^[A-Za-z]$/,
  blank: /^[ \t]$/,
  cntrl: /^\p{Cc}$/u,
  digit: /^[0-9]$/,
  graph: /^[!-~]$/,
  lower: /^[a-z]$/,
  print: /^[ -~]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^[ \t\n\r]$/,
  upper: /^[A-Z]$/,
  xdigit: /^[0-9A-Fa-f]$/,
};

/** Without any of these a pattern is a plain path. */
const SPECIAL = /[*?[\\]/;

type Test = (character: string) => boolean;

/** A place of a pattern. `stars` says how many; a bracket that has no end matches nothing. */
type Token =
  | { readonly kind: 'slash' | 'stars' }
  | { readonly kind: 'character'; readonly text: string }
  | { readonly kind: 'test'; readonly test: Test };

/** One line that means something. */
interface Rule {
  /** Later lines win. */
  readonly order: number;
  readonly isNegated: boolean;
  readonly isFolderOnly: boolean;
  /** Matches by the last name alone. */
  readonly isByName: boolean;
  readonly names: readonly GlobName[];
}

/** What the last line that matches says; `undecided` when the budget is spent. */
type IgnoreVerdict = 'ignored' | 'kept' | 'undecided' | undefined;

function later(a: Rule | undefined, b: Rule | undefined): Rule | undefined {
  return !a || (b && b.order > a.order) ? b : a;
}

/** Rules found by a text, such as a whole name. */
class RuleBook {
  readonly #forFolders = new Map<string, Rule>();
  readonly #forFiles = new Map<string, Rule>();

  /** The last rule for a text counts. */
  add(text: string, rule: Rule): void {
    this.#forFolders.set(text, rule);
    if (!rule.isFolderOnly) this.#forFiles.set(text, rule);
  }

  find(text: string, isFolder: boolean): Rule | undefined {
    return (isFolder ? this.#forFolders : this.#forFiles).get(text);
  }
}

export class IgnoreFile {
  readonly #byName = new RuleBook();
  readonly #byPath = new RuleBook();
  readonly #byEnding = new RuleBook();
  readonly #endingLengths = new Set<number>();
  /** Rules that must be tried, the last first: by the folder that they begin with, and the rest. */
  readonly #below = new Map<string, Rule[]>();
  readonly #others: readonly Rule[];

  constructor(text: string) {
    const others: Rule[] = [];
    for (const [order, line] of text
      .replace(/^\uFEFF/, '')
      .split('\n')
      .entries()) {
      const rule = readRule(line, order);
      if (rule && !this.#file(rule)) others.push(rule);
    }
    this.#others = others.reverse();
    for (const rules of this.#below.values()) rules.reverse();
  }

  /** @param path relative to the file's folder */
  judge(path: string, isFolder: boolean, meter: GlobMeter, maxSteps: number): IgnoreVerdict {
    meter.steps += 1 + this.#endingLengths.size;
    if (meter.steps >= maxSteps) return 'undecided';
    const name = nameOf(path);
    let found = later(this.#byName.find(name, isFolder), this.#byPath.find(path, isFolder));
    for (const length of this.#endingLengths) {
      if (name.length >= length) found = later(found, this.#byEnding.find(name.slice(name.length - length), isFolder));
    }
    const own = [name];
    const firstEnd = path.indexOf('/');
    const first = firstEnd < 0 ? path : path.slice(0, firstEnd);
    // Most paths are decided without their parts.
    let names: readonly string[] | undefined;
    for (const rules of [this.#below.get(first), this.#others]) {
      for (const rule of rules ?? []) {
        if (found && found.order > rule.order) break;
        if (meter.steps >= maxSteps) return 'undecided';
        meter.steps++;
        if (rule.isFolderOnly && !isFolder) continue;
        names ??= path.split('/');
        if (!matchesNames(rule.names, rule.isByName ? own : names, meter)) continue;
        found = rule;
        break;
      }
    }
    return found && (found.isNegated ? 'kept' : 'ignored');
  }

  /** Puts a rule where it is looked up; false when it must be tried. */
  #file(rule: Rule): boolean {
    const { names, isByName } = rule;
    const [first] = names;
    if (names.every((name) => name.kind === 'literal')) {
      (isByName ? this.#byName : this.#byPath).add(names.map(({ text }) => text).join('/'), rule);
    } else if (isByName && first?.kind === 'ends' && first.start === '') {
      this.#byEnding.add(first.end, rule);
      this.#endingLengths.add(first.end.length);
    } else if (!isByName && first?.kind === 'literal') {
      const below = this.#below.get(first.text);
      if (below) below.push(rule);
      else this.#below.set(first.text, [rule]);
    } else return false;
    return true;
  }
}

/** Undefined for a blank line, a comment, and what can never match. */
function readRule(raw: string, order: number): Rule | undefined {
  const ended = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
  const line = ended.endsWith(' ') ? withoutTrailingSpaces(ended) : ended;
  if (line === '' || line.startsWith('#')) return undefined;
  const isNegated = line.startsWith('!');
  const signed = isNegated ? line.slice(1) : line;
  const isFolderOnly = signed.endsWith('/');
  const pattern = isFolderOnly ? signed.slice(0, -1) : signed;
  const isByName = !pattern.includes('/');
  const inner = pattern.startsWith('/') ? pattern.slice(1) : pattern;
  const rule = { order, isNegated, isFolderOnly, isByName };
  if (pattern === '') return undefined;
  if (!SPECIAL.test(inner)) return { ...rule, names: [{ kind: 'literal', text: inner }] };
  const tokens = readTokens(inner);
  const names = tokens && toNames(tokens);
  // At any depth: by its name alone, then.
  if (names?.length === 2 && names[0]?.kind === 'deep' && names[1]?.kind !== 'deep')
    return { ...rule, isByName: true, names: names.slice(1) };
  return names && { ...rule, names };
}

/** Spaces after a backslash stay. */
function withoutTrailingSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') at++;
    else if (line[at] === ' ') continue;
    end = at + 1;
  }
  return line.slice(0, end);
}

function readTokens(pattern: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] ?? '';
    if (character === '/') tokens.push({ kind: 'slash' });
    else if (character === '*') tokens.push({ kind: 'stars' });
    else if (character === '?') tokens.push({ kind: 'test', test: () => true });
    else if (character === '[') {
      const bracket = readBracket(pattern, at);
      if (!bracket) return undefined;
      tokens.push({ kind: 'test', test: bracket.test });
      at = bracket.end;
    } else if (character === '\\') {
      const meant = pattern[++at];
      if (meant === undefined) return undefined;
      tokens.push(meant === '/' ? { kind: 'slash' } : { kind: 'character', text: meant });
    } else tokens.push({ kind: 'character', text: character });
  }
  return tokens;
}

/** `[…]` from `start` on; undefined when it has no end or an unknown class: then git gives up, and nothing matches. */
function readBracket(pattern: string, start: number): { readonly test: Test; readonly end: number } | undefined {
  let at = start + 1;
  const isNegated = pattern[at] === '!' || pattern[at] === '^';
  if (isNegated) at++;
  const tests: Test[] = [];
  let previous: string | undefined;
  for (let isFirst = true; isFirst || pattern[at] !== ']'; isFirst = false) {
    const character = pattern[at];
    if (character === undefined) return undefined;
    const isRange = character === '-' && previous !== undefined && pattern[at + 1] !== undefined;
    if (isRange && pattern[at + 1] !== ']') {
      const from = previous ?? '';
      at += pattern[at + 1] === '\\' ? 2 : 1;
      const to = pattern[at];
      if (to === undefined) return undefined;
      tests.push((given) => from <= given && given <= to);
      previous = undefined;
    } else if (character === '[' && pattern[at + 1] === ':') {
      const close = pattern.indexOf(']', at + 2);
      if (close < 0) return undefined;
      if (pattern[close - 1] === ':' && close - 1 > at + 1) {
        const known = CLASSES[pattern.slice(at + 2, close - 1)];
        if (!known) return undefined;
        tests.push((given) => known.test(given));
        at = close;
        previous = undefined;
      } else {
        tests.push((given) => given === '[');
        previous = '[';
      }
    } else {
      const meant = character === '\\' ? pattern[++at] : character;
      if (meant === undefined) return undefined;
      tests.push((given) => given === meant);
      previous = meant;
    }
    at++;
  }
  return { test: (given) => tests.some((test) => test(given)) !== isNegated, end: at };
}

function toNames(tokens: readonly Token[]): readonly GlobName[] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (token.kind === 'slash') parts.push([]);
    else parts.at(-1)?.push(token);
  }
  const names = parts.map(toName);
  // `a/**` is everything in the folder, not the folder.
  return names.at(-1)?.kind === 'deep' ? [...names.slice(0, -1), { kind: 'any' }, { kind: 'deep' }] : names;
}

function toName(tokens: readonly Token[]): GlobName {
  const stars = tokens.filter(({ kind }) => kind === 'stars').length;
  if (stars === tokens.length && stars > 0) return { kind: stars > 1 ? 'deep' : 'any' };
  const text = (some: readonly Token[]): string =>
    some.map((token) => (token.kind === 'character' ? token.text : '')).join('');
  const isPlain = tokens.every(({ kind }) => kind !== 'test');
  if (isPlain && stars === 0) return { kind: 'literal', text: text(tokens) };
  const first = tokens.findIndex(({ kind }) => kind === 'stars');
  const last = tokens.findLastIndex(({ kind }) => kind === 'stars');
  if (isPlain && last - first === stars - 1)
    return { kind: 'ends', start: text(tokens.slice(0, first)), end: text(tokens.slice(last + 1)) };
  return { kind: 'units', units: tokens.flatMap(toUnit) };
}

function toUnit(token: Token, index: number, all: readonly Token[]): readonly GlobUnit[] {
  if (token.kind === 'stars') return all[index - 1]?.kind === 'stars' ? [] : ['run'];
  if (token.kind === 'test') return [token.test];
  return token.kind === 'character' ? [(given) => given === token.text] : [];
}

import type { LexisTable } from './languageTable';
import {
  blockEnd,
  delimitedEnd,
  hashedEnd,
  heredocEnd,
  isRegexPlace,
  lifetimeEnd,
  lineEnd,
  regexEnd,
} from './lexerScan';

/** Character classes of the first 128 code units. */
export const OTHER = 0;
export const WORD_START = 1;
export const DIGIT = 2;
/** May begin (or end) a comment, a string, a hole. */
export const SPECIAL = 3;

/** What begins at a position; `end` is exclusive. */
interface Lexeme {
  kind: 'none' | 'comment' | 'string';
  end: number;
}

/** The opening of code inside of a string, and the brackets to count until its end. */
interface HoleRule {
  readonly open: string;
  readonly bracket: number;
  readonly close: number;
}

interface StringRule {
  readonly open: string;
  readonly close: string;
  readonly multiline: boolean;
  readonly raw: boolean;
  readonly holes: readonly HoleRule[];
  readonly names: boolean;
}

interface Hole {
  readonly string: StringRule;
  readonly rule: HoleRule;
  depth: number;
}

type PrefixStyle = 'plain' | 'hole' | 'hashes' | 'delimiter';

const NEWLINE = 10;
const BACKSLASH = 92;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_PAREN = 40;
const CLOSE_PAREN = 41;
const SLASH = 47;
const QUOTE = 39;
const DOLLAR = 36;
const EQUALS = 61;
/** So many openings without an end, and the text has no here-documents. */
const MAX_OPEN_HEREDOCS = 20;

function holeRule(open: string): HoleRule {
  return open.includes('(')
    ? { open, bracket: OPEN_PAREN, close: CLOSE_PAREN }
    : { open, bracket: OPEN_BRACE, close: CLOSE_BRACE };
}

const PREFIX_HOLES = [holeRule('{')];

function stringRule(rule: LexisTable['strings'][number]): StringRule {
  const holes = typeof rule.hole === 'string' ? [rule.hole] : (rule.hole ?? []);
  return {
    open: rule.open,
    close: rule.close ?? rule.open,
    multiline: rule.multiline === true,
    raw: rule.raw === true,
    holes: holes.map(holeRule),
    names: rule.names === true,
  };
}

function classify(table: LexisTable, strings: readonly StringRule[]): Uint8Array {
  const classes = new Uint8Array(128);
  for (let code = 0; code < 128; code++) {
    const char = String.fromCharCode(code);
    if (/[A-Za-z_]/.test(char) || table.identifierChars?.includes(char)) classes[code] = WORD_START;
    else if (/[0-9]/.test(char)) classes[code] = DIGIT;
  }
  const holes = strings.flatMap((rule) => rule.holes);
  if (table.stringPrefixes?.some(({ style }) => style === 'hole')) holes.push(...PREFIX_HOLES);
  const openers = [
    ...table.lineComments,
    ...table.blockComments.map((comment) => comment.open),
    ...table.strings.map((rule) => rule.open),
    ...(table.heredocs ?? []).map((rule) => rule.open),
    ...(table.heredocs ? ['\n'] : []),
    ...(table.lifetimes ? ["'"] : []),
    ...(table.regexLiterals ? ['/'] : []),
  ];
  for (const opener of openers) classes[opener.charCodeAt(0)] = SPECIAL;
  for (const { bracket, close } of holes) classes[bracket] = classes[close] = SPECIAL;
  return classes;
}

/** Per ASCII code: 1 joins two parts of a word, 2 may end a word. */
function joinersOf(table: LexisTable): Uint8Array {
  const joiners = new Uint8Array(128);
  for (const char of table.identifierInner ?? '') joiners[char.charCodeAt(0)] = 1;
  for (const char of table.identifierTail ?? '') joiners[char.charCodeAt(0)] = 2;
  return joiners;
}

/**
 * A language's comments and strings, ready to be skipped. Decides where a comment, a string or code inside a string
 * begins and ends; keeps the stack of open holes, so one instance reads one text at a time from its start (`reset`).
 */
export class Lexer {
  readonly classes: Uint8Array;
  /** Keywords and built-in names: not worth counting. */
  readonly ignored: ReadonlySet<string>;
  readonly #strings: readonly StringRule[];
  readonly #prefixes = new Map<string, PrefixStyle>();
  readonly #longestPrefix: number;
  readonly #joiners: Uint8Array;
  readonly #heredocs: readonly { readonly open: string; readonly pattern: RegExp }[];
  readonly #notComment: RegExp | undefined;
  readonly #found: Lexeme = { kind: 'none', end: 0 };
  #holes: Hole[] = [];
  #suspended: StringRule | undefined;
  #tags: string[] = [];
  #openHeredocs = 0;

  constructor(private readonly table: LexisTable) {
    this.#strings = table.strings.map(stringRule);
    this.classes = classify(table, this.#strings);
    this.ignored = new Set([...table.keywords, ...table.builtins]);
    for (const { words, style } of table.stringPrefixes ?? []) {
      for (const word of words) this.#prefixes.set(word, style);
    }
    this.#longestPrefix = Math.max(0, ...[...this.#prefixes.keys()].map((word) => word.length));
    this.#joiners = joinersOf(table);
    this.#heredocs = (table.heredocs ?? []).map(({ open, pattern }) => ({ open, pattern: new RegExp(pattern, 'uy') }));
    this.#notComment = table.notComment === undefined ? undefined : new RegExp(table.notComment, 'u');
  }

  /** Forgets what the last text left open. */
  reset(): void {
    if (this.#holes.length > 0) this.#holes = [];
    if (this.#tags.length > 0) this.#tags = [];
    this.#suspended = undefined;
    this.#openHeredocs = 0;
  }

  /** Whether a string waits for the end of a name inside of it (`"$name …"`), to be gone on with by `resume`. */
  get isSuspended(): boolean {
    return this.#suspended !== undefined;
  }

  /** Goes on with the string that a name interrupted; `at` is the name's end, or its start. */
  resume(text: string, at: number): number {
    const rule = this.#suspended;
    this.#suspended = undefined;
    let from = at;
    while (/\w/.test(text.charAt(from))) from++;
    return rule ? this.#stringEnd(text, from, rule) : at;
  }

  /** Whether the ASCII character at `at`, right behind a part of a word, belongs to the word. */
  joins(text: string, at: number): boolean {
    const joiner = this.#joiners[text.charCodeAt(at)];
    if (!joiner) return false;
    return joiner === 1 ? /[\p{L}_]/u.test(text.charAt(at + 1)) : text.charCodeAt(at + 1) !== EQUALS;
  }

  /** What begins at `at`, whose class is `SPECIAL`. The result is reused by the next call. */
  match(text: string, at: number): Lexeme {
    const code = text.charCodeAt(at);
    for (const comment of this.table.blockComments) {
      if (text.startsWith(comment.open, at)) return this.#result('comment', blockEnd(text, at, comment));
    }
    for (const open of this.table.lineComments) {
      if (text.startsWith(open, at) && !this.#notComment?.test(`${text.charAt(at - 1)}\n${text.slice(at, at + 2)}`))
        return this.#result('comment', lineEnd(text, at));
    }
    if (code === NEWLINE) return this.#result(this.#tags.length > 0 ? 'string' : 'none', this.#heredocsEnd(text, at));
    if (this.#holes.length > 0) {
      const resumed = this.#bracket(text, at, code);
      if (resumed >= 0) return this.#result('string', resumed);
    }
    if (code === QUOTE && this.table.lifetimes) return this.#result('string', lifetimeEnd(text, at));
    for (const rule of this.#strings) {
      if (text.startsWith(rule.open, at))
        return this.#result('string', this.#stringEnd(text, at + rule.open.length, rule));
    }
    for (const rule of this.#heredocs) if (text.startsWith(rule.open, at)) return this.#heredoc(text, at, rule.pattern);
    if (code === SLASH && this.table.regexLiterals && isRegexPlace(text, at)) {
      return this.#result('string', regexEnd(text, at));
    }
    return this.#result('none', at + 1);
  }

  /** When the word `text[start, end)` is a string's prefix and the string follows: where that string ends, else -1. */
  prefixedStringEnd(text: string, start: number, end: number): number {
    if (end - start > this.#longestPrefix) return -1;
    const next = text.charCodeAt(end);
    if (next !== 34 && next !== QUOTE && next !== 35) return -1;
    const style = this.#prefixes.get(text.slice(start, end));
    if (style === undefined) return -1;
    if (style === 'hashes') return hashedEnd(text, end);
    if (style === 'delimiter') return delimitedEnd(text, end);
    const rule = this.#strings.find((candidate) => text.startsWith(candidate.open, end));
    if (!rule) return -1;
    const string = style === 'hole' ? { ...rule, holes: PREFIX_HOLES } : rule;
    return this.#stringEnd(text, end + rule.open.length, string);
  }

  #result(kind: Lexeme['kind'], end: number): Lexeme {
    this.#found.kind = kind;
    this.#found.end = end;
    return this.#found;
  }

  /** Counts a bracket inside of the innermost hole; where the string ends that goes on behind the hole, else -1. */
  #bracket(text: string, at: number, code: number): number {
    const hole = this.#holes.at(-1);
    if (!hole) return -1;
    if (code === hole.rule.bracket) hole.depth++;
    else if (code === hole.rule.close) {
      if (hole.depth > 0) hole.depth--;
      else {
        this.#holes.pop();
        return this.#stringEnd(text, at + 1, hole.string);
      }
    }
    return -1;
  }

  #heredoc(text: string, at: number, pattern: RegExp): Lexeme {
    pattern.lastIndex = at;
    const tag = this.#openHeredocs < MAX_OPEN_HEREDOCS ? pattern.exec(text)?.groups?.tag : undefined;
    if (tag === undefined) return this.#result('none', at + 1);
    this.#tags.push(tag);
    return this.#result('string', pattern.lastIndex);
  }

  /** Behind the bodies of the here-documents that the line ending at `at` opened. */
  #heredocsEnd(text: string, at: number): number {
    let from = at;
    for (const tag of this.#tags) {
      const end = this.#openHeredocs < MAX_OPEN_HEREDOCS ? heredocEnd(text, from, tag) : -1;
      if (end < 0) this.#openHeredocs++;
      else from = end;
    }
    if (this.#tags.length > 0) this.#tags = [];
    return Math.max(from, at + 1);
  }

  /** End of a string whose content goes on at `from`, or of its part before a hole. */
  #stringEnd(text: string, from: number, rule: StringRule): number {
    const { close, holes, names } = rule;
    const closeCode = close.charCodeAt(0);
    const hasHoles = holes.length > 0;
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const hole = hasHoles ? holes.find(({ open }) => text.startsWith(open, at)) : undefined;
      if (hole) {
        if (hole.open === '{' && text.charCodeAt(at + 1) === OPEN_BRACE) at++;
        else {
          this.#holes.push({ string: rule, rule: hole, depth: 0 });
          return at + hole.open.length;
        }
      } else if (code === BACKSLASH && !rule.raw) at++;
      else if (code === NEWLINE && !rule.multiline) return at;
      else if (code === closeCode && text.startsWith(close, at)) return at + close.length;
      else if (names && code === DOLLAR && /[A-Za-z_]/.test(text.charAt(at + 1))) {
        this.#suspended = rule;
        return at + 1;
      }
    }
    return text.length;
  }
}

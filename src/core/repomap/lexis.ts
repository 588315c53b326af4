import type { LexisTable } from './languageTable';

/** Character classes of the first 128 code units. */
export const OTHER = 0;
export const WORD_START = 1;
export const DIGIT = 2;
/** May begin (or end) a comment, a string, a hole. */
export const SPECIAL = 3;

/** What begins at a position; `end` is exclusive. */
export interface Lexeme {
  kind: 'none' | 'comment' | 'string';
  end: number;
}

interface StringRule {
  readonly open: string;
  readonly multiline: boolean;
  readonly raw: boolean;
  readonly hole: string | undefined;
}

interface Hole {
  readonly rule: StringRule;
  depth: number;
}

type PrefixStyle = 'plain' | 'hole' | 'hashes' | 'delimiter';

const NEWLINE = 10;
const BACKSLASH = 92;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const SLASH = 47;
const QUOTE = 39;
/** Words after which a `/` begins a regular expression. */
const REGEX_AFTER = new Set(['return', 'typeof', 'case', 'in', 'of', 'do', 'else', 'void', 'delete', 'await', 'yield']);

function classify(table: LexisTable): Uint8Array {
  const classes = new Uint8Array(128);
  for (let code = 0; code < 128; code++) {
    const char = String.fromCharCode(code);
    if (/[A-Za-z_]/.test(char) || table.identifierChars?.includes(char)) classes[code] = WORD_START;
    else if (/[0-9]/.test(char)) classes[code] = DIGIT;
  }
  const openers = [
    ...table.lineComments,
    ...table.blockComments.map((comment) => comment.open),
    ...table.strings.map((rule) => rule.open),
    ...(table.lifetimes ? ["'"] : []),
    ...(table.regexLiterals ? ['/'] : []),
    ...(table.strings.some((rule) => rule.hole) || table.stringPrefixes?.some((p) => p.style === 'hole')
      ? ['{', '}']
      : []),
  ];
  for (const opener of openers) classes[opener.charCodeAt(0)] = SPECIAL;
  return classes;
}

/**
 * A language's comments and strings, ready to be skipped. Decides where a comment, a string or code inside a string
 * begins and ends; keeps the stack of open holes, so one instance reads one text at a time from its start (`reset`).
 */
export class Lexis {
  readonly classes: Uint8Array;
  /** Keywords and built-in names: not worth counting. */
  readonly ignored: ReadonlySet<string>;
  readonly #table: LexisTable;
  readonly #strings: readonly StringRule[];
  readonly #prefixes = new Map<string, PrefixStyle>();
  readonly #longestPrefix: number;
  readonly #found: Lexeme = { kind: 'none', end: 0 };
  #holes: Hole[] = [];

  constructor(table: LexisTable) {
    this.#table = table;
    this.classes = classify(table);
    this.ignored = new Set([...table.keywords, ...table.builtins]);
    this.#strings = table.strings.map((rule) => ({
      open: rule.open,
      multiline: rule.multiline === true,
      raw: rule.raw === true,
      hole: rule.hole,
    }));
    for (const { words, style } of table.stringPrefixes ?? []) {
      for (const word of words) this.#prefixes.set(word, style);
    }
    this.#longestPrefix = Math.max(0, ...[...this.#prefixes.keys()].map((word) => word.length));
  }

  /** Forgets the open holes of the last text. */
  reset(): void {
    if (this.#holes.length > 0) this.#holes = [];
  }

  /** What begins at `at`, whose class is `SPECIAL`. The result is reused by the next call. */
  match(text: string, at: number): Lexeme {
    const code = text.charCodeAt(at);
    if (code === OPEN_BRACE || code === CLOSE_BRACE) return this.#brace(text, at, code);
    for (const open of this.#table.lineComments) {
      if (text.startsWith(open, at)) return this.#result('comment', lineEnd(text, at));
    }
    for (const comment of this.#table.blockComments) {
      if (text.startsWith(comment.open, at)) return this.#result('comment', blockEnd(text, at, comment));
    }
    if (code === QUOTE && this.#table.lifetimes) return this.#result('string', lifetimeEnd(text, at));
    for (const rule of this.#strings) {
      if (text.startsWith(rule.open, at))
        return this.#result('string', this.#stringEnd(text, at + rule.open.length, rule));
    }
    if (code === SLASH && this.#table.regexLiterals && isRegexPlace(text, at)) {
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
    return this.#stringEnd(text, end + rule.open.length, style === 'hole' ? { ...rule, hole: '{' } : rule);
  }

  #result(kind: Lexeme['kind'], end: number): Lexeme {
    this.#found.kind = kind;
    this.#found.end = end;
    return this.#found;
  }

  #brace(text: string, at: number, code: number): Lexeme {
    const hole = this.#holes.at(-1);
    if (hole) {
      if (code === OPEN_BRACE) hole.depth++;
      else if (hole.depth > 0) hole.depth--;
      else {
        this.#holes.pop();
        return this.#result('string', this.#stringEnd(text, at + 1, hole.rule));
      }
    }
    return this.#result('none', at + 1);
  }

  /** End of a string whose content goes on at `from`, or of its part before a hole. */
  #stringEnd(text: string, from: number, rule: StringRule): number {
    const close = rule.open;
    const closeCode = close.charCodeAt(0);
    const holeCode = rule.hole?.charCodeAt(0) ?? -1;
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === BACKSLASH && !rule.raw) at++;
      else if (code === NEWLINE && !rule.multiline) return at;
      else if (code === closeCode && text.startsWith(close, at)) return at + close.length;
      else if (code === holeCode && rule.hole && text.startsWith(rule.hole, at)) {
        if (rule.hole === '{' && text.charCodeAt(at + 1) === OPEN_BRACE) at++;
        else {
          this.#holes.push({ rule, depth: 0 });
          return at + rule.hole.length;
        }
      }
    }
    return text.length;
  }
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function blockEnd(
  text: string,
  at: number,
  comment: { readonly open: string; readonly close: string; nests?: true | undefined },
): number {
  let depth = 1;
  let from = at + comment.open.length;
  while (depth > 0) {
    const close = text.indexOf(comment.close, from);
    if (close < 0) return text.length;
    if (comment.nests) {
      for (let open = text.indexOf(comment.open, from); open >= 0 && open < close; ) {
        depth++;
        open = text.indexOf(comment.open, open + comment.open.length);
      }
    }
    depth--;
    from = close + comment.close.length;
  }
  return from;
}

/** `'x'` and `'\u{1F600}'` are characters; of the lifetime `'a` only the quote is skipped. */
function lifetimeEnd(text: string, at: number): number {
  if (text.charCodeAt(at + 1) === BACKSLASH) {
    const close = text.indexOf("'", at + 3);
    return close < 0 || close > at + 12 ? at + 2 : close + 1;
  }
  const width = (text.codePointAt(at + 1) ?? 0) > 0xffff ? 2 : 1;
  return text.charCodeAt(at + 1 + width) === QUOTE ? at + width + 2 : at + 1;
}

function hashedEnd(text: string, at: number): number {
  let quote = at;
  while (text.charCodeAt(quote) === 35) quote++;
  if (text.charCodeAt(quote) !== 34) return -1;
  const close = `"${text.slice(at, quote)}`;
  const end = text.indexOf(close, quote + 1);
  return end < 0 ? text.length : end + close.length;
}

function delimitedEnd(text: string, at: number): number {
  const paren = text.indexOf('(', at);
  if (text.charCodeAt(at) !== 34 || paren < 0 || paren > at + 17) return -1;
  const close = `)${text.slice(at + 1, paren)}"`;
  const end = text.indexOf(close, paren);
  return end < 0 ? text.length : end + close.length;
}

function isRegexPlace(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && (text.charCodeAt(before) === 32 || text.charCodeAt(before) === 9)) before--;
  if (before < 0) return true;
  const char = text.charAt(before);
  if (/[\w$]/.test(char)) {
    let start = before;
    while (start > 0 && before - start < 10 && /[\w$]/.test(text.charAt(start - 1))) start--;
    return REGEX_AFTER.has(text.slice(start, before + 1));
  }
  return !/[)\]}"'`]/.test(char);
}

/** End of a regular expression on this line; just past the slash when it is a division after all. */
function regexEnd(text: string, at: number): number {
  let isInClass = false;
  for (let end = at + 1; end < text.length; end++) {
    const char = text.charAt(end);
    if (char === '\n') break;
    if (char === '\\') end++;
    else if (char === '[') isInClass = true;
    else if (char === ']') isInClass = false;
    else if (char === '/' && !isInClass) return end + 1;
  }
  return at + 1;
}

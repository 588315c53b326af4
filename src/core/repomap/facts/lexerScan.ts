/** Where single comments and literals end: the scanning that `lexer.ts` does by rule. Each is linear in what it skips. */

const BACKSLASH = 92;
const QUOTE = 39;
/** Words after which a `/` begins a regular expression. */
const REGEX_AFTER = new Set([
  ...['return', 'typeof', 'case', 'in', 'of', 'do', 'else', 'void', 'delete', 'await', 'yield'],
  ...['and', 'elsif', 'if', 'not', 'or', 'unless', 'until', 'when', 'while'],
]);
/** A longer "regular expression" is a division in a long line. */
const MAX_REGEX_CHARS = 1000;

/** End of the line at `at`, before its line feed. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** End of a block comment that opens at `at`. */
export function blockEnd(
  text: string,
  at: number,
  comment: { readonly open: string; readonly close: string; readonly nests?: true | undefined },
): number {
  const { open, close } = comment;
  let from = at + open.length;
  let nextOpen = comment.nests ? text.indexOf(open, from) : -1;
  for (let depth = 1; ; ) {
    const end = text.indexOf(close, from);
    if (end < 0) return text.length;
    while (nextOpen >= 0 && nextOpen < end) {
      depth++;
      nextOpen = text.indexOf(open, nextOpen + open.length);
    }
    from = end + close.length;
    if (nextOpen >= 0 && nextOpen < from) nextOpen = text.indexOf(open, from);
    depth--;
    if (depth === 0) return from;
  }
}

/** `'x'` and `'\u{1F600}'` are characters; of the lifetime `'a` only the quote is skipped. */
export function lifetimeEnd(text: string, at: number): number {
  if (text.charCodeAt(at + 1) === BACKSLASH) {
    const close = text.slice(at + 3, at + 13).indexOf("'");
    return close < 0 ? at + 2 : at + 3 + close + 1;
  }
  const width = (text.codePointAt(at + 1) ?? 0) > 0xffff ? 2 : 1;
  return text.charCodeAt(at + 1 + width) === QUOTE ? at + width + 2 : at + 1;
}

/** End of `#"…"#` whose hashes or quote are at `at`, or -1. */
export function hashedEnd(text: string, at: number): number {
  let quote = at;
  while (text.charCodeAt(quote) === 35) quote++;
  if (text.charCodeAt(quote) !== 34) return -1;
  const close = `"${text.slice(at, quote)}`;
  const end = text.indexOf(close, quote + 1);
  return end < 0 ? text.length : end + close.length;
}

/** End of `"x(…)x"` whose quote is at `at`, or -1. */
export function delimitedEnd(text: string, at: number): number {
  const paren = at + text.slice(at, at + 18).indexOf('(');
  if (text.charCodeAt(at) !== 34 || paren < at) return -1;
  const close = `)${text.slice(at + 1, paren)}"`;
  const end = text.indexOf(close, paren);
  return end < 0 ? text.length : end + close.length;
}

/** Whether a `/` at `at` may begin a regular expression. */
export function isRegexPlace(text: string, at: number): boolean {
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
export function regexEnd(text: string, at: number): number {
  let isInClass = false;
  const limit = Math.min(text.length, at + MAX_REGEX_CHARS);
  for (let end = at + 1; end < limit; end++) {
    const char = text.charAt(end);
    if (char === '\n') break;
    if (char === '\\') end++;
    else if (char === '[') isInClass = true;
    else if (char === ']') isInClass = false;
    else if (char === '/' && !isInClass) return end + 1;
  }
  return at + 1;
}

/** Start of the first line after `from` that begins with `tag` (white space aside), behind the tag; -1 when none does. */
export function heredocEnd(text: string, from: number, tag: string): number {
  for (let feed = from; feed >= 0; feed = text.indexOf('\n', feed + 1)) {
    let at = feed + 1;
    while (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9) at++;
    if (text.startsWith(tag, at) && !/\w/.test(text.charAt(at + tag.length))) return at + tag.length;
  }
  return -1;
}

/**
 * Which code spans name a symbol: a call, a qualified name, or a word that only code has. It goes by form alone;
 * whether this workspace knows the words is asked of the index.
 */
import type { MarkdownSpan } from './markdownSpans';

/** A name that has the form of a symbol. */
export interface SymbolMention {
  /** As written, without arguments. */
  readonly text: string;
  /** Its parts, the outermost first. */
  readonly parts: readonly string[];
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

const NAME = /^[A-Za-z_$][\w$]*(?:(?:\.|::|#|\?\.)[A-Za-z_$][\w$]*)*/;
/** What may follow a name: arguments, generics. */
const REST = /^(?:<[\w\s,<>[\].|]*>)?(?:\(.*\))?[!?]?$/;

/** The symbol that a span names, by its form; undefined when it is none. */
export function symbolMention(span: MarkdownSpan): SymbolMention | undefined {
  if (span.form !== 'code') return undefined;
  const text = NAME.exec(span.text)?.[0];
  if (text === undefined || !REST.test(span.text.slice(text.length))) return undefined;
  const parts = text.split(/\.|::|#|\?\./);
  const end = span.start + text.length;
  return { text, parts, line: span.line, start: span.start, end };
}

/** A word that only code has: capitals or underscores inside, long enough not to be an abbreviation. */
export function isDistinctive(word: string): boolean {
  return word.length >= 6 && (/[a-z\d][A-Z]/.test(word) || /[A-Za-z\d]_+[A-Za-z\d]/.test(word));
}

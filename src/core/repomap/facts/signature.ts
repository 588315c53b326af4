import { ellipsize } from '../../text/sentence';
import { stripComments } from './identifiers';
import type { Lexer } from './lexer';

/** A doc line is a hint, not a text; longer ones are cut. */
const MAX_DOC_CHARS = 200;
/** The first lines are in here, or nowhere. */
const MAX_BLOCK_CHARS = 4000;

/** Opening marks of comments and string literals, and what decorates each line of them. */
const MARKS = new RegExp(
  `^\\s*(?:${[
    // Python, Julia, Elixir
    `(?:@(?:module|type)?doc\\s+)?(?:~[sS])?[rRbBuUfF]{0,2}(?:"""|'''|["'])`,
    // C's family; OCaml; PowerShell, Lua, Haskell, Julia, Ruby, HTML
    '\\/\\*+[*!]?',
    '\\(\\*+',
    '<#|--\\[=*\\[|\\{-|#=|=begin\\b|<!--',
    // Marks of single lines
    '\\/\\/[/!]?|\\*(?![/)])|#+(?!(?:end)?region\\b)|--+|;+',
  ].join('|')})?\\s?`,
  'u',
);
/** Haddock's mark of a doc comment behind the comment's own. */
const HADDOCK = /^\s*[|^]\s/u;
const CLOSERS = /\s*(?:\*+[/)]|--+>|#>|-\}|=#|\]=*\]|=end|"""|''')\s*$/u;
const QUOTED = /^\s*(?:@(?:module|type)?doc\s+)?[rRbBuUfF]{0,2}(["'])(?!\1\1)/u;
const QUOTE_CLOSER = /["']\s*$/u;
/** C#'s XML: what a reference names, and elements around prose. */
const XML_REFERENCE = /<(?:see|seealso|paramref|typeparamref)\b[^>"]*"(?:[A-Z]:)?([^"]*)"\s*\/>/gu;
const XML_ELEMENT = /<\/?(?:summary|remarks|para|c|b|i)\s*\/?>/gu;
/** Lines that say nothing about the definition: rulers, and directives for tools. */
const NOISE =
  /^(?:[-=*#~/_+\s]*|!\/.*|[@#:]?(?:eslint|ts-|prettier|biome|istanbul|c8|v8|tslint|noinspection|nolint|noqa|pragma|pylint|type:|region|endregion|go:|nodoc:|rubocop:|frozen_string_literal:|shellcheck|stylua|luacheck|credo:|phpcs:|phpstan|psalm-|swiftlint:|MARK:|export\b$)\S*.*|@(?:param|returns?|type|typedef|template|internal|public|private|override|inheritdoc|doc|class|field|generic|var|throws)\b.*|<\/?(?:inheritdoc|param|typeparam|returns|exception|value|example|code|include)\b.*|\.(?:SYNOPSIS|DESCRIPTION|PARAMETER\b.*|EXAMPLE))$/iu;

/** First line of a comment block or docstring that says something, without marks; empty when there is none. */
export function firstDocLine(block: string): string {
  const isQuoted = QUOTED.test(block);
  for (const line of block.slice(0, MAX_BLOCK_CHARS).split('\n')) {
    const bare = line.replace(MARKS, '').replace(CLOSERS, '').replace(HADDOCK, '');
    const prose = bare.includes('<') ? bare.replace(XML_REFERENCE, '$1').replace(XML_ELEMENT, '') : bare;
    const text = foldLines(isQuoted ? prose.replace(QUOTE_CLOSER, '') : prose);
    if (text !== '' && !NOISE.test(text)) return ellipsize(text, MAX_DOC_CHARS);
  }
  return '';
}

/** Longest signature that facts keep (UTF-16 code units); beyond it is data, such as a generated default value. */
const MAX_SIGNATURE_CHARS = 4000;

/** A value (of a constant, an alias) is shown up to here. */
const MAX_VALUE_CHARS = 60;

/** Whether there is nothing to fold: printable ASCII with single spaces inside, as most signatures are. */
function isFolded(text: string): boolean {
  let before = 32;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 32 || code > 126 || (code === 32 && before === 32)) return false;
    before = code;
  }
  return before !== 32 || text === '';
}

/** White space folded to single spaces; brackets that were broken over lines are closed up. */
export function foldLines(text: string): string {
  if (isFolded(text)) return text;
  return text
    .replace(/\\\r?\n/g, ' ')
    .replace(/([([<])\s*\n\s*/g, '$1')
    .replace(/,?\s*\n\s*([)\]>])/g, '$1')
    .replace(/[\s\u0085\p{Cc}]+/gu, ' ')
    .trim();
}

/** Source ranges that make a signature, as offsets into the file's text. */
interface SignatureRanges {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** A long value inside of the signature. */
  readonly value: { readonly start: number; readonly end: number } | undefined;
  /** Left out: annotations, decorators. In document order, without overlap. */
  readonly omitted: readonly { readonly start: number; readonly end: number }[];
  /** Word to put in front when the text does not begin with it. */
  readonly prefix: string | undefined;
  /** Removed from the end of a signature that has no value. */
  readonly trailing?: RegExp | undefined;
}

/** The signature on one line: comments, annotations and the opening of the body removed, a long value cut. */
export function buildSignature(text: string, ranges: SignatureRanges, lexis: Lexer): string {
  const until = ranges.value?.start ?? ranges.end;
  let source = '';
  let from = ranges.start;
  for (const omitted of ranges.omitted) {
    if (omitted.start < from || omitted.end > until) continue;
    source += `${text.slice(from, omitted.start)} `;
    from = omitted.end;
  }
  source += text.slice(from, Math.max(from, Math.min(until, from + 4 * MAX_SIGNATURE_CHARS)));
  const clean = (text: string): string => foldLines(stripComments(text, lexis));
  let signature = clean(source);
  if (ranges.value) {
    // Read a little more than is shown: folding only makes it shorter.
    const value = clean(text.slice(ranges.value.start, Math.min(ranges.value.end, ranges.value.start + 1000)));
    const space = /\s/u.test(text.charAt(ranges.value.start - 1)) ? ' ' : '';
    signature = `${signature}${space}${ellipsize(value.replace(/^[|&] /u, ''), MAX_VALUE_CHARS)}`;
  } else {
    signature = signature.replace(/(?:\s|[{:;])+$/u, '');
    if (ranges.trailing) signature = signature.replace(ranges.trailing, '').replace(/[\s;]+$/u, '');
  }
  if (ranges.prefix && !signature.startsWith(`${ranges.prefix} `)) signature = `${ranges.prefix} ${signature}`;
  return ellipsize(signature, MAX_SIGNATURE_CHARS);
}

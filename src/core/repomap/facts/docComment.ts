import { ellipsize, foldLines } from './signature';

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

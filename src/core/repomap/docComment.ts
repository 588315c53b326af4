import { ellipsize, foldLines } from './signature';

/** A doc line is a hint, not a text; longer ones are cut. */
const MAX_DOC_CHARS = 200;
/** The first lines are in here, or nowhere. */
const MAX_BLOCK_CHARS = 4000;

/** Opening marks of comments and string literals, and what decorates each line of them. */
const MARKS =
  /^\s*(?:[rRbBuUfF]{0,2}(?:"""|'''|["'])|\/\*+[*!]?|\/\/[/!]?|\*(?!\/)|#+(?!(?:end)?region\b)|--+|;+|<!--)?\s?/u;
const CLOSERS = /\s*(?:\*+\/|-->|"""|''')\s*$/u;
const QUOTED = /^\s*[rRbBuUfF]{0,2}(["'])(?!\1\1)/u;
const QUOTE_CLOSER = /["']\s*$/u;
/** Lines that say nothing about the definition: rulers, and directives for tools. */
const NOISE =
  /^(?:[-=*#~/_+\s]*|[@#]?(?:eslint|ts-|prettier|biome|istanbul|c8|v8|tslint|noinspection|nolint|noqa|pragma|pylint|type:|region|endregion|go:|export\b$)\S*.*|@(?:param|returns?|type|typedef|template|internal|public|private|override|inheritdoc)\b.*)$/iu;

/** First line of a comment block or docstring that says something, without marks; empty when there is none. */
export function firstDocLine(block: string): string {
  const isQuoted = QUOTED.test(block);
  for (const line of block.slice(0, MAX_BLOCK_CHARS).split('\n')) {
    const bare = line.replace(MARKS, '').replace(CLOSERS, '');
    const text = foldLines(isQuoted ? bare.replace(QUOTE_CLOSER, '') : bare);
    if (text !== '' && !NOISE.test(text)) return ellipsize(text, MAX_DOC_CHARS);
  }
  return '';
}

import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import type { Tokenizer, TokenizerName } from '../../src/core/ports/ports';

const RANKS = { o200k_base: o200k, cl100k_base: cl100k };

const encodings = new Map<TokenizerName, Tiktoken>();

/** The reference tokenizer itself, without a cache of counts: what a recount by somebody else would give. */
export function exactTokenizer(name: TokenizerName): Tokenizer {
  const encoding = encodings.get(name) ?? new Tiktoken(RANKS[name]);
  encodings.set(name, encoding);
  return { name, count: (text) => encoding.encode(text, [], []).length };
}

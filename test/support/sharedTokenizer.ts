import type { Tokenizer, TokenizerName } from '../../src/core/ports/ports';
import { createTokenizer } from '../../src/worker/tokenizer';
import { ranksFile } from '../unit/worker/ranksFile';

const made = new Map<TokenizerName, Tokenizer>();

/** A tokenizer as the engine makes it, made once in this process: reading its ranks takes longer than most tests. */
export function sharedTokenizer(name: TokenizerName): Tokenizer {
  const tokenizer = made.get(name) ?? createTokenizer(name, ranksFile(name));
  made.set(name, tokenizer);
  return tokenizer;
}

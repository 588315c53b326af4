import { createRequire } from 'node:module';
import type { TokenizerName } from '../../../src/core/ports';

const require = createRequire(import.meta.url);

/** The asset `dist/tokenizers/<name>.json` as the build makes it from js-tiktoken, so that tests need no build. */
export function ranksJson(name: TokenizerName): Uint8Array {
  const { pat_str, bpe_ranks } = require(`js-tiktoken/ranks/${name}`) as { pat_str: string; bpe_ranks: string };
  return new TextEncoder().encode(JSON.stringify({ pat_str, bpe_ranks }));
}

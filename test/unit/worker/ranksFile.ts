import { createRequire } from 'node:module';
// @ts-expect-error a build script without types
import { packRanks } from '../../../esbuild.assets.mjs';
import type { TokenizerName } from '../../../src/core/ports/ports';

const require = createRequire(import.meta.url);
const packed = new Map<TokenizerName, Uint8Array>();

/** The asset `dist/tokenizers/<name>.ranks` as the build makes it from js-tiktoken, so that tests need no build. */
export function ranksFile(name: TokenizerName): Uint8Array {
  const known = packed.get(name);
  const asset: Uint8Array = known ?? packRanks(require(`js-tiktoken/ranks/${name}`));
  packed.set(name, asset);
  // A copy: workers get assets by transfer.
  return Uint8Array.from(asset);
}

import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
// @ts-expect-error a build script without types
import { packRanks } from '../../../esbuild.assets.mjs';
import type { TokenizerName } from '../../../src/core/ports/ports';

const require = createRequire(import.meta.url);
const root = path.resolve(import.meta.dirname, '../../..');
const packed = new Map<TokenizerName, Uint8Array>();

/** What a build has made of the same packer and packages, which it tells by the same times: to pack takes a second. */
function builtRanks(name: TokenizerName): Uint8Array | undefined {
  const file = path.join(root, `dist/tokenizers/${name}.ranks`);
  const inputs = ['esbuild.assets.mjs', 'package-lock.json'].map((input) => statSync(path.join(root, input)).mtimeMs);
  return existsSync(file) && statSync(file).mtimeMs >= Math.max(...inputs) ? readFileSync(file) : undefined;
}

/** The asset `dist/tokenizers/<name>.ranks` as the build makes it from js-tiktoken, so that tests need no build. */
export function ranksFile(name: TokenizerName): Uint8Array {
  const asset: Uint8Array = packed.get(name) ?? builtRanks(name) ?? packRanks(require(`js-tiktoken/ranks/${name}`));
  packed.set(name, asset);
  // A copy: workers get assets by transfer.
  return new Uint8Array(asset);
}

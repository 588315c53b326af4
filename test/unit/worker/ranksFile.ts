import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
// @ts-expect-error a build script without types
import { packRanks } from '../../../esbuild.assets.mjs';
import type { TokenizerName } from '../../../src/core/ports/ports';

const require = createRequire(import.meta.url);
const packed = new Map<TokenizerName, Uint8Array>();

const changedAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** The asset as the last build made it, unless what it is made of or by has changed since. */
function builtFile(name: TokenizerName): Uint8Array | undefined {
  const built = path.resolve(`dist/tokenizers/${name}.ranks`);
  const sources = ['esbuild.assets.mjs', 'package-lock.json'];
  return sources.every((source) => changedAt(source) <= changedAt(built)) ? readFileSync(built) : undefined;
}

/** The asset `dist/tokenizers/<name>.ranks`, made from js-tiktoken as the build makes it where there is no build. */
export function ranksFile(name: TokenizerName): Uint8Array {
  const known = packed.get(name);
  const asset: Uint8Array = known ?? builtFile(name) ?? packRanks(require(`js-tiktoken/ranks/${name}`));
  packed.set(name, asset);
  // A copy: workers get assets by transfer.
  return Uint8Array.from(asset);
}

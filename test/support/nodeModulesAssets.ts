import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
// @ts-expect-error a build script without types
import { readGrammar } from '../../esbuild.assets.mjs';
import manifest from '../../grammars/manifest.json';
import type { AssetSource } from '../../src/core/ports/ports';

const root = join(import.meta.dirname, '..', '..');
const grammars = new Map([manifest.runtime, ...manifest.grammars].map((entry) => [entry.file, entry]));

/** The product's assets as the build would copy them: tables from `grammars/`, wasm files from `node_modules`. */
export const nodeModulesAssets: AssetSource = {
  async read(name) {
    const grammar = grammars.get(name.slice('grammars/'.length));
    return grammar ? readGrammar(join(root, 'node_modules'), grammar) : readFile(join(root, name));
  },
};

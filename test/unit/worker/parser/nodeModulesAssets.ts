import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import manifest from '../../../../grammars/manifest.json';
import type { AssetSource } from '../../../../src/core/ports';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const packages = new Map([manifest.runtime, ...manifest.grammars].map((entry) => [entry.file, entry.package]));

/** The product's assets as the build would copy them: tables from `grammars/`, wasm files from `node_modules`. */
export const nodeModulesAssets: AssetSource = {
  read(name) {
    const file = name.slice('grammars/'.length);
    const from = packages.get(file);
    return readFile(from === undefined ? join(root, name) : join(root, 'node_modules', from, file));
  },
};

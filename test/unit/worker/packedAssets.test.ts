import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
// @ts-expect-error a build script without types
import { holdsWasm, packWasm } from '../../../esbuild.assets.mjs';
import type { AssetSource } from '../../../src/core/ports/ports';
import { packedAssets } from '../../../src/worker/packedAssets';

const root = path.resolve(import.meta.dirname, '../../..');
const runtime = readFileSync(path.join(root, 'node_modules/web-tree-sitter/web-tree-sitter.wasm'));

/** Gives the names that it was asked for, as text, and `packed` for `.br`. */
function filesWith(packed: Uint8Array): AssetSource & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    read: async (name) => {
      asked.push(name);
      return name.endsWith('.br') ? packed : new TextEncoder().encode(name);
    },
  };
}

describe('packedAssets', () => {
  it('unpacks the WebAssembly that the build packed', async () => {
    const files = filesWith(await packWasm(runtime));
    const assets = packedAssets(files, brotliDecompressSync);
    expect(Buffer.compare(await assets.read('grammars/web-tree-sitter.wasm'), runtime)).toBe(0);
    expect(files.asked).toEqual(['grammars/web-tree-sitter.wasm.br']);
  });

  it.each(['grammars/go.json', 'dist/tokenizers/o200k_base.ranks'])('passes %s on as it is', async (name) => {
    const files = filesWith(new Uint8Array());
    const bytes = await packedAssets(files, brotliDecompressSync).read(name);
    expect(new TextDecoder().decode(bytes)).toBe(name);
  });

  it('rejects a file that is not packed', async () => {
    const assets = packedAssets(filesWith(runtime), brotliDecompressSync);
    await expect(assets.read('grammars/tree-sitter-go.wasm')).rejects.toThrow();
  });
});

describe('the build', () => {
  it('packs again what a killed build left incomplete, and what holds other bytes', () => {
    const packed = brotliCompressSync(Buffer.from('wasm'));
    expect(holdsWasm(packed, Buffer.from('wasm'))).toBe(true);
    expect(holdsWasm(packed, Buffer.from('wasn'))).toBe(false);
    expect(holdsWasm(packed.subarray(0, -2), Buffer.from('wasm'))).toBe(false);
    expect(holdsWasm(Buffer.alloc(0), Buffer.from('wasm'))).toBe(false);
    expect(holdsWasm(Buffer.from('not packed at all'), Buffer.from('wasm'))).toBe(false);
  });

  it('makes at least a fourth less of a grammar than a zip does', async () => {
    const grammar = readFileSync(path.join(root, 'node_modules/tree-sitter-c/tree-sitter-c.wasm'));
    expect((await packWasm(grammar)).length).toBeLessThan(0.75 * deflateRawSync(grammar, { level: 9 }).length);
  });
});

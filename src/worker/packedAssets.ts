import type { AssetSource } from '../core/ports/ports';

const PACKED = /^grammars\/[^/]+\.wasm$/;

/**
 * Product files with the WebAssembly unpacked: it ships as `<name>.br` (`esbuild.assets.mjs`), since a zip makes little
 * of grammars. Unpacking happens where the bytes are used, so that no host's main thread waits for it.
 * @param unpack undoes Brotli (RFC 7932) and throws on what is not that
 */
export function packedAssets(assets: AssetSource, unpack: (packed: Uint8Array) => Uint8Array): AssetSource {
  return {
    read: async (name) => (PACKED.test(name) ? unpack(await assets.read(`${name}.br`)) : assets.read(name)),
  };
}

import { brotliCompressSync, constants } from 'node:zlib';
import type { AssetSource } from '../../src/core/ports/ports';

/** `assets` as they ship: WebAssembly under the name `<name>.br`, packed (quickly, where the build packs well). */
export function packedFiles(assets: AssetSource): AssetSource {
  const packed = new Map<string, Uint8Array>();
  return {
    async read(name) {
      if (!name.endsWith('.br')) return assets.read(name);
      const params = { [constants.BROTLI_PARAM_QUALITY]: 0 };
      const bytes = packed.get(name) ?? brotliCompressSync(await assets.read(name.slice(0, -'.br'.length)), { params });
      packed.set(name, bytes);
      // A copy: workers get files by transfer.
      return new Uint8Array(bytes);
    },
  };
}

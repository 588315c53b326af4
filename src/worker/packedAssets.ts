import type { AssetSource } from '../core/ports/ports';

const PACKED = /^grammars\/[^/]+\.wasm$/;

/**
 * Product files with the WebAssembly unpacked: it ships as `<name>.br` (`esbuild.assets.mjs`), since a zip makes little
 * of grammars. Unpacking happens where the bytes are used, so that no host's main thread waits for it.
 */
export class PackedAssets implements AssetSource {
  readonly #assets: AssetSource;
  readonly #unpack: (packed: Uint8Array) => Uint8Array;

  /** `unpack` undoes Brotli (RFC 7932) and throws on what is not that. */
  constructor(assets: AssetSource, unpack: (packed: Uint8Array) => Uint8Array) {
    this.#assets = assets;
    this.#unpack = unpack;
  }

  async read(name: string): Promise<Uint8Array> {
    return PACKED.test(name) ? this.#unpack(await this.#assets.read(`${name}.br`)) : this.#assets.read(name);
  }
}

import type { AssetShelf, AssetSource } from '../../ports/ports';

/** First part of the names that belong to the workspace; the product has no such folder. */
const OWN = 'workspace/';

/** The product's assets, and beside them what a session puts there for its workers. */
export class LayeredAssets implements AssetSource, AssetShelf {
  readonly #product: AssetSource;
  readonly #own = new Map<string, Uint8Array>();

  constructor(product: AssetSource) {
    this.#product = product;
  }

  put(name: string, bytes: Uint8Array): void {
    if (!name.startsWith(OWN)) throw new Error(`"${name}" must begin with "${OWN}"`);
    this.#own.set(name, bytes);
  }

  drop(name: string): void {
    this.#own.delete(name);
  }

  async read(name: string): Promise<Uint8Array> {
    if (!name.startsWith(OWN)) return this.#product.read(name);
    const bytes = this.#own.get(name);
    if (!bytes) throw new Error(`"${name}" is not there any more`);
    // A copy in a buffer of its own: the caller may transfer it to a worker.
    return bytes.slice();
  }
}

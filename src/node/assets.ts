import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type AssetSource, checkAssetName } from '../core/ports/ports';

/** Reads the files that ship with the product from the folder that holds `dist/` and `grammars/`. */
export class FileAssetSource implements AssetSource {
  constructor(private readonly productRoot: string) {}

  async read(name: string): Promise<Uint8Array> {
    checkAssetName(name);
    // A copy in a buffer of its own: the caller may transfer it to a worker.
    return new Uint8Array(await readFile(path.join(this.productRoot, ...name.split('/'))));
  }
}

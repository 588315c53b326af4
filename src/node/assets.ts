import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AssetSource } from '../core/ports/ports';

/** Reads the files that ship with the product from the folder that holds `dist/` and `grammars/`. */
export class FileAssetSource implements AssetSource {
  constructor(private readonly productRoot: string) {}

  async read(name: string): Promise<Uint8Array> {
    // Names come from our own worker, but a worker parses hostile files: it gets product files and nothing else.
    if (!/^[\w.-]+(?:\/[\w.-]+)*$/.test(name) || name.split('/').includes('..')) {
      throw new Error(`"${name}" is not the name of a product file`);
    }
    // A copy in a buffer of its own: the caller may transfer it to a worker.
    return new Uint8Array(await readFile(path.join(this.productRoot, ...name.split('/'))));
  }
}

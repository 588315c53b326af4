import * as vscode from 'vscode';
import type { AssetSource } from '../core/ports/ports';

/**
 * Reads the files that ship with the extension from wherever the host keeps it: a disk, a server, the web. Each is read
 * once, since every worker asks for it anew: they ship packed, 5 MB with all grammars.
 */
export class ExtensionAssetSource implements AssetSource {
  readonly #root: vscode.Uri;
  readonly #known = new Map<string, Promise<Uint8Array>>();

  /** @param root the extension's own address */
  constructor(root: vscode.Uri) {
    this.#root = root;
  }

  async read(name: string): Promise<Uint8Array> {
    // Names come from our own worker, but a worker parses hostile files: it gets product files and nothing else.
    if (!/^[\w.-]+(?:\/[\w.-]+)*$/.test(name) || name.split('/').includes('..')) {
      throw new Error(`"${name}" is not the name of a product file`);
    }
    const known = this.#known.get(name);
    // A copy in a buffer of its own: the caller may transfer it to a worker.
    if (known) return (await known).slice();
    const reading = Promise.resolve(vscode.workspace.fs.readFile(vscode.Uri.joinPath(this.#root, name)));
    this.#known.set(name, reading);
    try {
      return (await reading).slice();
    } catch (error) {
      this.#known.delete(name);
      throw error;
    }
  }
}

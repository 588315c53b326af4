/**
 * Paths of a workspace by the names that are asked for: one pass over the listing keeps only what may answer, so that a
 * folder of 200,000 files costs no second copy of its list. Case does not count: a path in another case is not stale,
 * and half the file systems do not see it.
 */

import { folderOf, nameOf } from '../../text/safePath';

/** One file or folder with the name that was asked for. */
export interface PathEntry {
  readonly path: string;
  readonly isFolder: boolean;
}

/** The name of a path without its last extension: `a.test` of `a.test.ts`. */
export function stemOfName(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

export class PathIndex {
  readonly #entries = new Map<string, PathEntry[]>();
  readonly #stems = new Map<string, PathEntry[]>();
  readonly #folders = new Set<string>();

  /** @param names names of files or folders that will be looked up, in any case, with extension or without */
  constructor(names: Iterable<string>) {
    for (const name of names) {
      const lower = name.toLowerCase();
      this.#entries.set(lower, []);
      this.#stems.set(lower, []);
      this.#stems.set(stemOfName(lower), []);
    }
  }

  /** Takes files of the workspace; may be called for one part of the listing after another. */
  add(files: Iterable<string>): void {
    for (const path of files) {
      this.#addFolder(folderOf(path));
      this.#note(path, false);
    }
  }

  /** Files and folders whose last segment is `name`; only for names that were asked for. */
  named(name: string): readonly PathEntry[] {
    return this.#entries.get(name.toLowerCase()) ?? [];
  }

  /** Files whose last segment without its extension is `stem`. */
  stemmed(stem: string): readonly PathEntry[] {
    return this.#stems.get(stem.toLowerCase()) ?? [];
  }

  /** A folder with all above it, each once. */
  #addFolder(folder: string): void {
    for (let path = folder; path !== '' && !this.#folders.has(path); ) {
      this.#folders.add(path);
      this.#note(path, true);
      path = folderOf(path);
    }
  }

  #note(path: string, isFolder: boolean): void {
    const name = nameOf(path).toLowerCase();
    this.#entries.get(name)?.push({ path, isFolder });
    if (!isFolder) this.#stems.get(stemOfName(name))?.push({ path, isFolder });
  }
}

import { originOf } from '../../core/usage/usageLines';
import { ignoreMissing } from '../errorCode';
import type { ConfinedFolder } from './confinedFolder';
import type { RecordArchive } from './recordArchive';
import { linesOf } from './recordFile';

/** Every `origin` that a log has; what was read once is not read again. */
export class UsageOrigins {
  readonly #own: string;
  readonly #archive: RecordArchive;
  readonly #known = new Set<string>();
  /** Bytes of whole lines that were read, by the file itself: an old file was the log's own before. */
  readonly #read = new Map<string, number>();

  /** @param own name of the log's own file */
  constructor(own: string, archive: RecordArchive) {
    this.#own = own;
    this.#archive = archive;
  }

  /** Reads on; the caller holds the log's lock. */
  async refresh(folder: ConfinedFolder): Promise<ReadonlySet<string>> {
    for (const { name } of await this.#archive.list(folder)) await this.#readOn(folder, name);
    await this.#readOn(folder, this.#own);
    return this.#known;
  }

  async #readOn(folder: ConfinedFolder, name: string): Promise<void> {
    const handle = await folder.read(name).catch(ignoreMissing);
    if (!handle) return;
    try {
      const { dev, ino, size } = await handle.stat();
      const place = `${dev}-${ino}`;
      const before = this.#read.get(place) ?? 0;
      // A file that shrank was written anew by somebody.
      const from = before <= size ? before : 0;
      let whole = from;
      for await (const chunk of linesOf(handle, size, from)) {
        for (const { line, end, isEnded } of chunk) {
          if (isEnded) whole = end;
          const origin = originOf(line);
          if (origin !== undefined) this.#known.add(origin);
        }
      }
      this.#read.set(place, whole);
    } finally {
      await handle.close();
    }
  }
}

/**
 * Facts of earlier runs, by content. It decides what is kept and what is worth keeping; `CacheStore` decides where the
 * bytes live, `factsPack.ts` how they look.
 */
import type { CacheStore, Logger } from '../ports';
import { outcomeOf } from '../repomap/factsCodec';
import { decodePack, encodePack, type PackEntry } from './factsPack';

/** Key of the pack in the host's cache. */
const CACHE_KEY = 'symbols';

/** What is in use when the cache is written. */
export interface CacheSaveOptions {
  /** Content hash of every file in the index, by path. */
  readonly live: ReadonlyMap<string, string>;
}

/** Encoded facts that outlive the process. Losing them costs time, never correctness. */
export class FactsCache {
  readonly #store: CacheStore | undefined;
  readonly #logger: Logger;
  /** Facts made since the last save. */
  #unsaved = new Map<string, PackEntry>();
  /** Read when first needed and given up at the end of a save: a big folder's has megabytes. */
  #pack: Promise<ReadonlyMap<string, PackEntry>> | undefined;

  /** Without a store nothing is kept. */
  constructor(store: CacheStore | undefined, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
  }

  /** True when a save has something to write. */
  get isDirty(): boolean {
    return this.#unsaved.size > 0;
  }

  /** Encoded facts of that content under that path, in a buffer of their own (they may be moved to a worker). */
  async find(path: string, contentHash: string): Promise<Uint8Array | undefined> {
    if (!this.#store) return undefined;
    this.#pack ??= this.#load(this.#store);
    const entry = this.#unsaved.get(path) ?? (await this.#pack).get(path);
    return entry?.contentHash === contentHash ? entry.encoded.slice() : undefined;
  }

  /** Keeps facts for the next save, unless they depend on the moment: `failed` and `deadline` are worth another try. */
  add(entry: PackEntry): void {
    if (!this.#store) return;
    const outcome = outcomeOf(entry.encoded);
    if (outcome !== 'failed' && outcome !== 'deadline') this.#unsaved.set(entry.path, entry);
  }

  /** Writes what was added since the last save; nothing when nothing was. */
  async save({ live }: CacheSaveOptions): Promise<void> {
    if (!this.#store || !this.isDirty) return;
    this.#pack ??= this.#load(this.#store);
    const old = await this.#pack;
    const entries: PackEntry[] = [];
    for (const [path, contentHash] of live) {
      const entry = this.#unsaved.get(path) ?? old.get(path);
      if (entry?.contentHash === contentHash) entries.push(entry);
    }
    entries.sort((a, b) => (a.path < b.path ? -1 : 1));
    this.#unsaved = new Map();
    this.#pack = undefined;
    await this.#store.save(CACHE_KEY, encodePack(entries));
    this.#logger.debug(`symbol cache: ${entries.length} files`);
  }

  async #load(store: CacheStore): Promise<ReadonlyMap<string, PackEntry>> {
    const bytes = await store.load(CACHE_KEY);
    return bytes ? decodePack(bytes) : new Map();
  }
}

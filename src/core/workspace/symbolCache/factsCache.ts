/**
 * Facts of earlier runs, by content: a file that was renamed, copied or came back with a branch is known. It decides
 * what is worth keeping and when it is written; `packShelf.ts` keeps it, `CacheStore` decides where the bytes live.
 */
import type { CacheStore, Logger } from '../../ports/ports';
import { FactsCodecError, outcomeOf, withPath } from '../../repomap/facts/factsCodec';
import { factsKey, type PackEntry } from './factsPack';
import { PACK_BYTES, PackShelf } from './packShelf';

/** Encoded facts that outlive the process. Losing them costs time, never correctness. */
export class FactsCache {
  readonly #shelf: PackShelf | undefined;
  readonly #logger: Logger;
  /** Facts that are not on the shelf yet, by key. */
  readonly #unsaved = new Map<string, Uint8Array>();
  /** Those of them that wait for the next pack. */
  #waiting: string[] = [];
  #waitingBytes = 0;
  /** Something was written since the shelf was last brought in order. */
  #isUntidy = false;
  /** Writes, one after another. */
  #work: Promise<void> = Promise.resolve();

  /** Without a store nothing is kept. */
  constructor(store: CacheStore | undefined, logger: Logger) {
    this.#shelf = store && new PackShelf(store);
    this.#logger = logger;
  }

  /** True when a save has something to do. */
  get isDirty(): boolean {
    return this.#unsaved.size > 0 || this.#isUntidy;
  }

  /** Encoded facts of that content under that path, in a buffer of their own (they may be moved to a worker). */
  async find(path: string, contentHash: string): Promise<Uint8Array | undefined> {
    const key = factsKey(path, contentHash);
    const encoded = this.#unsaved.get(key) ?? (await this.#shelf?.find(key));
    return encoded && addressed(encoded, path);
  }

  /**
   * Keeps facts, unless they depend on the moment: `failed` and `deadline` are worth another try. They are written
   * whenever a pack is full, so that little is lost when the process is killed, and with the next save.
   */
  add({ path, contentHash, encoded }: PackEntry): void {
    if (!this.#shelf || this.#shelf.isFull) return;
    const outcome = outcomeOf(encoded);
    const key = factsKey(path, contentHash);
    if (outcome === 'failed' || outcome === 'deadline' || this.#unsaved.has(key)) return;
    this.#unsaved.set(key, encoded);
    this.#waiting.push(key);
    this.#waitingBytes += encoded.length;
    if (this.#waitingBytes >= PACK_BYTES) this.#writeWaiting(this.#shelf);
  }

  /** Writes what was added since the last save and brings the shelf in order; call when idle. Never rejects. */
  async save(): Promise<void> {
    const shelf = this.#shelf;
    if (!shelf) return;
    if (this.#waiting.length > 0) this.#writeWaiting(shelf);
    if (this.#isUntidy) {
      this.#isUntidy = false;
      this.#enqueue(() => shelf.tidy());
    }
    await this.#work;
    shelf.release();
  }

  #writeWaiting(shelf: PackShelf): void {
    const facts = this.#waiting.flatMap((key) => {
      const encoded = this.#unsaved.get(key);
      return encoded ? [{ key, encoded }] : [];
    });
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#isUntidy = true;
    this.#enqueue(async () => {
      // What cannot be written is made again at the next start: memory is no place to keep it.
      if (await shelf.write(facts)) this.#logger.debug(`symbol cache: ${facts.length} files more`);
      for (const { key } of facts) this.#unsaved.delete(key);
    });
  }

  #enqueue(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((cause: unknown) => {
      this.#logger.error('The symbol cache could not be written; this costs time only', cause);
    });
  }
}

function addressed(encoded: Uint8Array, path: string): Uint8Array | undefined {
  try {
    return withPath(encoded, path);
  } catch (error) {
    // Facts that cannot be read are as good as none.
    if (FactsCodecError.is(error)) return undefined;
    throw error;
  }
}

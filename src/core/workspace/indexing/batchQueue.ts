/**
 * Work in batches with back-pressure: decides when a batch is full and how many are under way, so that whoever fills
 * batches waits before it makes more.
 */

/** What a queue may hold. */
export interface BatchLimits {
  readonly bytes: number;
  readonly items: number;
  /** Batches under way at once. */
  readonly batches: number;
}

/** Items gathered into batches; `run` gets each full one. */
export class BatchQueue<T> {
  readonly #limits: BatchLimits;
  readonly #run: (batch: readonly T[]) => Promise<void>;
  readonly #running = new Set<Promise<void>>();
  #batch: T[] = [];
  #sizeBytes = 0;
  #failure: { readonly cause: unknown } | undefined;

  constructor(limits: BatchLimits, run: (batch: readonly T[]) => Promise<void>) {
    this.#limits = limits;
    this.#run = run;
  }

  /** Resolves when there is room for another batch. @throws what `run` failed with */
  async room(): Promise<void> {
    while (this.#running.size >= this.#limits.batches) await Promise.race(this.#running);
    if (this.#failure) throw this.#failure.cause;
  }

  /** Takes an item in; starts the batch that it fills. */
  add(item: T, sizeBytes: number): void {
    this.#batch.push(item);
    this.#sizeBytes += sizeBytes;
    if (this.#sizeBytes >= this.#limits.bytes || this.#batch.length >= this.#limits.items) this.#start();
  }

  /** Starts the last batch and waits for all. @throws what `run` failed with */
  async drain(): Promise<void> {
    this.#start();
    await Promise.all(this.#running);
    if (this.#failure) throw this.#failure.cause;
  }

  #start(): void {
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#batch = [];
    this.#sizeBytes = 0;
    const running: Promise<void> = this.#run(batch)
      .catch((cause: unknown) => {
        this.#failure ??= { cause };
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}

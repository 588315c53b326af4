/** Runs async work with at most `limit` at once, in the order it was given. */
export class Limiter {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limit: number) {}

  /** Settles as `work` does. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.limit) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running++;
    try {
      return await work();
    } finally {
      // A slot is handed over, not freed, so that a newcomer cannot take it from who waits.
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}

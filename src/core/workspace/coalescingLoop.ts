import type { Clock } from '../ports/ports';

/** Items taken before the thread is let go. A path costs its lookers up to 4 µs (measured with 200,000), so about 8 ms. */
const STRETCH = 2000;

/** Items in order, some at a time; between two lots the host's thread may do other work. */
export async function* yieldBetween<T>(
  items: Iterable<T>,
  clock: Pick<Clock, 'schedule'>,
): AsyncGenerator<readonly T[]> {
  let stretch: T[] = [];
  for (const item of items) {
    if (stretch.length === STRETCH) {
      yield stretch;
      stretch = [];
      await new Promise<void>((resolve) => clock.schedule(resolve, 0));
    }
    stretch.push(item);
  }
  yield stretch;
}

/** The items that `keep` holds for, in order, found in stretches. */
export async function filterInStretches<T>(
  items: Iterable<T>,
  keep: (item: T) => boolean,
  clock: Pick<Clock, 'schedule'>,
): Promise<readonly T[]> {
  const kept: T[] = [];
  for await (const stretch of yieldBetween(items, clock)) kept.push(...stretch.filter(keep));
  return kept;
}

/**
 * Runs one asynchronous job at a time, again and again while there is something to do. Requests that arrive during a
 * run are answered by one more run, not by one each.
 */
export class CoalescingLoop {
  #isRequested = false;
  #running: Promise<void> | undefined;
  #isStopped = false;
  #failure: { readonly cause: unknown } | undefined;

  /** @param onError told of a run that rejected; the loop then waits for the next request. */
  constructor(
    private readonly work: () => Promise<void>,
    private readonly onError: (cause: unknown) => void,
  ) {}

  get isIdle(): boolean {
    return !this.#running && !this.#isRequested;
  }

  /** Why the last run rejected; undefined when it did not. */
  get failure(): { readonly cause: unknown } | undefined {
    return this.#failure;
  }

  /** Asks for a run that starts after this call. */
  request(): void {
    if (this.#isStopped) return;
    this.#isRequested = true;
    this.#running ??= this.#run();
  }

  /** Resolves when nothing is running and nothing is asked for. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /** No run starts after this call. */
  stop(): void {
    this.#isStopped = true;
    this.#isRequested = false;
  }

  async #run(): Promise<void> {
    // A turn later, so that requests made together are answered together.
    await Promise.resolve();
    while (this.#isRequested) {
      this.#isRequested = false;
      try {
        await this.work();
        this.#failure = undefined;
      } catch (cause) {
        this.#failure = { cause };
        this.onError(cause);
      }
    }
    this.#running = undefined;
  }
}

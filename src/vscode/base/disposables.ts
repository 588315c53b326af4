import type { Disposable } from '../../core/ports/ports';

/**
 * Releases everything it was given, once, newest first; what is added after that is released at once. A class that listens
 * to the editor extends it, so that its listeners go with it.
 */
export class DisposableStore implements Disposable {
  readonly #items: Disposable[] = [];
  #isDisposed = false;

  /** Adds and returns `item`. */
  add<T extends Disposable>(item: T): T {
    if (this.#isDisposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  dispose(): void {
    this.#isDisposed = true;
    while (this.#items.length > 0) this.#items.pop()?.dispose();
  }
}

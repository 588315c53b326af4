import type { Disposable } from '../core/ports/ports';

/** One command's life: what it opened is released at its end, or at once when it is interrupted. */
export class Lifetime implements Disposable {
  private readonly owned: Disposable[] = [];
  private readonly end = new AbortController();
  /** Fires at the end. */
  readonly signal: AbortSignal = this.end.signal;

  /** Takes over `thing`; after the end it is released at once. */
  own<T extends Disposable>(thing: T): T {
    if (this.signal.aborted) thing.dispose();
    else this.owned.push(thing);
    return thing;
  }

  /** Releases everything, last first; later calls do nothing. */
  dispose(): void {
    if (this.signal.aborted) return;
    this.end.abort();
    for (const thing of this.owned.splice(0).reverse()) thing.dispose();
  }
}

import type { Cancel, Disposable } from '../core/ports/ports';

/** One command's life: what it opened is released at its end, or at once when it is interrupted. */
export class Lifetime implements Cancel, Disposable {
  private readonly owned: Disposable[] = [];
  private hasEnded = false;

  get isCancelled(): boolean {
    return this.hasEnded;
  }

  /** Takes over `thing`; after the end it is released at once. */
  own<T extends Disposable>(thing: T): T {
    if (this.hasEnded) thing.dispose();
    else this.owned.push(thing);
    return thing;
  }

  /** Releases everything, last first; later calls do nothing. */
  dispose(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    for (const thing of this.owned.splice(0).reverse()) thing.dispose();
  }
}

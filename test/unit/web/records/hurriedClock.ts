import type { Clock, Disposable } from '../../../../src/core/ports/ports';

/** A clock on which waiting takes no time: whoever waits is called in the next turn, and it is that much later. */
export class HurriedClock implements Clock {
  #now = 0;

  now(): number {
    return this.#now;
  }

  schedule(callback: () => void, delayMs: number): Disposable {
    const handle = setImmediate(() => {
      this.#now += delayMs;
      callback();
    });
    return { dispose: () => clearImmediate(handle) };
  }
}

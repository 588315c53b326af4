import type { Clock, Disposable } from '../core/ports/ports';

/** The browser's clock and timers. */
export class WebClock implements Clock {
  now(): number {
    return Date.now();
  }

  schedule(callback: () => void, delayMs: number): Disposable {
    const timer = setTimeout(callback, delayMs);
    return { dispose: () => clearTimeout(timer) };
  }
}

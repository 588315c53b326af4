import type { Clock } from '../core/ports/ports';

/** The machine's clock and timers, which Node and browsers have under the same names. */
export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  schedule: (callback, delayMs) => {
    const timer = setTimeout(callback, delayMs);
    return { dispose: () => clearTimeout(timer) };
  },
};

/**
 * Decides when perception plug-ins run again by themselves: after a change in the folder, never for more than a tenth of
 * the time, and ever more rarely when it is the plug-ins themselves that change the folder.
 */
import type { Clock, Disposable } from '../../ports/ports';

/** Plug-ins get at most one part in this many of the time. */
const SHARE = 10;
/** A change this soon after a run is taken for the run's own doing (a log it wrote). */
const ECHO_MS = 1000;
/** Pause before the first run after such a change; doubled with each that follows. */
const FIRST_PAUSE_MS = 300;
/** A change may be the user's all the same: one who saves every second waits no longer than this. */
const MAX_ECHO_PAUSE_MS = 5_000;
const MAX_DELAY_MS = 60_000;

export class CommandThrottle {
  #startedAt: number | undefined;
  #endedAt = Number.NEGATIVE_INFINITY;
  #tookMs = 0;
  #echoes = 0;
  #timer: Disposable | undefined;

  /** @param expire called when the plug-ins' last results no longer count. */
  constructor(
    private readonly clock: Clock,
    private readonly expire: () => void,
  ) {}

  /** Plug-ins begin to run. */
  started(): void {
    this.#startedAt = this.clock.now();
  }

  /** All of them have ended. */
  ended(): void {
    if (this.#startedAt === undefined) return;
    this.#endedAt = this.clock.now();
    this.#tookMs = this.#endedAt - this.#startedAt;
    this.#startedAt = undefined;
  }

  /** Something in the folder changed. */
  changed(): void {
    if (this.#timer) return;
    const sinceEnd = this.clock.now() - this.#endedAt;
    const isEcho = this.#startedAt !== undefined || sinceEnd < ECHO_MS;
    this.#echoes = isEcho ? this.#echoes + 1 : 0;
    const echoPause = isEcho ? Math.min(MAX_ECHO_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#echoes - 1)) : 0;
    const pause = Math.max(this.#tookMs * SHARE, echoPause);
    const elapsed = this.#startedAt === undefined ? sinceEnd : 0;
    const delayMs = Math.min(MAX_DELAY_MS, pause) - elapsed;
    if (delayMs <= 0) {
      this.expire();
      return;
    }
    this.#timer = this.clock.schedule(() => {
      this.#timer = undefined;
      this.expire();
    }, delayMs);
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }
}

/** The same failure is recorded once in this time. Milliseconds. */
const REPEAT_MS = 15 * 60 * 1000;
/** At most so many records in `WINDOW_MS`: a watcher that fails all day must not fill the log. */
const MAX_IN_WINDOW = 20;
const WINDOW_MS = 10 * 60 * 1000;
/** Keys that are remembered. */
const MAX_KEYS = 500;

/** Decides which of the captured events are recorded: none twice within a quarter of an hour, at most 20 in ten minutes. */
export class CaptureGate {
  /** When a key was admitted last, the oldest first. */
  readonly #admitted = new Map<string, number>();
  #recent: readonly number[] = [];
  #dropped = 0;

  /** Events that were not admitted for being too many. */
  get dropped(): number {
    return this.#dropped;
  }

  /** True when the event is to be recorded. `nowMs` never goes back. */
  admit(key: string, nowMs: number): boolean {
    const before = this.#admitted.get(key);
    if (before !== undefined && nowMs - before < REPEAT_MS) return false;
    this.#recent = this.#recent.filter((at) => nowMs - at < WINDOW_MS);
    if (this.#recent.length >= MAX_IN_WINDOW) {
      this.#dropped++;
      return false;
    }
    this.#recent = [...this.#recent, nowMs];
    this.#admitted.delete(key);
    this.#admitted.set(key, nowMs);
    for (const oldest of this.#admitted.keys()) {
      if (this.#admitted.size <= MAX_KEYS) break;
      this.#admitted.delete(oldest);
    }
    return true;
  }
}

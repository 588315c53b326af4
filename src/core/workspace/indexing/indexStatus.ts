import type { Clock, Disposable } from '../../ports/ports';
import type { IndexProgress } from '../workspace';

/** Between two reports of progress inside of one phase. */
const TICK_MS = 250;

/** How far the symbol index is, told at once when the phase changes and else at most four times a second. */
export class IndexStatus implements Disposable {
  readonly #clock: Clock;
  readonly #listeners = new Set<(progress: IndexProgress) => void>();
  #current: IndexProgress = { phase: 'listing', done: 0, total: 0 };
  #told: IndexProgress = this.#current;
  #timer: Disposable | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** As of now, whether it was told or not. */
  get current(): IndexProgress {
    return this.#current;
  }

  onDidChange(listener: (progress: IndexProgress) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  set(phase: IndexProgress['phase'], done = 0, total = 0): void {
    this.#current = { phase, done, total };
    if (phase !== this.#told.phase) this.#tell();
    else if (!this.#timer) this.#tell();
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#listeners.clear();
  }

  #tell(): void {
    const { phase, done, total } = this.#current;
    if (phase === this.#told.phase && done === this.#told.done && total === this.#told.total) return;
    this.#told = this.#current;
    this.#timer?.dispose();
    this.#timer = this.#clock.schedule(() => {
      this.#timer = undefined;
      this.#tell();
    }, TICK_MS);
    for (const listener of [...this.#listeners]) listener(this.#current);
  }
}

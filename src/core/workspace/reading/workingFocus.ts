import type { Clock, Disposable } from '../../ports/ports';
import { NO_WORK, type WorkingQuery } from '../../repomap/ranking/workingQuery';

/** What is worked on must stay the same for so long before maps follow: somebody who looks around changes it often. */
const SETTLE_MS = 1000;

/** Decides when maps follow what is being worked on, so that they do not change with every click. */
export class WorkingFocus implements Disposable {
  readonly #clock: Clock;
  readonly #onSettled: () => void;
  #current: WorkingQuery | undefined;
  #offered: WorkingQuery | undefined;
  #timer: Disposable | undefined;

  /** @param onSettled called when an offer has come into force by itself */
  constructor(clock: Clock, onSettled: () => void) {
    this.#clock = clock;
    this.#onSettled = onSettled;
  }

  /** What maps are made for. */
  get current(): WorkingQuery {
    return this.#current ?? NO_WORK;
  }

  /** Tells what is worked on now. The first is in force at once, a later one when it has lasted a second. */
  offer(next: WorkingQuery): void {
    if (!this.#current) {
      this.#current = next;
      return;
    }
    if (this.#offered ? isSame(next, this.#offered) : isSame(next, this.#current)) return;
    this.#forget();
    if (isSame(next, this.#current)) return;
    this.#offered = next;
    this.#timer = this.#clock.schedule(() => {
      if (this.settle()) this.#onSettled();
    }, SETTLE_MS);
  }

  /** Puts the last offer in force now; true when that changed something. */
  settle(): boolean {
    const offered = this.#offered;
    this.#forget();
    if (!offered) return false;
    this.#current = offered;
    return true;
  }

  dispose(): void {
    this.#forget();
  }

  #forget(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#offered = undefined;
  }
}

function isSame(a: WorkingQuery, b: WorkingQuery): boolean {
  return (
    a.query === b.query &&
    a.focusPaths.length === b.focusPaths.length &&
    a.focusPaths.every((path, at) => path === b.focusPaths[at])
  );
}

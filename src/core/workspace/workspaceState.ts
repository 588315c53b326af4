/**
 * What the parts of a workspace share, made before any of them: the mutable state, and the emitters by which a part tells
 * the others without knowing them.
 */
import { type Config, DEFAULT_CONFIG, profileOf } from '../config/config';
import type { Profile } from '../model/profile';
import type { CollectedSection } from '../model/section';
import type { Clock, Disposable } from '../ports/ports';
import { NO_WORK, type WorkingQuery } from '../repomap/ranking/workingQuery';
import type { WorkspacePreferences } from './workspace';

export class Emitter<T = void> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();

  /** Calls `listener` with each value; disposing the result stops it. */
  on(listener: (value: T) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  fire(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }

  /** Forgets all listeners. */
  dispose(): void {
    this.#listeners.clear();
  }
}

/** The current state of a workspace: read it when it is needed, keep none of it. */
export class WorkspaceState implements Disposable {
  /** Fires when a report no longer says what is known. */
  readonly reportWanted = new Emitter();
  readonly focus: WorkingFocus;
  config: Config = DEFAULT_CONFIG;
  preferences: WorkspacePreferences;
  /** As they were read last. */
  sections: readonly CollectedSection[] = [];

  constructor(clock: Clock, preferences: WorkspacePreferences) {
    this.preferences = preferences;
    this.focus = new WorkingFocus(clock, () => this.reportWanted.fire());
  }

  /** The profile in force. */
  get profile(): Profile {
    return profileOf(this.config, this.preferences.profile);
  }

  /** What maps are made for: the task, else what is being worked on. */
  get query(): WorkingQuery {
    const task = this.preferences.task?.trim() ?? '';
    return task === '' ? this.focus.current : { query: task, focusPaths: [] };
  }

  dispose(): void {
    this.focus.dispose();
    this.reportWanted.dispose();
  }
}

/** What is worked on must stay the same for so long before maps follow: it changes often while the user looks around. */
const SETTLE_MS = 1000;

/** Decides when maps follow what is being worked on, so that they do not change with every click. */
export class WorkingFocus implements Disposable {
  #current: WorkingQuery | undefined;
  #offered: WorkingQuery | undefined;
  #timer: Disposable | undefined;

  /** @param onSettled called when an offer has come into force by itself */
  constructor(
    private readonly clock: Clock,
    private readonly onSettled: () => void,
  ) {}

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
    this.#timer = this.clock.schedule(() => {
      if (this.settle()) this.onSettled();
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

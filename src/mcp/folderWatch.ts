import { type FSWatcher, realpathSync, watch } from 'node:fs';
import path from 'node:path';
import type { Disposable, Logger } from '../core/ports/ports';
import { isInside } from '../node/fileSource';

/** Editors and git touch many files at once: one look for all of them. */
const QUIET_MS = 200;

/**
 * Tells that something in some folders may have changed, by the system's own notifications: nothing is polled. What
 * changed is `FolderState`'s to find out. Used while a client has subscribed to a resource.
 */
export class FolderWatch implements Disposable {
  readonly #root: string;
  readonly #logger: Logger;
  readonly #onChange: () => void;
  readonly #watchers = new Map<string, FSWatcher>();
  #timer: NodeJS.Timeout | undefined;
  #hasFailed = false;

  constructor(realRoot: string, logger: Logger, onChange: () => void) {
    this.#root = realRoot;
    this.#logger = logger;
    this.#onChange = onChange;
  }

  /** Watches exactly these folders; paths are workspace-relative or absolute, `''` is the root. */
  watch(folders: ReadonlySet<string>): void {
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of folders) if (!this.#watchers.has(folder) && !this.#hasFailed) this.#add(folder);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #add(folder: string): void {
    try {
      const place = realpathSync.native(path.resolve(this.#root, folder));
      // A link of the workspace is no leave to watch what lies outside.
      if (!path.isAbsolute(folder) && !isInside(this.#root, place)) return;
      const watcher = watch(place, { persistent: false }, () => this.#changed());
      watcher.on('error', (error) => this.#drop(folder, error));
      this.#watchers.set(folder, watcher);
    } catch (error) {
      this.#drop(folder, error);
    }
  }

  /** A folder that is gone is no failure; a system without room for more watchers is one, told once. */
  #drop(folder: string, error: unknown): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'EPERM' || this.#hasFailed) return;
    this.#hasFailed = true;
    this.#logger.warn('Not every folder can be watched: some changes are seen with the next request only.');
  }

  #changed(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onChange, QUIET_MS);
    this.#timer.unref();
  }
}

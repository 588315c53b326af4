/**
 * What of a folder changed between two looks: by the time and size of each listed file. A look costs a listing and a
 * `stat` a file (about 10 µs), so the server looks when it is asked something, and does nothing while it is not.
 */
import { type Stats, statSync } from 'node:fs';
import path from 'node:path';
import type { FileSource } from '../core/ports';
import { walkFiles } from '../core/sections/walk';

/** Changes when a branch, a commit or the index of git does. */
const GIT_FILES = ['.git/HEAD', '.git/index', '.git/logs/HEAD'];

/** Files looked at before others have their turn. */
const STRETCH = 1000;

/** What changed since the last look. Paths are workspace-relative. */
export interface FolderChange {
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly isGitChanged: boolean;
  /** Something changed since the folder was opened, before the first look: what, is not known. */
  readonly isUnknown: boolean;
}

/** Clocks of file systems stand still for some milliseconds (10 on Linux). */
const CLOCK_STEP_MS = 100;

export class FolderState {
  readonly #files: FileSource;
  readonly #root: string;
  /** Undefined before the first look. */
  #marks: Map<string, string> | undefined;
  #git = '';

  /** @param realRoot the folder's real path */
  constructor(files: FileSource, realRoot: string) {
    this.#files = files;
    this.#root = realRoot;
  }

  /** Folders that hold a file of the last look, the root among them; `''` is the root. */
  get folders(): ReadonlySet<string> {
    return foldersOf(this.#marks?.keys() ?? []);
  }

  /**
   * Looks again. The first look is told when the folder was opened: it need not come before anything was read, since the
   * system keeps when a file or the entries of a folder last changed.
   * @param others files that count though the listing may not have them: logs that git ignores
   * @param isOwn files that the product itself writes; that they are new says nothing
   */
  async look(openedMs: number, others: readonly string[], isOwn: (path: string) => boolean): Promise<FolderChange> {
    const { files } = await walkFiles(this.#files);
    const all = [...new Set([...files, ...others])];
    const marks = await this.#markAll(all);
    const git = GIT_FILES.map((file) => this.#mark(file)).join('|');
    const before = { marks: this.#marks, git: this.#git };
    this.#marks = marks;
    this.#git = git;
    if (!before.marks) return this.#firstChange([...all, ...foldersOf(all)], openedMs, isOwn);
    const old = before.marks;
    return {
      changed: [...marks].filter(([file, mark]) => old.get(file) !== mark).map(([file]) => file),
      removed: [...old.keys()].filter((file) => !marks.has(file)),
      isGitChanged: before.git !== git,
      isUnknown: false,
    };
  }

  #firstChange(paths: readonly string[], openedMs: number, isOwn: (path: string) => boolean): FolderChange {
    const since = openedMs - CLOCK_STEP_MS;
    const isNew = (path: string): boolean => (this.#stat(path)?.ctimeMs ?? 0) >= since;
    const isGitChanged = GIT_FILES.some(isNew);
    const isUnknown = paths.some((path) => !isOwn(path) && isNew(path));
    return { changed: [], removed: [], isGitChanged, isUnknown };
  }

  async #markAll(paths: readonly string[]): Promise<Map<string, string>> {
    const marks = new Map<string, string>();
    for (const [at, path] of paths.entries()) {
      const mark = this.#mark(path);
      if (mark !== undefined) marks.set(path, mark);
      if (at % STRETCH === STRETCH - 1) await new Promise((resolve) => setImmediate(resolve));
    }
    return marks;
  }

  /** Times and size; `undefined` for what is not there. A link counts as what it leads to. */
  #mark(file: string): string | undefined {
    const stat = this.#stat(file);
    // Tools that keep the time of change still move the other one.
    return stat && `${stat.mtimeMs}:${stat.ctimeMs}:${stat.size}`;
  }

  #stat(file: string): Stats | undefined {
    try {
      return statSync(path.join(this.#root, file), { throwIfNoEntry: false });
    } catch {
      // What cannot be looked at has no time: it counts as gone until it can.
      return undefined;
    }
  }
}

function foldersOf(files: Iterable<string>): ReadonlySet<string> {
  const folders = new Set(['']);
  for (const file of files) folders.add(path.posix.dirname(file).replace(/^\.$/, ''));
  return folders;
}

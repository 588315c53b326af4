/**
 * What of a folder changed between two looks: by the time and size of each listed file. A look costs a listing and a
 * `stat` a file (about 10 µs), so the server looks when it is asked something, and does nothing while it is not.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Cancel, FileSource } from '../core/ports';
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
}

export class FolderState {
  readonly #files: FileSource;
  readonly #root: string;
  #marks = new Map<string, string>();
  #git = '';

  /** @param realRoot the folder's real path */
  constructor(files: FileSource, realRoot: string) {
    this.#files = files;
    this.#root = realRoot;
  }

  /** Folders that hold a file of the last look, the root among them; `''` is the root. */
  get folders(): ReadonlySet<string> {
    const folders = new Set(['']);
    for (const file of this.#marks.keys()) folders.add(path.posix.dirname(file).replace(/^\.$/, ''));
    return folders;
  }

  /**
   * Looks again. A cancelled look changes nothing.
   * @param others files that count though the listing may not have them: logs that git ignores
   */
  async look(others: readonly string[], cancel: Cancel): Promise<FolderChange> {
    const walked = await walkFiles(this.#files, {}, cancel);
    const marks = new Map<string, string>();
    let seen = 0;
    for (const file of new Set([...walked.files, ...others])) {
      const mark = this.#mark(file);
      if (mark !== undefined) marks.set(file, mark);
      if (++seen % STRETCH === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const git = GIT_FILES.map((file) => this.#mark(file)).join('|');
    const before = { marks: this.#marks, git: this.#git };
    if (cancel.isCancelled) return { changed: [], removed: [], isGitChanged: false };
    this.#marks = marks;
    this.#git = git;
    return {
      changed: [...marks].filter(([file, mark]) => before.marks.get(file) !== mark).map(([file]) => file),
      removed: [...before.marks.keys()].filter((file) => !marks.has(file)),
      isGitChanged: before.git !== git,
    };
  }

  /** Time and size; `undefined` for what is not there. A link counts as what it leads to. */
  #mark(file: string): string | undefined {
    try {
      const stat = statSync(path.join(this.#root, file), { throwIfNoEntry: false });
      // A change that keeps the time of change (`touch -d`, archives) still moves the other one.
      return stat && `${stat.mtimeMs}:${stat.ctimeMs}:${stat.size}`;
    } catch {
      return 'unreadable';
    }
  }
}

/**
 * What of a folder changed between two looks: by the time and size of each listed file. A look costs a listing and a
 * `stat` a file (about 10 µs), so the server looks when it is asked something, and does nothing while it is not.
 */
import { lstatSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { walkFiles } from '../core/files/walk';
import type { FileSource } from '../core/ports/ports';
import { gitFiles, gitFolders } from './gitState';

/** Files looked at before the event loop gets a turn. */
const STRETCH = 1000;

/** What changed since the last look. Paths are workspace-relative. */
interface FolderChange {
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly isGitChanged: boolean;
  /** Something changed since the folder was opened, before the first look, or there is no such folder any more. */
  readonly isUnknown: boolean;
}

/** Clocks of file systems advance in steps of some milliseconds (10 on Linux). */
const CLOCK_STEP_MS = 100;

export class FolderState {
  /** Undefined before the first look. */
  #marks: Map<string, string> | undefined;
  #git = '';

  /** @param realRoot the folder's real path */
  constructor(
    private readonly files: FileSource,
    private readonly realRoot: string,
  ) {}

  /**
   * Looks again. The first look is told when the folder was opened: it need not come before anything was read, since the
   * system keeps when a file or the entries of a folder last changed.
   * @param others files that count though the listing may not have them: logs that git ignores. Those behind a link that
   * leads outside do not
   * @param isOwn files that the product itself writes; that they are new says nothing
   * @param isTrusted whether git itself decides where the repository is
   */
  async look(
    openedMs: number,
    others: readonly string[],
    isOwn: (path: string) => boolean,
    isTrusted = false,
  ): Promise<FolderChange> {
    const { files, folders } = await walkFiles(this.files);
    const all = [...new Set([...files, ...(await this.#inside(others))])];
    const marks = await this.#markAll(all);
    const repository = await gitFolders(this.realRoot, isTrusted);
    const gitPaths = repository ? await gitFiles(repository) : [];
    const git = gitPaths.map((file) => `${file}:${markOf(stateOf(file, lstatSync))}`).join('|');
    const old = this.#marks;
    const isGitMoved = this.#git !== git;
    this.#marks = marks;
    this.#git = git;
    const isSince = (stat: Stats | undefined): boolean => (stat?.ctimeMs ?? 0) >= openedMs - CLOCK_STEP_MS;
    const isGone = this.#stat('') === undefined;
    if (!old) {
      const paths = new Set([...all, ...folders, ...foldersOf(all)]);
      const isUnknown = isGone || [...paths].some((file) => !isOwn(file) && isSince(this.#stat(file)));
      const isGitChanged = gitPaths.some((file) => isSince(stateOf(file, lstatSync)));
      return { changed: [], removed: [], isGitChanged, isUnknown };
    }
    return {
      changed: [...marks].filter(([file, mark]) => old.get(file) !== mark).map(([file]) => file),
      removed: [...old.keys()].filter((file) => !marks.has(file)),
      isGitChanged: isGitMoved,
      isUnknown: isGone,
    };
  }

  async #inside(paths: readonly string[]): Promise<readonly string[]> {
    const places = await Promise.all(paths.map((path) => this.files.resolveLink(path)));
    return paths.filter((_, at) => places[at]?.kind !== 'outside');
  }

  async #markAll(paths: readonly string[]): Promise<Map<string, string>> {
    const marks = new Map<string, string>();
    for (const [at, path] of paths.entries()) {
      const mark = markOf(this.#stat(path));
      if (mark !== undefined) marks.set(path, mark);
      if (at % STRETCH === STRETCH - 1) await new Promise((resolve) => setImmediate(resolve));
    }
    return marks;
  }

  /** A link counts as what it leads to. */
  #stat(file: string): Stats | undefined {
    return stateOf(path.resolve(this.realRoot, file), statSync);
  }
}

/** Times and size; `undefined` for what is not there. */
function markOf(stat: Stats | undefined): string | undefined {
  // Tools that keep the time of change still move the other one.
  return stat && `${stat.mtimeMs}:${stat.ctimeMs}:${stat.size}`;
}

function stateOf(file: string, look: typeof statSync): Stats | undefined {
  try {
    return look(file, { throwIfNoEntry: false });
  } catch {
    // What cannot be looked at has no time: it counts as gone until it can.
    return undefined;
  }
}

function foldersOf(files: Iterable<string>): ReadonlySet<string> {
  const folders = new Set(['']);
  for (const file of files) folders.add(path.posix.dirname(file).replace(/^\.$/, ''));
  return folders;
}

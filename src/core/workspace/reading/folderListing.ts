/** The list of a folder's files, kept up to date from events so that a save never lists the folder again. */

import { IgnoreRules, isSkippedName } from '../../files/ignoreRules';
import { type WalkResult, walkFiles } from '../../files/walk';
import type { Problem } from '../../model/problem';
import { isWellKnownMemory } from '../../pipeline/collect/fileRules';
import type { Clock, FileSource } from '../../ports/ports';
import { folderOf } from '../../text/safePath';
import { linkedRules } from '../agentPaths';

/** What an event means for the listing. */
interface ListingChange {
  /** Listed files whose content changed, links to them among them. */
  readonly changed: readonly string[];
  /** Files that left the listing. */
  readonly removed: readonly string[];
  /** Something appeared, the rules changed, or a walk under way may have seen what is gone: walk the folder again. */
  readonly needsWalk: boolean;
}

/** Folders that are looked into besides those of the walk, for what is tracked and for memory files. */
const MAX_OTHER_FOLDERS = 1000;

interface Known {
  readonly files: ReadonlySet<string>;
  readonly ignored: readonly string[];
  readonly folders: ReadonlySet<string>;
  readonly links: ReadonlyMap<string, string>;
  readonly repositories: ReadonlySet<string>;
  readonly rules: IgnoreRules;
  readonly problems: readonly Problem[];
}

export class FolderListing {
  /** What the last walk found; files that went since are gone. */
  #known: Known = {
    files: new Set(),
    ignored: [],
    folders: new Set(),
    links: new Map(),
    repositories: new Set(),
    rules: new IgnoreRules(),
    problems: [],
  };
  #isWalking = false;

  /**
   * @param clock lets a long walk pause, so that it never holds its host up
   * @param walkAll as `walkFiles` walks, where the host can do it elsewhere
   */
  constructor(
    private readonly source: FileSource,
    clock: Clock,
    private readonly walkAll: (signal: AbortSignal) => Promise<WalkResult> = (signal) =>
      walkFiles(source, { clock }, signal),
  ) {}

  get files(): ReadonlySet<string> {
    return this.#known.files;
  }

  /** Some of the files that are left out because they are ignored. */
  get ignored(): readonly string[] {
    return this.#known.ignored;
  }

  /** Listed links, with the file inside the folder that each leads to. */
  get links(): ReadonlyMap<string, string> {
    return this.#known.links;
  }

  /** Folders that begin a Git repository; `''` is the root. */
  get repositories(): ReadonlySet<string> {
    return this.#known.repositories;
  }

  get problems(): readonly Problem[] {
    return this.#known.problems;
  }

  /** Whether the walk leaves a path out, by git's rules or as a folder of installed or generated files. */
  isIgnored(path: string, isFolder: boolean): boolean {
    return this.#known.rules.isIgnored(path, isFolder);
  }

  /** Whether a file at `path` would be listed: the rules of every folder on its way are known. */
  mayShow(path: string): boolean {
    return this.#known.folders.has(folderOf(path)) && !this.#known.rules.isIgnored(path);
  }

  /**
   * Walks the folder; a cancelled walk changes nothing.
   * @param tracked files that Git tracks although they are ignored: they count like all others
   */
  async walk(signal: AbortSignal, tracked: Promise<readonly string[]>): Promise<void> {
    this.#isWalking = true;
    const [walked, known, memories] = await Promise.all([
      this.walkAll(signal),
      tracked.then((paths) => this.#existing(paths)),
      this.#memoryFiles(),
    ]).finally(() => {
      this.#isWalking = false;
    });
    if (signal.aborted) return;
    const { files: seen, ignored, folders, folderLinks, rules, problems } = walked;
    const linked = linkedRules(seen, folderLinks);
    const links = linked.size === 0 ? walked.links : new Map([...walked.links, ...linked]);
    const more = [...known, ...memories, ...linked.keys()];
    const files = new Set(more.length === 0 ? seen : [...seen, ...more].sort());
    const left = ignored.filter((path) => !files.has(path));
    const repositories = new Set(walked.repositories);
    this.#known = { files, ignored: left, folders: new Set(folders), links, repositories, rules, problems };
  }

  /** Those of `paths` that are files, outside the folders that are never walked. */
  async #existing(paths: readonly string[]): Promise<readonly string[]> {
    const wanted = paths.filter((path) => !path.split('/').some(isSkippedName));
    const folders = [...new Set(wanted.map(folderOf))].slice(0, MAX_OTHER_FOLDERS);
    const found = await Promise.all(folders.map((folder) => this.#filesIn(folder)));
    const there = new Set(found.flatMap(({ files }) => files));
    return wanted.filter((path) => there.has(path));
  }

  /** Memory files known by their names, ignored or not: they are the agent's own. */
  async #memoryFiles(): Promise<readonly string[]> {
    const { files, folders } = await this.#filesIn('');
    const found = files.filter(isWellKnownMemory);
    let level: readonly string[] = folders.filter((folder) => folder === 'memory');
    for (let looked = 0; level.length > 0 && looked < MAX_OTHER_FOLDERS; looked += level.length) {
      const below = await Promise.all(level.slice(0, MAX_OTHER_FOLDERS).map((folder) => this.#filesIn(folder)));
      found.push(...below.flatMap((each) => each.files.filter(isWellKnownMemory)));
      level = below.flatMap((each) => each.folders);
    }
    return found;
  }

  async #filesIn(folder: string): Promise<{ readonly files: readonly string[]; readonly folders: string[] }> {
    const read = await this.source.list(folder);
    const entries = read.kind === 'ok' ? read.entries.filter(({ name }) => !isSkippedName(name)) : [];
    const paths = (kind: 'file' | 'folder'): string[] =>
      entries.filter((entry) => entry.kind === kind).map(({ name }) => (folder === '' ? name : `${folder}/${name}`));
    return { files: paths('file'), folders: paths('folder') };
  }

  /** Takes an event in. A removed folder takes its files with it; ignored paths are no change. */
  apply(changed: readonly string[], removed: readonly string[]): ListingChange {
    const gone = this.#filesAt(removed);
    if (gone.length > 0) {
      const files = new Set(this.#known.files);
      for (const path of gone) files.delete(path);
      this.#known = { ...this.#known, files };
    }
    const news = changed.filter(
      (path) => !this.#known.files.has(path) && (!this.#known.rules.isIgnored(path) || isWellKnownMemory(path)),
    );
    const links = this.linksTo([...changed, ...removed]);
    const rulesChanged = [...changed, ...removed].some((path) => path === '.gitignore' || path.endsWith('/.gitignore'));
    return {
      changed: [...changed.filter((path) => this.#known.files.has(path)), ...links],
      removed: gone,
      needsWalk:
        news.length > 0 ||
        rulesChanged ||
        (removed.length > 0 && (this.#isWalking || links.length > 0)) ||
        changed.some((path) => this.#known.links.has(path)),
    };
  }

  /** Listed links that lead to one of the paths, or below it when it is a folder. */
  linksTo(changed: readonly string[]): readonly string[] {
    const paths = new Set(changed);
    const isAt = (target: string): boolean => {
      for (let end = target.length; end > 0; end = target.lastIndexOf('/', end - 1)) {
        if (paths.has(target.slice(0, end))) return true;
      }
      return false;
    };
    return [...this.#known.links].flatMap(([link, target]) => (isAt(target) ? [link] : []));
  }

  #filesAt(paths: readonly string[]): readonly string[] {
    const files = paths.filter((path) => this.#known.files.has(path));
    const folders = paths.filter((path) => !this.#known.files.has(path)).map((path) => `${path}/`);
    if (folders.length === 0) return files;
    return [...files, ...[...this.#known.files].filter((file) => folders.some((folder) => file.startsWith(folder)))];
  }
}

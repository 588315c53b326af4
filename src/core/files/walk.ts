import type { Problem } from '../model/problem';
import { makeProblem } from '../model/problem';
import { type Clock, type DirectoryRead, type FileSource, NEVER_ABORTED } from '../ports/ports';
import { decodeText } from '../text/decode';
import { Limiter } from '../text/limiter';
import { type Phrase, phrase } from '../text/phrase';
import { GIT_EXCLUDE_PATH } from '../text/safePath';
import { IgnoreRules, isSkippedName } from './ignoreRules';

/** More files than any project a person works on; a tree beyond it is data, and listing it would cost minutes. */
const DEFAULT_MAX_FILES = 200_000;

/** An ignore file larger than this is not one. */
const MAX_IGNORE_BYTES = 1_000_000;

/** The same for all of them together: more than any tree needs. */
const MAX_ALL_IGNORE_CHARS = 2_000_000;

/** Problems that are told one by one. */
const MAX_PROBLEMS = 50;

/** Ignored files that are remembered. */
const MAX_IGNORED = 10_000;

/** Folders listed at once: enough to hide a file system's latency, below usual limits of open files. */
const DEFAULT_CONCURRENCY = 16;

/** Entries tested before the thread is let go: about 4 ms with 180 ignore patterns (16 µs an entry, measured). */
const STRETCH = 256;

/** How to walk. */
interface WalkOptions {
  readonly maxFiles?: number;
  readonly concurrency?: number;
  /** What matching ignore patterns may cost; see `IgnoreRules`. */
  readonly maxSteps?: number;
  /** With a clock, the walk lets its thread do other work between stretches of a few milliseconds. */
  readonly clock?: Clock;
}

/** What a walk found. */
export interface WalkResult {
  /** Paths of files, in the order of their code units. */
  readonly files: readonly string[];
  /** Those of `files` that are links, with the real path inside the folder that each leads to. */
  readonly links: ReadonlyMap<string, string>;
  /** Links to folders inside, with the real path of each; they are not walked. */
  readonly folderLinks: ReadonlyMap<string, string>;
  /** Some of the files that were met and are ignored: those of folders that are not ignored themselves. */
  readonly ignored: readonly string[];
  /** The folders that were listed, those without a file too; `''` is the root. */
  readonly folders: readonly string[];
  /** Those of them that begin a Git repository: with a `.git`, be it a folder or, as in a submodule, a file. */
  readonly repositories: readonly string[];
  /** Tells for a single path later what the walk would do. */
  readonly rules: IgnoreRules;
  readonly problems: readonly Problem[];
  /** False when it was cancelled or stopped at `maxFiles`. */
  readonly isComplete: boolean;
}

/**
 * Lists the files of a folder that git would not ignore, breadth first; of links only those to files inside that are
 * not ignored. Links to folders are named, and not walked. A folder that cannot be read becomes a problem. Never rejects
 * for what it meets on disk.
 */
export async function walkFiles(
  source: FileSource,
  options: WalkOptions = {},
  signal: AbortSignal = NEVER_ABORTED,
): Promise<WalkResult> {
  return new Walk(source, options, signal).run();
}

interface Listed {
  readonly folder: string;
  readonly read: DirectoryRead;
  readonly ignoreText: string | undefined;
}

class Walk {
  private readonly files: string[] = [];
  private readonly ignored: string[] = [];
  private readonly folders: string[] = [];
  private readonly repositories: string[] = [];
  private readonly foundLinks: string[] = [];
  private readonly links = new Map<string, string>();
  private readonly folderLinks = new Map<string, string>();
  private readonly problems: Problem[] = [];
  private readonly rules: IgnoreRules;
  private readonly limiter: Limiter;
  private readonly maxFiles: number;
  private readonly clock: Clock | undefined;
  private untilPause = STRETCH;
  private isFull = false;
  private ignoreChars = 0;
  private moreProblems = 0;
  /** Folders and links met. */
  private others = 0;

  constructor(
    private readonly source: FileSource,
    options: WalkOptions,
    private readonly signal: AbortSignal,
  ) {
    this.rules = new IgnoreRules(options.maxSteps);
    this.limiter = new Limiter(options.concurrency ?? DEFAULT_CONCURRENCY);
    this.clock = options.clock;
    this.maxFiles = options.maxFiles ?? DEFAULT_MAX_FILES;
  }

  async run(): Promise<WalkResult> {
    const exclude = await this.readText(GIT_EXCLUDE_PATH);
    if (exclude !== undefined) this.rules.setExclude(exclude);
    let level: readonly string[] = [''];
    // Level by level, each in order: with a cap, the same files are listed whatever the disk's timing.
    while (level.length > 0 && !this.isStopped) {
      level = await this.walkLevel(level);
    }
    await this.followLinks();
    this.reportRest();
    this.rules.forgetCompiled();
    return {
      files: this.files.sort(),
      links: this.links,
      folderLinks: this.folderLinks,
      ignored: this.ignored,
      folders: this.folders,
      repositories: this.repositories,
      rules: this.rules,
      problems: this.problems,
      isComplete: !this.isFull && !this.signal.aborted,
    };
  }

  /** Takes each folder as soon as it is listed, in order, so that no long stretch of work builds up. */
  private async walkLevel(level: readonly string[]): Promise<readonly string[]> {
    const next: string[] = [];
    const listings = level.map((folder) => this.limiter.run(() => this.list(folder)));
    for (const listing of listings) next.push(...(await this.take(await listing)));
    return next.sort();
  }

  private get isStopped(): boolean {
    return this.isFull || this.signal.aborted;
  }

  private async list(folder: string): Promise<Listed> {
    if (this.isStopped) return { folder, read: { kind: 'missing' }, ignoreText: undefined };
    const read = await this.source.list(folder);
    // Git does not follow a `.gitignore` that is a link.
    const hasRules =
      read.kind === 'ok' && read.entries.some((entry) => entry.name === '.gitignore' && entry.kind === 'file');
    return { folder, read, ignoreText: hasRules ? await this.readText(join(folder, '.gitignore')) : undefined };
  }

  /** Sorts one folder's entries; returns the folders to walk next. */
  private async take({ folder, read, ignoreText }: Listed): Promise<readonly string[]> {
    if (read.kind !== 'ok') {
      if (read.kind === 'unreadable' || folder === '') this.reportFolder(folder, read);
      return [];
    }
    this.folders.push(folder);
    if (read.entries.some(({ name }) => name === '.git')) this.repositories.push(folder);
    if (ignoreText !== undefined) this.takeRules(folder, ignoreText);
    this.reportNames(folder, read.unnamed ?? []);
    const folders: string[] = [];
    for (const entry of [...read.entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (this.isStopped) break;
      await this.pauseNowAndThen();
      const path = join(folder, entry.name);
      if (entry.kind === 'other' || isSkippedName(entry.name)) continue;
      if (this.rules.isIgnored(path, entry.kind === 'folder')) {
        if (entry.kind === 'file' && this.ignored.length < MAX_IGNORED) this.ignored.push(path);
        continue;
      }
      if (entry.kind === 'file') this.add(path);
      else if (++this.others > this.maxFiles) {
        this.stopAt(
          phrase(
            'More than {0} folders and links: the rest is left out. To choose what is left out, list data folders in .gitignore.',
            this.maxFiles,
          ),
        );
      } else if (entry.kind === 'folder') folders.push(path);
      else this.foundLinks.push(path);
    }
    return folders;
  }

  private takeRules(folder: string, text: string): void {
    const path = join(folder, '.gitignore');
    this.ignoreChars += text.length;
    if (this.ignoreChars <= MAX_ALL_IGNORE_CHARS) this.rules.setFolder(folder, text);
    else
      this.report(phrase('The ignore files together are too large, so the rules of {0} are not applied.', path), path);
  }

  private reportRest(): void {
    const { undecidedPaths } = this.rules;
    const tell = (words: Phrase): number => this.problems.push(makeProblem('file', 'warning', words));
    if (undecidedPaths > 0) {
      tell(
        phrase(
          'The ignore files have too many patterns for so many files: {0} files and folders are left out.',
          undecidedPaths,
        ),
      );
    }
    if (this.moreProblems > 0) tell(phrase('{0} more folders or ignore files could not be read.', this.moreProblems));
  }

  private async pauseNowAndThen(): Promise<void> {
    if (--this.untilPause > 0) return;
    this.untilPause = STRETCH;
    const { clock } = this;
    if (clock) await new Promise<void>((resolve) => clock.schedule(resolve, 0));
  }

  private add(path: string): boolean {
    if (this.files.length < this.maxFiles) return this.files.push(path) > 0;
    this.stopAt(
      phrase(
        'More than {0} files: the rest is left out. To choose what is left out, list data folders in .gitignore.',
        this.maxFiles,
      ),
    );
    return false;
  }

  private stopAt(words: Phrase): void {
    if (!this.isFull) this.report(words, undefined);
    this.isFull = true;
  }

  /** Links come last: only then are all ignore files known that may rule their targets out. */
  private async followLinks(): Promise<void> {
    const targets = await Promise.all(
      this.foundLinks.map((path) =>
        this.limiter.run(async () => (this.isStopped ? undefined : this.source.resolveLink(path))),
      ),
    );
    for (const [at, path] of this.foundLinks.entries()) {
      const target = targets[at];
      if (target?.kind === 'folder') this.folderLinks.set(path, target.realPath);
      if (target?.kind !== 'file' || this.rules.isIgnored(target.realPath)) continue;
      if (this.add(path)) this.links.set(path, target.realPath);
    }
  }

  private async readText(path: string): Promise<string | undefined> {
    const read = await this.source.read(path, MAX_IGNORE_BYTES);
    if (read.kind === 'missing') return undefined;
    const decoded = read.kind === 'ok' ? decodeText(read.bytes) : undefined;
    if (decoded?.kind === 'text') return decoded.text;
    this.report(phrase('{0} could not be read, so its rules are not applied.', path), path);
    return undefined;
  }

  private reportFolder(folder: string, read: DirectoryRead): void {
    const why = read.kind === 'unreadable' ? read.message : phrase('it does not exist');
    const words =
      folder === ''
        ? phrase('The folder could not be read: {0}. Its files are left out.', why)
        : phrase('The folder {0} could not be read: {1}. Its files are left out.', folder, why);
    this.report(words, folder === '' ? undefined : folder);
  }

  /** One problem a folder; what is ignored is left out anyway. */
  private reportNames(folder: string, names: readonly string[]): void {
    const paths = names.map((name) => join(folder, name)).filter((path) => !this.rules.isIgnored(path));
    const [first] = paths;
    if (first === undefined) return;
    const words =
      paths.length === 1
        ? phrase('The name {0} is not UTF-8, so it is left out. Rename it.', first)
        : phrase(
            '{0} names in one folder are not UTF-8, so they are left out: {1} is one. Rename them.',
            paths.length,
            first,
          );
    this.report(words, undefined);
  }

  private report(words: Phrase, path: string | undefined): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(makeProblem('file', 'warning', words, { path }));
    else this.moreProblems++;
  }
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

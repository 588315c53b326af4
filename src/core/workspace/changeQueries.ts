/** What changed in a folder, as maps of changes are made of: git's files and lines, and definitions that are gone. */
import type { FileParser } from '../engine/parser';
import { makeProblem, type Problem } from '../model/problem';
import { ChangesError, type GitChanges, readChanges, readOldFile } from '../pipeline/collect/gitChanges';
import { openFacts } from '../repomap/facts/factsCodec';
import { hasGrammar, languageOf } from '../repomap/facts/languages';
import type { Definition } from '../repomap/facts/types';
import { qualifiedNames } from '../repomap/index/indexedFile';
import type { ChangeSet, RemovedDefinition } from '../repomap/ranking/changedOrder';
import { decodeText } from '../text/decode';
import { hashText } from '../text/hash';
import { Limiter } from '../text/limiter';
import { mapFiles } from './mapFiles';
import type { WorkspaceEvent, WorkspacePorts, WorkspaceState } from './workspaceState';

/** A change, read for a map. */
export interface ReadChangeSet extends Pick<GitChanges, 'base' | 'commit' | 'note'> {
  readonly changes: ChangeSet;
}

/** Files whose old text is looked at for definitions that are gone: each costs a git process and a parse. */
const MAX_OLD_FILES = 40;
const CONCURRENCY = 4;

/** What texts define, by what they are: a change is read again after each save, and most of it is as it was. */
class KnownDefinitions {
  #known = new Map<string, Promise<readonly Definition[] | undefined>>();
  #used = new Map<string, Promise<readonly Definition[] | undefined>>();

  constructor(private readonly parser: FileParser) {}

  /** Forgets what was not asked for since the last call. */
  startRound(): void {
    this.#known = this.#used;
    this.#used = new Map();
  }

  /** Of the text of `path`; `undefined` where there is no text. */
  async of(path: string, text: string | undefined): Promise<readonly Definition[] | undefined> {
    if (text === undefined || text === '') return text === undefined ? undefined : [];
    const contentHash = hashText(text);
    return this.#get(`${contentHash} ${path}`, async () => {
      const [encoded] = await this.parser.parse([{ path, contentHash, bytes: new TextEncoder().encode(text) }]);
      return encoded ? openFacts(encoded).definitions : [];
    });
  }

  /** Of a file as it was in a commit, whose text `read` gives. */
  before(commit: string, path: string, read: () => Promise<string | undefined>): ReturnType<KnownDefinitions['of']> {
    return this.#get(`${commit} ${path}`, async () => this.of(path, await read()));
  }

  #get(key: string, make: () => Promise<readonly Definition[] | undefined>): ReturnType<KnownDefinitions['of']> {
    const found = this.#used.get(key) ?? this.#known.get(key) ?? make();
    this.#used.set(key, found);
    return found;
  }
}

/** Definitions of the old text whose qualified names the new one does not have. */
function removedFrom(before: readonly Definition[], after: readonly Definition[]): readonly RemovedDefinition[] {
  const kept = new Set(qualifiedNames(after));
  const names = qualifiedNames(before);
  return before.flatMap(({ name, kind }, at) => (kept.has(names[at] ?? '') ? [] : [{ name, kind }]));
}

type ChangePorts = Pick<WorkspacePorts, 'processes' | 'parser' | 'files'>;

/** What changed in one folder: asked for once, or kept for maps that show it in place of a task's. */
export class ChangeQueries {
  #isStale = true;
  #isWanted = false;
  #read: ReadChangeSet | undefined;
  #problems: readonly Problem[] = [];
  readonly #definitions: KnownDefinitions;

  constructor(
    private readonly ports: ChangePorts,
    private readonly state: WorkspaceState,
  ) {
    this.#definitions = new KnownDefinitions(ports.parser);
  }

  /** The change that was read last for the preferences; undefined where they ask for none, and where it could not be read. */
  get shown(): ReadChangeSet | undefined {
    return this.#read;
  }

  /** Why it could not be read. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  take({ kind }: WorkspaceEvent): void {
    if (kind === 'files' || kind === 'rescan' || kind === 'git') this.outdate();
  }

  /** What it read may have changed. */
  outdate(): void {
    this.#isStale = true;
  }

  /** Reads what maps show, where the preferences want changes shown. Never rejects because of git. */
  async refresh(signal: AbortSignal): Promise<void> {
    const { showsChanges = false } = this.state.preferences;
    if (showsChanges === this.#isWanted && !(showsChanges && this.#isStale)) return;
    this.#isWanted = showsChanges;
    this.#isStale = false;
    this.#definitions.startRound();
    [this.#read, this.#problems] = showsChanges ? await this.#tried(signal) : [undefined, []];
    const { changes } = this.#read ?? {};
    // Where nothing changed, the map is the folder's.
    this.state.changes = changes && changes.files.length > 0 ? changes : undefined;
  }

  /** The paths of what changed, from git alone. @throws ChangesError */
  async paths(signal: AbortSignal): Promise<Pick<GitChanges, 'base'> & { readonly paths: readonly string[] }> {
    const { processes } = this.ports;
    const { base, files } = await readChanges(processes, this.state.preferences.isTrusted, undefined, signal);
    return { base, paths: files.map(({ path }) => path) };
  }

  /**
   * What changed since the working tree left `base` (the default: see `readChanges`).
   * @throws ChangesError
   */
  async since(base: string | undefined, signal: AbortSignal): Promise<ReadChangeSet> {
    const { processes } = this.ports;
    const { files, ...read } = await readChanges(processes, this.state.preferences.isTrusted, base, signal);
    const mayHaveLost = ({ kind, hunks = [] }: (typeof files)[number]): boolean =>
      kind === 'deleted' || (kind === 'changed' && hunks.some(({ removed }) => removed > 0));
    const hasDefinitions = ({ oldPath }: (typeof files)[number]): boolean => hasGrammar(languageOf(oldPath) ?? '');
    const looked = new Set(files.filter((file) => mayHaveLost(file) && hasDefinitions(file)).slice(0, MAX_OLD_FILES));
    const goneFiles = files.filter(({ kind }) => kind === 'deleted').map(({ path }) => path);
    const deleted = new Set(mapFiles(this.state.config.repoMap, goneFiles));
    const limiter = new Limiter(CONCURRENCY);
    const removedOf = async ({
      path,
      oldPath,
      kind,
    }: (typeof files)[number]): Promise<readonly RemovedDefinition[]> => {
      const [before, now] = await Promise.all([
        processes &&
          this.#definitions.before(read.commit, oldPath, () => readOldFile(processes, read.commit, oldPath, signal)),
        kind === 'deleted' ? [] : this.#textNow(path).then((text) => this.#definitions.of(path, text)),
      ]);
      return before && now ? removedFrom(before, now) : [];
    };
    const changed = await Promise.all(
      files.map(async (file) => ({
        path: file.path,
        isNew: file.kind === 'added',
        ...(deleted.has(file.path) ? { isDeleted: true } : {}),
        ...(file.oldPath === file.path ? {} : { from: file.oldPath }),
        hunks: file.hunks,
        removed: looked.has(file) ? await limiter.run(() => removedOf(file)) : [],
      })),
    );
    return { ...read, changes: { files: changed } };
  }

  async #tried(signal: AbortSignal): Promise<readonly [ReadChangeSet | undefined, readonly Problem[]]> {
    try {
      const read = await this.since(undefined, signal);
      return [read, read.note ? [makeProblem('index', 'warning', read.note)] : []];
    } catch (error) {
      if (!ChangesError.is(error)) throw error;
      return [undefined, [makeProblem('index', 'warning', (error as ChangesError).words)]];
    }
  }

  async #textNow(path: string): Promise<string | undefined> {
    const read = await this.ports.files.read(path, this.state.config.repoMap.maxFileBytes);
    const decoded = read.kind === 'ok' ? decodeText(read.bytes) : undefined;
    return decoded?.kind === 'text' ? decoded.text : undefined;
  }
}

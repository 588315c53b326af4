/**
 * When a folder's symbols are read (`folderIndexer.ts` reads them). Two speeds (DESIGN §6): for a task in a large folder all
 * words are scanned and only the files that the map may show are parsed before it is made; the rest follows.
 */
import type { Problem } from '../../model/problem';
import type { Disposable } from '../../ports/ports';
import { WHOLE_FILES } from '../../repomap/ranking/taskRanking';
import type { WorkingQuery } from '../../repomap/ranking/workingQuery';
import { Limiter } from '../../text/limiter';
import { CoalescingLoop } from '../coalescingLoop';
import type { MapFiles } from '../mapFiles';
import type { WorkspacePorts } from '../workspaceState';
import { Emitter, type WorkspaceState } from '../workspaceState';
import { FolderIndexer, type IndexerPorts, type IndexOptions } from './folderIndexer';
import { IndexStatus, indexProblems } from './indexProblems';

type IndexingPorts = IndexerPorts & Pick<WorkspacePorts, 'clock'>;

/** Rounds of candidates: the best by words, those that their definitions bring up, and both again in tests. */
const MAX_ROUNDS = 5;
/** The rest waits so long after the last answer, so that it takes no processor from it. */
const IDLE_MS = 300;
/** The symbol cache is written this long after the last change. */
const FLUSH_DELAY_MS = 5000;

/** The symbol index of one folder, kept up to date. */
export class SymbolIndexing implements Disposable {
  readonly status: IndexStatus;
  /** Fires when other maps can be made than before. */
  readonly didChange = new Emitter();
  /** Fires with the cause when the index could not be made. */
  readonly didFail = new Emitter<unknown>();
  readonly #indexer: FolderIndexer;
  readonly #loop: CoalescingLoop;
  readonly #rest: CoalescingLoop;
  #problems: readonly Problem[] = [];
  #isReady = false;
  #revision = 0;
  /** Files to look at again; `all` when the folder was listed again. */
  #wanted: Set<string> | 'all' = new Set();
  /** Of the work under way, or of the next; set by `stop`. */
  #work = new AbortController();
  #isDisposed = false;
  /** Of a round in idle time, which gives way to work that a caller waits for. */
  #round = new AbortController();
  /** Work on the index, one after another: a file must not be read by two at once. */
  readonly #oneByOne = new Limiter(1);
  /** Maps for a task that are waited for. */
  #hurries = 0;
  /** Of the parsing of a large folder, which gives way to the words when one begins. */
  #unhurried: AbortController | undefined;
  /** The query whose candidates are parsed; undefined after every change of files. */
  #preparedFor: string | undefined;
  #flushTimer: Disposable | undefined;
  #quietTimer: Disposable | undefined;

  constructor(
    private readonly ports: IndexingPorts,
    private readonly state: WorkspaceState,
    private readonly mapFiles: MapFiles,
  ) {
    this.#indexer = new FolderIndexer(ports);
    this.status = new IndexStatus(ports.clock);
    const onError = (cause: unknown): void => {
      this.status.set('stopped');
      this.didFail.fire(cause);
    };
    this.#loop = new CoalescingLoop(() => this.#refresh(), onError);
    this.#rest = new CoalescingLoop(() => this.#parseRest(), onError);
  }

  /** What could not be read. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** Increases when maps may differ. */
  get revision(): number {
    return this.#revision;
  }

  /** Whether a map for `query` says something: one by structure needs all definitions, unless indexing was stopped. */
  isReadyFor({ query }: WorkingQuery): boolean {
    const isWhole = this.#indexer.unparsed.size === 0 || this.status.current.phase === 'stopped';
    return this.#isReady && (isWhole || query !== '');
  }

  /** Nothing is under way, the parsing in idle time left out. */
  get isUsable(): boolean {
    return this.#loop.isIdle;
  }

  get isIdle(): boolean {
    return this.#loop.isIdle && this.#rest.isIdle;
  }

  get failure(): { readonly cause: unknown } | undefined {
    return this.#loop.failure ?? this.#rest.failure;
  }

  /** Resolves when all words are known. */
  usable(): Promise<void> {
    return this.#loop.idle();
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await this.#loop.idle();
    await this.#rest.idle();
  }

  /** Files are being listed: `request` comes next, and a map for the task, unless it is `''`. */
  expectFiles(task: string): void {
    if (!this.#work.signal.aborted) this.#indexer.expectFiles(task);
  }

  /** Looks at files again. */
  request(paths: readonly string[] | 'all'): void {
    if (paths === 'all') this.#wanted = 'all';
    else if (this.#wanted !== 'all') for (const path of paths) this.#wanted.add(path);
    this.#loop.request();
  }

  /** Ends the work until `resume`; what is indexed stays in use. */
  stop(): void {
    const { phase, done, total } = this.status.current;
    if (phase === 'ready' || phase === 'stopped') return;
    this.#abort();
    this.status.set('stopped', done, total);
  }

  resume(): void {
    if (this.status.current.phase !== 'stopped' || this.#isDisposed) return;
    this.#work = new AbortController();
    this.status.set('listing');
    this.request('all');
  }

  /** The engine is empty again. */
  reset(): void {
    this.#indexer.reset();
    this.#isReady = false;
    this.#preparedFor = undefined;
  }

  /**
   * A map for a task is waited for: until the result is called, words go before definitions, in what is being read too.
   */
  hurry(): () => void {
    this.#hurries++;
    this.#unhurried?.abort();
    return () => {
      this.#hurries--;
    };
  }

  /** Writes what was read so far, for a run that ends before all of it is. Never rejects. */
  async save(): Promise<void> {
    await this.#indexer.flush().catch((cause) => this.ports.logger.warn(`symbol cache not written: ${String(cause)}`));
  }

  /** Parses what a map for the query may show; nothing to do when it is parsed already. */
  async prepare(query: WorkingQuery): Promise<void> {
    // Nothing is interrupted for what is there already: reports ask again and again.
    if (query.query === '' || query.query === this.#preparedFor || this.#indexer.unparsed.size === 0) return;
    await this.#urgently(() => this.#parseCandidates(query, this.#work.signal));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#abort();
    this.#loop.stop();
    this.#rest.stop();
    this.#flushTimer?.dispose();
    this.#quietTimer?.dispose();
    this.status.dispose();
  }

  async #refresh(): Promise<void> {
    const signal = this.#work.signal;
    const wanted = this.#wanted;
    // Nothing is forgotten while indexing is stopped: going on lists everything again.
    this.#wanted = signal.aborted ? 'all' : new Set();
    if (!signal.aborted) {
      await this.#urgently(async () => {
        this.#preparedFor = undefined;
        await this.#read(wanted, signal);
        await this.#parseCandidates(this.state.query, signal);
      });
    }
    if (signal.aborted) this.#wanted = 'all';
    await this.#changed();
    if (signal.aborted) return;
    if (this.#indexer.unparsed.size > 0) this.#rest.request();
    else this.status.set('ready');
  }

  async #read(wanted: ReadonlySet<string> | 'all', signal: AbortSignal): Promise<void> {
    const maxFileBytes = this.state.config.repoMap.maxFileBytes;
    if (wanted === 'all') return this.#readAll(maxFileBytes, signal);
    const paths = [...wanted];
    const present = this.mapFiles.among(paths);
    const kept = new Set(present);
    await this.#indexer.remove(paths.filter((path) => !kept.has(path)));
    await this.#indexer.update(present, { maxFileBytes, depth: 'definitions' }, signal);
    this.#scheduleFlush();
  }

  async #readAll(maxFileBytes: number, signal: AbortSignal): Promise<void> {
    const files = this.mapFiles.all();
    const isLarge = files.length > WHOLE_FILES;
    const sync = (depth: IndexOptions['depth'], until: AbortSignal): Promise<void> => {
      const onProgress = this.#progress(depth === 'words' ? 'scanning' : 'parsing', files.length, signal);
      onProgress(0);
      // 100 MB in two workers, which writing and ranking may need.
      const onRead = isLarge ? (): void => this.ports.parser.release?.() : undefined;
      return this.#indexer.sync(files, { maxFileBytes, depth, onProgress, ...(onRead ? { onRead } : {}) }, until);
    };
    if (!isLarge) return sync('definitions', signal);
    if (this.#hurries === 0 && this.state.query.query === '') {
      const unhurried = new AbortController();
      this.#unhurried = unhurried;
      if (signal.aborted) unhurried.abort();
      await sync('definitions', unhurried.signal);
      if (!unhurried.signal.aborted || signal.aborted) return;
    }
    if (!signal.aborted) await sync('words', signal);
  }

  async #parseCandidates({ query }: WorkingQuery, signal: AbortSignal): Promise<void> {
    if (query === '' || query === this.#preparedFor) return;
    const maxFileBytes = this.state.config.repoMap.maxFileBytes;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      if (signal.aborted || this.#indexer.unparsed.size === 0) return;
      const paths = await this.ports.engine.findCandidates({ query });
      if (paths.length === 0) break;
      await this.#indexer.update(paths, { maxFileBytes, depth: 'definitions' }, signal);
    }
    if (!signal.aborted) this.#preparedFor = query;
  }

  /** Second speed: all that no map has needed yet. */
  async #parseRest(): Promise<void> {
    const signal = this.#work.signal;
    const total = this.#indexer.unparsed.size;
    const tell = this.#progress('parsing', total, signal);
    tell(0);
    while (this.#indexer.unparsed.size > 0 && !signal.aborted) {
      // The last answer has time to be used.
      await new Promise<void>((resolve) => {
        this.#quietTimer = this.ports.clock.schedule(resolve, IDLE_MS);
      });
      const round = new AbortController();
      this.#round = round;
      if (signal.aborted) round.abort();
      await this.#oneByOne.run(() => {
        const paths = [...this.#indexer.unparsed];
        const { maxFileBytes } = this.state.config.repoMap;
        const onProgress = (done: number): void => tell(total - paths.length + done);
        return this.#indexer.update(paths, { maxFileBytes, depth: 'definitions', onProgress }, round.signal);
      });
    }
    if (signal.aborted) return;
    this.ports.parser.release?.();
    await this.#indexer.flush();
    await this.#changed();
    this.status.set('ready');
  }

  #progress(phase: 'scanning' | 'parsing', total: number, signal: AbortSignal): (done: number) => void {
    return (done) => {
      if (!signal.aborted) this.status.set(phase, done, total);
    };
  }

  async #changed(): Promise<void> {
    if (this.#isDisposed) return;
    this.#problems = indexProblems(await this.ports.engine.listTroubled());
    this.#isReady = true;
    this.#revision++;
    this.didChange.fire();
  }

  /** Before the rest. */
  #urgently(work: () => Promise<void>): Promise<void> {
    this.#round.abort();
    return this.#oneByOne.run(work);
  }

  #abort(): void {
    for (const work of [this.#work, this.#round, this.#unhurried]) work?.abort();
  }

  #scheduleFlush(): void {
    this.#flushTimer?.dispose();
    this.#flushTimer = this.ports.clock.schedule(() => {
      void this.save();
    }, FLUSH_DELAY_MS);
  }
}

/**
 * Keeps the engine's symbol index equal to a folder's files: reads what changed, takes facts from the cache where the
 * content is known, has the rest scanned for words or parsed. `symbolIndexing.ts` decides when.
 */
import type { ParseInput } from '../../engine/parser';
import type { FileOutcome } from '../../model/repoMap';
import { forEachLimited } from '../../ports/forEachLimited';
import type { FileStamp } from '../../ports/ports';
import { outcomeOf } from '../../repomap/facts/factsCodec';
import { languageOf, readLimitOf } from '../../repomap/facts/languages';
import { type FileContent, joinContents, type UnreadOutcome } from '../../repomap/index/fileContent';
import { hashBytes } from '../../text/hash';
import { IndexCache, type Known } from '../symbolCache/indexCache';
import { StampCache } from '../symbolCache/stampCache';
import type { WorkspacePorts } from '../workspaceState';

/** Memory in flight stays bounded and progress moves; one batch for each of two workers, and one on its way. */
const BATCHES = { bytes: 256 * 1024, atOnce: 3 };
/** What each file counts at least: so many that are read, and of those that are a path and a hash, fill a batch. */
const MIN_BYTES = { read: BATCHES.bytes / 48, known: BATCHES.bytes / 512 };

/** Gathers items into batches of which a few are under way at once; who fills them waits for room first. */
class BatchQueue<T> {
  readonly #running = new Set<Promise<void>>();
  #batch: T[] = [];
  #sizeBytes = 0;
  #failure: { readonly cause: unknown } | undefined;

  /** @param run gets each full batch */
  constructor(private readonly run: (batch: readonly T[]) => Promise<void>) {}

  /** Resolves when there is room for another batch. @throws what `run` failed with */
  async room(): Promise<void> {
    while (this.#running.size >= BATCHES.atOnce) await Promise.race(this.#running);
    if (this.#failure) throw this.#failure.cause;
  }

  /** Takes an item in; starts the batch that it fills. */
  add(item: T, sizeBytes: number): void {
    this.#batch.push(item);
    this.#sizeBytes += sizeBytes;
    if (this.#sizeBytes >= BATCHES.bytes) this.#start();
  }

  /** Starts the last batch and waits for all. @throws what `run` failed with */
  async drain(): Promise<void> {
    this.#start();
    await Promise.all(this.#running);
    if (this.#failure) throw this.#failure.cause;
  }

  #start(): void {
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#batch = [];
    this.#sizeBytes = 0;
    const running: Promise<void> = this.run(batch)
      .catch((cause: unknown) => {
        this.#failure ??= { cause };
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}

/** The parts of the world an indexer needs. */
export type IndexerPorts = Pick<
  WorkspacePorts,
  'files' | 'parser' | 'engine' | 'cache' | 'contents' | 'logger' | 'clock'
>;

/** How a folder is read. */
export interface IndexOptions {
  /** Larger files are listed without being read. */
  readonly maxFileBytes: number;
  /** `words`: new content is scanned, not parsed (DESIGN §6, first speed). */
  readonly depth: 'words' | 'definitions';
  /** Called with the number of files settled so far. */
  readonly onProgress?: (done: number) => void;
  /** Called when a folder is read, before what it gave is written. */
  readonly onRead?: () => void;
}

/** Files in flight at once: enough to hide the latency of asynchronous reads (16 was the knee of the curve measured for `fs.promises`). */
const READS_AT_ONCE = 16;

/** So many files are read before anything else is asked what they hold: fewer take less time than the asking. */
const ENOUGH_UNKNOWN = 64;

/**
 * Bytes. Up to here ordinary code takes 40 ms of a free processor (PERFORMANCE §3): where the parser had no time for it,
 * other programs may have had the processors.
 */
const HONEST_BYTES = 256 * 1024;

/** What one update may know of files without reading them. */
type FindUnread = (path: string, stamp: FileStamp) => Promise<string | undefined>;

/** What one file still needs: to be listed, to be taken from what is stored, or its bytes must be scanned or parsed. */
type Reading =
  | { readonly kind: 'unread'; readonly entry: FileContent }
  | { readonly kind: 'stored'; readonly entry: FileContent; readonly known: Known }
  | { readonly kind: 'parse'; readonly input: ParseInput };

export class FolderIndexer {
  /** Content hash of every file in the engine's index. */
  readonly #known = new Map<string, string>();
  readonly #unparsed = new Set<string>();
  readonly #cache: IndexCache;
  readonly #stamps: StampCache;
  /** What is done before files are listed. */
  #expecting: Promise<void> = Promise.resolve();
  /** Files that the engine could not adopt after all. */
  #refused: string[] = [];
  /** Contents that the parser had no time for once, by path. */
  readonly #late = new Map<string, string>();

  constructor(private readonly ports: IndexerPorts) {
    this.#cache = new IndexCache(ports.cache, ports.engine, ports.logger);
    this.#stamps = new StampCache(ports.cache);
  }

  /** Files of which the engine has no definitions yet. */
  get unparsed(): ReadonlySet<string> {
    return this.#unparsed;
  }

  /** Forgets what the engine holds, for an engine that was restarted empty. */
  reset(): void {
    this.#known.clear();
    this.#unparsed.clear();
    this.#late.clear();
    this.#cache.reset();
  }

  /**
   * Opens what earlier runs stored: files are being listed, and `sync`, which says what failed, comes next.
   * @param task whose map is made of them; `''` for none
   */
  expectFiles(task: string): void {
    this.#expecting = this.#expect(task).catch(() => {});
    // Then all that is listed is parsed.
    const prepare = (isEmpty: boolean): void => {
      if (isEmpty) this.ports.parser.prepare?.();
    };
    this.#cache.isEmpty().then(prepare, () => {});
  }

  /** While a folder is listed for a task, the engine takes in what its files had when they were seen last: most are unchanged. */
  async #expect(task: string): Promise<void> {
    await this.#cache.open();
    if (task === '') return;
    await Promise.all([this.ports.engine.expectTask({ query: task }), this.#stamps.open()]);
    if (this.#known.size > 0) return;
    const stored = this.#stamps.contents.flatMap((entry): Extract<Reading, { kind: 'stored' }>[] => {
      const known = this.#cache.knows(entry);
      return known ? [{ kind: 'stored', entry, known }] : [];
    });
    if (stored.length > 0) await this.#adopt(stored);
    // What could not be adopted is met again if it is still there.
    this.#refused = [];
  }

  /** Makes the index hold exactly `paths`. Unchanged content is neither parsed nor sent again. */
  async sync(paths: readonly string[], options: IndexOptions, signal: AbortSignal): Promise<void> {
    await this.#expecting;
    const wanted = new Set(paths);
    await this.remove([...this.#known.keys()].filter((path) => !wanted.has(path)));
    await this.update(paths, options, signal);
    // Words are half of an answer that a caller waits for: they are written with what is parsed next.
    if (signal.aborted || options.depth === 'words') return;
    options.onRead?.();
    await this.flush();
  }

  /** Brings single files up to date; a path that no longer exists leaves the index. */
  async update(paths: readonly string[], options: IndexOptions, signal: AbortSignal): Promise<void> {
    let done = 0;
    const settled = (count: number): void => {
      done += count;
      options.onProgress?.(done);
    };
    const [findUnread] = await Promise.all([this.#findUnread(paths, signal), this.#cache.open(), this.#expecting]);
    const queue = new BatchQueue<Reading>(async (batch) => {
      await this.#settle(batch, signal);
      settled(batch.length);
    });
    try {
      await forEachLimited(paths, READS_AT_ONCE, signal, async (path) => {
        await queue.room();
        const reading = await this.#read(path, options, findUnread);
        if (!reading) settled(1);
        else queue.add(reading, sizeOf(reading));
      });
    } finally {
      await queue.drain();
    }
    const refused = this.#refused;
    this.#refused = [];
    // What was refused is not known any more: this ends.
    if (refused.length > 0 && !signal.aborted) await this.update(refused, options, signal);
  }

  /** Takes files out of the index; unknown ones are passed over. */
  async remove(paths: readonly string[]): Promise<void> {
    const known = paths.filter((path) => this.#known.has(path));
    if (known.length === 0) return;
    for (const path of known) {
      this.#known.delete(path);
      this.#unparsed.delete(path);
      this.#late.delete(path);
    }
    await this.ports.engine.removeFiles(known);
  }

  /** Writes what changed since the last save; call when idle. */
  async flush(): Promise<void> {
    await this.#cache.save();
    await this.#stamps.save((path) => this.#known.has(path));
  }

  /** Reads one file; undefined when there is nothing to do for it. */
  async #read(
    path: string,
    { maxFileBytes, depth }: IndexOptions,
    findUnread: FindUnread,
  ): Promise<Reading | undefined> {
    if (languageOf(path) === undefined) return this.#unread(path, 'noGrammar', 'no-grammar');
    const limit = readLimitOf(path, maxFileBytes);
    const stamp = await this.ports.files.stamp?.(path);
    if (stamp && stamp.sizeBytes <= limit) {
      const stamped = this.#stamps.find(path, stamp);
      const unread = stamped ?? (await findUnread(path, stamp));
      if (unread !== undefined) {
        if (this.#isDone(path, unread, depth)) return undefined;
        const stored = this.#stored(path, unread, depth);
        // A name that is not known may be of the content before a conversion: what is read decides.
        if (stored && stamped === undefined) this.#stamps.put(path, stamp, unread, this.ports.clock.now());
        if (stored) return stored;
      }
    }
    const read = await this.ports.files.read(path, limit);
    switch (read.kind) {
      case 'missing':
        await this.remove([path]);
        return undefined;
      case 'tooLarge':
        return this.#unread(path, 'tooLarge', `size-${read.sizeBytes}`);
      case 'unreadable':
        return this.#unread(path, 'unreadable', 'unreadable');
      case 'ok': {
        const contentHash = this.ports.contents?.nameOf(read.bytes) ?? hashBytes(read.bytes);
        if (stamp) this.#stamps.put(path, stamp, contentHash, this.ports.clock.now());
        if (this.#isDone(path, contentHash, depth)) return undefined;
        const stored = this.#stored(path, contentHash, depth);
        return stored ?? { kind: 'parse', input: { path, contentHash, bytes: read.bytes, depth } };
      }
    }
  }

  /** Beside the reading of the cache where stamps are missing, else when it turns out that they are old. */
  async #findUnread(paths: readonly string[], signal: AbortSignal): Promise<FindUnread> {
    const { contents } = this.ports;
    await this.#stamps.open();
    // Names lead to what is stored.
    if (!contents || (await this.#cache.isEmpty())) return () => Promise.resolve(undefined);
    let missing = 0;
    const isUnknown = (path: string): boolean => !this.#stamps.has(path) && languageOf(path) !== undefined;
    const isNew = paths.some((path) => isUnknown(path) && ++missing > ENOUGH_UNKNOWN);
    let opened = isNew ? contents.openUnread(signal) : undefined;
    let unknown = 0;
    return async (path, stamp) => {
      if (!opened && ++unknown <= ENOUGH_UNKNOWN) return undefined;
      opened ??= contents.openUnread(signal);
      return (await opened)?.nameOf(path, stamp);
    };
  }

  /** The engine has that content already, as deep as wanted. */
  #isDone(path: string, contentHash: string, depth: IndexOptions['depth']): boolean {
    return (depth === 'words' || !this.#unparsed.has(path)) && this.#known.get(path) === contentHash;
  }

  #stored(path: string, contentHash: string, depth: IndexOptions['depth']): Reading | undefined {
    const entry = { path, contentHash };
    const known = this.#cache.knows(entry);
    const isEnough = known === 'definitions' || (known === 'words' && depth === 'words');
    return isEnough ? { kind: 'stored', entry, known } : undefined;
  }

  /** A file that is listed without being read. */
  #unread(path: string, unread: UnreadOutcome, contentHash: string): Reading | undefined {
    return this.#known.get(path) === contentHash ? undefined : { kind: 'unread', entry: { path, contentHash, unread } };
  }

  async #settle(batch: readonly Reading[], signal: AbortSignal): Promise<void> {
    const adopted = batch.filter((reading) => reading.kind !== 'parse');
    const inputs = batch.flatMap((reading) => (reading.kind === 'parse' ? [reading.input] : []));
    const made = inputs.length > 0 ? await this.ports.parser.parse(inputs, signal) : [];
    for (const { bytes } of inputs) this.ports.files.reuse?.(bytes);
    if (signal.aborted && made.length < inputs.length) return;
    const parsed = inputs.map(({ path, contentHash, bytes }, at) => {
      const encoded = made[at];
      if (encoded === undefined) throw new Error(`the parser gave no facts for ${path}`);
      const entry = { path, contentHash };
      const outcome = outcomeOf(encoded);
      const isUnparsed = outcome === 'scanned' || this.#isWorthMore(entry, outcome, bytes.length);
      return { entry, encoded, outcome, isUnparsed, sizeBytes: encoded.length };
    });
    if (adopted.length > 0) await this.#adopt(adopted);
    if (parsed.length > 0) await this.ports.engine.upsertFiles(parsed.map(({ encoded }) => encoded));
    for (const { entry, outcome, isUnparsed, sizeBytes } of parsed) {
      this.#settled(entry, isUnparsed);
      this.#cache.add(entry, outcome, sizeBytes);
    }
  }

  /** Has the engine take files from its segments, and list those that are not read. */
  async #adopt(readings: readonly Exclude<Reading, { kind: 'parse' }>[]): Promise<void> {
    const hasWords = (reading: Reading): boolean => reading.kind === 'stored' && reading.known === 'words';
    const wanted = readings.map((reading) => (hasWords(reading) ? { ...reading.entry, wordsDo: true } : reading.entry));
    let refused = new Set(await this.ports.engine.adoptFiles(joinContents(wanted)));
    if (refused.size > 0 && (await this.#cache.loadWritten())) {
      const again = wanted.filter(({ path }) => refused.has(path));
      refused = new Set(await this.ports.engine.adoptFiles(joinContents(again)));
    }
    for (const reading of readings) {
      const { entry } = reading;
      if (!refused.has(entry.path)) this.#settled(entry, hasWords(reading));
      else {
        this.#cache.forget(entry);
        this.#refused.push(entry.path);
      }
    }
  }

  /** Whether a content is to be parsed once more, in idle time: the first time that there was no time for it. */
  #isWorthMore({ path, contentHash }: FileContent, outcome: FileOutcome, sizeBytes: number): boolean {
    const isFirst = this.#late.get(path) !== contentHash;
    const isLate = outcome === 'deadline' && sizeBytes <= HONEST_BYTES;
    if (isLate) this.#late.set(path, contentHash);
    else this.#late.delete(path);
    return isLate && isFirst;
  }

  #settled({ path, contentHash }: FileContent, isUnparsed: boolean): void {
    this.#known.set(path, contentHash);
    if (isUnparsed) this.#unparsed.add(path);
    else this.#unparsed.delete(path);
  }
}

/** What a file counts in a batch. */
function sizeOf(reading: Reading): number {
  return reading.kind === 'parse' ? Math.max(MIN_BYTES.read, reading.input.bytes.length) : MIN_BYTES.known;
}

/**
 * Keeps the engine's symbol index equal to a folder's files: reads what changed, takes facts from the cache where the
 * content is known, has the rest scanned for words or parsed. `symbolIndexing.ts` decides when.
 */
import type { ParseInput } from '../../engine/parser';
import type { FileOutcome } from '../../model/repoMap';
import { forEachLimited } from '../../ports/forEachLimited';
import { encodeFacts, outcomeOf } from '../../repomap/facts/factsCodec';
import { languageOf, readLimitOf } from '../../repomap/facts/languages';
import { hashBytes } from '../../text/hash';
import { FactsCache } from '../symbolCache/factsCache';
import type { PackEntry } from '../symbolCache/factsPack';
import type { WorkspacePorts } from '../workspaceState';

/** Memory in flight stays bounded and progress moves; one batch for each of two workers, and one on its way. */
const BATCHES = { bytes: 512 * 1024, items: 48, atOnce: 3 };

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
    if (this.#sizeBytes >= BATCHES.bytes || this.#batch.length >= BATCHES.items) this.#start();
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
export type IndexerPorts = Pick<WorkspacePorts, 'files' | 'parser' | 'engine' | 'cache' | 'logger'>;

/** How a folder is read. */
export interface IndexOptions {
  /** Larger files are listed without being read. */
  readonly maxFileBytes: number;
  /** `words`: new content is scanned, not parsed (DESIGN §6, first speed). */
  readonly depth: 'words' | 'definitions';
  /** Called with the number of files settled so far. */
  readonly onProgress?: (done: number) => void;
}

/** Files in flight at once: enough to hide the latency of asynchronous reads (16 was the knee of the curve measured for `fs.promises`). */
const READS_AT_ONCE = 16;

/** What one file still needs: facts are there already, or its bytes must be scanned or parsed. */
type Reading =
  | { readonly kind: 'ready'; readonly entry: PackEntry }
  | { readonly kind: 'parse'; readonly input: ParseInput };

export class FolderIndexer {
  /** Content hash of every file in the engine's index. */
  readonly #known = new Map<string, string>();
  readonly #unparsed = new Set<string>();
  readonly #cache: FactsCache;

  constructor(private readonly ports: IndexerPorts) {
    this.#cache = new FactsCache(ports.cache, ports.logger);
  }

  /** Files of which the engine knows the words, not the definitions. */
  get unparsed(): ReadonlySet<string> {
    return this.#unparsed;
  }

  /** Forgets what the engine holds, for an engine that was restarted empty. */
  reset(): void {
    this.#known.clear();
    this.#unparsed.clear();
  }

  /** Makes the index hold exactly `paths`. Unchanged content is neither parsed nor sent again. */
  async sync(paths: readonly string[], options: IndexOptions, signal: AbortSignal): Promise<void> {
    const wanted = new Set(paths);
    await this.remove([...this.#known.keys()].filter((path) => !wanted.has(path)));
    await this.update(paths, options, signal);
    if (!signal.aborted) await this.flush();
  }

  /** Brings single files up to date; a path that no longer exists leaves the index. */
  async update(paths: readonly string[], options: IndexOptions, signal: AbortSignal): Promise<void> {
    let done = 0;
    const settled = (count: number): void => {
      done += count;
      options.onProgress?.(done);
    };
    const queue = new BatchQueue<Reading>(async (batch) => {
      await this.#settle(batch, signal);
      settled(batch.length);
    });
    try {
      await forEachLimited(paths, READS_AT_ONCE, signal, async (path) => {
        await queue.room();
        const reading = await this.#read(path, options);
        if (!reading) settled(1);
        else queue.add(reading, reading.kind === 'ready' ? reading.entry.encoded.length : reading.input.bytes.length);
      });
    } finally {
      await queue.drain();
    }
  }

  /** Takes files out of the index; unknown ones are passed over. */
  async remove(paths: readonly string[]): Promise<void> {
    const known = paths.filter((path) => this.#known.has(path));
    if (known.length === 0) return;
    for (const path of known) {
      this.#known.delete(path);
      this.#unparsed.delete(path);
    }
    await this.ports.engine.removeFiles(known);
  }

  /** Writes what changed since the last save; call when idle. */
  async flush(): Promise<void> {
    await this.#cache.save();
  }

  /** Reads one file; undefined when there is nothing to do for it. */
  async #read(path: string, { maxFileBytes, depth }: IndexOptions): Promise<Reading | undefined> {
    if (languageOf(path) === undefined) return this.#unread(path, 'noGrammar', 'no-grammar');
    const read = await this.ports.files.read(path, readLimitOf(path, maxFileBytes));
    switch (read.kind) {
      case 'missing':
        await this.remove([path]);
        return undefined;
      case 'tooLarge':
        return this.#unread(path, 'tooLarge', `size-${read.sizeBytes}`);
      case 'unreadable':
        return this.#unread(path, 'unreadable', 'unreadable');
      case 'ok': {
        const contentHash = hashBytes(read.bytes);
        const isParsed = depth === 'words' || !this.#unparsed.has(path);
        if (isParsed && this.#known.get(path) === contentHash) return undefined;
        const encoded = await this.#cache.find(path, contentHash);
        if (encoded) return { kind: 'ready', entry: { path, contentHash, encoded } };
        return { kind: 'parse', input: { path, contentHash, bytes: read.bytes, depth } };
      }
    }
  }

  /** A file that is listed without being read. */
  #unread(path: string, outcome: FileOutcome, contentHash: string): Reading | undefined {
    if (this.#known.get(path) === contentHash) return undefined;
    const nothing = { lineCount: 0, definitions: [], references: [] };
    const encoded = encodeFacts({ path, contentHash, language: languageOf(path), outcome, ...nothing });
    return { kind: 'ready', entry: { path, contentHash, encoded } };
  }

  async #settle(batch: readonly Reading[], signal: AbortSignal): Promise<void> {
    const ready = batch.flatMap((reading) => (reading.kind === 'ready' ? [reading.entry] : []));
    const inputs = batch.flatMap((reading) => (reading.kind === 'parse' ? [reading.input] : []));
    const made = inputs.length > 0 ? await this.ports.parser.parse(inputs, signal) : [];
    if (signal.aborted && made.length < inputs.length) return;
    for (const { path } of ready) this.#unparsed.delete(path);
    for (const [at, { path, contentHash }] of inputs.entries()) {
      const encoded = made[at];
      if (encoded === undefined) throw new Error(`the parser gave no facts for ${path}`);
      const entry = { path, contentHash, encoded };
      ready.push(entry);
      if (outcomeOf(encoded) === 'scanned') this.#unparsed.add(path);
      else {
        this.#unparsed.delete(path);
        this.#cache.add(entry);
      }
    }
    for (const { path, contentHash } of ready) this.#known.set(path, contentHash);
    if (ready.length > 0) await this.ports.engine.upsertFiles(ready.map(({ encoded }) => encoded));
  }
}

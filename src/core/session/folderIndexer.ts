/**
 * Keeps the engine's symbol index equal to a folder's files: reads what changed, takes facts from the cache where the
 * content is known, has the rest parsed. It decides what to read and when to parse, never what a symbol is.
 */
import type { ContextEngine, FileParser, ParseInput } from '../engine';
import { hashBytes } from '../hash';
import type { CacheStore, Cancel, FileSource, Logger } from '../ports';
import { encodeFacts } from '../repomap/factsCodec';
import { languageOf, readLimitOf } from '../repomap/languages';
import type { FileFacts, FileOutcome } from '../repomap/types';
import { decodePack, encodePack, type PackEntry } from './factsPack';
import { forEachLimited } from './forEachLimited';
import type { WorkspaceGrammars } from './workspaceGrammars';

/** The parts of the world an indexer needs. */
export interface IndexerPorts {
  readonly files: FileSource;
  readonly parser: FileParser;
  readonly engine: ContextEngine;
  readonly cache: CacheStore | undefined;
  readonly logger: Logger;
  /** Says which files are in a language that the workspace brings itself. */
  readonly grammars?: Pick<WorkspaceGrammars, 'grammarOf'>;
}

/** Key of the pack in the host's cache. */
const CACHE_KEY = 'symbols';
/** Files in flight at once: enough to hide the latency of asynchronous reads (16 was the knee of the curve measured for `fs.promises`). */
const READS_AT_ONCE = 16;
/** A parse batch is sent when it has this many bytes, so that memory in flight stays bounded. */
const BATCH_BYTES = 512 * 1024;
/** … or this many files, so that progress moves. */
const BATCH_FILES = 48;
/** Batches under way at once: one being parsed in each of two workers, one on its way. */
const BATCHES_AT_ONCE = 3;

/** What one file still needs: facts are there already, or its bytes must be parsed. */
type Reading =
  | { readonly kind: 'ready'; readonly entry: PackEntry }
  | { readonly kind: 'parse'; readonly input: ParseInput };

/** The facts of the last save, read when first asked for. */
type LazyPack = () => Promise<ReadonlyMap<string, PackEntry>>;

const NO_PACK: LazyPack = () => Promise.resolve(new Map());

/** Files that go to the parser and the engine together. */
class Batch {
  readonly toParse: ParseInput[] = [];
  readonly ready: PackEntry[] = [];
  #sizeBytes = 0;

  get count(): number {
    return this.toParse.length + this.ready.length;
  }

  get isFull(): boolean {
    return this.#sizeBytes >= BATCH_BYTES || this.count >= BATCH_FILES;
  }

  add(reading: Reading): void {
    if (reading.kind === 'ready') this.ready.push(reading.entry);
    else this.toParse.push(reading.input);
    this.#sizeBytes += reading.kind === 'ready' ? reading.entry.encoded.length : reading.input.bytes.length;
  }
}

export class FolderIndexer {
  readonly #ports: IndexerPorts;
  /** Content hash of every file in the engine's index. */
  readonly #known = new Map<string, string>();
  /** Facts made since the pack was last written. */
  #unsaved = new Map<string, PackEntry>();
  #hasRemovals = false;

  constructor(ports: IndexerPorts) {
    this.#ports = ports;
  }

  /** Forgets what the engine holds, for an engine that was restarted empty. */
  reset(): void {
    this.#known.clear();
  }

  /**
   * Makes the index hold exactly `paths`. Unchanged content is neither parsed nor sent again.
   * @param onProgress called with the number of files settled so far
   */
  async sync(
    paths: readonly string[],
    maxFileBytes: number,
    onProgress: (done: number) => void,
    cancel: Cancel,
  ): Promise<void> {
    const wanted = new Set(paths);
    const gone = [...this.#known.keys()].filter((path) => !wanted.has(path));
    await this.remove(gone);
    const pack = this.#lazyPack();
    await this.#index(paths, pack, maxFileBytes, onProgress, cancel);
    if (!cancel.isCancelled) await this.#save(pack);
  }

  /** Brings single files up to date; a path that no longer exists leaves the index. */
  async update(paths: readonly string[], maxFileBytes: number, cancel: Cancel): Promise<void> {
    await this.#index(paths, NO_PACK, maxFileBytes, () => undefined, cancel);
  }

  /** Takes files out of the index; unknown ones are passed over. */
  async remove(paths: readonly string[]): Promise<void> {
    const known = paths.filter((path) => this.#known.has(path));
    if (known.length === 0) return;
    for (const path of known) {
      this.#known.delete(path);
      this.#unsaved.delete(path);
    }
    this.#hasRemovals = true;
    await this.#ports.engine.removeFiles(known);
  }

  /** Writes what changed since the last save; call when idle. */
  async flush(): Promise<void> {
    if (this.#unsaved.size === 0 && !this.#hasRemovals) return;
    await this.#save(this.#lazyPack());
  }

  async #index(
    paths: readonly string[],
    pack: LazyPack,
    maxFileBytes: number,
    onProgress: (done: number) => void,
    cancel: Cancel,
  ): Promise<void> {
    let done = 0;
    let batch = new Batch();
    const running = new Set<Promise<void>>();
    const flush = (): Promise<void> => {
      const full = batch;
      batch = new Batch();
      const task = this.#settle(full, cancel).then(() => {
        done += full.count;
        onProgress(done);
      });
      const tracked = task.finally(() => running.delete(tracked));
      running.add(tracked);
      return running.size >= BATCHES_AT_ONCE ? Promise.race(running) : Promise.resolve();
    };
    try {
      await forEachLimited(paths, READS_AT_ONCE, cancel, async (path) => {
        const reading = await this.#read(path, pack, maxFileBytes);
        if (reading) batch.add(reading);
        else done++;
        if (batch.isFull) await flush();
      });
      await flush();
      await Promise.all(running);
    } finally {
      await Promise.allSettled(running);
    }
    onProgress(done);
  }

  /** Reads one file; undefined when there is nothing to do for it. */
  async #read(path: string, pack: LazyPack, maxFileBytes: number): Promise<Reading | undefined> {
    const grammar = this.#ports.grammars?.grammarOf(path);
    if (grammar === undefined && languageOf(path) === undefined) return this.#unparsed(path, 'noGrammar', 'no-grammar');
    const read = await this.#ports.files.read(path, readLimitOf(path, maxFileBytes));
    switch (read.kind) {
      case 'missing':
        await this.remove([path]);
        return undefined;
      case 'tooLarge':
        return this.#unparsed(path, 'tooLarge', `size-${read.sizeBytes}`);
      case 'unreadable':
        return this.#unparsed(path, 'unreadable', 'unreadable');
      case 'ok': {
        // The same content makes other facts with another grammar: neither the cache nor the index may mix them.
        const contentHash = grammar === undefined ? hashBytes(read.bytes) : `${hashBytes(read.bytes)}-${grammar}`;
        if (this.#known.get(path) === contentHash) return undefined;
        const cached = (await pack()).get(path);
        if (cached?.contentHash === contentHash) {
          // A copy: a view into the pack would take the whole pack along when it is posted to a worker.
          return { kind: 'ready', entry: { ...cached, encoded: cached.encoded.slice() } };
        }
        return { kind: 'parse', input: { path, contentHash, bytes: read.bytes, grammar } };
      }
    }
  }

  /** A file that is listed without being parsed. */
  #unparsed(path: string, outcome: FileOutcome, contentHash: string): Reading | undefined {
    if (this.#known.get(path) === contentHash) return undefined;
    const facts: FileFacts = {
      path,
      contentHash,
      language: languageOf(path),
      outcome,
      lineCount: 0,
      definitions: [],
      references: [],
    };
    return { kind: 'ready', entry: { path, contentHash, encoded: encodeFacts(facts) } };
  }

  async #settle(batch: Batch, cancel: Cancel): Promise<void> {
    const { parser, engine } = this.#ports;
    const encoded = batch.ready.map((entry) => entry.encoded);
    if (batch.toParse.length > 0) {
      // The parser may take the bytes for itself: keep what is needed afterwards.
      const inputs = batch.toParse.map(({ path, contentHash }) => ({ path, contentHash }));
      const parsed = await parser.parse(batch.toParse, cancel);
      if (cancel.isCancelled && parsed.length < inputs.length) return;
      for (const [i, input] of inputs.entries()) {
        const facts = parsed[i];
        if (facts === undefined) throw new Error(`the parser gave no facts for ${input.path}`);
        encoded.push(facts);
        this.#unsaved.set(input.path, { ...input, encoded: facts });
      }
      for (const { path, contentHash } of inputs) this.#known.set(path, contentHash);
    }
    for (const { path, contentHash } of batch.ready) this.#known.set(path, contentHash);
    if (encoded.length > 0) await engine.upsertFiles(encoded);
  }

  /** Reads the pack at most once, and not at all when nothing needs it: a big folder's has several megabytes. */
  #lazyPack(): LazyPack {
    let pack: Promise<ReadonlyMap<string, PackEntry>> | undefined;
    return () => {
      pack ??= this.#loadPack();
      return pack;
    };
  }

  async #loadPack(): Promise<ReadonlyMap<string, PackEntry>> {
    const bytes = await this.#ports.cache?.load(CACHE_KEY);
    return bytes ? decodePack(bytes) : new Map();
  }

  async #save(pack: LazyPack): Promise<void> {
    const { cache, engine, logger } = this.#ports;
    if (!cache || (this.#unsaved.size === 0 && !this.#hasRemovals)) return;
    // These depend on the moment, not on the content alone: worth another try at the next start.
    const passing = (await engine.listTroubled()).filter(
      ({ outcome }) => outcome === 'failed' || outcome === 'deadline',
    );
    const skipped = new Set(passing.map(({ path }) => path));
    const old = await pack();
    const entries: PackEntry[] = [];
    for (const [path, contentHash] of this.#known) {
      if (skipped.has(path)) continue;
      const entry = this.#unsaved.get(path) ?? old.get(path);
      if (entry?.contentHash === contentHash) entries.push(entry);
    }
    entries.sort((a, b) => (a.path < b.path ? -1 : 1));
    this.#unsaved = new Map();
    this.#hasRemovals = false;
    await cache.save(CACHE_KEY, encodePack(entries));
    logger.debug(`symbol cache: ${entries.length} files`);
  }
}

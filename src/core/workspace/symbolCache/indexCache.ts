/**
 * The stored index of one folder: what earlier runs scanned and parsed, by content. The engine reads and makes its
 * segments (`storedIndex.ts`); this decides what is kept and when it is written, `CacheStore` where the bytes live.
 *
 * Segments are written whole, under names of their own, and never changed: so processes may read and write at once
 * without a lock. What one removes while another reads it costs that one time, never correctness.
 */
import type { ContextEngine } from '../../engine/engine';
import type { FileOutcome } from '../../model/repoMap';
import type { CacheStore, Logger, StoredPack } from '../../ports/ports';
import type { FileContent } from '../../repomap/index/fileContent';
import { SEGMENT_VERSION } from '../../repomap/index/segment';
import { factsKey, isLasting, type SavedSegment } from '../../repomap/index/storedIndex';
import { hashBytes } from '../../text/hash';
import { isRecord } from '../../text/jsonRecord';
import { isHistoryPack } from '../indexing/projectReader';
import { isCountsPack } from './countCache';
import { isStampsPack } from './stampCache';

/** Facts of so many bytes are written while a run goes on, so that little is lost when it is killed: some 4,000 files. */
const UNSAVED_BYTES = 8 * 1024 * 1024;
/** So many segments are put together, and those that hold the same rows twice. */
const MAX_SEGMENTS = 6;
const DOUBLE_SHARE = 0.25;
/** On disk. A folder whose segments take more keeps only what its files need. */
export const MAX_BYTES = 256 * 1024 * 1024;
/** Segments of another version go after a day without use: an older editor may still be open. */
const OTHER_VERSION_MS = 24 * 60 * 60 * 1000;

interface Shelved {
  readonly name: string;
  readonly sizeBytes: number;
  readonly rows: number;
  /** The engine has it. */
  readonly isLoaded: boolean;
}

/** Bytes that can move to the worker. */
function ownCopy(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}

/** What is known of a content: its words alone, or its definitions too. */
export type Known = 'words' | 'definitions';

function isOwn({ name }: StoredPack): boolean {
  return name.startsWith(`${SEGMENT_VERSION}-`);
}

function nameOf(head: Uint8Array): string {
  return `${SEGMENT_VERSION}-${hashBytes(head)}`;
}

/** Keys of a segment's rows and the numbers of those that are words alone; undefined for a head of something else. */
function readHead(name: string, head: Uint8Array): Pick<SavedSegment, 'keys' | 'scanned'> | undefined {
  if (name !== nameOf(head)) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(head));
    const { keys, scanned } = isRecord(value) ? value : {};
    const isList = Array.isArray(keys) && keys.every((key) => typeof key === 'string') && Array.isArray(scanned);
    return isList ? { keys, scanned } : undefined;
  } catch {
    // Not a head of ours: the same as no segment.
    return undefined;
  }
}

/** Losing it costs time, never correctness. */
export class IndexCache {
  readonly #known = new Map<string, Known>();
  /** Segments that the engine has. */
  #shelf: readonly Shelved[] = [];
  /** The shelf when it was last brought in order. */
  #tidied = this.#shelf;
  #opening: Promise<void> | undefined;
  #listing: Promise<readonly StoredPack[]> | undefined;
  /** Paths of files that are in the engine and in no segment. */
  #unsaved = new Set<string>();
  #unsavedBytes = 0;
  /** Of all that this process added. */
  #addedBytes = 0;
  /** Writes, one after another. */
  #work: Promise<void> = Promise.resolve();

  /** Without a store nothing is kept. */
  constructor(
    private readonly store: CacheStore | undefined,
    private readonly engine: Pick<ContextEngine, 'loadIndex' | 'saveIndex'>,
    private readonly logger: Logger,
  ) {}

  /** The engine was started again and holds nothing. */
  reset(): void {
    this.#opening = undefined;
    this.#listing = undefined;
    this.#known.clear();
    this.#shelf = [];
    this.#unsaved.clear();
    this.#unsavedBytes = 0;
  }

  /** Gives the engine the segments that are there, once. @throws what the engine failed with */
  open(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** Whether earlier runs left nothing. */
  async isEmpty(): Promise<boolean> {
    return (await this.#listed()).length === 0;
  }

  /** What the engine can adopt of a file; to be asked after `open`. */
  knows({ path, contentHash }: FileContent): Known | undefined {
    return this.#known.get(factsKey(path, contentHash));
  }

  /** The engine could not adopt it. */
  forget({ path, contentHash }: FileContent): void {
    this.#known.delete(factsKey(path, contentHash));
  }

  /** Gives the engine what this process has written, which other branches may bring back. @returns whether there was any */
  async loadWritten(): Promise<boolean> {
    const { store } = this;
    await this.#work;
    const written = this.#shelf.filter(({ isLoaded }) => !isLoaded);
    if (!store || written.length === 0) return false;
    const bodies = await Promise.all(written.map(({ name }) => store.readBody(name)));
    await this.engine.loadIndex(bodies.flatMap((body) => (body ? [ownCopy(body)] : [])));
    this.#shelf = this.#shelf.map((shelved) => ({ ...shelved, isLoaded: true }));
    return true;
  }

  /** Notes what the engine has learnt of a file, unless it depends on the moment. */
  add({ path, contentHash }: FileContent, outcome: FileOutcome, sizeBytes: number): void {
    if (!this.store || !isLasting(outcome)) return;
    const known: Known = outcome === 'scanned' ? 'words' : 'definitions';
    const key = factsKey(path, contentHash);
    const before = this.#known.get(key);
    if (before === known || before === 'definitions') return;
    this.#known.set(key, known);
    this.#unsaved.add(path);
    this.#unsavedBytes += sizeBytes;
    this.#addedBytes += sizeBytes;
    if (this.#unsavedBytes >= UNSAVED_BYTES) this.#writeUnsaved(this.store);
  }

  /** Writes what was added since the last save and brings the segments in order; call when idle. Never rejects. */
  async save(): Promise<void> {
    const { store } = this;
    if (!store) return;
    if (this.#unsaved.size > 0) this.#writeUnsaved(store);
    // What a whole folder takes in memory leaves no room for a second copy: the next process puts it together.
    if (this.#addedBytes < UNSAVED_BYTES) this.#enqueue(() => this.#tidy(store));
    await this.#work;
  }

  #listed(): Promise<readonly StoredPack[]> {
    this.#listing ??= this.store?.list().then((packs) => packs.filter(isOwn)) ?? Promise.resolve([]);
    return this.#listing;
  }

  async #open(): Promise<void> {
    const { store } = this;
    if (!store) return;
    const listed = await this.#listed();
    // The largest first: its words are taken over as they lie.
    const sorted = listed.toSorted((a, b) => b.sizeBytes - a.sizeBytes || (a.name < b.name ? -1 : 1));
    let room = 2 * MAX_BYTES;
    const read = sorted.map(async (stored) => {
      room -= stored.sizeBytes;
      if (room < 0) return undefined;
      const [head, body] = await Promise.all([store.readHead(stored.name), store.readBody(stored.name)]);
      const rows = head && readHead(stored.name, head);
      return rows && body && { stored, rows, body: ownCopy(body) };
    });
    const found = (await Promise.all(read)).filter((segment) => segment !== undefined);
    if (found.length === 0) return;
    await this.engine.loadIndex(found.map(({ body }) => body));
    for (const { stored, rows } of found) this.#adopt(stored, rows);
    // Putting them together takes longer than an answer: a process that adds something does it.
    this.#tidied = this.#shelf;
  }

  #adopt(
    { name, sizeBytes }: Pick<StoredPack, 'name' | 'sizeBytes'>,
    rows: Pick<SavedSegment, 'keys' | 'scanned'>,
  ): void {
    const scanned = new Set(rows.scanned);
    for (const [at, key] of rows.keys.entries())
      if (!scanned.has(at)) this.#known.set(key, 'definitions');
      else if (!this.#known.has(key)) this.#known.set(key, 'words');
    this.#shelf = [...this.#shelf, { name, sizeBytes, rows: rows.keys.length, isLoaded: true }];
  }

  #writeUnsaved(store: CacheStore): void {
    const paths = [...this.#unsaved];
    this.#unsaved = new Set();
    this.#unsavedBytes = 0;
    this.#enqueue(async () => {
      const written = await this.#write(store, await this.engine.saveIndex({ paths }));
      if (written) this.#shelf = [...this.#shelf, written];
    });
  }

  async #write(store: CacheStore, saved: SavedSegment | undefined): Promise<Shelved | undefined> {
    if (!saved) return undefined;
    const { keys, scanned } = saved;
    const head = new TextEncoder().encode(JSON.stringify({ id: store.makeId(), keys, scanned }));
    const name = nameOf(head);
    const sizeBytes = await store.save(name, head, saved.bytes);
    if (sizeBytes === undefined) return undefined;
    this.logger.debug(`symbol cache: ${keys.length} files more`);
    return { name, sizeBytes, rows: keys.length, isLoaded: false };
  }

  /** Puts segments together, and removes those of other versions. */
  async #tidy(store: CacheStore): Promise<void> {
    if (this.#shelf === this.#tidied) return;
    const rows = this.#shelf.reduce((sum, shelved) => sum + shelved.rows, 0);
    const sizeBytes = this.#shelf.reduce((sum, shelved) => sum + shelved.sizeBytes, 0);
    const hasDoubles = this.#shelf.length > 1 && rows > (1 + DOUBLE_SHARE) * this.#known.size;
    if (this.#shelf.length > MAX_SEGMENTS || hasDoubles || sizeBytes > MAX_BYTES) {
      const written = await this.#write(store, await this.engine.saveIndex({ paths: 'all' }));
      // What could not be written stays as it is.
      if (written) {
        await store.remove(this.#shelf.map(({ name }) => name));
        this.#shelf = [written];
      }
    }
    this.#tidied = this.#shelf;
    const others = [isCountsPack, isStampsPack, isHistoryPack];
    const isOld = (pack: StoredPack): boolean => !isOwn(pack) && !others.some((isOne) => isOne(pack.name));
    const old = (await store.list()).filter((pack) => isOld(pack) && pack.idleMs > OTHER_VERSION_MS);
    await store.remove(old.map(({ name }) => name));
  }

  #enqueue(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((cause: unknown) => {
      this.logger.error('The symbol cache could not be written; this costs time only', cause);
    });
  }
}

/**
 * Content hashes of files by what the file system says of them, so that an unchanged file is not read to know its content.
 * As Git's index does it: a file that changed in the moment in which it was looked at is not trusted.
 */
import type { CacheStore, FileStamp } from '../../ports/ports';

const VERSION = 1;
const PREFIX = `stamps${VERSION}-`;
/** The coarsest clock of a file system (FAT): a later change within it may leave no trace. */
const RACY_MS = 2_000;
const NO_HEAD = new Uint8Array();

/** Whether a pack of the host's cache holds stamps that this version can read. */
export function isStampsPack(name: string): boolean {
  return name.startsWith(PREFIX);
}

interface Stamped {
  readonly stamp: string;
  readonly contentHash: string;
}

/** One folder's stamps. Losing them costs time, never correctness. */
export class StampCache {
  readonly #stamps = new Map<string, Stamped>();
  #packs: readonly string[] = [];
  #opening: Promise<void> | undefined;
  #isChanged = false;

  /** Without a store nothing is kept. */
  constructor(private readonly store: CacheStore | undefined) {}

  /** Reads what is there, once. */
  open(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** Whether there is a stamp of the file, old or not. */
  has(path: string): boolean {
    return this.#stamps.has(path);
  }

  /** The hash of the file's content as it was when it had that stamp. */
  find(path: string, { stamp }: FileStamp): string | undefined {
    const known = this.#stamps.get(path);
    return known?.stamp === stamp ? known.contentHash : undefined;
  }

  /** @param stamp of before the content was read */
  put(path: string, { stamp, changedMs }: FileStamp, contentHash: string, nowMs: number): void {
    if (nowMs - changedMs < RACY_MS) return;
    this.#stamps.set(path, { stamp, contentHash });
    this.#isChanged = true;
  }

  /** Writes the stamps of those files that `isThere`. */
  async save(isThere: (path: string) => boolean): Promise<void> {
    const { store } = this;
    if (!store || !this.#isChanged) return;
    this.#isChanged = false;
    const rows = [...this.#stamps].filter(([path]) => isThere(path));
    const text = rows.map(([path, { stamp, contentHash }]) => `${contentHash} ${stamp} ${path}\0`).join('');
    const name = `${PREFIX}${store.makeId()}`;
    const saved = await store.save(name, NO_HEAD, new TextEncoder().encode(text));
    if (saved === undefined) return;
    await store.remove(this.#packs);
    this.#packs = [name];
  }

  async #open(): Promise<void> {
    const { store } = this;
    if (!store) return;
    // The newest last, so that it has the last word.
    const listed = (await store.list()).filter(({ name }) => isStampsPack(name));
    this.#packs = listed.toSorted((a, b) => b.idleMs - a.idleMs || (a.name < b.name ? -1 : 1)).map(({ name }) => name);
    const bodies = await Promise.all(this.#packs.map((name) => store.readBody(name)));
    for (const body of bodies) {
      for (const row of new TextDecoder().decode(body).split('\0')) {
        const hashEnd = row.indexOf(' ');
        const stampEnd = row.indexOf(' ', hashEnd + 1);
        if (stampEnd < 0) continue;
        const stamped = { stamp: row.slice(hashEnd + 1, stampEnd), contentHash: row.slice(0, hashEnd) };
        this.#stamps.set(row.slice(stampEnd + 1), stamped);
      }
    }
  }
}

/**
 * Content hashes of files by what the file system says of them, so that an unchanged file is not read to know its content.
 * As Git's index does it: a file that changed in the moment in which it was looked at is not trusted.
 */
import type { CacheStore, FileStamp } from '../../ports/ports';
import { grown } from '../../repomap/facts/varint';
import type { FileContent } from '../../repomap/index/fileContent';
import { joinBytes } from '../../text/bytes';

const VERSION = 2;
const PREFIX = `stamps${VERSION}-`;
/** The coarsest clock of a file system (FAT): a later change within it may leave no trace. */
const RACY_MS = 2_000;
const NO_HEAD = new Uint8Array();

/** Whether a pack of the host's cache holds stamps that this version can read. */
export function isStampsPack(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** How many numbers a stamp has where many lie one after another: device, inode, size in bytes, times in milliseconds. */
export const STAMP_NUMBERS = 5;

export function stampNumbers({ dev, ino, sizeBytes, mtimeMs, ctimeMs }: FileStamp): readonly number[] {
  return [dev, ino, sizeBytes, mtimeMs, ctimeMs];
}

/** One folder's stamps. Losing them costs time, never correctness. */
export class StampCache {
  /** Where a file's stamp is. */
  readonly #rows = new Map<string, number>();
  /** {@link STAMP_NUMBERS} of each row. */
  #numbers = new Float64Array();
  readonly #hashes: string[] = [];
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

  /** Files that have a stamp, old or not, with the hash that goes with it. */
  get contents(): readonly FileContent[] {
    return Array.from(this.#rows, ([path, row]) => ({ path, contentHash: this.#hashes[row] as string }));
  }

  /** Whether there is a stamp of the file, old or not. */
  has(path: string): boolean {
    return this.#rows.has(path);
  }

  /** The hash of the file's content as it was when it had that stamp. */
  find(path: string, stamp: FileStamp): string | undefined {
    const row = this.#rows.get(path);
    if (row === undefined) return undefined;
    const first = row * STAMP_NUMBERS;
    return stampNumbers(stamp).every((number, at) => this.#numbers[first + at] === number)
      ? this.#hashes[row]
      : undefined;
  }

  /** @param stamp of before the content was read */
  put(path: string, stamp: FileStamp, contentHash: string, nowMs: number): void {
    if (nowMs - Math.max(stamp.mtimeMs, stamp.ctimeMs) < RACY_MS) return;
    this.#set(path, contentHash, stampNumbers(stamp));
    this.#isChanged = true;
  }

  /** Writes the stamps of those files that `isThere`. */
  async save(isThere: (path: string) => boolean): Promise<void> {
    const { store } = this;
    if (!store || !this.#isChanged) return;
    this.#isChanged = false;
    const kept = [...this.#rows].filter(([path]) => isThere(path));
    // How many rows there are stands before them.
    const numbers = new Float64Array(1 + kept.length * STAMP_NUMBERS);
    numbers[0] = kept.length;
    for (const [at, [, row]] of kept.entries()) numbers.set(this.#stampAt(row), 1 + at * STAMP_NUMBERS);
    const text = kept.map(([path, row]) => `${this.#hashes[row]} ${path}\0`).join('');
    const name = `${PREFIX}${store.makeId()}`;
    const body = joinBytes([new Uint8Array(numbers.buffer), new TextEncoder().encode(text)]);
    if ((await store.save(name, NO_HEAD, body)) === undefined) return;
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
    for (const body of bodies) if (body) this.#read(body.slice());
  }

  #read(body: Uint8Array): void {
    const numbers = new Float64Array(body.buffer, 0, Math.floor(body.length / Float64Array.BYTES_PER_ELEMENT));
    const rows = numbers[0] ?? 0;
    const textAt = (1 + rows * STAMP_NUMBERS) * Float64Array.BYTES_PER_ELEMENT;
    const lines = new TextDecoder().decode(body.subarray(textAt)).split('\0', rows);
    for (const [at, line] of lines.entries()) {
      const hashEnd = line.indexOf(' ');
      const first = 1 + at * STAMP_NUMBERS;
      this.#set(line.slice(hashEnd + 1), line.slice(0, hashEnd), numbers.subarray(first, first + STAMP_NUMBERS));
    }
  }

  #stampAt(row: number): Float64Array {
    return this.#numbers.subarray(row * STAMP_NUMBERS, (row + 1) * STAMP_NUMBERS);
  }

  #set(path: string, contentHash: string, stamp: ArrayLike<number>): void {
    const row = this.#rows.get(path) ?? this.#hashes.length;
    const first = row * STAMP_NUMBERS;
    if (first >= this.#numbers.length) this.#numbers = grown(this.#numbers, 2 * (first + STAMP_NUMBERS));
    this.#numbers.set(stamp, first);
    this.#hashes[row] = contentHash;
    this.#rows.set(path, row);
  }
}

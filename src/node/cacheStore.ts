import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants as zlib } from 'node:zlib';
import type { CacheStore, Logger, StoredPack } from '../core/ports/ports';
import { TEMP_SUFFIX, writeFileAtomic } from './atomicFile';
import { codeOrUnknown, errorCode, ignoreMissing } from './errorCode';
import { readAt } from './readWhole';

/** First bytes of every file: what it is, and the version of this layout. */
const MAGIC = new TextEncoder().encode('CBPACK02');
const CHECKSUM_BYTES = 32;
const SIZES_BYTES = 8;
const PREFIX_BYTES = MAGIC.length + SIZES_BYTES + 2 * CHECKSUM_BYTES;
const SUFFIX = '.pack';
/** A temporary file as old as this was left by a crash, not by a save under way. */
const STALE_TEMP_MS = 60 * 60 * 1000;
/** A use is written down when the last one is older than this. */
const USE_STAMP_MS = 60 * 60 * 1000;
/** Enough for the prefix and the head of a full pack. */
const HEAD_READ_BYTES = 32 * 1024;
/** A body that claims more is none of ours: the index of some 30,000 files. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;
/** The least that zlib takes. */
const MIN_CHUNK_BYTES = 64;
/** Bytes hashed at once, about a millisecond: the thread that asks may be an editor's. */
const CHUNK_BYTES = 1 << 20;

/**
 * Measured on 12 MB of facts in packs of 512 KiB: 45 ms for a third of the size, 27 ms back. Quality 4 takes three times
 * as long for 12 % less, deflate at level 1 twice as long for 5 % more.
 */
const COMPRESSION = { params: { [zlib.BROTLI_PARAM_QUALITY]: 1 }, chunkSize: 256 * 1024 };

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

async function checksum(parts: readonly Uint8Array[]): Promise<Buffer> {
  const hash = createHash('sha256');
  for (const part of parts) {
    for (let at = 0; at < part.length; at += CHUNK_BYTES) {
      if (at > 0) await setImmediate();
      hash.update(part.subarray(at, at + CHUNK_BYTES));
    }
  }
  return hash.digest();
}

/** What a file says about itself. */
interface Prefix {
  readonly headBytes: number;
  readonly bodyBytes: number;
  readonly bodySum: Uint8Array;
}

function encodeSizes(headBytes: number, bodyBytes: number): Uint8Array {
  const sizes = new Uint8Array(SIZES_BYTES);
  const view = new DataView(sizes.buffer);
  view.setUint32(0, headBytes, true);
  view.setUint32(4, bodyBytes, true);
  return sizes;
}

/** `undefined` for bytes that do not begin a file of this layout. */
function readPrefix(bytes: Buffer): Prefix | undefined {
  if (bytes.length < PREFIX_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const headBytes = bytes.readUInt32LE(MAGIC.length);
  const bodyBytes = bytes.readUInt32LE(MAGIC.length + 4);
  if (headBytes > MAX_BODY_BYTES || bodyBytes > MAX_BODY_BYTES) return undefined;
  return { headBytes, bodyBytes, bodySum: bytes.subarray(PREFIX_BYTES - CHECKSUM_BYTES, PREFIX_BYTES) };
}

/** Binds a head to its name, so that a file renamed by hand does not pass for another, and the body to its head. */
function headChecksum(name: string, sizes: Uint8Array, bodySum: Uint8Array, head: Uint8Array): Promise<Buffer> {
  return checksum([new TextEncoder().encode(`${name}\0`), sizes, bodySum, head]);
}

/** The head in the first bytes of a file; `undefined` when it is not as it was written. */
async function checkedHead(name: string, bytes: Buffer, { headBytes, bodySum }: Prefix): Promise<Buffer | undefined> {
  const sizesAt = MAGIC.length;
  const sumAt = sizesAt + SIZES_BYTES;
  const head = bytes.subarray(PREFIX_BYTES, PREFIX_BYTES + headBytes);
  if (head.length !== headBytes) return undefined;
  const sum = await headChecksum(name, bytes.subarray(sizesAt, sumAt), bodySum, head);
  return sum.equals(bytes.subarray(sumAt, sumAt + CHECKSUM_BYTES)) ? head : undefined;
}

/**
 * Packs as files of one folder: `magic · size of the head · size of the body · sha256 of name, sizes and head · sha256 of
 * the compressed body · head · compressed body`. A file that is cut, changed or foreign is removed. The first problem of
 * each kind is logged as a warning, later ones at level debug.
 */
export class FileCacheStore implements CacheStore {
  readonly #told = new Set<string>();
  #isSwept = false;

  /** `folder` is absolute, the user's own, and made when something is saved. */
  constructor(
    private readonly folder: string,
    private readonly logger: Logger,
  ) {}

  makeId(): string {
    return randomUUID();
  }

  async list(): Promise<readonly StoredPack[]> {
    const names = (await this.#reading(() => readdir(this.folder))) ?? [];
    const packs = names
      .filter((name) => name.endsWith(SUFFIX))
      .map((name) => this.#stat(name.slice(0, -SUFFIX.length)));
    return (await Promise.all(packs)).flatMap((pack) => pack ?? []);
  }

  readHead(name: string): Promise<Uint8Array | undefined> {
    return this.#reading(() => this.#headOf(name));
  }

  readBody(name: string): Promise<Uint8Array | undefined> {
    return this.#reading(() => this.#bodyOf(name));
  }

  async save(name: string, head: Uint8Array, body: Uint8Array): Promise<number | undefined> {
    if (Math.max(head.length, body.length) > MAX_BODY_BYTES) return undefined;
    try {
      const packed = await compress(body, COMPRESSION);
      const sizes = encodeSizes(head.length, body.length);
      const bodySum = await checksum([packed]);
      const headSum = await headChecksum(name, sizes, bodySum, head);
      const chunks = [MAGIC, sizes, headSum, bodySum, head, packed];
      await writeFileAtomic(this.#fileOf(name), Buffer.concat(chunks), false);
      await this.#sweepOnce();
      return PREFIX_BYTES + head.length + packed.length;
    } catch (error) {
      this.#tell('write', `The symbol cache could not be written (${codeOrUnknown(error)})`);
      return undefined;
    }
  }

  async remove(names: readonly string[]): Promise<void> {
    for (const name of names) await this.#remove(this.#fileOf(name));
  }

  async #headOf(name: string): Promise<Uint8Array | undefined> {
    const handle = await openPack(this.#fileOf(name));
    if (!handle) return this.#giveUp(name);
    try {
      let bytes = await readAt(handle, 0, HEAD_READ_BYTES);
      const prefix = readPrefix(bytes);
      if (!prefix) return await this.#giveUp(name);
      const wanted = PREFIX_BYTES + prefix.headBytes;
      if (wanted > bytes.length) bytes = await readAt(handle, 0, wanted);
      return (await checkedHead(name, bytes, prefix)) ?? (await this.#giveUp(name));
    } finally {
      await handle.close();
    }
  }

  async #bodyOf(name: string): Promise<Uint8Array | undefined> {
    const handle = await openPack(this.#fileOf(name));
    if (!handle) return this.#giveUp(name);
    const bytes = await handle.readFile().finally(() => handle.close());
    const prefix = readPrefix(bytes);
    if (!prefix || !(await checkedHead(name, bytes, prefix))) return this.#giveUp(name);
    const packed = bytes.subarray(PREFIX_BYTES + prefix.headBytes);
    if (!(await checksum([packed])).equals(prefix.bodySum)) return this.#giveUp(name);
    // In one piece: the default of 16 KiB crosses threads thirty times for a full pack.
    const chunkSize = Math.max(MIN_CHUNK_BYTES, prefix.bodyBytes);
    const body = await decompress(packed, { maxOutputLength: chunkSize, chunkSize });
    if (body.length !== prefix.bodyBytes) return this.#giveUp(name);
    await this.#stampUse(name);
    return body;
  }

  #fileOf(name: string): string {
    if (!/^[0-9a-z-]+$/.test(name)) throw new Error(`"${name}" is no name of a pack`);
    return path.join(this.folder, `${name}${SUFFIX}`);
  }

  async #stat(name: string): Promise<StoredPack | undefined> {
    // Another process may have removed it just now, or it is no pack.
    const found = await this.#reading(async () => stat(this.#fileOf(name)));
    return found?.isFile()
      ? { name, sizeBytes: found.size, idleMs: Math.max(0, Date.now() - found.mtimeMs) }
      : undefined;
  }

  /** A file's own time is its last use; reading alone would not move it. */
  async #stampUse(name: string): Promise<void> {
    const file = this.#fileOf(name);
    const now = new Date();
    try {
      if (now.getTime() - (await stat(file)).mtimeMs > USE_STAMP_MS) await utimes(file, now, now);
    } catch (error) {
      // Another process removed it, or the folder is read-only: the age is worth nothing then.
      if (errorCode(error) === 'ENOENT') return;
      this.logger.debug(`symbol cache: the use of a pack was not noted (${codeOrUnknown(error)})`);
    }
  }

  async #giveUp(name: string): Promise<undefined> {
    this.#tell('damage', 'The symbol cache is damaged; missing parts are made again');
    await this.#remove(this.#fileOf(name));
    return undefined;
  }

  async #remove(file: string): Promise<void> {
    try {
      await rm(file, { force: true });
    } catch (error) {
      this.#tell('write', `The symbol cache could not be cleaned up (${codeOrUnknown(error)})`);
    }
  }

  async #reading<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (errorCode(error) !== 'ENOENT')
        this.#tell('read', `The symbol cache could not be read (${codeOrUnknown(error)}); this costs time only`);
      return undefined;
    }
  }

  #tell(kind: string, message: string): void {
    if (this.#told.has(kind)) this.logger.debug(message);
    else this.logger.warn(message);
    this.#told.add(kind);
  }

  /** Removes what earlier crashes left, once per store. */
  async #sweepOnce(): Promise<void> {
    if (this.#isSwept) return;
    this.#isSwept = true;
    for (const name of await readdir(this.folder)) {
      const file = path.join(this.folder, name);
      if (name.endsWith(TEMP_SUFFIX) && (await isStale(file))) await this.#remove(file);
    }
  }
}

/** A pipe without a writer would hold a plain `open` up for ever. `undefined` for what is no regular file. */
async function openPack(file: string): Promise<FileHandle | undefined> {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if ((await handle.stat()).isFile()) return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

async function isStale(tempFile: string): Promise<boolean> {
  // Another process may have renamed it.
  const found = await stat(tempFile).catch(ignoreMissing);
  return found !== undefined && Date.now() - found.mtimeMs > STALE_TEMP_MS;
}

import { createCipheriv, createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { CacheStore, Logger, StoredPack } from '../core/ports/ports';
import { TEMP_SUFFIX, writeFileAtomic } from './atomicFile';
import { codeOrUnknown, errorCode, ignoreMissing } from './errorCode';
import { readAt } from './readWhole';

/** First bytes of every file: what it is, and the version of this layout. */
const MAGIC = new TextEncoder().encode('CBPACK04');
const HEAD_SUM_BYTES = 32;
const BODY_SUM_BYTES = 16;
const SIZES_BYTES = 8;
const PREFIX_BYTES = MAGIC.length + SIZES_BYTES + HEAD_SUM_BYTES + BODY_SUM_BYTES;
const SUFFIX = '.pack';
/** A temporary file as old as this was left by a crash, not by a save under way. */
const STALE_TEMP_MS = 60 * 60 * 1000;
/** A use is written down when the last one is older than this. */
const USE_STAMP_MS = 60 * 60 * 1000;
/** Enough for the prefix and the head of a full pack. */
const HEAD_READ_BYTES = 32 * 1024;
/** A body that claims more is none of ours: the index of some 30,000 files. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;
/** Bytes summed at once, about a millisecond: the thread that asks may be an editor's. */
const CHUNK_BYTES = 4 << 20;

/** The tag of AES-GCM over data that is not encrypted, with a key that is no secret: a checksum in a fifth of the time that SHA-256 takes. */
async function bodySumOf(body: Uint8Array): Promise<Buffer> {
  const sum = createCipheriv('aes-128-gcm', Buffer.alloc(16), Buffer.alloc(12));
  for (let at = 0; at < body.length; at += CHUNK_BYTES) {
    if (at > 0) await setImmediate();
    sum.setAAD(body.subarray(at, at + CHUNK_BYTES));
  }
  sum.final();
  return sum.getAuthTag();
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
  return { headBytes, bodyBytes, bodySum: bytes.subarray(PREFIX_BYTES - BODY_SUM_BYTES, PREFIX_BYTES) };
}

/** Binds a head to its name, so that a file renamed by hand does not pass for another, and the body to its head. */
function headSumOf(name: string, sizes: Uint8Array, bodySum: Uint8Array, head: Uint8Array): Buffer {
  const hash = createHash('sha256');
  for (const part of [`${name}\0`, sizes, bodySum, head]) hash.update(part);
  return hash.digest();
}

/** The head in the first bytes of a file; `undefined` when it is not as it was written. */
function checkedHead(name: string, bytes: Buffer, { headBytes, bodySum }: Prefix): Buffer | undefined {
  const sizesAt = MAGIC.length;
  const sumAt = sizesAt + SIZES_BYTES;
  const head = bytes.subarray(PREFIX_BYTES, PREFIX_BYTES + headBytes);
  if (head.length !== headBytes) return undefined;
  const sum = headSumOf(name, bytes.subarray(sizesAt, sumAt), bodySum, head);
  return sum.equals(bytes.subarray(sumAt, sumAt + HEAD_SUM_BYTES)) ? head : undefined;
}

/**
 * Packs as files of one folder: `magic · size of the head · size of the body · sha256 of name, sizes, sum of the body and
 * head · sum of the body · head · body`. Nothing is compressed: to unpack an index takes as long as all else that reading
 * it does, for 2.3 times the room. A file that is cut, changed or foreign is removed. The first problem of each kind is
 * logged as a warning, later ones at level debug.
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
      const sizes = encodeSizes(head.length, body.length);
      const bodySum = await bodySumOf(body);
      const headSum = headSumOf(name, sizes, bodySum, head);
      const prefix = Buffer.concat([MAGIC, sizes, headSum, bodySum, head]);
      await writeFileAtomic(this.#fileOf(name), [prefix, body], false);
      await this.#sweepOnce();
      return prefix.length + body.length;
    } catch (error) {
      this.#tell('write', `The symbol cache could not be written (${codeOrUnknown(error)})`);
      return undefined;
    }
  }

  async remove(names: readonly string[]): Promise<void> {
    for (const name of names) await this.#remove(this.#fileOf(name));
  }

  async #headOf(name: string): Promise<Uint8Array | undefined> {
    const opened = await openPack(this.#fileOf(name));
    if (!opened) return this.#giveUp(name);
    try {
      return (await readHead(name, opened))?.head ?? (await this.#giveUp(name));
    } finally {
      await opened.handle.close();
    }
  }

  async #bodyOf(name: string): Promise<Uint8Array | undefined> {
    const opened = await openPack(this.#fileOf(name));
    if (!opened) return this.#giveUp(name);
    try {
      const body = await readBody(name, opened);
      if (!body) return await this.#giveUp(name);
      await this.#stampUse(name);
      return body;
    } finally {
      await opened.handle.close();
    }
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

interface OpenedPack {
  readonly handle: FileHandle;
  readonly sizeBytes: number;
}

/** A pipe without a writer would hold a plain `open` up for ever. `undefined` for what is no regular file. */
async function openPack(file: string): Promise<OpenedPack | undefined> {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await handle.stat();
    if (found.isFile()) return { handle, sizeBytes: found.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

/** The head and what was said of the body; `undefined` when they are not as they were written. */
async function readHead(
  name: string,
  { handle }: OpenedPack,
): Promise<{ readonly head: Buffer; readonly prefix: Prefix } | undefined> {
  let bytes = await readAt(handle, 0, HEAD_READ_BYTES);
  const prefix = readPrefix(bytes);
  if (!prefix) return undefined;
  const wanted = PREFIX_BYTES + prefix.headBytes;
  if (wanted > bytes.length) bytes = await readAt(handle, 0, wanted);
  const head = checkedHead(name, bytes, prefix);
  return head && { head, prefix };
}

/** The body in a buffer of its own, which may move to another thread. */
async function readBody(name: string, opened: OpenedPack): Promise<Uint8Array | undefined> {
  const { head, prefix } = (await readHead(name, opened)) ?? {};
  if (!head || !prefix || opened.sizeBytes !== PREFIX_BYTES + head.length + prefix.bodyBytes) return undefined;
  const body = new Uint8Array(prefix.bodyBytes);
  const start = PREFIX_BYTES + head.length;
  for (let filled = 0; filled < body.length; ) {
    const { bytesRead } = await opened.handle.read(body, filled, body.length - filled, start + filled);
    if (bytesRead === 0) return undefined;
    filled += bytesRead;
  }
  return (await bodySumOf(body)).equals(prefix.bodySum) ? body : undefined;
}

async function isStale(tempFile: string): Promise<boolean> {
  // Another process may have renamed it.
  const found = await stat(tempFile).catch(ignoreMissing);
  return found !== undefined && Date.now() - found.mtimeMs > STALE_TEMP_MS;
}

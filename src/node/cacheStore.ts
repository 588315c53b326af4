import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { CacheStore, Logger } from '../core/ports';
import { TEMP_SUFFIX, writeFileAtomic } from './atomicFile';
import { errorCode } from './errorCode';

/** First bytes of every file: what it is, and the version of this layout. */
const MAGIC = new TextEncoder().encode('CBCACHE1');
const CHECKSUM_BYTES = 32;
const HEADER_BYTES = MAGIC.length + CHECKSUM_BYTES;
/** A temporary file as old as this was left by a crash, not by a save under way. */
const STALE_TEMP_MS = 60 * 60 * 1000;

/** Bytes hashed at once, about a millisecond: the thread that asks may be an editor's. */
const CHUNK_BYTES = 1 << 20;

async function checksum(key: string, bytes: Uint8Array): Promise<Buffer> {
  // With the key in it, a file that was copied or renamed by hand does not pass for another.
  const hash = createHash('sha256').update(key).update('\0');
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    if (at > 0) await setImmediate();
    hash.update(bytes.subarray(at, at + CHUNK_BYTES));
  }
  return hash.digest();
}

/**
 * Blobs as files of one folder: `magic · sha256 of key and content · content`. A file that is cut, changed or of
 * another version is as good as none; it is deleted, and the log says so.
 */
export class FileCacheStore implements CacheStore {
  private isSwept = false;

  /** `folder` is absolute, the user's own, and made when something is saved. */
  constructor(
    private readonly folder: string,
    private readonly logger: Logger,
  ) {}

  async load(key: string): Promise<Uint8Array | undefined> {
    const file = this.fileOf(key);
    try {
      const found = await readFile(file);
      const content = found.subarray(HEADER_BYTES);
      const isWhole =
        found.subarray(0, MAGIC.length).equals(MAGIC) &&
        found.subarray(MAGIC.length, HEADER_BYTES).equals(await checksum(key, content));
      // A view: a copy of a big folder's pack would cost milliseconds.
      if (isWhole) return new Uint8Array(content.buffer, content.byteOffset, content.length);
      this.logger.warn(`The cache entry "${key}" is damaged or of another version; it is made anew`);
      await rm(file, { force: true });
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') this.logger.warn(this.failure('read', key, error));
    }
    return undefined;
  }

  async save(key: string, bytes: Uint8Array): Promise<void> {
    try {
      await writeFileAtomic(this.fileOf(key), [MAGIC, await checksum(key, bytes), bytes]);
      await this.sweepOnce();
    } catch (error) {
      this.logger.warn(this.failure('written', key, error));
    }
  }

  private fileOf(key: string): string {
    const name = createHash('sha256').update(key).digest('hex').slice(0, 32);
    return path.join(this.folder, `${name}.bin`);
  }

  private failure(verb: string, key: string, error: unknown): string {
    return `The cache entry "${key}" could not be ${verb} (${errorCode(error) ?? 'unknown reason'}); this costs time only`;
  }

  /** Removes what earlier crashes left, once per store. */
  private async sweepOnce(): Promise<void> {
    if (this.isSwept) return;
    this.isSwept = true;
    for (const name of await readdir(this.folder)) {
      if (!name.endsWith(TEMP_SUFFIX)) continue;
      const file = path.join(this.folder, name);
      const { mtimeMs } = await stat(file);
      if (Date.now() - mtimeMs > STALE_TEMP_MS) await rm(file, { force: true });
    }
  }
}

/** Removes caches of folders that were not opened for `maxAgeMs`; `parent` holds one folder each. */
export async function pruneCaches(parent: string, keep: string, maxAgeMs: number, nowMs: number): Promise<void> {
  const own = path.join(parent, keep);
  // The folder's own time is its last use; reading alone would not move it.
  const stamp = new Date(nowMs);
  await utimes(own, stamp, stamp).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
  });
  for (const entry of await readdir(parent, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === keep || !/^[0-9a-f]{16}$/.test(entry.name)) continue;
    const folder = path.join(parent, entry.name);
    if (nowMs - (await stat(folder)).mtimeMs > maxAgeMs) await rm(folder, { recursive: true, force: true });
  }
}

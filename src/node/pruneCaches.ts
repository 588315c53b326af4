import { readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { ignoreMissing } from './errorCode';

/** What the caches of all folders may cost. */
export interface CacheLimits {
  /** A cache that was not used for so long belongs to a folder that is gone or forgotten. */
  readonly maxAgeMs: number;
  /** Largest size of all caches together; the least recently used go first. */
  readonly maxBytes: number;
}

/**
 * Removes caches of folders that were not used for long, and more of them while all together take too much. `parent`
 * holds one folder each; that of the name `keep` stays, and other processes may remove some meanwhile. Rejects with the
 * platform's error.
 */
export async function pruneCaches(parent: string, keep: string, limits: CacheLimits, nowMs: number): Promise<void> {
  const own = path.join(parent, keep);
  // The folder's own time is its last use; reading alone would not move it.
  const stamp = new Date(nowMs);
  await utimes(own, stamp, stamp).catch(ignoreMissing);
  const caches: Awaited<ReturnType<typeof measure>>[] = [];
  for (const entry of await readdir(parent, { withFileTypes: true })) {
    if (!entry.isDirectory() || !/^[0-9a-f]{16}$/.test(entry.name)) continue;
    const cache = await measure(path.join(parent, entry.name)).catch(ignoreMissing);
    if (cache) caches.push(cache);
  }
  let excess = caches.reduce((sum, { sizeBytes }) => sum + sizeBytes, -limits.maxBytes);
  for (const { folder, usedMs, sizeBytes } of caches.sort((a, b) => a.usedMs - b.usedMs)) {
    if (folder === own || (nowMs - usedMs <= limits.maxAgeMs && excess <= 0)) continue;
    await rm(folder, { recursive: true, force: true });
    excess -= sizeBytes;
  }
}

async function measure(folder: string) {
  let sizeBytes = 0;
  for (const name of await readdir(folder)) {
    sizeBytes += (await stat(path.join(folder, name)).catch(ignoreMissing))?.size ?? 0;
  }
  return { folder, usedMs: (await stat(folder)).mtimeMs, sizeBytes };
}

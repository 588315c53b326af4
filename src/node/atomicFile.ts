import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from './errorCode';

/** Ending of temporary files, so that a sweep can find those a crash left behind. */
export const TEMP_SUFFIX = '.tmp';

/** Windows refuses a rename while a virus scanner or a reader holds the target; it lets go within milliseconds. */
const RENAME_RETRIES_MS: readonly number[] = [10, 30, 90, 270];

async function renameWithRetry(from: string, to: string): Promise<void> {
  for (const delayMs of RENAME_RETRIES_MS) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      const code = errorCode(error);
      if (code !== 'EPERM' && code !== 'EACCES' && code !== 'EBUSY') throw error;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
  await rename(from, to);
}

/**
 * Writes a file of the user's own (not of a workspace) so that a reader, and a crash at any moment, sees the old bytes
 * or the new ones. Makes missing folders; file and folders are readable by the user alone. Rejects with the platform's
 * error and leaves no temporary file.
 * @param isDurable false for files that can be made again: does not wait for the disk, and a power cut may lose them
 */
export async function writeFileAtomic(
  file: string,
  content: string | Uint8Array | readonly Uint8Array[],
  isDurable = true,
): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const temp = `${file}.${process.pid}.${randomUUID().slice(0, 8)}${TEMP_SUFFIX}`;
  try {
    const handle = await open(temp, 'wx', 0o600);
    try {
      // Each goes on where the last one ended.
      for (const chunk of Array.isArray(content) ? content : [content]) await handle.writeFile(chunk);
      if (isDurable) await handle.sync();
    } finally {
      await handle.close();
    }
    await renameWithRetry(temp, file);
  } catch (error) {
    await rm(temp, { force: true });
    throw error;
  }
}

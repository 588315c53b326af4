import { errorCode } from '../errorCode';
import type { ConfinedFolder } from './confinedFolder';

/** The highest number ever given, and how large the log was to be after it: if it is not, somebody else has changed it. */
export interface RecordMark {
  readonly highWaterMark: number;
  readonly sizeBytes: number;
}

/** A mark has about sixty. */
const MAX_MARK_BYTES = 4096;

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** `undefined` when there is none or it is damaged: the log itself is then read for its highest id. */
export async function readMark(folder: ConfinedFolder, name: string): Promise<RecordMark | undefined> {
  try {
    const { bytes } = await folder.readStart(name, MAX_MARK_BYTES);
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof value !== 'object' || value === null) return undefined;
    const { high_water_mark: highWaterMark, size_bytes: sizeBytes } = value as Readonly<Record<string, unknown>>;
    return isCount(highWaterMark) && isCount(sizeBytes) ? { highWaterMark, sizeBytes } : undefined;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Replaces the mark as a whole; the caller holds the log's lock. It is not flushed: after a power failure the log's own
 * lines say as much, and a flush would double the cost of every append.
 */
export async function writeMark(
  folder: ConfinedFolder,
  name: string,
  { highWaterMark, sizeBytes }: RecordMark,
): Promise<void> {
  const temp = `${name}.tmp`;
  const text = `${JSON.stringify({ high_water_mark: highWaterMark, size_bytes: sizeBytes })}\n`;
  await folder.overwrite(temp, text);
  try {
    await folder.rename(temp, name);
  } catch (error) {
    // Windows refuses while a virus scanner holds the old one; writing into it is as good under the lock.
    if (process.platform !== 'win32' || errorCode(error) === undefined) throw error;
    await folder.overwrite(name, text);
  }
}

import { isRecord } from '../../core/text/jsonRecord';
import type { WholeFiles } from './wholeFiles';

/** The highest number ever given, and how large the log was to be after it: if it is not, somebody else has changed it. */
export interface LogMark {
  readonly highWaterMark: number;
  readonly sizeBytes: number;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** `undefined` when there is none or it is damaged: the log itself is then read for its highest number. */
export async function readLogMark(files: WholeFiles, path: string): Promise<LogMark | undefined> {
  const bytes = await files.read(path);
  if (!bytes) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // Written by half: as good as none.
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const { high_water_mark: highWaterMark, size_bytes: sizeBytes } = value;
  return isCount(highWaterMark) && isCount(sizeBytes) ? { highWaterMark, sizeBytes } : undefined;
}

/** Replaces the mark; the caller holds the log's lock. */
export async function writeLogMark(
  files: WholeFiles,
  path: string,
  { highWaterMark, sizeBytes }: LogMark,
): Promise<void> {
  const text = `${JSON.stringify({ high_water_mark: highWaterMark, size_bytes: sizeBytes })}\n`;
  await files.write(path, new TextEncoder().encode(text));
}

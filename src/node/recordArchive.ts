import * as fs from 'node:fs/promises';
import path from 'node:path';
import { numberReader, type RecordFormat } from '../core/records/recordKind';
import { errorCode } from './errorCode';
import { linesOf } from './recordFile';

/** When a log's file is put aside and how much of what was put aside is kept. */
export interface Rotation {
  /** A file of this size is put aside before more is written. Bytes. */
  readonly maxFileBytes: number;
  /** Old files above this sum go, the oldest first. Bytes. */
  readonly keepBytes: number;
  /** So many newest records are kept whatever their size. */
  readonly keepRecords: number;
}

/** One old file of a log. */
export interface ArchivedFile {
  /** From 1; higher ones are newer. */
  readonly number: number;
  /** Absolute. */
  readonly file: string;
  readonly sizeBytes: number;
}

const DIGITS = 6;

/** What is said of a file that another program keeps open, or that may not be touched. */
const BUSY_CODES: readonly (string | undefined)[] = ['EPERM', 'EACCES', 'EBUSY'];

/**
 * The old files of a log, beside the one that is written: `usage.jsonl` has `usage.000001.jsonl`, `usage.000002.jsonl`.
 * An old file is never written again. Whoever changes anything here holds the log's lock.
 */
export class RecordArchive {
  readonly #file: string;
  readonly #format: RecordFormat;
  readonly #name: RegExp;

  /** @param file the log's own file, absolute */
  constructor(file: string, format: RecordFormat) {
    this.#file = file;
    this.#format = format;
    const { name, ext } = path.parse(file);
    const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    this.#name = new RegExp(`^${literal(name)}\\.(\\d{${DIGITS},15})${literal(ext)}$`);
  }

  /** Old files, oldest first; empty when there is no such folder. */
  async list(): Promise<readonly ArchivedFile[]> {
    const folder = path.dirname(this.#file);
    const names = await fs.readdir(folder).catch(ignoreMissing);
    const found = await Promise.all(
      (names ?? []).map(async (name): Promise<ArchivedFile | undefined> => {
        const digits = this.#name.exec(name)?.[1];
        if (digits === undefined) return undefined;
        const file = path.join(folder, name);
        const stat = await fs.lstat(file).catch(ignoreMissing);
        return stat?.isFile() ? { number: Number(digits), file, sizeBytes: stat.size } : undefined;
      }),
    );
    return found.filter((one) => one !== undefined).sort((left, right) => left.number - right.number);
  }

  /** Puts the log's file aside under the next number. False when another program holds it open, on Windows. */
  async putAside(): Promise<boolean> {
    const next = ((await this.list()).at(-1)?.number ?? 0) + 1;
    const { dir, name, ext } = path.parse(this.#file);
    try {
      await fs.rename(this.#file, path.join(dir, `${name}.${String(next).padStart(DIGITS, '0')}${ext}`));
    } catch (error) {
      if (process.platform === 'win32' && BUSY_CODES.includes(errorCode(error))) return false;
      throw error;
    }
    return true;
  }

  /** The highest number of the newest old file that has records; 0 when there is none. Reads it whole. */
  async maxNumber(): Promise<number> {
    for (const { file } of [...(await this.list())].reverse()) {
      const max = highest(await this.#numbersIn(file));
      if (max > 0) return max;
    }
    return 0;
  }

  /** Removes the oldest files while they are more than `keepBytes`, but none that has one of the newest `keepRecords`. */
  async prune({ keepBytes, keepRecords }: Rotation): Promise<void> {
    const files = await this.list();
    let sum = files.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
    const kept = files.length === 0 || sum <= keepBytes ? 0 : await this.#firstNeeded(files, keepRecords);
    for (const { file, sizeBytes } of files.slice(0, kept)) {
      if (sum <= keepBytes) break;
      // What holds no record of ours is somebody else's.
      if ((await this.#numbersIn(file)).size === 0) continue;
      if (await removed(file)) sum -= sizeBytes;
    }
  }

  /** Index of the oldest file that the newest `count` records reach into. */
  async #firstNeeded(files: readonly ArchivedFile[], count: number): Promise<number> {
    const numbers = new Set<number>();
    for (let at = files.length - 1; at > 0; at--) {
      for (const number of await this.#numbersIn(files[at]?.file ?? '')) numbers.add(number);
      // A line that adds to a record of an older file has that one's number: it is not here.
      const before = highest(await this.#numbersIn(files[at - 1]?.file ?? ''));
      if ([...numbers].filter((number) => number > before).length >= count) return at;
    }
    return 0;
  }

  async #numbersIn(file: string): Promise<ReadonlySet<number>> {
    const numberOf = numberReader(this.#format);
    const numbers = new Set<number>();
    const handle = await fs.open(file, 'r');
    try {
      for await (const chunk of linesOf(handle, (await handle.stat()).size)) {
        for (const { line } of chunk) {
          const number = numberOf(line);
          if (number !== undefined) numbers.add(number);
        }
      }
    } finally {
      await handle.close();
    }
    return numbers;
  }
}

function highest(numbers: Iterable<number>): number {
  let max = 0;
  for (const number of numbers) max = Math.max(max, number);
  return max;
}

/** False when the file may not be removed now; the next time somebody tries again. */
async function removed(file: string): Promise<boolean> {
  try {
    await fs.unlink(file);
  } catch (error) {
    if (BUSY_CODES.includes(errorCode(error))) return false;
    ignoreMissing(error);
  }
  return true;
}

/** For `catch`: a file that is not there is no failure. */
export function ignoreMissing(error: unknown): undefined {
  const code = errorCode(error);
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
  return undefined;
}

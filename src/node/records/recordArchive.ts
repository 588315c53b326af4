import path from 'node:path';
import { numberReader, type RecordFormat } from '../../core/records/recordKind';
import { errorCode, ignoreMissing } from '../errorCode';
import type { ConfinedFolder } from './confinedFolder';
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
  /** In the log's folder. */
  readonly name: string;
  readonly sizeBytes: number;
}

const DIGITS = 6;

/** What is said of a file that another program keeps open, or that may not be touched. */
const BUSY_CODES: readonly (string | undefined)[] = ['EPERM', 'EACCES', 'EBUSY'];

/**
 * The names of a log's old files, and what is done with these. They lie beside the one that is written: `usage.jsonl` has `usage.000001.jsonl`, `usage.000002.jsonl`.
 * An old file is never written again. Whoever changes anything here holds the log's lock.
 */
export class RecordArchive {
  readonly #own: string;
  readonly #format: RecordFormat;
  readonly #pattern: RegExp;

  /** @param own name of the log's own file */
  constructor(own: string, format: RecordFormat) {
    this.#own = own;
    this.#format = format;
    const { name, ext } = path.parse(own);
    const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    this.#pattern = new RegExp(`^${literal(name)}\\.(\\d{${DIGITS},15})${literal(ext)}$`);
  }

  /** Old files, oldest first. */
  async list(folder: ConfinedFolder): Promise<readonly ArchivedFile[]> {
    const names = await folder.list();
    const found = await Promise.all(
      names.map(async (name): Promise<ArchivedFile | undefined> => {
        const digits = this.#pattern.exec(name)?.[1];
        if (digits === undefined) return undefined;
        const stat = await folder.stat(name).catch(ignoreMissing);
        return stat?.isFile() ? { number: Number(digits), name, sizeBytes: stat.size } : undefined;
      }),
    );
    return found.filter((one) => one !== undefined).sort((left, right) => left.number - right.number);
  }

  /** Puts the log's file aside under the next number. False when another program holds it open, on Windows. */
  async putAside(folder: ConfinedFolder): Promise<boolean> {
    const next = ((await this.list(folder)).at(-1)?.number ?? 0) + 1;
    const { name, ext } = path.parse(this.#own);
    try {
      await folder.rename(this.#own, `${name}.${String(next).padStart(DIGITS, '0')}${ext}`);
    } catch (error) {
      if (process.platform === 'win32' && BUSY_CODES.includes(errorCode(error))) return false;
      throw error;
    }
    return true;
  }

  /** The highest number of the newest old file that has records; 0 when there is none. Reads it whole. */
  async maxNumber(folder: ConfinedFolder): Promise<number> {
    for (const { name } of [...(await this.list(folder))].reverse()) {
      const max = highest(await this.#numbersIn(folder, name));
      if (max > 0) return max;
    }
    return 0;
  }

  /** Removes the oldest files while they are more than `keepBytes`, but none that has one of the newest `keepRecords`. */
  async prune(folder: ConfinedFolder, { keepBytes, keepRecords }: Rotation): Promise<void> {
    const files = await this.list(folder);
    let sum = files.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
    const kept = files.length === 0 || sum <= keepBytes ? 0 : await this.#firstNeeded(folder, files, keepRecords);
    for (const { name, sizeBytes } of files.slice(0, kept)) {
      if (sum <= keepBytes) break;
      // What holds no record of ours is somebody else's.
      if ((await this.#numbersIn(folder, name)).size === 0) continue;
      if (await removed(folder, name)) sum -= sizeBytes;
    }
  }

  /** Index of the oldest file that the newest `count` records reach into. */
  async #firstNeeded(folder: ConfinedFolder, files: readonly ArchivedFile[], count: number): Promise<number> {
    const numbers = new Set<number>();
    for (let at = files.length - 1; at > 0; at--) {
      for (const number of await this.#numbersIn(folder, files[at]?.name)) numbers.add(number);
      // A line that adds to a record of an older file has that one's number: it is not here.
      const before = highest(await this.#numbersIn(folder, files[at - 1]?.name));
      if ([...numbers].filter((number) => number > before).length >= count) return at;
    }
    return 0;
  }

  async #numbersIn(folder: ConfinedFolder, name: string | undefined): Promise<ReadonlySet<number>> {
    const numberOf = numberReader(this.#format);
    const numbers = new Set<number>();
    if (name === undefined) return numbers;
    const handle = await folder.read(name);
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
async function removed(folder: ConfinedFolder, name: string): Promise<boolean> {
  try {
    await folder.remove(name);
  } catch (error) {
    if (BUSY_CODES.includes(errorCode(error))) return false;
    ignoreMissing(error);
  }
  return true;
}

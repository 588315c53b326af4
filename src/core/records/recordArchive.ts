import { linesOf } from './recordBytes';
import { countedNumber, numberReader, type RecordFormat } from './recordLog';
import { type RecordFolder, workWith } from './recordStore';

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
interface ArchivedFile {
  /** From 1; higher ones are newer. */
  readonly number: number;
  /** In the log's folder. */
  readonly name: string;
  readonly sizeBytes: number;
}

const DIGITS = 6;

/**
 * A log's old files, beside the one that is written: `usage.jsonl` has `usage.000001.jsonl`, `usage.000002.jsonl`.
 * An old file is never written again. Callers that change anything here hold the log's lock.
 */
export class RecordArchive {
  /** What stands before and behind the number. */
  readonly #stem: string;
  readonly #extension: string;

  /** @param own name of the log's own file */
  constructor(
    private readonly own: string,
    private readonly format: RecordFormat,
  ) {
    const dot = own.lastIndexOf('.');
    this.#stem = `${dot > 0 ? own.slice(0, dot) : own}.`;
    this.#extension = dot > 0 ? own.slice(dot) : '';
  }

  /** Old files, oldest first. */
  async list(folder: RecordFolder): Promise<readonly ArchivedFile[]> {
    const found = await Promise.all(
      (await folder.list()).map(async (name): Promise<ArchivedFile | undefined> => {
        const number = this.#numberIn(name);
        const sizeBytes = number === undefined ? undefined : await folder.sizeOf(name);
        return number === undefined || sizeBytes === undefined ? undefined : { number, name, sizeBytes };
      }),
    );
    return found.filter((one) => one !== undefined).sort((left, right) => left.number - right.number);
  }

  #numberIn(name: string): number | undefined {
    if (!name.startsWith(this.#stem) || !name.endsWith(this.#extension)) return undefined;
    const digits = name.slice(this.#stem.length, name.length - this.#extension.length);
    return /^\d{6,15}$/.test(digits) ? Number(digits) : undefined;
  }

  /** Puts the log's file aside under the next number. False when another program holds it open. */
  async putAside(folder: RecordFolder): Promise<boolean> {
    const next = ((await this.list(folder)).at(-1)?.number ?? 0) + 1;
    return folder.rename(this.own, `${this.#stem}${String(next).padStart(DIGITS, '0')}${this.#extension}`);
  }

  /** The highest number of the newest old file that has records; 0 when there is none. Reads it whole. */
  async maxNumber(folder: RecordFolder): Promise<number> {
    for (const { name } of [...(await this.list(folder))].reverse()) {
      const max = highest(await this.#numbersIn(folder, name));
      if (max > 0) return max;
    }
    return 0;
  }

  /** Removes the oldest files while they are more than `keepBytes`, but none that has one of the newest `keepRecords`. */
  async prune(folder: RecordFolder, { keepBytes, keepRecords }: Rotation): Promise<void> {
    const files = await this.list(folder);
    let sum = files.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
    const kept = files.length === 0 || sum <= keepBytes ? 0 : await this.#firstNeeded(folder, files, keepRecords);
    for (const { name, sizeBytes } of files.slice(0, kept)) {
      if (sum <= keepBytes) break;
      // A file without a record of ours belongs to another program.
      if ((await this.#numbersIn(folder, name)).size === 0) continue;
      if (await folder.remove(name)) sum -= sizeBytes;
    }
  }

  /** Index of the oldest file that the newest `count` records reach into. */
  async #firstNeeded(folder: RecordFolder, files: readonly ArchivedFile[], count: number): Promise<number> {
    const numbers = new Set<number>();
    for (let at = files.length - 1; at > 0; at--) {
      for (const number of await this.#numbersIn(folder, files[at]?.name)) numbers.add(number);
      // A line that adds to a record of an older file has that one's number: it is not here.
      const before = highest(await this.#numbersIn(folder, files[at - 1]?.name));
      if ([...numbers].filter((number) => number > before).length >= count) return at;
    }
    return 0;
  }

  async #numbersIn(folder: RecordFolder, name = ''): Promise<ReadonlySet<number>> {
    const numberOf = numberReader(this.format);
    const numbers = new Set<number>();
    await workWith(folder, name, async (file) => {
      for await (const chunk of linesOf(file)) {
        for (const { line } of chunk) {
          const number = numberOf(line);
          if (number !== undefined) numbers.add(number);
        }
      }
    });
    return numbers;
  }
}

function highest(numbers: Iterable<number>): number {
  let max = 0;
  for (const number of numbers) max = Math.max(max, countedNumber(number));
  return max;
}

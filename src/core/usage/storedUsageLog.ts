import type { NumberedLog } from '../records/numberedLog';
import type { Rotation } from '../records/recordArchive';
import { linesOf } from '../records/recordBytes';
import type { LineMaker } from '../records/recordLog';
import type { RecordFolder } from '../records/recordStore';
import { citationLine, haveOrigins, originOf, unrecorded, usageLines } from './usageCodec';
import type { UsageAppend, UsageLog, UsageRead } from './usageLog';
import { UsageLogReader } from './usageLogReader';
import type { Citation, UsageDraft } from './usageRecord';

/**
 * A file of 8 MB has about 3,000 cycles of twenty sections, 64 MB about 25,000: years of work, reported in a second. The
 * newest 1,000 cycles are twenty times the default window.
 */
export const USAGE_ROTATION: Rotation = {
  maxFileBytes: 8 * 1024 * 1024,
  keepBytes: 64 * 1024 * 1024,
  keepRecords: 1_000,
};

/** `UsageLog` as numbered records (`USAGE_RECORDS`) with older files beside them, whatever keeps the bytes. */
export class StoredUsageLog implements UsageLog {
  readonly #log: NumberedLog;
  readonly #ignoreText: string | undefined;
  readonly #reader: UsageLogReader;
  /** Every `origin` that was read so far. */
  readonly #origins = new Set<string>();
  /** Bytes of whole lines that were read for it, by the file itself: an old file was the log's own before. */
  readonly #originsRead = new Map<string, number>();

  /** @param ignoreText a `.gitignore` to offer when the log is made, beside it */
  constructor(log: NumberedLog, ignoreText?: string) {
    this.#log = log;
    this.#ignoreText = ignoreText;
    this.#reader = new UsageLogReader(log.store.path, log.archive);
  }

  async append(drafts: readonly UsageDraft[]): Promise<UsageAppend> {
    const lines = usageLines(drafts);
    if (!haveOrigins(lines)) return this.#append(lines);
    return this.#append(lines, async (folder) => unrecorded(lines, await this.#refreshOrigins(folder)));
  }

  async amend(cycle: number, profile: string, ts: string, cited: readonly Citation[]): Promise<void> {
    if (cited.length === 0) return;
    await this.#append([citationLine(cycle, profile, ts, cited)]);
  }

  async readNewest(cycles: number): Promise<UsageRead> {
    const read = await this.#log.reading((folder) => this.#reader.newest(folder, cycles));
    return read ?? { records: [], problems: [] };
  }

  async *readAll(): AsyncGenerator<Uint8Array> {
    try {
      const folder = await this.#log.openFolder();
      if (!folder) return;
      try {
        yield* this.#reader.all(folder);
      } finally {
        await folder.close();
      }
    } catch (cause) {
      throw this.#log.failure('unreadable', cause);
    }
  }

  async #append(
    makers: readonly LineMaker[],
    choose?: (folder: RecordFolder) => Promise<readonly LineMaker[]>,
  ): Promise<UsageAppend> {
    const outcome = await this.#log.append(makers, { choose });
    if (outcome.kind === 'moved') return { cycles: [], repairs: [] };
    // Once, and never over a file that is there: its owner decides.
    if (outcome.numbers[0] === 1 && this.#ignoreText !== undefined)
      await this.#log.store.offer('.gitignore', this.#ignoreText);
    return { cycles: outcome.numbers, repairs: outcome.repairs };
  }

  /** Every `origin` that the log has; what was read once is not read again. The caller holds the log's lock. */
  async #refreshOrigins(folder: RecordFolder): Promise<ReadonlySet<string>> {
    for (const { name } of await this.#log.archive.list(folder)) await this.#readOrigins(folder, name);
    await this.#readOrigins(folder, this.#log.name);
    return this.#origins;
  }

  async #readOrigins(folder: RecordFolder, name: string): Promise<void> {
    const file = await folder.read(name);
    if (!file) return;
    try {
      const { place, sizeBytes } = file;
      const before = (place !== '' && this.#originsRead.get(place)) || 0;
      // A file that shrank was replaced by another program.
      const from = before <= sizeBytes ? before : 0;
      let whole = from;
      for await (const chunk of linesOf(file, from)) {
        for (const { line, end, isEnded } of chunk) {
          if (isEnded) whole = end;
          const origin = originOf(line);
          if (origin !== undefined) this.#origins.add(origin);
        }
      }
      this.#originsRead.set(place, whole);
    } finally {
      await file.close();
    }
  }
}

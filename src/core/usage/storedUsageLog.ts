import type { NumberedLog } from '../records/numberedLog';
import type { Rotation } from '../records/recordArchive';
import { linesOf } from '../records/recordBytes';
import type { LineMaker, RecordKind } from '../records/recordLog';
import { type RecordFolder, workWith } from '../records/recordStore';
import { phrase } from '../text/phrase';
import { additionLine, decodeUsage, haveOrigins, originOf, USAGE_VERSION, unrecorded, usageLine } from './usageCodec';
import type { UsageAppend, UsageLog, UsageRead } from './usageLog';
import { readAll, readNewest } from './usageLogReader';
import { type UsageAddition, type UsageDraft, UsageError } from './usageRecord';

/** Usage as the records of a log. */
export const USAGE_RECORDS: RecordKind = {
  format: {
    version: USAGE_VERSION,
    numberKey: 'cycle',
    numberOf: (line) => {
      const decoded = decodeUsage(line);
      return decoded.kind === 'ok' ? decoded.record.cycle : undefined;
    },
  },
  what: phrase('usage records'),
  configKey: 'usage_log',
  fail: (reason, words, options) => new UsageError(reason, words, options),
  isFailure: (error) => UsageError.is(error),
};

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
  /** Every `origin` that was read so far. */
  readonly #origins = new Set<string>();
  /** Bytes of whole lines that were read for it, by the file itself: an old file was the log's own before. */
  readonly #originsRead = new Map<string, number>();

  /** @param ignoreText a `.gitignore` to offer when the log is made, beside it */
  constructor(
    private readonly log: NumberedLog,
    private readonly ignoreText: string | undefined,
  ) {}

  async append(drafts: readonly UsageDraft[]): Promise<UsageAppend> {
    const lines = drafts.map(usageLine);
    if (!haveOrigins(drafts)) return this.#append(lines);
    return this.#append(lines, async (folder) => unrecorded(drafts, await this.#refreshOrigins(folder)).map(usageLine));
  }

  async amend(cycle: number, addition: UsageAddition): Promise<void> {
    await this.#append([additionLine(cycle, addition)]);
  }

  async readNewest(cycles: number): Promise<UsageRead> {
    const read = await this.log.reading((folder) => readNewest(this.log, folder, cycles));
    return read ?? { records: [], problems: [] };
  }

  async *readAll(): AsyncGenerator<Uint8Array> {
    try {
      const folder = await this.log.store.find();
      if (!folder) return;
      try {
        yield* readAll(this.log, folder);
      } finally {
        await folder.close();
      }
    } catch (cause) {
      throw this.log.failure('unreadable', cause);
    }
  }

  async #append(
    makers: readonly LineMaker[],
    choose?: (folder: RecordFolder) => Promise<readonly LineMaker[]>,
  ): Promise<UsageAppend> {
    const outcome = await this.log.append(makers, { choose });
    if (outcome.kind === 'moved') return { cycles: [], repairs: [] };
    // Once, and never over a file that is there: its owner decides.
    if (outcome.numbers[0] === 1 && this.ignoreText !== undefined)
      await this.log.store.offer('.gitignore', this.ignoreText);
    return { cycles: outcome.numbers, repairs: outcome.repairs };
  }

  /** Every `origin` that the log has; what was read once is not read again. The caller holds the log's lock. */
  async #refreshOrigins(folder: RecordFolder): Promise<ReadonlySet<string>> {
    for (const { name } of await this.log.archive.list(folder)) await this.#readOrigins(folder, name);
    await this.#readOrigins(folder, this.log.name);
    return this.#origins;
  }

  async #readOrigins(folder: RecordFolder, name: string): Promise<void> {
    await workWith(folder, name, async (file) => {
      const { place, sizeBytes } = file;
      const before = (place !== '' && this.#originsRead.get(place)) || 0;
      // A file that shrank was replaced by another program.
      let whole = before <= sizeBytes ? before : 0;
      for await (const chunk of linesOf(file, whole)) {
        for (const { line, end, isEnded } of chunk) {
          if (isEnded) whole = end;
          const origin = originOf(line);
          if (origin !== undefined) this.#origins.add(origin);
        }
      }
      this.#originsRead.set(place, whole);
    });
  }
}

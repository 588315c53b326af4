import path from 'node:path';
import { CONFIG_PATH } from '../../core/config/config';
import { usageIgnoreText } from '../../core/files/usageFiles';
import type { LineMaker } from '../../core/records/recordKind';
import { citationLine, haveOrigins, unrecordedLines, usageLines } from '../../core/usage/usageLines';
import type { UsageAppend, UsageLog, UsageRead } from '../../core/usage/usageLog';
import type { Citation, UsageDraft } from '../../core/usage/usageRecord';
import { USAGE_RECORDS } from '../../core/usage/usageRecords';
import { errorCode } from '../errorCode';
import { ConfinementError } from './confinementError';
import type { Rotation } from './recordArchive';
import { type AppendOptions, RecordLog } from './recordLog';
import type { RecordLogPlace } from './recordPlace';
import { UsageLogReader } from './usageLogReader';
import { UsageOrigins } from './usageOrigins';

/**
 * A file of 8 MB has about 3,000 cycles of twenty sections, 64 MB about 25,000: years of work, reported in a second. The
 * newest 1,000 cycles are twenty times the default window.
 */
export const USAGE_ROTATION: Rotation = {
  maxFileBytes: 8 * 1024 * 1024,
  keepBytes: 64 * 1024 * 1024,
  keepRecords: 1_000,
};

/** Where the product keeps its own files in a workspace. */
const OWN_FOLDER = path.posix.dirname(CONFIG_PATH);

/** `UsageLog` as a file of JSON Lines in the workspace, with older files beside it; see `RecordLog` for what else lies there. */
export class UsageLogFile implements UsageLog {
  readonly #place: RecordLogPlace;
  readonly #log: RecordLog;
  readonly #reader: UsageLogReader;
  readonly #origins: UsageOrigins;

  constructor(place: RecordLogPlace, rotation: Rotation = USAGE_ROTATION) {
    this.#place = place;
    this.#log = new RecordLog(place, USAGE_RECORDS, rotation);
    this.#reader = new UsageLogReader(place.path, this.#log.archive);
    this.#origins = new UsageOrigins(this.#log.name, this.#log.archive);
  }

  async append(drafts: readonly UsageDraft[]): Promise<UsageAppend> {
    const lines = usageLines(drafts);
    if (!haveOrigins(lines)) return this.#append(lines);
    return this.#append(lines, async (folder) => unrecordedLines(lines, await this.#origins.refresh(folder)));
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

  async #append(makers: readonly LineMaker[], choose?: AppendOptions['choose']): Promise<UsageAppend> {
    const outcome = await this.#log.append(makers, { choose });
    if (outcome.kind === 'moved') return { cycles: [], repairs: [] };
    await this.#keepOutOfGit(outcome.numbers);
    return { cycles: outcome.numbers, repairs: outcome.repairs };
  }

  /** Once, and never over a file that is there: its owner decides. */
  async #keepOutOfGit(numbers: readonly number[]): Promise<void> {
    const isFirst = numbers[0] === 1;
    if (!isFirst || path.posix.dirname(this.#place.path) !== OWN_FOLDER) return;
    try {
      const folder = await this.#log.openFolder();
      await folder?.createWith('.gitignore', usageIgnoreText(this.#place.path)).finally(() => folder.close());
    } catch (error) {
      // The record is on disk; that git shows it is no reason to say that it failed.
      if (errorCode(error) === undefined && !ConfinementError.is(error)) throw error;
    }
  }
}

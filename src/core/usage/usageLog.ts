/**
 * The port to where usage is kept: an append-only log of `usage.v1` lines that several processes may write at once,
 * in one file and, once that has grown, in older files beside it. A log gives cycle numbers and keeps bytes.
 */
import { ROI_CYCLES } from '../model/usage';
import type { LogRepair } from '../records/recordLog';
import { type Phrase, phrase } from '../text/phrase';
import type { UsageAddition, UsageDraft, UsageRecord } from './usageRecord';

/** A line or a fact of the log worth a warning; nothing was lost by it. */
export interface UsageProblem {
  /** Workspace-relative. */
  readonly path: string;
  /** 1-based; absent for what no single line is to blame for. */
  readonly line: number | undefined;
  /** Such as `it is not JSON`, `the clock went back by 3,600 s`. */
  readonly why: Phrase;
}

/** Says a problem as a sentence. */
export function usageProblemWords({ path, line, why }: UsageProblem): Phrase {
  return line === undefined
    ? phrase('{0}: {1}.', path, why)
    : phrase('{0}, line {1}: skipped, not a usage record: {2}.', path, line, why);
}

/** The newest cycles, oldest first; lines of one cycle are merged. */
export interface UsageRead {
  readonly records: readonly UsageRecord[];
  readonly problems: readonly UsageProblem[];
}

/** What appending gave. */
export interface UsageAppend {
  readonly cycles: readonly number[];
  readonly repairs: readonly LogRepair[];
}

/** The most cycles that are read for a window: of a log whose payloads were hardly ever answered, the newest few say it. */
const MAX_READ_CYCLES = 4 * ROI_CYCLES;

/** The newest cycles that a window of `size` and the returns beside it are made of (`usageHistory`). */
export async function readForWindow(log: Pick<UsageLog, 'readNewest'>, size: number): Promise<UsageRead> {
  for (let wanted = Math.max(size, ROI_CYCLES); ; wanted *= 2) {
    const read = await log.readNewest(wanted);
    const judged = read.records.filter((record) => record.judged !== false).length;
    if (judged >= ROI_CYCLES || read.records.length < wanted || wanted >= MAX_READ_CYCLES) return read;
  }
}

export interface UsageLog {
  /**
   * Appends all, in order, as one; numbers are never given twice. Those whose `origin` is recorded already, by whomever, are
   * left out and have no number. Resolves when they are on disk. Rejects with a `UsageError`.
   */
  append(drafts: readonly UsageDraft[]): Promise<UsageAppend>;
  /** Adds citations and measures to a recorded cycle, as a line of its own; from then on the cycle is judged. */
  amend(cycle: number, addition: UsageAddition): Promise<void>;
  /** The newest `cycles` cycles, over as many files as it takes. Reads no more bytes than it must. A missing log is empty. */
  readNewest(cycles: number): Promise<UsageRead>;
  /** Whole lines of all files, oldest first, in pieces small enough to be worked on at once, for a report over everything. */
  readAll(): AsyncIterable<Uint8Array>;
}

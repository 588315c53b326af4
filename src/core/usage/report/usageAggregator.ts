/**
 * Reads a usage log of any length, piece by piece, into sums; holds one line of it at most, and never a record. It
 * decides what is a line and what is wrong with one; what the sums mean is `buildUsageReport.ts`'s business.
 */

import type { RoiThresholds } from '../../model/usage';
import type { Clock } from '../../ports/ports';
import { READ_LIMITS } from '../../records/recordBytes';
import { type LineListener, LineSplitter } from '../../text/lineSplitter';
import { type Phrase, phrase } from '../../text/phrase';
import { decodeUsage } from '../usageCodec';
import { secondsBetween } from '../usageHistory';
import type { UsageRecord } from '../usageRecord';
import { buildUsageReport } from './buildUsageReport';
import type { LogFinding, UsageReport } from './usageReport';
import { UsageTally } from './usageTally';

/** A few milliseconds of work. */
const SLICE_BYTES = 128 * 1024;

/** How a log is read. */
export interface AggregateOptions {
  readonly thresholds?: RoiThresholds | undefined;
  /** Leaves the thread to others after each slice of a few milliseconds; read without a break when absent. */
  readonly clock?: Clock | undefined;
  /** Ends the reading early; the report then is of what was read. */
  readonly signal?: AbortSignal | undefined;
}

/** The report of a whole log, which is never in memory as a whole. */
export async function aggregateUsage(
  pieces: AsyncIterable<Uint8Array>,
  { thresholds, clock, signal }: AggregateOptions = {},
): Promise<UsageReport> {
  const aggregator = new UsageAggregator();
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length && !signal?.aborted; at += SLICE_BYTES) {
      aggregator.add(piece.subarray(at, at + SLICE_BYTES));
      if (clock) await new Promise<void>((resolve) => clock.schedule(resolve, 0));
    }
    if (signal?.aborted || aggregator.isFull) break;
  }
  return aggregator.finish(thresholds);
}

/** Unreadable lines that are told one by one; of the others only how many there are. */
const MAX_TOLD = 5;

/** A file with so many unreadable lines is something else: the rest of it is not read. */
const MAX_UNREADABLE = 500_000;

/** Larger sizes are no sizes: a trillion. Sums of a billion of them stay exact enough to be compared. */
const MAX_AMOUNT = 1e12;

function isTooLarge({ sections, overheadTokens, overheadChars, responseMs, observabilityScore }: UsageRecord): boolean {
  const amounts = sections.flatMap(({ chars, tokens }) => [chars, tokens]);
  return [overheadTokens, overheadChars, responseMs, observabilityScore, ...amounts].some(
    (amount = 0) => amount > MAX_AMOUNT,
  );
}

/** Sums over a log, and what is wrong with single lines of it: the first of each kind, and how many. */
export class UsageAggregator {
  readonly #tally = new UsageTally();
  readonly #splitter = new LineSplitter(READ_LIMITS.lineBytes);
  readonly #unreadable: { readonly line: number; readonly why: Phrase }[] = [];
  #unreadableCount = 0;
  #repeatedCount = 0;
  #firstRepeated = { line: 0, cycle: 0 };
  #backCount = 0;
  #firstBack = { line: 0, seconds: 0 };
  #lastTime = '';

  /** @param maxUnreadable lines; after them nothing more is read */
  constructor(private readonly maxUnreadable = MAX_UNREADABLE) {}

  /** Nothing more is worth reading. */
  get isFull(): boolean {
    return this.#unreadableCount >= this.maxUnreadable;
  }

  /** Adds the next bytes of the log, cut anywhere; they are not kept. */
  add(piece: Uint8Array): void {
    if (!this.isFull) this.#splitter.push(piece, this.#read);
  }

  /** What the log says so far; a last line without its end counts when it is whole. */
  finish(thresholds?: RoiThresholds): UsageReport {
    this.#splitter.end(this.#read);
    const findings = [...this.#unreadableFindings(), ...this.#repeatedFindings(), ...this.#clockFindings()];
    return buildUsageReport(this.#tally, findings, thresholds);
  }

  readonly #read: LineListener = (text, { line }) => {
    if (this.isFull) return;
    const why = text === undefined ? phrase('it is longer than 16 MB') : this.#count(line, text);
    if (why === undefined) return;
    this.#unreadableCount++;
    if (this.#unreadable.length < MAX_TOLD) this.#unreadable.push({ line, why });
  };

  /** Counts a line; returns why it is no record. A blank line is none, and nothing is wrong with it. */
  #count(line: number, text: string): Phrase | undefined {
    if (text.trim() === '') return undefined;
    const decoded = decodeUsage(text);
    if (decoded.kind === 'malformed') return decoded.why;
    const { record } = decoded;
    if (isTooLarge(record)) return phrase('a size in it is over a trillion');
    if (!this.#tally.add(record) && this.#repeatedCount++ === 0) this.#firstRepeated = { line, cycle: record.cycle };
    if (record.origin === undefined) this.#follow(line, record.ts);
    return undefined;
  }

  /** Watches the clock of the log's writers: `time` (`YYYY-MM-DD HH:mm:ss`, which orders like a time) is the next record's. */
  #follow(line: number, time: string): void {
    const before = this.#lastTime;
    this.#lastTime = time;
    if (time >= before) return;
    if (this.#backCount++ === 0) this.#firstBack = { line, seconds: secondsBetween(time, before) };
  }

  #unreadableFindings(): readonly LogFinding[] {
    const told = this.#unreadable.map(({ line, why }): LogFinding => {
      const words = phrase('Line {0} is skipped: {1}', line, why);
      return { kind: 'unreadable', count: 1, line, words };
    });
    const more = this.#unreadableCount - told.length;
    if (more === 0) return told;
    const leftOut = phrase(
      more === 1
        ? '{0} more line is not a usage record and is skipped'
        : '{0} more lines are not usage records and are skipped',
      more,
    );
    const unread = phrase('{0} more lines are not usage records, and the rest was not read', more);
    return [...told, { kind: 'unreadable', count: more, line: undefined, words: this.isFull ? unread : leftOut }];
  }

  #repeatedFindings(): readonly LogFinding[] {
    const count = this.#repeatedCount;
    if (count === 0) return [];
    const { line, cycle } = this.#firstRepeated;
    const words = phrase(
      count === 1
        ? '{0} line repeats the sections of a cycle (first: line {1}, cycle {2}); the first line of a cycle counts, with the citations of all'
        : '{0} lines repeat the sections of a cycle (first: line {1}, cycle {2}); the first line of a cycle counts, with the citations of all',
      count,
      line,
      cycle,
    );
    return [{ kind: 'repeated', count, line, words }];
  }

  #clockFindings(): readonly LogFinding[] {
    const count = this.#backCount;
    if (count === 0) return [];
    const { line, seconds } = this.#firstBack;
    const times = count === 1 ? phrase('once') : phrase('{0} times', count);
    const words = phrase(
      'The clock went back {0}, first by {1} s at line {2}; cycles are ordered by number',
      times,
      seconds,
      line,
    );
    return [{ kind: 'clock', count, line, words }];
  }
}

/**
 * Reads a usage log of any length, piece by piece, into sums; holds one line of it at most, and never a record. It
 * decides what is a line and what is wrong with one; what the sums mean is `buildUsageReport.ts`'s business.
 */

import type { RoiThresholds } from '../../model/usage';
import { type Phrase, phrase } from '../../text/phrase';
import { decodeUsage } from '../usageCodec';
import type { UsageRecord } from '../usageRecord';
import { buildUsageReport } from './buildUsageReport';
import { LineNotes, MAX_UNREADABLE } from './lineNotes';
import type { UsageReport } from './usageReport';
import { UsageTally } from './usageTally';

const LINE_FEED = 0x0a;
/** A longer line is no record: it would hold a hundred thousand sections. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** Larger sizes are no sizes: a trillion. Sums of a billion of them stay exact enough to be compared. */
const MAX_AMOUNT = 1e12;

function isTooLarge({ sections, overheadTokens = 0, responseMs = 0, observabilityScore = 0 }: UsageRecord): boolean {
  const amounts = sections.flatMap(({ chars, tokens }) => [chars, tokens]);
  return [overheadTokens, responseMs, observabilityScore, ...amounts].some((amount) => amount > MAX_AMOUNT);
}

export class UsageAggregator {
  readonly #tally = new UsageTally();
  readonly #notes: LineNotes;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** The beginning of a line whose end is in a later piece; empty once it is longer than any record. */
  #rest: Uint8Array[] = [];
  #restSize = 0;
  #lines = 0;

  /** @param maxUnreadable lines; after them nothing more is read */
  constructor(maxUnreadable = MAX_UNREADABLE) {
    this.#notes = new LineNotes(maxUnreadable);
  }

  /** What comes is not read any more. */
  get isFull(): boolean {
    return this.#notes.isFull;
  }

  /** Adds the next bytes of the log, cut anywhere; they are not kept. */
  add(piece: Uint8Array): void {
    let start = 0;
    for (let end = piece.indexOf(LINE_FEED); end >= 0 && !this.isFull; end = piece.indexOf(LINE_FEED, start)) {
      if (this.#restSize > 0) {
        this.#keep(piece.subarray(start, end));
        this.#readRest();
      } else this.#read(piece.subarray(start, end));
      start = end + 1;
    }
    if (!this.isFull) this.#keep(piece.slice(start));
  }

  /** What the log says so far; a last line without its end counts when it is whole. */
  finish(thresholds?: RoiThresholds): UsageReport {
    if (this.#restSize > 0) this.#readRest();
    return buildUsageReport(this.#tally, this.#notes.findings(), thresholds);
  }

  /** Keeps bytes of a line whose end is not there yet; of a line that is too long only its size. */
  #keep(bytes: Uint8Array): void {
    this.#restSize += bytes.length;
    if (this.#restSize > MAX_LINE_BYTES) this.#rest = [];
    else if (bytes.length > 0) this.#rest.push(bytes);
  }

  #readRest(): void {
    const isTooLong = this.#restSize > MAX_LINE_BYTES;
    const line = new Uint8Array(isTooLong ? MAX_LINE_BYTES + 1 : this.#restSize);
    let at = 0;
    for (const bytes of this.#rest) {
      line.set(bytes, at);
      at += bytes.length;
    }
    this.#rest = [];
    this.#restSize = 0;
    this.#read(line);
  }

  #read(bytes: Uint8Array): void {
    const line = ++this.#lines;
    const why = bytes.length > MAX_LINE_BYTES ? phrase('it is longer than 16 MB') : this.#count(line, bytes);
    if (why !== undefined) this.#notes.addUnreadable(line, why);
  }

  /** Counts a line; returns why it is no record. A blank line is none, and nothing is wrong with it. */
  #count(line: number, bytes: Uint8Array): Phrase | undefined {
    const text = this.#decoder.decode(bytes);
    if (text.trim() === '') return undefined;
    const decoded = decodeUsage(text);
    if (decoded.kind === 'malformed') return decoded.why;
    const { record } = decoded;
    if (isTooLarge(record)) return phrase('a size in it is over a trillion');
    if (!this.#tally.add(record)) this.#notes.addRepeated(line, record.cycle);
    if (record.origin === undefined) this.#notes.follow(line, record.ts);
    return undefined;
  }
}

/**
 * Reads a usage log of any length, piece by piece, into sums; holds a line of it at most, and never a record. It decides
 * what is a line and what is wrong with one; what the sums mean is `buildUsageReport.ts`'s business.
 */
import { phrase } from '../../text/phrase';
import type { RoiThresholds } from '../roi';
import { buildUsageReport } from './buildUsageReport';
import { FAILED } from './lineBytes';
import { decodeLine } from './lineDecoder';
import { LineNotes } from './lineNotes';
import { SectionNames } from './sectionNames';
import { UsageLine } from './usageLine';
import type { UsageReport } from './usageReport';
import { UsageScanner } from './usageScanner';
import { UsageTally } from './usageTally';

const LINE_FEED = 0x0a;
/** A longer line is no record: it would hold a hundred thousand sections. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

export class UsageAggregator {
  readonly #names = new SectionNames();
  readonly #scanner = new UsageScanner(this.#names);
  readonly #tally = new UsageTally();
  readonly #notes = new LineNotes();
  readonly #line = new UsageLine();
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** The beginning of a line whose end is in a later piece: the first `#restSize` bytes. */
  #rest = new Uint8Array(64 * 1024);
  #restSize = 0;
  #lines = 0;

  /** Adds the next bytes of the log, cut anywhere; they are not kept. About 600 MB/s of records as we write them. */
  add(piece: Uint8Array): void {
    // Node's Buffer is a class of its own: code that only meets one of them runs a quarter faster.
    const bytes = new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
    const last = bytes.lastIndexOf(LINE_FEED);
    let start = 0;
    if (this.#restSize > 0 && last >= 0) {
      start = bytes.indexOf(LINE_FEED) + 1;
      this.#keep(bytes, 0, start);
      this.#readRest();
    }
    if (start <= last) this.#scanner.open(bytes);
    while (start <= last) start = this.#read(bytes, start) + 1;
    this.#keep(bytes, start, bytes.length);
  }

  /** What the log says so far; a last line without its end counts when it is whole. */
  finish(thresholds?: RoiThresholds): UsageReport {
    if (this.#restSize > 0) {
      this.#keep(Uint8Array.of(LINE_FEED), 0, 1);
      this.#readRest();
    }
    return buildUsageReport(this.#tally, this.#names, this.#notes.findings(), thresholds);
  }

  #readRest(): void {
    const isTooLong = this.#restSize > MAX_LINE_BYTES;
    if (isTooLong) this.#notes.addUnreadable(++this.#lines, phrase('it is longer than 16 MB'));
    else {
      this.#scanner.open(this.#rest);
      this.#read(this.#rest, 0);
    }
    this.#restSize = 0;
  }

  /** Keeps bytes of a line whose end is not there yet; of a line that is too long anyway, only that it is. */
  #keep(bytes: Uint8Array, start: number, end: number): void {
    const size = this.#restSize + end - start;
    if (size > MAX_LINE_BYTES) {
      this.#restSize = MAX_LINE_BYTES + 1;
      return;
    }
    if (size > this.#rest.length) {
      const larger = new Uint8Array(Math.max(size, this.#rest.length * 2));
      larger.set(this.#rest.subarray(0, this.#restSize));
      this.#rest = larger;
    }
    this.#rest.set(bytes.subarray(start, end), this.#restSize);
    this.#restSize = size;
  }

  /** Reads one line. @returns where its `\n` is */
  #read(bytes: Uint8Array, start: number): number {
    this.#lines++;
    const end = this.#scanner.scan(bytes, start, this.#line);
    if (end !== FAILED) {
      this.#count();
      return end;
    }
    const lineFeed = bytes.indexOf(LINE_FEED, start);
    this.#decode(bytes.subarray(start, lineFeed));
    return lineFeed;
  }

  #decode(bytes: Uint8Array): void {
    if (bytes.length > MAX_LINE_BYTES) {
      this.#notes.addUnreadable(this.#lines, phrase('it is longer than 16 MB'));
      return;
    }
    const text = this.#decoder.decode(bytes);
    if (text.trim() === '') return;
    const why = decodeLine(text, this.#line, this.#names);
    if (why === undefined) this.#count();
    else this.#notes.addUnreadable(this.#lines, why);
  }

  #count(): void {
    this.#tally.reserve(this.#names.size);
    if (!this.#tally.add(this.#line)) this.#notes.addRepeated(this.#lines, this.#line.cycle);
    if (!this.#line.hasOrigin) this.#notes.follow(this.#lines, this.#line.time);
  }
}

/** Looking at the bytes of a log that is in memory as a whole. Pure. */

import { numberReader, type RecordFormat, recordHead } from '../../core/records/recordKind';
import type { LogCursor, LogRead } from '../../core/records/recordLog';
import { hashBytes } from '../../core/text/hash';

const NEWLINE = 10;
/** Bytes before a cursor that must still be there for it to hold. */
const TAIL_BYTES = 64;

/** Stands at the start of whatever comes. */
export const NO_CURSOR: LogCursor = { offset: 0, identity: '' };

/** One line, without its `\n`. */
export interface ByteLine {
  readonly text: string;
  readonly offset: number;
  /** False for what follows the last `\n`. */
  readonly isEnded: boolean;
}

/** What the end of a log looks like to a writer. */
export interface LogEnd {
  /** True for a file that holds something else than records of this kind. */
  readonly isForeign: boolean;
  /** 0 without a record. */
  readonly maxNumber: number;
  /** Bytes up to the last `\n`. */
  readonly wholeBytes: number;
  /** What follows it is a whole record that only lacks its `\n`. */
  readonly isLastComplete: boolean;
}

/** Lines from the last to the first; reads no more than is taken. */
export function* linesBackwards(bytes: Uint8Array): Generator<ByteLine> {
  const decoder = new TextDecoder();
  let stop = bytes.length;
  while (stop > 0) {
    const isEnded = bytes[stop - 1] === NEWLINE;
    const last = isEnded ? stop - 1 : stop;
    const begin = last === 0 ? 0 : bytes.lastIndexOf(NEWLINE, last - 1) + 1;
    yield { text: decoder.decode(bytes.subarray(begin, last)), offset: begin, isEnded };
    stop = begin;
  }
}

/** 1-based number of the line that begins at `offset`. */
export function lineNumberAt(bytes: Uint8Array, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(NEWLINE); at >= 0 && at < offset; at = bytes.indexOf(NEWLINE, at + 1)) line++;
  return line;
}

/** Looks through the whole log. Linear in its size. */
export function endOf(bytes: Uint8Array, format: RecordFormat): LogEnd {
  const numberOf = numberReader(format);
  const wholeBytes = bytes.lastIndexOf(NEWLINE) + 1;
  let maxNumber = 0;
  let lines = 0;
  let records = 0;
  for (const { text, isEnded } of linesBackwards(bytes.subarray(0, wholeBytes))) {
    if (!isEnded || text.trim() === '') continue;
    lines++;
    const number = numberOf(text);
    if (number === undefined) continue;
    records++;
    maxNumber = Math.max(maxNumber, number);
  }
  const rest = new TextDecoder().decode(bytes.subarray(wholeBytes));
  // A torn line may have its number already, but only its end makes it a record.
  const last = format.numberOf(rest);
  const head = recordHead(format.version);
  const isOurStart = rest === '' || last !== undefined || rest.startsWith(head) || head.startsWith(rest);
  return {
    isForeign: lines === 0 ? !isOurStart : records === 0,
    maxNumber: Math.max(maxNumber, last ?? 0),
    wholeBytes,
    isLastComplete: last !== undefined,
  };
}

/** A cursor at `offset`, which is the end of a line. */
export function cursorAt(bytes: Uint8Array, offset: number): LogCursor {
  return { offset, identity: offset === 0 ? '' : tailHash(bytes, offset) };
}

function tailHash(bytes: Uint8Array, offset: number): string {
  return hashBytes(bytes.subarray(Math.max(0, offset - TAIL_BYTES), offset));
}

/** Whether what a cursor has read is still there. */
export function holds(bytes: Uint8Array, { offset, identity }: LogCursor): boolean {
  return offset === 0 || (offset <= bytes.length && identity === tailHash(bytes, offset));
}

/** Of what was not read before, the end: as where files are read in parts (`node/recordFile.ts`). */
const NEWEST_BYTES = 1 << 26;

/** Whole lines after `cursor`, at least one when there is one, else about `chunkBytes`; of very many the newest. */
export function readFrom(
  bytes: Uint8Array,
  cursor: LogCursor | undefined,
  chunkBytes: number,
  newestBytes = NEWEST_BYTES,
): LogRead {
  const isKnown = cursor !== undefined && holds(bytes, cursor);
  const from = isKnown ? cursor.offset : 0;
  const newest = bytes.length - newestBytes;
  const start = newest > from ? bytes.indexOf(NEWLINE, newest - 1) + 1 || bytes.length : from;
  const wholeBytes = bytes.lastIndexOf(NEWLINE) + 1;
  let end = bytes.lastIndexOf(NEWLINE, start + chunkBytes - 1) + 1;
  // One line longer than a chunk: as much more as it takes.
  if (end <= start) end = bytes.indexOf(NEWLINE, start) + 1;
  end = Math.max(start, Math.min(end, wholeBytes));
  const hasMore = end < wholeBytes;
  return {
    isReset: !isKnown,
    bytes: bytes.slice(start, end),
    cursor: cursorAt(bytes, end),
    hasMore,
    tornBytes: hasMore ? 0 : bytes.length - end,
    ...(start > from ? { unreadBytes: start - from } : {}),
  };
}

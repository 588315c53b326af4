/** Reading the bytes of a file of JSON Lines records: whole lines after a cursor, its torn end, its highest number. */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { numberReader, type RecordFormat, recordHead } from '../../core/records/recordKind';
import type { LogCursor, LogRead } from '../../core/records/recordLog';

export const NEWLINE = 10;

/** Bytes before a cursor that must still be there for it to hold. */
const TAIL_BYTES = 64;

/** Bytes read at once when a whole file is looked through. */
const SCAN_BYTES = 1 << 22;

/** What of a log is read at most, in bytes. */
export interface ReadLimits {
  /** Of what was not read before, the end. A hundred thousand observations have about 30 MB. */
  readonly newestBytes: number;
  /** A line that is longer is no record. */
  readonly lineBytes: number;
}

export const READ_LIMITS: ReadLimits = { newestBytes: 1 << 26, lineBytes: 1 << 24 };

/** Stands at the start of whatever comes. */
export const NO_CURSOR: LogCursor = { offset: 0, identity: '' };

/** What the end of a log looks like to a writer. */
export interface TailState {
  readonly kind: 'log' | 'foreign';
  /** 0 without a record. */
  readonly maxNumber: number;
  /** Up to the last `\n`. */
  readonly wholeBytes: number;
  /** What follows it; `isComplete` when it is a whole record that only lacks its `\n`. */
  readonly torn: { readonly bytes: Buffer; readonly isComplete: boolean } | undefined;
}

/** Bytes from `start` on, fewer than `length` at the end of the file. */
export async function readAt(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** The bytes before `offset` that a cursor remembers. */
export function tailOf(file: FileHandle, offset: number): Promise<Buffer> {
  const length = Math.min(offset, TAIL_BYTES);
  return readAt(file, offset - length, length);
}

/** A short name of some bytes. */
export function fingerprint(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

async function holds(file: FileHandle, cursor: LogCursor, place: string, size: number): Promise<boolean> {
  if (cursor.offset === 0) return true;
  if (cursor.offset > size) return false;
  return cursor.identity === `${place}:${fingerprint(await tailOf(file, cursor.offset))}`;
}

/** Where the first line begins that does not begin before `from`; `size` when there is none. */
async function lineStart(file: FileHandle, from: number, size: number): Promise<number> {
  for (let at = from - 1; at < size; at += SCAN_BYTES) {
    const found = (await readAt(file, at, Math.min(SCAN_BYTES, size - at))).indexOf(NEWLINE);
    if (found >= 0) return at + found + 1;
  }
  return size;
}

/** Whole lines after `cursor`, at least one when there is one, else about `chunkBytes`; see `ReadLimits` for what is not. */
export async function readFrom(
  file: FileHandle,
  cursor: LogCursor | undefined,
  chunkBytes: number,
  { newestBytes, lineBytes }: ReadLimits = READ_LIMITS,
): Promise<LogRead> {
  const stat = await file.stat({ bigint: true });
  const size = Number(stat.size);
  const place = `${stat.dev}-${stat.ino}`;
  const isKnown = cursor !== undefined && (await holds(file, cursor, place, size));
  const from = isKnown ? cursor.offset : 0;
  const start = size - from > newestBytes ? await lineStart(file, size - newestBytes, size) : from;
  let bytes = await readAt(file, start, Math.min(chunkBytes, size - start));
  let end = bytes.lastIndexOf(NEWLINE) + 1;
  // One line longer than a chunk: as much more as it takes.
  while (end === 0 && start + bytes.length < size && bytes.length < lineBytes) {
    bytes = await readAt(file, start, Math.min(bytes.length * 4, lineBytes, size - start));
    end = bytes.lastIndexOf(NEWLINE) + 1;
  }
  const isTooLong = end === 0 && bytes.length >= lineBytes;
  const offset = isTooLong ? await lineStart(file, start + bytes.length, size) : start + end;
  const tail = end >= TAIL_BYTES ? bytes.subarray(end - TAIL_BYTES, end) : await tailOf(file, offset);
  const isAtEnd = isTooLong ? offset >= size : start + bytes.length >= size;
  const unreadBytes = offset - end - from;
  return {
    isReset: !isKnown,
    bytes: bytes.subarray(0, end),
    cursor: { offset, identity: offset === 0 ? '' : `${place}:${fingerprint(tail)}` },
    hasMore: !isAtEnd,
    tornBytes: isAtEnd ? size - offset : 0,
    ...(unreadBytes > 0 ? { unreadBytes } : {}),
  };
}

/** Stands for a line that is too long to be one: no record, and not blank. */
export const TOO_LONG = '…';

/** One line of a file, without its `\n`. */
export interface RecordLine {
  readonly line: string;
  /** Where it begins. Bytes. */
  readonly offset: number;
  /** Where the next one begins. Bytes. */
  readonly end: number;
  /** False for what follows the last `\n`. */
  readonly isEnded: boolean;
}

/** The lines between two offsets, in order, in chunks of about 4 MB. Of a line that is no record the text is left out. */
export async function* linesOf(
  file: FileHandle,
  size: number,
  from = 0,
  { lineBytes } = READ_LIMITS,
): AsyncGenerator<readonly RecordLine[]> {
  let rest: Buffer = Buffer.alloc(0);
  let start = from;
  /** Bytes of the line under way that are not in `rest`. */
  let passed = 0;
  for (let at = from; at < size; at += SCAN_BYTES) {
    const chunk = Buffer.concat([rest, await readAt(file, at, Math.min(SCAN_BYTES, size - at))]);
    const lines: RecordLine[] = [];
    let begin = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, begin)) {
      const line = passed > 0 ? TOO_LONG : chunk.toString('utf8', begin, end);
      const length = passed + end + 1 - begin;
      lines.push({ line, offset: start, end: start + length, isEnded: true });
      start += length;
      begin = end + 1;
      passed = 0;
    }
    yield lines;
    rest = chunk.subarray(begin);
    if (passed + rest.length > lineBytes) {
      passed += rest.length;
      rest = Buffer.alloc(0);
    }
  }
  if (passed + rest.length > 0)
    yield [{ line: passed > 0 ? TOO_LONG : rest.toString('utf8'), offset: start, end: size, isEnded: false }];
}

/** Looks through the whole file: its highest number and its end. Linear in its size; needed only after foreign changes. */
export async function identityOf(
  file: FileHandle,
  size: number,
  format: RecordFormat,
  limits = READ_LIMITS,
): Promise<TailState> {
  const numberOf = numberReader(format);
  let maxNumber = 0;
  let lines = 0;
  let records = 0;
  let wholeBytes = size;
  let isComplete = false;
  for await (const chunk of linesOf(file, size, 0, limits)) {
    for (const { line, offset, isEnded } of chunk) {
      if (!isEnded) wholeBytes = offset;
      if (line.trim() === '') continue;
      if (isEnded) lines++;
      // A torn line may have its number already, but only its end makes it a record.
      const number = isEnded ? numberOf(line) : format.numberOf(line);
      if (number === undefined) continue;
      records++;
      isComplete = !isEnded;
      maxNumber = Math.max(maxNumber, number);
    }
  }
  // What is longer than any record is none of ours, whatever it begins with.
  if (size - wholeBytes > limits.lineBytes) return { kind: 'foreign', maxNumber, wholeBytes, torn: undefined };
  const rest = await readAt(file, wholeBytes, size - wholeBytes);
  const torn = rest.length > 0 ? { bytes: rest, isComplete } : undefined;
  const isOurs = records > 0 || lines === 0;
  const isForeignStart = lines === 0 && torn !== undefined && !isComplete && !looksTorn(rest, format.version);
  return { kind: isOurs && !isForeignStart ? 'log' : 'foreign', maxNumber, wholeBytes, torn };
}

/** Whether a lone line without end is the start of one of our records. */
function looksTorn(bytes: Buffer, version: string): boolean {
  const head = recordHead(version);
  const start = bytes.toString('utf8', 0, head.length);
  return head.startsWith(start) || start === head;
}

/** Reading the bytes of a file of JSON Lines records: whole lines after a cursor, its torn end, its highest number. */
import { hashBytes } from '../text/hash';
import { type LineListener, LineSplitter } from '../text/lineSplitter';
import type { LogCursor, LogRead } from './recordLog';
import { countedNumber, numberReader, type RecordFormat, recordHead } from './recordLog';
import type { RecordFile } from './recordStore';

const NEWLINE = 10;

/** Bytes before a cursor that must still be there for it to hold. */
const TAIL_BYTES = 64;

/** What is read of the end at once: fifty cycles of twenty sections have about 100 KB. */
const BLOCK_BYTES = 1 << 17;
/** Pieces of a file that is read whole. Larger ones are no faster, and copying one holds a host's thread for long. */
const PIECE_BYTES = 1 << 18;

/** What of a log is read at most, in bytes. */
export const READ_LIMITS = {
  /** Bytes at the end of the unread part that are read. A hundred thousand observations have about 30 MB. */
  newestBytes: 1 << 26,
  /** A line that is longer is no record. */
  lineBytes: 1 << 24,
};

/** Stands at the start of whatever comes. */
export const NO_CURSOR: LogCursor = { offset: 0, identity: '' };

export const NO_BYTES: Uint8Array = new Uint8Array();

/** What the end of a log looks like to a writer. */
export interface LogEnd {
  /** True for a file that holds something else than records of this kind. */
  readonly isForeign: boolean;
  /** 0 without a record whose number counts. */
  readonly maxNumber: number;
  /** Up to the last `\n`. */
  readonly wholeBytes: number;
  /** What follows it; `isComplete` when it is a whole record that only lacks its `\n`. */
  readonly torn: { readonly bytes: Uint8Array; readonly isComplete: boolean } | undefined;
}

/** One line of a file, without its `\n`. */
interface RecordLine {
  readonly line: string;
  /** Where it begins. Bytes. */
  readonly offset: number;
  /** Where the next one begins. Bytes. */
  readonly end: number;
  /** False for what follows the last `\n`. */
  readonly isEnded: boolean;
}

/** Stands for a line that is too long to be one: no record, and not blank. */
const TOO_LONG = '…';

const ENCODER = new TextEncoder();
// A byte order mark is a part of its line: no record begins with one.
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

export function encode(text: string): Uint8Array {
  return ENCODER.encode(text);
}

export function decode(bytes: Uint8Array): string {
  return DECODER.decode(bytes);
}

/** A file that is in memory as a whole. Gives copies: what is sent to a worker takes all that it is a part of along. */
export function fileOfBytes(bytes: Uint8Array): RecordFile {
  return {
    sizeBytes: bytes.length,
    place: '',
    read: async (start, length) => bytes.slice(start, start + length),
    close: async () => undefined,
  };
}

/** Names the bytes before `offset`, which a cursor remembers. */
export async function tailHash(file: RecordFile, offset: number): Promise<string> {
  const length = Math.min(offset, TAIL_BYTES);
  return hashBytes(await file.read(offset - length, length));
}

/** Whether a cursor stands at the end of `size` bytes that end as the one with `tail` did. */
export function isCursorAt({ offset, identity }: LogCursor, tail: string, size: number): boolean {
  return offset === size && (size === 0 || identity.endsWith(`:${tail}`));
}

async function holds(file: RecordFile, { offset, identity }: LogCursor): Promise<boolean> {
  if (offset === 0) return true;
  return offset <= file.sizeBytes && identity === `${file.place}:${await tailHash(file, offset)}`;
}

/** Where the first line begins that does not begin before `from`; the file's size when there is none. */
async function lineStart(file: RecordFile, from: number): Promise<number> {
  for (let at = from - 1; at < file.sizeBytes; at += PIECE_BYTES) {
    const found = (await file.read(at, Math.min(PIECE_BYTES, file.sizeBytes - at))).indexOf(NEWLINE);
    if (found >= 0) return at + found + 1;
  }
  return file.sizeBytes;
}

/** Whole lines after `cursor`, at least one when there is one, else about `chunkBytes`; see `ReadLimits` for what is not. */
export async function readFrom(
  file: RecordFile,
  cursor: LogCursor | undefined,
  chunkBytes: number,
  { newestBytes, lineBytes } = READ_LIMITS,
): Promise<LogRead> {
  const { sizeBytes: size, place } = file;
  const isKnown = cursor !== undefined && (await holds(file, cursor));
  const from = isKnown ? cursor.offset : 0;
  const start = size - from > newestBytes ? await lineStart(file, size - newestBytes) : from;
  let bytes = await file.read(start, Math.min(chunkBytes, size - start));
  let end = bytes.lastIndexOf(NEWLINE) + 1;
  // One line longer than a chunk: as much more as it takes. Nothing is read of a file that was cut meanwhile.
  while (end === 0 && bytes.length > 0 && start + bytes.length < size && bytes.length < lineBytes) {
    bytes = await file.read(start, Math.min(bytes.length * 4, lineBytes, size - start));
    end = bytes.lastIndexOf(NEWLINE) + 1;
  }
  const isTooLong = end === 0 && bytes.length >= lineBytes;
  const offset = isTooLong ? await lineStart(file, start + bytes.length) : start + end;
  const isAtEnd = isTooLong ? offset >= size : start + bytes.length >= size;
  const unreadBytes = offset - end - from;
  // Of the bytes that are given, where they are enough: the file may have changed since.
  const tail = end >= TAIL_BYTES ? hashBytes(bytes.subarray(end - TAIL_BYTES, end)) : await tailHash(file, offset);
  return {
    isReset: !isKnown,
    bytes: bytes.subarray(0, end),
    cursor: { offset, identity: offset === 0 ? '' : `${place}:${tail}` },
    hasMore: !isAtEnd,
    tornBytes: isAtEnd ? size - offset : 0,
    ...(unreadBytes > 0 ? { unreadBytes } : {}),
  };
}

/** The lines from an offset on, in order, in chunks. Of a line that is no record the text is left out. */
export async function* linesOf(
  file: RecordFile,
  from = 0,
  { lineBytes } = READ_LIMITS,
): AsyncGenerator<readonly RecordLine[]> {
  const splitter = new LineSplitter(lineBytes, { offset: from, line: 0 });
  let lines: RecordLine[] = [];
  const take: LineListener = (text, { offset, endOffset }, isUnfinished) => {
    lines.push({ line: text ?? TOO_LONG, offset, end: endOffset, isEnded: !isUnfinished });
  };
  for (let at = from; at < file.sizeBytes; at += PIECE_BYTES) {
    splitter.push(await file.read(at, Math.min(PIECE_BYTES, file.sizeBytes - at)), take);
    yield lines;
    lines = [];
  }
  splitter.end(take);
  if (lines.length > 0) yield lines;
}

/**
 * The lines of a file from its end, each once; first what follows the last `\n`, if anything does. Reads no more than is
 * taken, and nothing before `from`.
 */
export async function* linesFromEnd(file: RecordFile, from: number): AsyncGenerator<RecordLine> {
  let end = file.sizeBytes;
  let block = BLOCK_BYTES;
  while (end > from) {
    const start = Math.max(from, end - block);
    const bytes = await file.read(start, end - start);
    const first = start === 0 ? 0 : bytes.indexOf(NEWLINE) + 1;
    if (start === 0 || first > 0) yield* linesBackwards(bytes, first, start);
    if (start === from) return;
    // The first line may have begun before the block: it is read again, as a part of more where it is longer than one.
    if (first === 0 || first === bytes.length) block *= 2;
    else end = start + first;
  }
}

function* linesBackwards(bytes: Uint8Array, from: number, start: number): Generator<RecordLine> {
  let stop = bytes.length;
  while (stop > from) {
    const isEnded = bytes[stop - 1] === NEWLINE;
    const last = isEnded ? stop - 1 : stop;
    const begin = last === from ? from : Math.max(from, bytes.lastIndexOf(NEWLINE, last - 1) + 1);
    yield { line: decode(bytes.subarray(begin, last)), offset: start + begin, end: start + stop, isEnded };
    stop = begin;
  }
}

/** Line ends between two offsets. */
export async function newlinesBetween(file: RecordFile, start: number, end: number): Promise<number> {
  let count = 0;
  for (let at = start; at < end; at += PIECE_BYTES) {
    const bytes = await file.read(at, Math.min(PIECE_BYTES, end - at));
    for (let found = bytes.indexOf(NEWLINE); found >= 0; found = bytes.indexOf(NEWLINE, found + 1)) count++;
  }
  return count;
}

/** Whole lines in pieces; a last line that only lacks its end gets it when it `isRecord`, a torn one is left out. */
export async function* piecesOf(file: RecordFile, isRecord: (line: string) => boolean): AsyncGenerator<Uint8Array> {
  for await (const lines of linesOf(file)) {
    const whole = lines.filter(({ line, isEnded }) => isEnded || isRecord(line));
    if (whole.length > 0) yield encode(whole.map(({ line }) => `${line}\n`).join(''));
  }
}

/** Looks through the whole file: its highest number and its end. Linear in its size; needed only after foreign changes. */
export async function endOf(file: RecordFile, format: RecordFormat, limits = READ_LIMITS): Promise<LogEnd> {
  const size = file.sizeBytes;
  const numberOf = numberReader(format);
  let maxNumber = 0;
  let lines = 0;
  let records = 0;
  let wholeBytes = size;
  let isComplete = false;
  for await (const chunk of linesOf(file, 0, limits)) {
    for (const { line, offset, isEnded } of chunk) {
      if (!isEnded) wholeBytes = offset;
      if (line.trim() === '') continue;
      if (isEnded) lines++;
      // A torn line may have its number already, but only its end makes it a record.
      const number = isEnded ? numberOf(line) : format.numberOf(line);
      if (number === undefined) continue;
      records++;
      isComplete = !isEnded;
      maxNumber = Math.max(maxNumber, countedNumber(number));
    }
  }
  // What is longer than any record is none of ours, whatever it begins with.
  if (size - wholeBytes > limits.lineBytes) return { isForeign: true, maxNumber, wholeBytes, torn: undefined };
  const rest = await file.read(wholeBytes, size - wholeBytes);
  const torn = rest.length > 0 ? { bytes: rest, isComplete } : undefined;
  const isOurs = records > 0 || lines === 0;
  const isForeignStart = lines === 0 && torn !== undefined && !isComplete && !looksTorn(rest, format.version);
  return { isForeign: !isOurs || isForeignStart, maxNumber, wholeBytes, torn };
}

/** Whether a lone line without end is the start of one of our records. */
function looksTorn(bytes: Uint8Array, version: string): boolean {
  const head = recordHead(version);
  return head.startsWith(decode(bytes.subarray(0, head.length)));
}

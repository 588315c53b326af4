/** Reading the bytes of an observations file: whole lines after a cursor, its torn end, its highest id. */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { decodeObservation } from '../core/observations/observationCodec';
import type { LogCursor, LogRead } from '../core/observations/observationLog';

const NEWLINE = 10;

/** Bytes before a cursor that must still be there for it to hold. */
const TAIL_BYTES = 64;

/** Bytes read at once when a whole file is looked through. */
const SCAN_BYTES = 1 << 22;

/** Stands at the start of whatever comes. */
export const NO_CURSOR: LogCursor = { offset: 0, identity: '' };

/** What the end of a log looks like to a writer. */
export interface TailState {
  readonly kind: 'log' | 'foreign';
  readonly maxId: number;
  /** Up to the last `\n`. */
  readonly wholeBytes: number;
  /** What follows it; `isComplete` when it is a whole observation that only lacks its `\n`. */
  readonly torn: { readonly bytes: Buffer; readonly isComplete: boolean } | undefined;
}

async function readAt(file: FileHandle, start: number, length: number): Promise<Buffer> {
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

/** Whole lines after `cursor`, at least one when there is one, else about `chunkBytes`. */
export async function readFrom(file: FileHandle, cursor: LogCursor | undefined, chunkBytes: number): Promise<LogRead> {
  const stat = await file.stat({ bigint: true });
  const size = Number(stat.size);
  const place = `${stat.dev}-${stat.ino}`;
  const isKnown = cursor !== undefined && (await holds(file, cursor, place, size));
  const start = isKnown ? cursor.offset : 0;
  let bytes = await readAt(file, start, Math.min(chunkBytes, size - start));
  let end = bytes.lastIndexOf(NEWLINE) + 1;
  // One line longer than a chunk: as much more as it takes.
  while (end === 0 && start + bytes.length < size) {
    bytes = await readAt(file, start, Math.min(bytes.length * 4, size - start));
    end = bytes.lastIndexOf(NEWLINE) + 1;
  }
  const offset = start + end;
  const tail = end >= TAIL_BYTES ? bytes.subarray(end - TAIL_BYTES, end) : await tailOf(file, offset);
  const isAtEnd = start + bytes.length >= size;
  return {
    isReset: !isKnown,
    bytes: bytes.subarray(0, end),
    cursor: { offset, identity: offset === 0 ? '' : `${place}:${fingerprint(tail)}` },
    hasMore: !isAtEnd,
    tornBytes: isAtEnd ? start + bytes.length - offset : 0,
  };
}

/** `"id":12` at the head of a record, as `encodeObservation` writes it; other spellings are parsed. */
const ID_AT_HEAD = /^\{"schema_version":"obs\.v1","id":(\d{1,15}),/;

function idOf(line: string): number | undefined {
  const quick = ID_AT_HEAD.exec(line.slice(0, 64));
  if (quick) return Number(quick[1]);
  const decoded = decodeObservation(line);
  return decoded.kind === 'ok' ? decoded.observation.id : undefined;
}

/** Looks through the whole file: its highest id and its end. Linear in its size; needed only after foreign changes. */
export async function identityOf(file: FileHandle, size: number): Promise<TailState> {
  let maxId = 0;
  let lines = 0;
  let observations = 0;
  let rest = Buffer.alloc(0);
  let start = 0;
  for (let at = 0; at < size; at += SCAN_BYTES) {
    const chunk = Buffer.concat([rest, await readAt(file, at, Math.min(SCAN_BYTES, size - at))]);
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      const line = chunk.toString('utf8', from, end);
      from = end + 1;
      if (line.trim() === '') continue;
      lines++;
      const id = idOf(line);
      if (id === undefined) continue;
      observations++;
      maxId = Math.max(maxId, id);
    }
    start += from;
    rest = chunk.subarray(from);
  }
  const isComplete = rest.length > 0 && decodeObservation(rest.toString('utf8')).kind === 'ok';
  if (isComplete) maxId = Math.max(maxId, idOf(rest.toString('utf8')) ?? 0);
  const torn = rest.length > 0 ? { bytes: rest, isComplete } : undefined;
  const isOurs = observations > 0 || isComplete || lines === 0;
  const isForeignStart = lines === 0 && torn !== undefined && !isComplete && !looksTorn(rest);
  return { kind: isOurs && !isForeignStart ? 'log' : 'foreign', maxId, wholeBytes: start, torn };
}

/** Whether a lone line without end is the start of one of our records. */
function looksTorn(bytes: Buffer): boolean {
  const head = '{"schema_version":"obs.v1",';
  const start = bytes.toString('utf8', 0, head.length);
  return head.startsWith(start) || start === head;
}

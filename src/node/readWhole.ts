/** Files read whole, of which it is proven before the first byte what was opened. */
import * as fs from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { FileRead } from '../core/ports/ports';
import { type UnreadableReason, unreadable, unreadableFor } from '../core/text/decode';
import type { Phrase } from '../core/text/phrase';
import { errorCode } from './errorCode';

// Half the cost of `FileHandle` objects, which are made for longer lives (measured: 9,000 small files).
const openFile = promisify<string, number, number>(fs.open);
const statFile = promisify<number, fs.Stats>(fs.fstat);
const readFile = promisify(fs.read);
const closeFile = promisify(fs.close);

/** A FIFO without a writer would block `open` for ever. */
const NEVER_WAITS = (fs.constants.O_NONBLOCK ?? 0) | (fs.constants.O_NOCTTY ?? 0);
/** Links were resolved before, so one found now is a swap. */
const OPEN_FLAGS = fs.constants.O_RDONLY | NEVER_WAITS | (fs.constants.O_NOFOLLOW ?? 0);
const FOLLOWING_FLAGS = fs.constants.O_RDONLY | NEVER_WAITS;

/** Whether `open` refuses a link by itself, as it does everywhere but on Windows. */
export const REFUSES_LINKS = (fs.constants.O_NOFOLLOW ?? 0) !== 0;

const MISSING_CODES: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

const REASONS: Readonly<Record<string, UnreadableReason>> = {
  EACCES: 'noPermission',
  EPERM: 'noPermission',
  EISDIR: 'isFolder',
  ELOOP: 'circle',
  ENXIO: 'notRegular',
  ENODEV: 'notRegular',
  EOPNOTSUPP: 'notRegular',
  EMFILE: 'tooManyOpen',
  ENFILE: 'tooManyOpen',
  EBUSY: 'heldByOther',
};

/** What a platform says, in plain words; never with a path in them. */
function describe(code: string | undefined): Phrase {
  const reason = REASONS[code ?? ''];
  return reason ? unreadable(reason) : unreadableFor(code);
}

/** Why something is not read though it is there. */
export type Refusal = Extract<UnreadableReason, 'outside' | 'ofGit'>;

/** Says of an open file why it is not read; nothing when it may be. */
export type Proof<T> = (descriptor: number, stat: fs.Stats) => T;

/** Makes the answer of a read that was refused. */
export function refused(reason: Refusal): { readonly kind: 'unreadable'; readonly message: Phrase } {
  return { kind: 'unreadable', message: unreadable(reason) };
}

/** What a platform's error says of reading. */
export function failed(
  error: unknown,
): { readonly kind: 'missing' } | { readonly kind: 'unreadable'; message: Phrase } {
  const code = errorCode(error);
  return MISSING_CODES.has(code) ? { kind: 'missing' } : { kind: 'unreadable', message: describe(code) };
}

/** What makes an open file not worth reading on. */
function unfit(stat: fs.Stats, maxBytes: number): FileRead | undefined {
  if (stat.isDirectory()) return { kind: 'unreadable', message: describe('EISDIR') };
  if (!stat.isFile()) return { kind: 'unreadable', message: describe('ENXIO') };
  return stat.size > maxBytes ? { kind: 'tooLarge', sizeBytes: stat.size } : undefined;
}

/** Opens, proves and reads in one go, so that what was proven is what is read. Rejects with the platform's error. */
export async function readWhole<Why extends string = Refusal>(
  absolute: string,
  maxBytes: number,
  prove: Proof<Promise<Why | undefined>>,
): Promise<FileRead | Why> {
  const descriptor = await openFile(absolute, OPEN_FLAGS);
  try {
    const stat = await statFile(descriptor);
    const why = (await prove(descriptor, stat)) ?? unfit(stat, maxBytes);
    if (why !== undefined) return why;
    const read = await readToEnd(descriptor, stat.size, maxBytes);
    return read.kind === 'ok' ? { ...read, modifiedMs: stat.mtimeMs } : read;
  } finally {
    await closeFile(descriptor);
  }
}

/** Sizes of buffers are multiples of this, so that they fit many files. */
const BUFFER_STEP = 4096;
const MAX_KEPT_BYTES = 4 * 1024 * 1024;

/** Buffers that were read into and are free again: without them a folder's files are garbage for a long time. */
export class ReadBuffers {
  #free: Uint8Array[] = [];
  #freeBytes = 0;

  /** One with that room or up to twice as much, what was read before in it. */
  take(sizeBytes: number): Uint8Array {
    const at = this.#free.findIndex(({ length }) => length >= sizeBytes && length <= 2 * sizeBytes + BUFFER_STEP);
    const [found] = at < 0 ? [] : this.#free.splice(at, 1);
    this.#freeBytes -= found?.length ?? 0;
    return found ?? new Uint8Array(Math.ceil(sizeBytes / BUFFER_STEP) * BUFFER_STEP);
  }

  /** Takes a buffer back for later reads; its bytes may not be used any more. */
  give({ buffer }: Uint8Array): void {
    if (this.#freeBytes + buffer.byteLength > MAX_KEPT_BYTES) return;
    this.#free.push(new Uint8Array(buffer));
    this.#freeBytes += buffer.byteLength;
  }
}

/**
 * The same in one go, at a fifth of the processor time. A file that changes its size meanwhile is read as far as it was
 * when it was opened. `undefined` for a file without a size: it may be an odd one.
 */
export function readWholeNow(
  absolute: string,
  maxBytes: number,
  prove: Proof<Refusal | undefined>,
  buffers: ReadBuffers,
): FileRead | Refusal | undefined {
  const descriptor = fs.openSync(absolute, OPEN_FLAGS);
  try {
    const stat = fs.fstatSync(descriptor);
    const why = prove(descriptor, stat) ?? unfit(stat, maxBytes);
    if (why) return why;
    if (stat.size === 0) return undefined;
    const buffer = buffers.take(stat.size);
    let length = 0;
    for (let count = 1; count > 0 && length < stat.size; length += count) {
      count = fs.readSync(descriptor, buffer, length, stat.size - length, null);
    }
    return { kind: 'ok', bytes: buffer.subarray(0, length), modifiedMs: stat.mtimeMs };
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Reads on while the file grows or had no size (some file systems say 0), and stops as soon as it is over the limit. */
async function readToEnd(descriptor: number, sizeBytes: number, maxBytes: number): Promise<FileRead> {
  let buffer = new Uint8Array(Math.min(sizeBytes, maxBytes) + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await readFile(descriptor, buffer, length, buffer.length - length, null);
    length += bytesRead;
    if (length > maxBytes) return { kind: 'tooLarge', sizeBytes: Math.max(length, (await statFile(descriptor)).size) };
    const isAtEnd = bytesRead === 0 || (length === sizeBytes && length < buffer.length);
    if (isAtEnd) return { kind: 'ok', bytes: buffer.subarray(0, length) };
    if (length === buffer.length) {
      const larger = new Uint8Array(Math.min(buffer.length * 2, maxBytes + 1));
      larger.set(buffer);
      buffer = larger;
    }
  }
}

/**
 * Opens a regular file that a user named, through links. Rejects with the platform's error; with `ENXIO` for a FIFO, a
 * socket or a device, and `EISDIR` for a folder.
 */
export async function openNamed(file: string): Promise<FileHandle> {
  const handle = await open(file, FOLLOWING_FLAGS);
  const stat = await handle.stat();
  if (stat.isFile()) return handle;
  await handle.close();
  const code = stat.isDirectory() ? 'EISDIR' : 'ENXIO';
  throw Object.assign(new Error(`${code}: it is not a regular file`), { code });
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

const PIECE_BYTES = 64 * 1024;

/** Bytes of `file` between two places, piece by piece, until its end or the abort. A piece is good until the next one. */
export async function* readPieces(
  file: FileHandle,
  start = 0,
  end = Number.POSITIVE_INFINITY,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.alloc(PIECE_BYTES);
  for (let at = start; !signal?.aborted; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(PIECE_BYTES, end - at), at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

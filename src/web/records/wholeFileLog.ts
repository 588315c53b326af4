/**
 * An append-only log of numbered records in a host that can only write files whole: `vscode.workspace.fs`. It keeps the
 * same files as the Node hosts (`src/node/records/recordLog.ts`: the log, `….lock`, `….mark`, `….torn`), so that a folder can be
 * used by both. It decides how nothing of another writer is lost; what a record is, its kind says.
 */

import type { Clock } from '../../core/ports/ports';
import {
  cannotRead,
  cannotWrite,
  holdsOther,
  isHeld,
  isLink,
  isNoFile,
  lacksRecord,
} from '../../core/records/recordFailures';
import type { LineMaker, RecordKind } from '../../core/records/recordKind';
import type { LogCursor, LogRead, LogRepair } from '../../core/records/recordLog';
import { phrase } from '../../core/text/phrase';
import { endOf, holds, NO_CURSOR, readFrom } from './recordBytes';
import { acquireFileLock } from './wholeFileLock';
import { readLogMark, writeLogMark } from './wholeFileMark';
import type { FileStamp, WholeFiles } from './wholeFiles';

/** Lines that a reader gets at once, so that a host's thread is never held for long. Bytes. */
const CHUNK_BYTES = 1 << 20;
/** A file that somebody else changes between each look and the next write is no log any more. */
const MAX_TRIES = 10;

/** When a log's file is put aside, and how; the lock is held meanwhile. */
export interface WholeFileRotation {
  readonly maxFileBytes: number;
  putAside(): Promise<void>;
}

/** What a log works with. */
export interface WholeFileLogOptions {
  readonly files: WholeFiles;
  /** Relative to the folder, as the config gives it. */
  readonly path: string;
  readonly kind: RecordKind;
  readonly clock: Clock;
  /** Gives a word that no other call gives, anywhere: a UUID. */
  readonly makeKey: () => string;
  /** Without one, the file grows without end. */
  readonly rotation?: WholeFileRotation;
}

/** What writing gave. */
export type WholeFileAppend =
  | { readonly kind: 'appended'; readonly numbers: readonly number[]; readonly repairs: readonly LogRepair[] }
  /** Somebody appended since `onlyAt`: nothing was written. */
  | { readonly kind: 'moved' };

/** What holds for one call of `append`. */
export interface WholeFileAppendOptions {
  readonly onlyAt?: LogCursor | undefined;
  /** Called with the lock held and the log's bytes; gives the lines that are still wanted. */
  readonly choose?: ((log: Uint8Array) => Promise<readonly LineMaker[]>) | undefined;
}

interface Ready {
  /** Whole lines. */
  readonly bytes: Uint8Array;
  readonly lastNumber: number;
  readonly repairs: readonly LogRepair[];
  /** What was there was put aside: there is no file now. */
  readonly isAside: boolean;
}

const NOTHING = new Uint8Array();
const ENCODER = new TextEncoder();
const LINE_END = ENCODER.encode('\n');

/** See the top of the file. Every method rejects with an error of the log's kind and nothing else. */
export class WholeFileLog {
  readonly #options: WholeFileLogOptions;
  /** One after another; the next one works whatever became of this one. */
  #last: Promise<unknown> = Promise.resolve();
  /** What was read last, while there is more of it to give. */
  #reading: { readonly stamp: FileStamp; readonly bytes: Uint8Array } | undefined;
  /** The end of what was read last: asked again without a change, the file is not read. */
  #end: { readonly stamp: FileStamp; readonly read: LogRead } | undefined;

  constructor(options: WholeFileLogOptions) {
    this.#options = options;
  }

  /** Appends all lines, in order, as one; resolves when they are written. */
  append(makers: readonly LineMaker[], options: WholeFileAppendOptions = {}): Promise<WholeFileAppend> {
    if (makers.length === 0) return Promise.resolve({ kind: 'appended', numbers: [], repairs: [] });
    const work = this.#last.then(() => this.#locked(() => this.#append(makers, options)));
    this.#last = work.catch(() => undefined);
    return work;
  }

  /** Lines after `cursor`, about a megabyte at a time. A missing log is empty. */
  async follow(cursor: LogCursor | undefined): Promise<LogRead> {
    const { files, path } = this.#options;
    try {
      const stamp = await this.#check();
      if (stamp && cursor && this.#end && isUnchanged(stamp, this.#end.stamp) && isAtEnd(cursor, this.#end.read))
        return this.#end.read;
      const known = stamp && this.#reading && isSame(stamp, this.#reading.stamp) ? this.#reading.bytes : undefined;
      const bytes = stamp && (known ?? (await files.read(path)));
      if (!stamp || !bytes) {
        const isReset = cursor === undefined || cursor.offset > 0;
        return { isReset, bytes: NOTHING, cursor: NO_CURSOR, hasMore: false, tornBytes: 0 };
      }
      const read = readFrom(bytes, cursor, CHUNK_BYTES);
      this.#reading = read.hasMore ? { stamp, bytes } : undefined;
      const { cursor: end, hasMore, tornBytes } = read;
      this.#end = hasMore
        ? undefined
        : { stamp, read: { isReset: false, bytes: NOTHING, cursor: end, hasMore, tornBytes } };
      return read;
    } catch (cause) {
      throw this.failure('unreadable', cause);
    }
  }

  /** The whole log; `undefined` when there is none. */
  async read(): Promise<Uint8Array | undefined> {
    try {
      return (await this.#check()) && (await this.#options.files.read(this.#options.path));
    } catch (cause) {
      throw this.failure('unreadable', cause);
    }
  }

  /** `cause` as an error of the log's kind. */
  failure(reason: 'unreadable' | 'unwritable', cause: unknown): unknown {
    const { kind, path } = this.#options;
    if (kind.isFailure(cause)) return cause;
    const code = cause instanceof Error ? cause.message : String(cause);
    const words = reason === 'unreadable' ? cannotRead(path, code) : cannotWrite(path, code);
    return kind.fail(reason, words, { cause });
  }

  async #locked<T>(work: () => Promise<T>): Promise<T> {
    const { files, path, kind, clock, makeKey } = this.#options;
    if (!files.isWritable)
      throw kind.fail(
        'unwritable',
        phrase('{0} cannot be written: the folder is read-only here. Nothing was recorded.', path),
      );
    try {
      await this.#check();
      const lock = await acquireFileLock(files, `${path}.lock`, clock, makeKey);
      if (!lock) {
        throw kind.fail('locked', isHeld(path));
      }
      try {
        return await work();
      } finally {
        await lock.release();
      }
    } catch (cause) {
      throw this.failure('unwritable', cause);
    }
  }

  async #append(makers: readonly LineMaker[], { onlyAt, choose }: WholeFileAppendOptions): Promise<WholeFileAppend> {
    const { files, path, kind } = this.#options;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const stamp = await files.stat(path);
      const { bytes, lastNumber, repairs, isAside } = await this.#begin((await files.read(path)) ?? NOTHING);
      if (onlyAt && !(onlyAt.offset === bytes.length && holds(bytes, onlyAt))) return { kind: 'moved' };
      const wanted = choose ? await choose(bytes) : makers;
      const unknown = wanted.find(({ addsTo }) => addsTo !== undefined && addsTo > lastNumber)?.addsTo;
      if (unknown !== undefined) throw kind.fail('invalid', lacksRecord(path, unknown));
      let last = lastNumber;
      const numbers = wanted.map(({ addsTo }) => addsTo ?? ++last);
      const lines = ENCODER.encode(wanted.map(({ make }, at) => make(numbers[at] ?? 0)).join(''));
      if (lines.length === 0 || (await this.#write(join(bytes, lines), last, isAside ? undefined : stamp)))
        return { kind: 'appended', numbers, repairs };
    }
    throw kind.fail('unwritable', cannotWrite(path, phrase('another program keeps changing it')));
  }

  /** False when somebody changed the file since `stamp`: nothing was written then. */
  async #write(bytes: Uint8Array, lastNumber: number, stamp: FileStamp | undefined): Promise<boolean> {
    const { files, path } = this.#options;
    // Before the lines: a number that was announced and never written is lost, never given again.
    await writeLogMark(files, `${path}.mark`, { highWaterMark: lastNumber, sizeBytes: bytes.length });
    if (!isSame(await files.stat(path), stamp)) return false;
    await files.write(path, bytes);
    return true;
  }

  /** Looks at what the last writer left, repairs its end, and puts a file that is full aside. */
  async #begin(found: Uint8Array): Promise<Ready> {
    const { files, path, rotation } = this.#options;
    const ready = await this.#repair(found);
    if (!rotation || ready.bytes.length < rotation.maxFileBytes) return ready;
    if (ready.repairs.length > 0) await files.write(path, ready.bytes);
    // Known before the file is gone: the numbers go on in the next one.
    await writeLogMark(files, `${path}.mark`, { highWaterMark: ready.lastNumber, sizeBytes: 0 });
    await rotation.putAside();
    return { ...ready, bytes: NOTHING, isAside: true };
  }

  async #repair(found: Uint8Array): Promise<Ready> {
    const { path, kind, files } = this.#options;
    const mark = await readLogMark(files, `${path}.mark`);
    const asFound = { bytes: found, repairs: [], isAside: false };
    if (mark?.sizeBytes === found.length) return { ...asFound, lastNumber: mark.highWaterMark };
    const end = endOf(found, kind.format);
    if (end.isForeign) {
      throw kind.fail('notALog', holdsOther(path, kind));
    }
    const lastNumber = Math.max(mark?.highWaterMark ?? 0, end.maxNumber);
    const offset = end.wholeBytes;
    const sizeBytes = found.length - offset;
    if (sizeBytes === 0) return { ...asFound, lastNumber };
    if (end.isLastComplete) {
      const repairs: readonly LogRepair[] = [{ offset, sizeBytes, kind: 'completed', keptIn: undefined }];
      return { bytes: join(found, LINE_END), lastNumber, repairs, isAside: false };
    }
    const keptIn = `${path}.torn`;
    const kept = (await files.read(keptIn)) ?? NOTHING;
    await files.write(keptIn, join(join(kept, found.subarray(offset)), LINE_END));
    const repairs: readonly LogRepair[] = [{ offset, sizeBytes, kind: 'setAside', keptIn }];
    return { bytes: found.subarray(0, offset), lastNumber, repairs, isAside: false };
  }

  /** The file's stamp; rejects when a link on the way may lead out of the folder, or when it is no file. */
  async #check(): Promise<FileStamp | undefined> {
    const { files, path, kind } = this.#options;
    const names = path.split('/');
    for (let depth = 1; depth <= names.length; depth++) {
      const part = names.slice(0, depth).join('/');
      const stamp = await files.stat(part);
      if (!stamp) return undefined;
      const isLast = depth === names.length;
      if (stamp.kind === 'link') throw kind.fail('notALog', isLink(part, kind.configKey));
      if (isLast && stamp.kind !== 'file') throw kind.fail('notALog', isNoFile(path, kind.configKey));
      if (isLast) return stamp;
    }
    return undefined;
  }
}

function join(left: Uint8Array, right: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(left.length + right.length);
  bytes.set(left);
  bytes.set(right, left.length);
  return bytes;
}

/** Where a file system tells no times, nobody knows. */
function isUnchanged(now: FileStamp, before: FileStamp): boolean {
  return now.mtimeMs > 0 && isSame(now, before);
}

function isAtEnd(cursor: LogCursor, { cursor: end }: LogRead): boolean {
  return cursor.offset === end.offset && cursor.identity === end.identity;
}

function isSame(left: FileStamp | undefined, right: FileStamp | undefined): boolean {
  return left?.sizeBytes === right?.sizeBytes && left?.mtimeMs === right?.mtimeMs;
}

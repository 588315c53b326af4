import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { LogCursor, LogRead, LogRepair } from '../core/observations/observationLog';
import { cannotRead, cannotWrite, holdsOther, isHeld, lacksRecord } from '../core/records/recordFailures';
import type { LineMaker, RecordKind } from '../core/records/recordKind';
import { errorCode } from './errorCode';
import { ignoreMissing, RecordArchive, type Rotation } from './recordArchive';
import { fingerprint, identityOf, NO_CURSOR, readFrom, type TailState, tailOf } from './recordFile';
import { acquireLock, LOCK_TIMES } from './recordLock';
import { readMark, writeMark } from './recordMark';
import { checkPlace, placeFile, type RecordLogPlace } from './recordPlace';

/** Lines that a reader gets at once, so that a host's thread is never held for long. Bytes. */
const CHUNK_BYTES = 1 << 20;

/** What writing gave. */
export type RecordAppend =
  | { readonly kind: 'appended'; readonly numbers: readonly number[]; readonly repairs: readonly LogRepair[] }
  /** Somebody appended since `onlyAt`: nothing was written. */
  | { readonly kind: 'moved' };

/** What holds for one call of `append`. */
export interface AppendOptions {
  readonly onlyAt?: LogCursor | undefined;
  /** Called with the lock held, before any line of the call is written; gives the lines that are still wanted. */
  readonly choose?: (() => Promise<readonly LineMaker[]>) | undefined;
}

/** One call of `append` that waits for its turn. */
interface Waiting extends AppendOptions {
  readonly makers: readonly LineMaker[];
  readonly resolve: (outcome: RecordAppend) => void;
  readonly reject: (error: unknown) => void;
}

/** What one stretch of writing works with, the lock held. */
interface Writing {
  readonly file: fs.FileHandle;
  lastNumber: number;
  /** Bytes of whole lines. */
  size: number;
  /** Told to the first call of the stretch. */
  repairs: LogRepair[];
}

/**
 * An append-only log of numbered records as a file of JSON Lines in the workspace. Beside it lie, while needed: `….lock`
 * (one writer at a time), `….mark` (the highest number ever given, so that none is given again when lines were removed),
 * `….torn` (what killed writers left half written) and, with a rotation, old files (`RecordArchive`). Calls that wait for
 * the lock together are written together.
 */
export class RecordLog {
  /** Absolute. */
  readonly file: string;
  readonly archive: RecordArchive;
  readonly #place: RecordLogPlace;
  readonly #kind: RecordKind;
  readonly #rotation: Rotation | undefined;
  #waiting: Waiting[] = [];
  #isWriting = false;
  /** Made before a file was put aside, and not told yet. */
  #earlierRepairs: LogRepair[] = [];

  /** @param rotation without one, the file grows without end */
  constructor(place: RecordLogPlace, kind: RecordKind, rotation?: Rotation) {
    this.#place = place;
    this.#kind = kind;
    this.#rotation = rotation;
    this.file = placeFile(place);
    this.archive = new RecordArchive(this.file, kind.format);
  }

  /** Appends all lines, in order, as one; resolves when they are on disk. Rejects with an error of the log's kind. */
  append(makers: readonly LineMaker[], options: AppendOptions = {}): Promise<RecordAppend> {
    if (makers.length === 0) return Promise.resolve({ kind: 'appended', numbers: [], repairs: [] });
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...options, makers, resolve, reject });
      if (!this.#isWriting) void this.#write();
    });
  }

  /** Lines of the file after `cursor`, about a megabyte at a time; old files are not looked at. */
  async follow(cursor: LogCursor | undefined): Promise<LogRead> {
    try {
      const file = await this.open();
      if (file) return await readFrom(file, cursor, CHUNK_BYTES).finally(() => file.close());
    } catch (cause) {
      throw this.failure('unreadable', cause);
    }
    const isReset = cursor === undefined || cursor.offset > 0;
    return { isReset, bytes: new Uint8Array(), cursor: NO_CURSOR, hasMore: false, tornBytes: 0 };
  }

  /** The file, to read; undefined when there is none. Who opens it closes it. */
  async open(): Promise<fs.FileHandle | undefined> {
    try {
      await checkPlace(this.#place, this.#kind);
      return await fs.open(this.file, 'r');
    } catch (error) {
      return ignoreMissing(error);
    }
  }

  /** `cause` as an error of the log's kind. */
  failure(reason: 'unreadable' | 'unwritable', cause: unknown): unknown {
    if (this.#kind.isFailure(cause)) return cause;
    const code = errorCode(cause) ?? (cause instanceof Error ? cause.message : String(cause));
    const words = reason === 'unreadable' ? cannotRead(this.#place.path, code) : cannotWrite(this.#place.path, code);
    return this.#kind.fail(reason, words, { cause });
  }

  /** Writes what waits until nothing does; settles every call. */
  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      // Who chooses by what is on disk must not share a stretch with lines that are not there yet.
      const chooser = this.#waiting.findIndex(({ choose }) => choose !== undefined);
      const batch = this.#waiting.splice(0, chooser < 0 ? this.#waiting.length : Math.max(1, chooser));
      try {
        await this.#writeBatch(batch);
      } catch (cause) {
        const error = this.failure('unwritable', cause);
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isWriting = false;
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    // A workspace that was removed stays so.
    await fs.access(this.#place.realRoot);
    await fs.mkdir(path.dirname(this.file), { recursive: true });
    await checkPlace(this.#place, this.#kind);
    const lock = await acquireLock(`${this.file}.lock`, this.#place.lockTimes ?? LOCK_TIMES);
    if (!lock) {
      throw this.#kind.fail('locked', isHeld(this.#place.path));
    }
    const done: (() => void)[] = [];
    try {
      await this.#rotate();
      const file = await fs.open(this.file, 'a+', 0o644);
      try {
        done.push(...(await this.#writeAll(file, batch)));
      } finally {
        await file.close();
      }
    } finally {
      await lock.release();
    }
    for (const settle of done) settle();
  }

  /** Puts a file that is full aside; what a killed writer left at its end is repaired before. */
  async #rotate(): Promise<void> {
    const rotation = this.#rotation;
    const stat = rotation && (await fs.lstat(this.file).catch(ignoreMissing));
    // A link stays where somebody put it.
    if (!rotation || !stat?.isFile() || stat.size < rotation.maxFileBytes) return;
    const file = await fs.open(this.file, 'a+');
    let lastNumber: number;
    try {
      const writing = await this.#begin(file);
      ({ lastNumber } = writing);
      this.#earlierRepairs.push(...writing.repairs);
    } finally {
      await file.close();
    }
    // Known before the file is gone: the numbers go on in the next one.
    await writeMark(`${this.file}.mark`, { highWaterMark: lastNumber, sizeBytes: 0 });
    if (!(await this.archive.putAside())) return;
    await syncFolder(path.dirname(this.file));
    await this.archive.prune(rotation);
  }

  /** Writes all calls of a batch with one system call and one flush; returns what settles them. */
  async #writeAll(file: fs.FileHandle, batch: readonly Waiting[]): Promise<(() => void)[]> {
    const writing = await this.#begin(file);
    writing.repairs.unshift(...this.#earlierRepairs.splice(0));
    const before = await tailOf(file, writing.size);
    const lines: string[] = [];
    const settles: (() => void)[] = [];
    for (const { makers, onlyAt, choose, resolve, reject } of batch) {
      if (onlyAt && (lines.length > 0 || !isAt(onlyAt, before, writing.size))) {
        settles.push(() => resolve({ kind: 'moved' }));
        continue;
      }
      const wanted = choose ? await choose() : makers;
      const unknown = wanted.find(({ addsTo }) => addsTo !== undefined && addsTo > writing.lastNumber)?.addsTo;
      if (unknown !== undefined) {
        const why = lacksRecord(this.#place.path, unknown);
        settles.push(() => reject(this.#kind.fail('invalid', why)));
        continue;
      }
      const numbers = wanted.map(({ addsTo }) => addsTo ?? ++writing.lastNumber);
      lines.push(...wanted.map(({ make }, at) => make(numbers[at] ?? 0)));
      const { repairs } = writing;
      writing.repairs = [];
      settles.push(() => resolve({ kind: 'appended', numbers, repairs }));
    }
    if (lines.length > 0) await this.#writeLines(writing, Buffer.from(lines.join('')));
    return settles;
  }

  async #writeLines(writing: Writing, bytes: Buffer): Promise<void> {
    const { file, size, lastNumber } = writing;
    // Before the lines: a number that was announced and never written is lost, never given again.
    await writeMark(`${this.file}.mark`, { highWaterMark: lastNumber, sizeBytes: size + bytes.length });
    try {
      await file.appendFile(bytes);
      await file.sync();
    } catch (error) {
      // A full disk may have taken a part of it.
      await file.truncate(size);
      throw error;
    }
    if (size === 0) await syncFolder(path.dirname(this.file));
  }

  /** Looks at what the last writer left: repairs its end and finds the highest number ever given. */
  async #begin(file: fs.FileHandle): Promise<Writing> {
    const { size } = await file.stat();
    const mark = await readMark(`${this.file}.mark`);
    if (mark?.sizeBytes === size) return { file, lastNumber: mark.highWaterMark, size, repairs: [] };
    const state = await identityOf(file, size, this.#kind.format);
    if (state.kind === 'foreign') {
      throw this.#kind.fail('notALog', holdsOther(this.#place.path, this.#kind));
    }
    const repairs = await this.#repair(file, state, size);
    const whole = repairs.some(({ kind }) => kind === 'completed') ? size + 1 : state.wholeBytes;
    const given = mark?.highWaterMark ?? (this.#rotation ? await this.archive.maxNumber() : 0);
    return { file, lastNumber: Math.max(given, state.maxNumber), size: whole, repairs };
  }

  /** Ends a line that only lacks its end; moves a torn one to `….torn`, where nothing reads it as a record. */
  async #repair(file: fs.FileHandle, { wholeBytes, torn }: TailState, size: number): Promise<LogRepair[]> {
    if (!torn) return [];
    if (torn.isComplete) {
      await file.appendFile('\n');
      return [{ offset: wholeBytes, sizeBytes: size - wholeBytes, kind: 'completed', keptIn: undefined }];
    }
    const keep = await fs.open(`${this.file}.torn`, 'a', 0o644);
    try {
      await keep.appendFile(Buffer.concat([torn.bytes, Buffer.from('\n')]));
      await keep.sync();
    } finally {
      await keep.close();
    }
    await file.truncate(wholeBytes);
    const keptIn = `${this.#place.path}.torn`;
    return [{ offset: wholeBytes, sizeBytes: size - wholeBytes, kind: 'setAside', keptIn }];
  }
}

function isAt(cursor: LogCursor, tail: Buffer, size: number): boolean {
  return cursor.offset === size && (size === 0 || cursor.identity.endsWith(`:${fingerprint(tail)}`));
}

/** A new file's name is on disk only when its folder is; folders cannot be opened on Windows, which needs no such thing. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await fs.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

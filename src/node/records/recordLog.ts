import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { cannotRead, cannotWrite, holdsOther, isHeld, lacksRecord } from '../../core/records/recordFailures';
import type { LineMaker, RecordKind } from '../../core/records/recordKind';
import type { LogCursor, LogRead, LogRepair } from '../../core/records/recordLog';
import { errorCode, ignoreMissing } from '../errorCode';
import type { ConfinedFolder } from './confinedFolder';
import { ConfinementError } from './confinementError';
import { RecordArchive, type Rotation } from './recordArchive';
import { fingerprint, identityOf, NO_CURSOR, readFrom, type TailState, tailOf } from './recordFile';
import { acquireLock, LOCK_TIMES } from './recordLock';
import { readMark, writeMark } from './recordMark';
import { findRecordFolder, makeRecordFolder, type RecordLogPlace, refusalWords } from './recordPlace';

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
  readonly choose?: ((folder: ConfinedFolder) => Promise<readonly LineMaker[]>) | undefined;
}

/** One call of `append` that waits for its turn. */
interface Waiting extends AppendOptions {
  readonly makers: readonly LineMaker[];
  readonly resolve: (outcome: RecordAppend) => void;
  readonly reject: (error: unknown) => void;
}

/** What one stretch of writing works with, the lock held. */
interface Writing {
  readonly folder: ConfinedFolder;
  readonly file: FileHandle;
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
  /** Of the log's own file. */
  readonly name: string;
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
    this.name = path.posix.basename(place.path);
    this.archive = new RecordArchive(this.name, kind.format);
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
    const read = await this.reading(async (folder) => {
      const file = await folder.read(this.name).catch(ignoreMissing);
      return file && readFrom(file, cursor, CHUNK_BYTES).finally(() => file.close());
    });
    if (read) return read;
    const isReset = cursor === undefined || cursor.offset > 0;
    return { isReset, bytes: new Uint8Array(), cursor: NO_CURSOR, hasMore: false, tornBytes: 0 };
  }

  /** Works in the log's folder, without its lock; undefined where there is no folder. Rejects with an error of the log's kind. */
  async reading<T>(work: (folder: ConfinedFolder) => Promise<T>): Promise<T | undefined> {
    try {
      const folder = await this.openFolder();
      return folder && (await work(folder).finally(() => folder.close()));
    } catch (cause) {
      throw this.failure('unreadable', cause);
    }
  }

  /** The log's folder; undefined where there is none. Who opens it closes it. */
  openFolder(): Promise<ConfinedFolder | undefined> {
    return findRecordFolder(this.#place);
  }

  /** `cause` as an error of the log's kind. */
  failure(reason: 'unreadable' | 'unwritable', cause: unknown): unknown {
    if (this.#kind.isFailure(cause)) return cause;
    if (ConfinementError.is(cause)) {
      return this.#kind.fail('notALog', refusalWords(cause, this.#place.path, this.#kind), { cause });
    }
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
    const folder = await makeRecordFolder(this.#place);
    try {
      const done = await this.#writeLocked(folder, batch);
      for (const settle of done) settle();
    } finally {
      await folder.close();
    }
  }

  async #writeLocked(folder: ConfinedFolder, batch: readonly Waiting[]): Promise<readonly (() => void)[]> {
    const lock = await acquireLock(folder, `${this.name}.lock`, this.#place.lockTimes ?? LOCK_TIMES);
    if (!lock) {
      throw this.#kind.fail('locked', isHeld(this.#place.path));
    }
    try {
      await this.#rotate(folder);
      const file = await folder.append(this.name, 0o644);
      try {
        return await this.#writeAll(folder, file, batch);
      } finally {
        await file.close();
      }
    } finally {
      await lock.release();
    }
  }

  /** Puts a file that is full aside; what a killed writer left at its end is repaired before. */
  async #rotate(folder: ConfinedFolder): Promise<void> {
    const rotation = this.#rotation;
    const stat = rotation && (await folder.stat(this.name).catch(ignoreMissing));
    if (!rotation || !stat?.isFile() || stat.size < rotation.maxFileBytes) return;
    const file = await folder.append(this.name, 0o644);
    let lastNumber: number;
    try {
      const writing = await this.#begin(folder, file);
      ({ lastNumber } = writing);
      this.#earlierRepairs.push(...writing.repairs);
    } finally {
      await file.close();
    }
    // Known before the file is gone: the numbers go on in the next one.
    await writeMark(folder, `${this.name}.mark`, { highWaterMark: lastNumber, sizeBytes: 0 });
    if (!(await this.archive.putAside(folder))) return;
    await folder.sync();
    await this.archive.prune(folder, rotation);
  }

  /** Writes all calls of a batch with one system call and one flush; returns what settles them. */
  async #writeAll(
    folder: ConfinedFolder,
    file: FileHandle,
    batch: readonly Waiting[],
  ): Promise<readonly (() => void)[]> {
    const writing = await this.#begin(folder, file);
    writing.repairs.unshift(...this.#earlierRepairs.splice(0));
    const before = await tailOf(file, writing.size);
    const lines: string[] = [];
    const settles: (() => void)[] = [];
    for (const { makers, onlyAt, choose, resolve, reject } of batch) {
      if (onlyAt && (lines.length > 0 || !isAt(onlyAt, before, writing.size))) {
        settles.push(() => resolve({ kind: 'moved' }));
        continue;
      }
      const wanted = choose ? await choose(folder) : makers;
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
    const { folder, file, size, lastNumber } = writing;
    // Before the lines: a number that was announced and never written is lost, never given again.
    await writeMark(folder, `${this.name}.mark`, { highWaterMark: lastNumber, sizeBytes: size + bytes.length });
    try {
      await file.appendFile(bytes);
      await file.sync();
    } catch (error) {
      // A full disk may have taken a part of it.
      await file.truncate(size);
      throw error;
    }
    if (size === 0) await folder.sync();
  }

  /** Looks at what the last writer left: repairs its end and finds the highest number ever given. */
  async #begin(folder: ConfinedFolder, file: FileHandle): Promise<Writing> {
    const { size } = await file.stat();
    const mark = await readMark(folder, `${this.name}.mark`);
    if (mark?.sizeBytes === size) return { folder, file, lastNumber: mark.highWaterMark, size, repairs: [] };
    const state = await identityOf(file, size, this.#kind.format);
    if (state.kind === 'foreign') {
      throw this.#kind.fail('notALog', holdsOther(this.#place.path, this.#kind));
    }
    const repairs = await this.#repair(folder, file, state, size);
    const whole = repairs.some(({ kind }) => kind === 'completed') ? size + 1 : state.wholeBytes;
    const given = mark?.highWaterMark ?? (this.#rotation ? await this.archive.maxNumber(folder) : 0);
    return { folder, file, lastNumber: Math.max(given, state.maxNumber), size: whole, repairs };
  }

  /** Ends a line that only lacks its end; moves a torn one to `….torn`, where nothing reads it as a record. */
  async #repair(
    folder: ConfinedFolder,
    file: FileHandle,
    { wholeBytes, torn }: TailState,
    size: number,
  ): Promise<LogRepair[]> {
    if (!torn) return [];
    if (torn.isComplete) {
      await file.appendFile('\n');
      return [{ offset: wholeBytes, sizeBytes: size - wholeBytes, kind: 'completed', keptIn: undefined }];
    }
    const keep = await folder.append(`${this.name}.torn`, 0o644);
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

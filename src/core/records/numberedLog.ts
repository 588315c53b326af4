import { joinBytes } from '../text/bytes';
import { phrase } from '../text/phrase';
import { readMark, writeMark } from './highWaterMark';
import { RecordArchive, type Rotation } from './recordArchive';
import { encode, endOf, isCursorAt, type LogEnd, NO_BYTES, NO_CURSOR, readFrom, tailHash } from './recordBytes';
import type { LineMaker, LogCursor, LogRead, LogRepair, RecordKind } from './recordLog';
import { cannotRead, cannotWrite, holdsOther, isHeld, lacksRecord } from './recordLog';
import {
  FileChanged,
  nameOf,
  type RecordFile,
  type RecordFolder,
  type RecordStore,
  type WrittenFile,
} from './recordStore';

/** Lines that a reader gets at once, so that a host's thread is never held for long. Bytes. */
const CHUNK_BYTES = 1 << 20;
/** A file that another program changes between each look and the next write is no log any more. */
const MAX_TRIES = 10;

/** What writing gave. */
type RecordAppend =
  | { readonly kind: 'appended'; readonly numbers: readonly number[]; readonly repairs: readonly LogRepair[] }
  /** Another writer appended since `onlyAt`: nothing was written. */
  | { readonly kind: 'moved' };

/** What holds for one call of `append`. */
interface AppendOptions {
  readonly onlyAt?: LogCursor | undefined;
  /** Called with the lock held, before any line of the call is written; gives the lines that are still wanted. */
  readonly choose?: ((folder: RecordFolder) => Promise<readonly LineMaker[]>) | undefined;
}

/** One call of `append` that waits for its turn. */
interface Waiting extends AppendOptions {
  readonly makers: readonly LineMaker[];
  readonly resolve: (outcome: RecordAppend) => void;
  readonly reject: (error: unknown) => void;
}

/** What one stretch of writing works with, the lock held. */
interface Writing {
  readonly folder: RecordFolder;
  readonly file: WrittenFile;
  lastNumber: number;
  /** Bytes of whole lines. */
  size: number;
  /** Told to the first call of the stretch. */
  repairs: readonly LogRepair[];
}

/** Where the last reader stands: the file with more to give, or what the end of it gives while nothing changes. */
interface Followed {
  readonly version: string;
  readonly file?: RecordFile;
  readonly end?: LogRead;
}

/**
 * An append-only log of numbered records as a file of JSON Lines. Beside it lie, while needed: `….lock`
 * (one writer at a time), `….mark` (the highest number ever given, so that none is given again when lines were removed),
 * `….torn` (what killed writers left half written) and, with a rotation, old files (`RecordArchive`). Calls that wait for
 * the lock together are written together.
 */
export class NumberedLog {
  /** Name of the log's own file. */
  readonly name: string;
  readonly archive: RecordArchive;
  #waiting: Waiting[] = [];
  #isWriting = false;
  /** Made before a file was put aside, and not told yet. */
  #earlierRepairs: LogRepair[] = [];
  #followed: Followed | undefined;

  /** @param rotation without one, the file grows without end */
  constructor(
    readonly store: RecordStore,
    private readonly kind: RecordKind,
    private readonly rotation?: Rotation,
  ) {
    this.name = nameOf(store.path);
    this.archive = new RecordArchive(this.name, kind.format);
  }

  /** Appends all lines, in order, as one; resolves when they are on disk. Rejects with an error of the log's kind. */
  append(makers: readonly LineMaker[], options: AppendOptions): Promise<RecordAppend> {
    if (makers.length === 0) return Promise.resolve({ kind: 'appended', numbers: [], repairs: [] });
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...options, makers, resolve, reject });
      if (!this.#isWriting) void this.#write();
    });
  }

  /** Lines of the file after `cursor`, about a megabyte at a time; old files are not looked at. */
  async follow(cursor: LogCursor | undefined): Promise<LogRead> {
    const read = await this.reading((folder) => this.#follow(folder, cursor));
    if (read) return read;
    const isReset = cursor === undefined || cursor.offset > 0;
    return { isReset, bytes: NO_BYTES, cursor: NO_CURSOR, hasMore: false, tornBytes: 0 };
  }

  /** Asked again at the end without a change, or for more of the same, the file is not read again where a version tells. */
  async #follow(folder: RecordFolder, cursor: LogCursor | undefined): Promise<LogRead | undefined> {
    const version = await folder.versionOf(this.name);
    const last = version !== undefined && this.#followed?.version === version ? this.#followed : undefined;
    if (last?.end && cursor?.offset === last.end.cursor.offset && cursor.identity === last.end.cursor.identity)
      return last.end;
    const file = last?.file ?? (await folder.read(this.name));
    if (!file) return undefined;
    const read = await readFrom(file, cursor, CHUNK_BYTES).finally(() => file.close());
    const { cursor: next, hasMore, tornBytes } = read;
    const end = { isReset: false, bytes: NO_BYTES, cursor: next, hasMore, tornBytes };
    if (version !== undefined) this.#followed = hasMore ? { version, file } : { version, end };
    return read;
  }

  /** Works in the log's folder, without its lock; undefined where there is no folder. Rejects with an error of the log's kind. */
  async reading<T>(work: (folder: RecordFolder) => Promise<T>): Promise<T | undefined> {
    try {
      const folder = await this.store.find();
      return folder && (await work(folder).finally(() => folder.close()));
    } catch (cause) {
      throw this.failure('unreadable', cause);
    }
  }

  /** `cause` as an error of the log's kind. */
  failure(reason: 'unreadable' | 'unwritable', cause: unknown): unknown {
    if (this.kind.isFailure(cause)) return cause;
    const refusal = this.store.refusalOf(cause);
    if (refusal) return this.kind.fail('notALog', refusal, { cause });
    const code = this.store.codeOf(cause);
    const words = reason === 'unreadable' ? cannotRead(this.store.path, code) : cannotWrite(this.store.path, code);
    return this.kind.fail(reason, words, { cause });
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
    const folder = await this.store.make();
    try {
      const done = await this.#writeLocked(folder, batch);
      for (const settle of done) settle();
    } finally {
      await folder.close();
    }
  }

  async #writeLocked(folder: RecordFolder, batch: readonly Waiting[]): Promise<readonly (() => void)[]> {
    const lock = await folder.lock(`${this.name}.lock`);
    if (!lock) throw this.kind.fail('locked', isHeld(this.store.path));
    try {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const done = await this.#tryWrite(folder, batch);
        if (done) return done;
      }
    } finally {
      await lock.release();
    }
    throw this.kind.fail('unwritable', cannotWrite(this.store.path, phrase('another program keeps changing it')));
  }

  /** Undefined when another program changed a file meanwhile: no line was written then. */
  async #tryWrite(folder: RecordFolder, batch: readonly Waiting[]): Promise<readonly (() => void)[] | undefined> {
    try {
      const writing = await this.#beginRotated(folder);
      return await this.#writeAll(writing, batch).finally(() => writing.file.close());
    } catch (error) {
      if (error instanceof FileChanged) return undefined;
      throw error;
    }
  }

  /** Puts a file that is full aside before; what a killed writer left at its end is repaired first. */
  async #beginRotated(folder: RecordFolder): Promise<Writing> {
    const rotation = this.rotation;
    const writing = await this.#begin(folder);
    const { file, lastNumber, repairs } = writing;
    if (!rotation || file.sizeBytes < rotation.maxFileBytes) return writing;
    try {
      if (repairs.length > 0) await file.flush();
    } finally {
      await file.close();
    }
    this.#earlierRepairs.push(...repairs);
    // Known before the file is gone: the numbers go on in the next one.
    await writeMark(folder, this.name, { highWaterMark: lastNumber, sizeBytes: 0 });
    if (await this.archive.putAside(folder)) {
      await folder.sync();
      await this.archive.prune(folder, rotation);
    }
    return this.#begin(folder);
  }

  /** Writes all calls of a batch with one system call and one flush; returns what settles them. */
  async #writeAll(writing: Writing, batch: readonly Waiting[]): Promise<readonly (() => void)[]> {
    const { folder, file } = writing;
    const isRepaired = writing.repairs.length > 0;
    writing.repairs = [...this.#earlierRepairs, ...writing.repairs];
    const tail = await tailHash(file, writing.size);
    const lines: string[] = [];
    const settles: (() => void)[] = [];
    for (const { makers, onlyAt, choose, resolve, reject } of batch) {
      if (onlyAt && (lines.length > 0 || !isCursorAt(onlyAt, tail, writing.size))) {
        settles.push(() => resolve({ kind: 'moved' }));
        continue;
      }
      const wanted = choose ? await choose(folder) : makers;
      const unknown = wanted.find(({ addsTo }) => addsTo !== undefined && addsTo > writing.lastNumber)?.addsTo;
      if (unknown !== undefined) {
        const why = lacksRecord(this.store.path, unknown);
        settles.push(() => reject(this.kind.fail('invalid', why)));
        continue;
      }
      const numbers = wanted.map(({ addsTo }) => addsTo ?? ++writing.lastNumber);
      lines.push(...wanted.map(({ make }, at) => make(numbers[at] ?? 0)));
      const { repairs } = writing;
      writing.repairs = [];
      settles.push(() => resolve({ kind: 'appended', numbers, repairs }));
    }
    if (lines.length > 0) await this.#writeLines(writing, encode(lines.join('')));
    else if (isRepaired) await file.flush();
    this.#earlierRepairs = [];
    return settles;
  }

  async #writeLines({ folder, file, size, lastNumber }: Writing, bytes: Uint8Array): Promise<void> {
    // Before the lines: a number that was announced and never written is lost, never given again.
    await writeMark(folder, this.name, { highWaterMark: lastNumber, sizeBytes: size + bytes.length });
    try {
      await file.append(bytes);
      await file.flush();
    } catch (error) {
      // A full disk may have taken a part of it.
      await file.truncate(size);
      throw error;
    }
    if (size === 0) await folder.sync();
  }

  async #begin(folder: RecordFolder): Promise<Writing> {
    const file = await folder.append(this.name);
    return this.#lookAt(folder, file).catch(async (error: unknown) => {
      await file.close();
      throw error;
    });
  }

  /** Looks at what the last writer left: repairs its end and finds the highest number ever given. */
  async #lookAt(folder: RecordFolder, file: WrittenFile): Promise<Writing> {
    const size = file.sizeBytes;
    const mark = await readMark(folder, this.name);
    if (mark?.sizeBytes === size) return { folder, file, lastNumber: mark.highWaterMark, size, repairs: [] };
    const end = await endOf(file, this.kind.format);
    if (end.isForeign) throw this.kind.fail('notALog', holdsOther(this.store.path, this.kind));
    const repair = await this.#repair(folder, file, end);
    const whole = repair?.kind === 'completed' ? size + 1 : end.wholeBytes;
    const given = mark?.highWaterMark ?? (this.rotation ? await this.archive.maxNumber(folder) : 0);
    const lastNumber = Math.max(given, end.maxNumber);
    return { folder, file, lastNumber, size: whole, repairs: repair ? [repair] : [] };
  }

  /** Ends a line that only lacks its end; moves a torn one to `….torn`, where nothing reads it as a record. */
  async #repair(folder: RecordFolder, file: WrittenFile, { wholeBytes, torn }: LogEnd): Promise<LogRepair | undefined> {
    if (!torn) return undefined;
    const where = { offset: wholeBytes, sizeBytes: torn.bytes.length };
    if (torn.isComplete) {
      await file.append(encode('\n'));
      return { ...where, kind: 'completed', keptIn: undefined };
    }
    const keep = await folder.append(`${this.name}.torn`);
    try {
      await keep.append(joinBytes([torn.bytes, encode('\n')]));
      await keep.flush();
    } finally {
      await keep.close();
    }
    await file.truncate(wholeBytes);
    return { ...where, kind: 'setAside', keptIn: `${this.store.path}.torn` };
  }
}

import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { ObservationDraft } from '../core/observations/observation';
import { encodeObservation } from '../core/observations/observationCodec';
import { ObservationError } from '../core/observations/observationError';
import type { LogAppend, LogCursor, LogRead, LogRepair, ObservationLog } from '../core/observations/observationLog';
import { errorCode } from './errorCode';
import { isInside } from './fileSource';
import { fingerprint, identityOf, NO_CURSOR, readFrom, type TailState, tailOf } from './observationFile';
import { acquireLock, LOCK_TIMES, type LockTimes } from './observationLock';
import { readMark, writeMark } from './observationMark';

/** Lines that a reader gets at once, so that a host's thread is never held for long. Bytes. */
const CHUNK_BYTES = 1 << 20;

/** One call of `append` that waits for its turn. */
interface Waiting {
  readonly drafts: readonly ObservationDraft[];
  readonly onlyAt: LogCursor | undefined;
  readonly resolve: (outcome: LogAppend) => void;
  readonly reject: (error: unknown) => void;
}

/** What one stretch of writing works with, the lock held. */
interface Writing {
  readonly file: fs.FileHandle;
  lastId: number;
  /** Bytes of whole lines. */
  size: number;
  /** Told to the first call of the stretch. */
  repairs: LogRepair[];
}

/** Where a log lies. */
export interface JsonlLogOptions {
  /** The folder's real path. */
  readonly realRoot: string;
  /** Workspace-relative, `/` between names, as the config gives it. */
  readonly path: string;
  readonly lockTimes?: LockTimes;
}

/**
 * `ObservationLog` as a file of JSON Lines in the workspace. Beside it lie, while needed: `….lock` (one writer at a
 * time), `….mark` (the highest id ever given, so that none is given again when lines were removed) and `….torn` (what
 * killed writers left half written). Calls that wait for the lock together are written together.
 */
export class JsonlObservationLog implements ObservationLog {
  readonly #options: JsonlLogOptions;
  readonly #file: string;
  #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(options: JsonlLogOptions) {
    this.#options = options;
    this.#file = path.join(options.realRoot, ...options.path.split('/'));
  }

  append(drafts: readonly ObservationDraft[], onlyAt?: LogCursor): Promise<LogAppend> {
    if (drafts.length === 0) return Promise.resolve({ kind: 'appended', ids: [], repairs: [] });
    return new Promise((resolve, reject) => {
      this.#waiting.push({ drafts, onlyAt, resolve, reject });
      if (!this.#isWriting) void this.#write();
    });
  }

  async follow(cursor: LogCursor | undefined): Promise<LogRead> {
    try {
      await this.#checkPlace();
      const file = await fs.open(this.#file, 'r');
      try {
        return await readFrom(file, cursor, CHUNK_BYTES);
      } finally {
        await file.close();
      }
    } catch (cause) {
      const code = errorCode(cause);
      if (code === 'ENOENT' || code === 'ENOTDIR') {
        const isReset = cursor === undefined || cursor.offset > 0;
        return { isReset, bytes: new Uint8Array(), cursor: NO_CURSOR, hasMore: false, tornBytes: 0 };
      }
      throw this.#failure('unreadable', 'read', cause);
    }
  }

  /** Writes what waits until nothing does; settles every call. */
  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#writeBatch(batch);
      } catch (cause) {
        const error = this.#failure('unwritable', 'written', cause);
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isWriting = false;
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    await fs.mkdir(path.dirname(this.#file), { recursive: true });
    await this.#checkPlace();
    const lock = await acquireLock(`${this.#file}.lock`, this.#options.lockTimes ?? LOCK_TIMES);
    if (!lock) {
      throw new ObservationError(
        'locked',
        `${this.#options.path} is held by another program, so nothing was recorded. Try again; ` +
          `if no program of ours runs, remove ${this.#options.path}.lock.`,
      );
    }
    const done: (() => void)[] = [];
    try {
      const file = await fs.open(this.#file, 'a+', 0o644);
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

  /** Writes all calls of a batch with one system call and one flush; returns what settles them. */
  async #writeAll(file: fs.FileHandle, batch: readonly Waiting[]): Promise<(() => void)[]> {
    const writing = await this.#begin(file);
    const before = await tailOf(file, writing.size);
    const lines: string[] = [];
    const settles: (() => void)[] = [];
    for (const { drafts, onlyAt, resolve } of batch) {
      if (onlyAt && (lines.length > 0 || !isAt(onlyAt, before, writing.size))) {
        settles.push(() => resolve({ kind: 'moved' }));
        continue;
      }
      const ids = drafts.map((_, at) => writing.lastId + 1 + at);
      writing.lastId += drafts.length;
      lines.push(...drafts.map((draft, at) => encodeObservation(ids[at] ?? 0, draft)));
      const { repairs } = writing;
      writing.repairs = [];
      settles.push(() => resolve({ kind: 'appended', ids, repairs }));
    }
    if (lines.length > 0) await this.#writeLines(writing, Buffer.from(lines.join('')));
    return settles;
  }

  async #writeLines(writing: Writing, bytes: Buffer): Promise<void> {
    const { file, size, lastId } = writing;
    // Before the lines: an id that was announced and never written is lost, never given again.
    await writeMark(`${this.#file}.mark`, { highWaterMark: lastId, sizeBytes: size + bytes.length });
    try {
      await file.appendFile(bytes);
      await file.sync();
    } catch (error) {
      // A full disk may have taken a part of it.
      await file.truncate(size);
      throw error;
    }
    if (size === 0) await syncFolder(path.dirname(this.#file));
  }

  /** Looks at what the last writer left: repairs its end and finds the highest id ever given. */
  async #begin(file: fs.FileHandle): Promise<Writing> {
    const { size } = await file.stat();
    const mark = await readMark(`${this.#file}.mark`);
    if (mark?.sizeBytes === size) return { file, lastId: mark.highWaterMark, size, repairs: [] };
    const state = await identityOf(file, size);
    if (state.kind === 'foreign') {
      throw new ObservationError(
        'notALog',
        `${this.#options.path} holds something else than observations, so nothing is written to it. ` +
          'Name another file in observations.path of .context-budget/config.json.',
      );
    }
    const repairs = await this.#repair(file, state, size);
    const whole = repairs.some(({ kind }) => kind === 'completed') ? size + 1 : state.wholeBytes;
    return { file, lastId: Math.max(mark?.highWaterMark ?? 0, state.maxId), size: whole, repairs };
  }

  /** Ends a line that only lacks its end; moves a torn one to `….torn`, where nothing reads it as an observation. */
  async #repair(file: fs.FileHandle, { wholeBytes, torn }: TailState, size: number): Promise<LogRepair[]> {
    if (!torn) return [];
    if (torn.isComplete) {
      await file.appendFile('\n');
      return [{ offset: wholeBytes, sizeBytes: size - wholeBytes, kind: 'completed', keptIn: undefined }];
    }
    const keep = await fs.open(`${this.#file}.torn`, 'a', 0o644);
    try {
      await keep.appendFile(Buffer.concat([torn.bytes, Buffer.from('\n')]));
      await keep.sync();
    } finally {
      await keep.close();
    }
    await file.truncate(wholeBytes);
    const keptIn = `${this.#options.path}.torn`;
    return [{ offset: wholeBytes, sizeBytes: size - wholeBytes, kind: 'setAside', keptIn }];
  }

  /** A path of a config must not lead out of the folder by a link. */
  async #checkPlace(): Promise<void> {
    const { realRoot } = this.#options;
    const folder = await fs.realpath(path.dirname(this.#file));
    const found = await fs.lstat(this.#file).catch(ignoreMissing);
    const target = found?.isSymbolicLink() ? await fs.realpath(this.#file) : folder;
    if (!isInside(realRoot, folder) || !isInside(realRoot, target)) {
      throw new ObservationError('notALog', `${this.#options.path} leads out of the folder. Name a file inside it.`);
    }
    // A pipe without a writer would block for ever.
    if (found && !(found.isSymbolicLink() ? await fs.stat(target) : found).isFile()) {
      throw new ObservationError('notALog', `${this.#options.path} is not a file. Name one in observations.path.`);
    }
  }

  #failure(reason: 'unreadable' | 'unwritable', verb: string, cause: unknown): ObservationError {
    if (ObservationError.is(cause)) return cause;
    const code = errorCode(cause) ?? (cause instanceof Error ? cause.message : String(cause));
    return new ObservationError(reason, `${this.#options.path} could not be ${verb} (${code}).`, { cause });
  }
}

function isAt(cursor: LogCursor, tail: Buffer, size: number): boolean {
  return cursor.offset === size && (size === 0 || cursor.identity.endsWith(`:${fingerprint(tail)}`));
}

function ignoreMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error;
  return undefined;
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

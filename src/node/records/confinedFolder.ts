/**
 * The one door to files that the product itself writes in a workspace. It opens one folder and what lies directly in it,
 * by bare names; it follows no link, waits at no pipe, and shows that what was opened is a regular file with one name. What
 * a file means, and how a refusal is worded, its users decide.
 */
import { type BigIntStats, constants, type Stats } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { isInGit } from '../../core/text/safePath';
import { errorCode } from '../errorCode';
import { HOST } from '../platform';
import { readAt } from '../readWhole';
import { bestWay, ConfinementError, type HeldFolder, type HoldWay, holdFolder } from './heldFolder';

/** Waits for nothing and follows nothing. Windows has no such flags; there the folder is looked at before. */
const SAFE_FLAGS = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const CREATE_FLAGS = constants.O_CREAT | constants.O_EXCL;

/** What `open` says of a link with `O_NOFOLLOW`. */
const LINK_CODES: ReadonlySet<string | undefined> = new Set(['ELOOP', 'EMLINK', 'EFTYPE']);
/** What `open` says of sockets, devices without a driver and folders. */
const NO_FILE_CODES: ReadonlySet<string | undefined> = new Set(['ENXIO', 'ENODEV', 'EOPNOTSUPP', 'EISDIR']);

/** Others may replace or remove a file again and again: a lock. */
const MAX_TRIES = 20;

/** The beginning of a file. */
interface FileStart {
  readonly bytes: Buffer;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly ino: bigint;
}

/** A file that was opened and judged. */
interface Proven {
  readonly file: fs.FileHandle;
  readonly stat: BigIntStats;
}

/** What holds for a folder that is opened. */
interface ConfinedFolderOptions {
  /** Makes missing folders below the root, never the root itself. */
  readonly create?: boolean;
  /** The best of this system unless given. */
  readonly way?: HoldWay | undefined;
}

/** One folder of a workspace, held open; see the top of the file. Who opens it closes it. */
export class ConfinedFolder {
  private constructor(
    private readonly held: HeldFolder,
    private readonly path: string,
  ) {}

  /**
   * @param realRoot the workspace's real path
   * @param relative workspace-relative, `/` between names; `''` or `.` is the root
   * @throws ConfinementError, or the platform's error, such as `ENOENT` for a missing folder
   */
  static async open(
    realRoot: string,
    relative: string,
    { create = false, way }: ConfinedFolderOptions = {},
  ): Promise<ConfinedFolder> {
    const plain = relative === '.' ? '' : relative;
    if (!HOST.isPlainPath(plain)) throw new ConfinementError('outside', relative);
    if (isInGit(plain)) throw new ConfinementError('git', relative);
    const segments = plain === '' ? [] : plain.split('/');
    const held = await holdFolder(realRoot, segments, { create, way: way ?? bestWay() });
    return new ConfinedFolder(held, plain);
  }

  /** Opens a file to read; rejects with `ENOENT` where there is none. */
  async read(name: string): Promise<fs.FileHandle> {
    return (await this.#open(name, constants.O_RDONLY)).file;
  }

  /** Reads up to `maxBytes` of a file from its start; rejects with `ENOENT` where there is none. */
  async readStart(name: string, maxBytes: number): Promise<FileStart> {
    return closing(await this.#open(name, constants.O_RDONLY), async ({ file, stat }) => {
      const sizeBytes = Number(stat.size);
      const bytes = await readAt(file, 0, Math.min(sizeBytes, maxBytes));
      return { bytes, sizeBytes, modifiedMs: Number(stat.mtimeMs), ino: stat.ino };
    });
  }

  /** Makes a file that was not there; rejects with `EEXIST` else, for a link that leads nowhere too. */
  async createWith(name: string, text: string, mode = 0o666): Promise<void> {
    await closing(await this.#open(name, constants.O_RDWR | CREATE_FLAGS, mode), ({ file }) => file.writeFile(text));
  }

  /** Opens a file to read it and to write at its end; makes it where there is none. */
  async append(name: string, mode: number): Promise<fs.FileHandle> {
    const flags = constants.O_RDWR | constants.O_APPEND;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const proven =
        (await this.#openIf('ENOENT', name, flags)) ?? (await this.#openIf('EEXIST', name, flags | CREATE_FLAGS, mode));
      if (proven) return proven.file;
    }
    throw new ConfinementError('swapped', this.#shown(name));
  }

  /** Writes all of a file in its place, which a reader may see half done. */
  async overwrite(name: string, text: string): Promise<void> {
    const created = await this.#openIf('EEXIST', name, constants.O_RDWR | CREATE_FLAGS, 0o666);
    await closing(created ?? (await this.#open(name, constants.O_RDWR)), async ({ file }) => {
      // Not by a flag: that would empty it before it is known to be a file of its own.
      if (!created) await file.truncate(0);
      await file.writeFile(text);
    });
  }

  /** All bytes of a file; rejects with a `ConfinementError` for one above `maxBytes`, with `ENOENT` where there is none. */
  async readWhole(name: string, maxBytes: number): Promise<Buffer> {
    const { bytes, sizeBytes } = await this.readStart(name, maxBytes);
    if (sizeBytes > maxBytes) throw new ConfinementError('tooLarge', this.#shown(name));
    return bytes;
  }

  /** Names of all entries, in any order. */
  async list(): Promise<readonly string[]> {
    const names = await fs.readdir(this.held.at());
    await this.held.verify();
    return names;
  }

  /** What an entry is, a link as itself; rejects with `ENOENT` where there is none. */
  async stat(name: string): Promise<Stats> {
    const stat = await fs.lstat(this.#at(name));
    await this.held.verify();
    return stat;
  }

  /** Gives an entry another name of this folder; what had that name is gone. */
  async rename(from: string, to: string): Promise<void> {
    await this.held.verify();
    await fs.rename(this.#at(from), this.#at(to));
    await this.held.verify();
  }

  /** Removes a file, or a link itself; rejects with `ENOENT` where there is none. */
  async remove(name: string): Promise<void> {
    await this.held.verify();
    await fs.unlink(this.#at(name));
    await this.held.verify();
  }

  /** Removes a folder, no link to one; false where it is not empty or may not go. */
  async removeEmptyFolder(name: string): Promise<boolean> {
    const at = this.#at(name);
    await this.held.verify();
    return fs.rmdir(at).then(
      () => true,
      () => false,
    );
  }

  /** Waits until new names are on disk; Windows needs no such thing. */
  async sync(): Promise<void> {
    if (!HOST.syncsFolders) return;
    const folder = await fs.open(this.held.at(), constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  close(): Promise<void> {
    return this.held.close();
  }

  /** Rejects unless an entry is a regular file with one name; what is not there is no matter. */
  async refuseOdd(name: string): Promise<Stats | undefined> {
    try {
      const stat = await this.stat(name);
      this.#judge(name, stat);
      return stat;
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      return undefined;
    }
  }

  /** Undefined when the platform says `code`. */
  async #openIf(code: string, name: string, flags: number, mode?: number): Promise<Proven | undefined> {
    try {
      return await this.#open(name, flags, mode);
    } catch (error) {
      if (errorCode(error) !== code) throw error;
      return undefined;
    }
  }

  async #open(name: string, flags: number, mode?: number): Promise<Proven> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (!this.held.isExact) await this.#lookBefore(name, flags);
      const file = await this.#openNow(name, flags, mode);
      let stat: BigIntStats | undefined;
      try {
        stat = await this.#prove(name, file);
      } finally {
        if (!stat) await file.close();
      }
      if (stat) return { file, stat };
    }
    throw new ConfinementError('swapped', this.#shown(name));
  }

  async #openNow(name: string, flags: number, mode: number | undefined): Promise<fs.FileHandle> {
    try {
      return await fs.open(this.#at(name), flags | SAFE_FLAGS, mode);
    } catch (cause) {
      const code = errorCode(cause);
      if (LINK_CODES.has(code)) throw new ConfinementError('link', this.#shown(name), { cause });
      if (NO_FILE_CODES.has(code)) throw new ConfinementError('notFile', this.#shown(name), { cause });
      throw cause;
    }
  }

  /** Where `open` itself follows links or the folder may be swapped. */
  async #lookBefore(name: string, flags: number): Promise<void> {
    await this.held.verify();
    if ((flags & constants.O_EXCL) === 0) await this.refuseOdd(name);
  }

  /** Judges what was opened; undefined when something else lies there by now, as a lock does that has a new holder. */
  async #prove(name: string, file: fs.FileHandle): Promise<BigIntStats | undefined> {
    const own = await file.stat({ bigint: true });
    this.#judge(name, own);
    if (this.held.isExact) return own;
    await this.held.verify();
    const there = await fs.lstat(this.#at(name), { bigint: true });
    return HOST.isSameFile(there, own) ? own : undefined;
  }

  #judge(name: string, stat: Stats | BigIntStats): void {
    if (stat.isSymbolicLink()) throw new ConfinementError('link', this.#shown(name));
    if (!stat.isFile()) throw new ConfinementError('notFile', this.#shown(name));
    // None is what a file has that was removed meanwhile.
    if (stat.nlink > 1) throw new ConfinementError('hardLink', this.#shown(name));
  }

  #at(name: string): string {
    if (name === '' || name.includes('/') || !HOST.isPlainPath(name)) {
      throw new ConfinementError('outside', this.#shown(name));
    }
    if (isInGit(name)) throw new ConfinementError('git', this.#shown(name));
    return this.held.at(name);
  }

  #shown(name: string): string {
    return path.posix.join(this.path, name);
  }
}

async function closing<T>(opened: Proven, work: (opened: Proven) => Promise<T>): Promise<T> {
  try {
    return await work(opened);
  } finally {
    await opened.file.close();
  }
}

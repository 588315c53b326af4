import { mkdir, readFile, realpath, rename } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '../core/ports/ports';
import { isRecord, ownValue, parseJson } from '../core/text/jsonRecord';
import { errorClass } from '../core/text/phrase';
import { writeFileAtomic } from './atomicFile';
import { codeOrUnknown, errorCode } from './errorCode';
import { ConfinedFolder } from './records/confinedFolder';
import { acquireLock } from './records/recordLock';
import { isInWorkspace } from './userFolders';

/** Why a trust store could not do what was asked. */
type TrustErrorReason = 'noFolder' | 'insideFolder' | 'unreadable' | 'unwritable';

/** A trust store's failure, in words for the user. */
export class TrustError extends errorClass<TrustErrorReason>('TrustError') {}

/** Programs with their arguments. */
type CommandLines = readonly (readonly string[])[];

/** Real path → the command lines of its config when it was trusted. */
type Trusted = ReadonlyMap<string, CommandLines>;

/**
 * The folders whose command sections may run: `trusted-folders.json` in the user's own configuration, by real path.
 * A folder below a trusted one is not trusted by that: it may be a submodule or a download of another author's.
 */
export class TrustStore {
  private readonly file: string;

  /** `configFolder` is absolute. A folder that holds it is not trusted: it could ship the record. */
  constructor(
    configFolder: string,
    private readonly logger: Logger,
  ) {
    this.file = path.join(configFolder, 'trusted-folders.json');
  }

  /** Sorted real paths. A broken file counts as empty, and the log says so: trust is never guessed. */
  async list(): Promise<readonly string[]> {
    return [...(await this.known()).keys()].sort();
  }

  /**
   * `folder` may be reached through links. Rejects with a `TrustError` when it does not exist.
   * @param commands what its config would run now: one that was not there when it was trusted makes this false
   */
  async isTrusted(folder: string, commands: CommandLines = []): Promise<boolean> {
    const real = await this.real(folder);
    // A folder could ship a record that trusts it.
    if (await isInWorkspace(real, this.file)) {
      this.logger.warn(`${this.words(real)}, so no folder counts as trusted`);
      return false;
    }
    const read = (await this.known()).get(real);
    if (!read) return false;
    if (hasAll(read, commands)) return true;
    this.logger.warn(
      'command lines of this folder changed since it was trusted, so it is not; read them and run "context-budget trust" again',
    );
    return false;
  }

  /**
   * The real path recorded, and whether it or one of its `commands` was new. A damaged file is set aside as `….broken`,
   * not overwritten.
   */
  async add(
    folder: string,
    commands: CommandLines = [],
  ): Promise<{ readonly folder: string; readonly isNew: boolean }> {
    const real = await this.real(folder);
    if (await isInWorkspace(real, this.file))
      throw new TrustError('insideFolder', `${this.words(real)}, so it cannot be trusted`);
    return this.locked(async () => {
      const folders = await this.load();
      const read = folders?.get(real);
      if (read && hasAll(read, commands)) return { folder: real, isNew: false };
      await this.save(new Map([...(folders ?? []), [real, commands]]), !folders);
      return { folder: real, isNew: true };
    });
  }

  /** Forgets a folder, which need not exist any more. False when it was not recorded. */
  async remove(folder: string): Promise<boolean> {
    const real = await realpath(folder).catch(() => path.resolve(folder));
    if (!(await this.known()).has(real)) return false;
    return this.locked(async () => {
      const folders = new Map(await this.known());
      const wasThere = folders.delete(real);
      if (wasThere) await this.save(folders);
      return wasThere;
    });
  }

  /** One change at a time, of all processes. */
  private async locked<T>(change: () => Promise<T>): Promise<T> {
    const { dir, base } = path.parse(this.file);
    try {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      const folder = await ConfinedFolder.open(await realpath(dir), '');
      try {
        const lock = await acquireLock(folder, `${base}.lock`);
        if (!lock) throw new TrustError('unwritable', `${this.file} is locked by another program`);
        return await change().finally(() => lock.release());
      } finally {
        await folder.close();
      }
    } catch (cause) {
      if (TrustError.is(cause)) throw cause;
      throw new TrustError('unwritable', `${this.file} cannot be written (${codeOrUnknown(cause)})`, { cause });
    }
  }

  private async known(): Promise<Trusted> {
    const folders = await this.load();
    if (!folders) {
      this.logger.warn(`${this.file} is damaged, so no folder counts as trusted; run "context-budget trust" again`);
    }
    return folders ?? new Map();
  }

  private words(folder: string): string {
    return `The record of trusted folders (${this.file}) is inside ${folder}`;
  }

  private async real(folder: string): Promise<string> {
    try {
      return await realpath(folder);
    } catch (cause) {
      throw new TrustError('noFolder', `${folder} is not there, so it cannot be trusted`, { cause });
    }
  }

  /** `undefined` for a damaged file. */
  private async load(): Promise<Trusted | undefined> {
    try {
      return parse(await readFile(this.file, 'utf8'));
    } catch (cause) {
      if (errorCode(cause) === 'ENOENT') return new Map();
      throw new TrustError('unreadable', `${this.file} cannot be read (${codeOrUnknown(cause)})`, { cause });
    }
  }

  private async save(folders: Trusted, isOldBroken = false): Promise<void> {
    const commands = Object.fromEntries([...folders].filter(([, lines]) => lines.length > 0));
    const text = `${JSON.stringify({ version: 1, folders: [...folders.keys()].sort(), commands }, null, 2)}\n`;
    try {
      if (isOldBroken) await this.setAside();
      await writeFileAtomic(this.file, text);
    } catch (cause) {
      throw new TrustError('unwritable', `${this.file} cannot be written (${codeOrUnknown(cause)})`, { cause });
    }
  }

  private async setAside(): Promise<void> {
    await rename(this.file, `${this.file}.broken`);
    this.logger.warn(`${this.file} was damaged; it is kept as ${path.basename(this.file)}.broken`);
  }
}

/** Whether each of `commands` was among those that were read when the folder was trusted. */
function hasAll(read: CommandLines, commands: CommandLines): boolean {
  const known = new Set(read.map((line) => JSON.stringify(line)));
  return commands.every((line) => known.has(JSON.stringify(line)));
}

function parse(text: string): Trusted | undefined {
  const value = parseJson(text);
  if (!isRecord(value) || value.version !== 1 || !isTexts(value.folders)) return undefined;
  const commands = isRecord(value.commands) ? value.commands : {};
  return new Map(value.folders.map((folder) => [folder, linesOf(ownValue(commands, folder))]));
}

/** A record of an earlier version has none: its folder's commands must be read again. */
function linesOf(value: unknown): CommandLines {
  return Array.isArray(value) && value.every(isTexts) ? value : [];
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

import { readFile, realpath, rename } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '../core/ports/ports';
import { isRecord } from '../core/text/jsonRecord';
import { errorClass } from '../core/text/phrase';
import { writeFileAtomic } from './atomicFile';
import { codeOrUnknown, errorCode } from './errorCode';
import { isInWorkspace } from './userFolders';

/** Why a trust store could not do what was asked. */
type TrustErrorReason = 'noFolder' | 'insideFolder' | 'unreadable' | 'unwritable';

/** A trust store's failure, in words for the user. */
export class TrustError extends errorClass<TrustErrorReason>('TrustError') {}

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
    const folders = await this.load();
    if (!folders) {
      this.logger.warn(`${this.file} is damaged, so no folder counts as trusted; run "context-budget trust" again`);
    }
    return [...(folders ?? [])].sort();
  }

  /** `folder` may be reached through links. Rejects with a `TrustError` when it does not exist. */
  async isTrusted(folder: string): Promise<boolean> {
    const real = await this.real(folder);
    // A folder could ship a record that trusts it.
    if (await isInWorkspace(real, this.file)) {
      this.logger.warn(`${this.words(real)}, so no folder counts as trusted`);
      return false;
    }
    return (await this.list()).includes(real);
  }

  /** The real path recorded, and whether it was new. A damaged file is set aside as `….broken`, not overwritten. */
  async add(folder: string): Promise<{ readonly folder: string; readonly isNew: boolean }> {
    const real = await this.real(folder);
    if (await isInWorkspace(real, this.file))
      throw new TrustError('insideFolder', `${this.words(real)}, so it cannot be trusted`);
    const folders = await this.load();
    if (folders?.includes(real)) return { folder: real, isNew: false };
    await this.save([...(folders ?? []), real], !folders);
    return { folder: real, isNew: true };
  }

  /** Forgets a folder, which need not exist any more. False when it was not recorded. */
  async remove(folder: string): Promise<boolean> {
    const real = await realpath(folder).catch(() => path.resolve(folder));
    const folders = await this.list();
    if (!folders.includes(real)) return false;
    await this.save(folders.filter((known) => known !== real));
    return true;
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
  private async load(): Promise<readonly string[] | undefined> {
    try {
      return parse(await readFile(this.file, 'utf8'));
    } catch (cause) {
      if (errorCode(cause) === 'ENOENT') return [];
      throw new TrustError('unreadable', `${this.file} cannot be read (${codeOrUnknown(cause)})`, { cause });
    }
  }

  private async save(folders: readonly string[], isOldBroken = false): Promise<void> {
    const text = `${JSON.stringify({ version: 1, folders: [...folders].sort() }, null, 2)}\n`;
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

function parse(text: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const folders: unknown = isRecord(value) && value.version === 1 ? value.folders : undefined;
    return Array.isArray(folders) && folders.every((folder) => typeof folder === 'string') ? folders : undefined;
  } catch {
    // Not JSON at all.
    return undefined;
  }
}

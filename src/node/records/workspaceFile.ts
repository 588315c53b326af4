import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { cannotRead, cannotWrite } from '../../core/records/recordLog';
import { type Phrase, phrase, wordedErrorClass } from '../../core/text/phrase';
import { TEMP_SUFFIX } from '../atomicFile';
import { codeOrUnknown, errorCode, ignoreMissing } from '../errorCode';
import { ConfinedFolder } from './confinedFolder';
import { ConfinementError, type ConfinementReason } from './heldFolder';

/** A settings file of a folder has a few kilobytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Why a file of the workspace could not be written. */
type WorkspaceFileErrorReason = 'refused' | 'unwritable' | 'unreadable';

/** A failure to read or write a file of the workspace, in words for the user; no absolute path. */
export class WorkspaceFileError extends wordedErrorClass<WorkspaceFileErrorReason>('WorkspaceFileError') {}

/** What is wrong with a place, and what to do; `file` is the one that was asked for. */
const REFUSALS: Readonly<Record<ConfinementReason, (place: string, file: string) => Phrase>> = {
  outside: (place, file) => phrase('{0} leads out of the folder. {1} was not touched.', place, file),
  git: (place, file) => phrase('{0} is in a Git folder. {1} was not touched.', place, file),
  link: (place, file) =>
    phrase('{0} is a link, which is not followed. Replace it with what it leads to. {1} was not touched.', place, file),
  notFolder: (place, file) => phrase('{0} is not a folder. Move it away. {1} was not touched.', place, file),
  notFile: (place, file) => phrase('{0} is not a file. Move it away. {1} was not touched.', place, file),
  hardLink: (place, file) =>
    phrase(
      '{0} is a hard link: another file would change with it. Replace it with a copy. {1} was not touched.',
      place,
      file,
    ),
  swapped: (place, file) =>
    phrase('{0} was replaced by another program while it was opened. Try again. {1} was not touched.', place, file),
  tooLarge: (place, file) => phrase('{0} is too large. {1} was not touched.', place, file),
};

function failure(reason: 'unwritable' | 'unreadable', relative: string, cause: unknown): WorkspaceFileError {
  if (ConfinementError.is(cause)) {
    return new WorkspaceFileError('refused', REFUSALS[cause.reason](cause.path, relative), { cause });
  }
  const words = reason === 'unwritable' ? cannotWrite : cannotRead;
  return new WorkspaceFileError(reason, words(relative, codeOrUnknown(cause)), { cause });
}

/** One file of a workspace folder that may be written. Links are not followed, those inside of the folder neither. */
export class WorkspaceFile {
  readonly #folder: string;
  readonly #name: string;

  /** `realRoot` is the folder's real path; `relative` has `/` between segments. */
  constructor(
    private readonly realRoot: string,
    readonly relative: string,
  ) {
    this.#folder = path.posix.dirname(relative);
    this.#name = path.posix.basename(relative);
  }

  /** Its text; undefined where there is no file. Throws `WorkspaceFileError`. */
  read(): Promise<string | undefined> {
    return this.#tried('unreadable', async () => {
      const bytes = await this.#bytes();
      return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    });
  }

  /** Its bytes, text or not; undefined where there is no file. */
  readBytes(): Promise<Uint8Array | undefined> {
    return this.#tried('unreadable', () => this.#bytes());
  }

  /** Makes the file; false where there is one, or anything else, already. */
  create(text: string): Promise<boolean> {
    return this.#tried('unwritable', async () => {
      try {
        await this.#inFolder(true, (folder) => folder.createWith(this.#name, text));
        return true;
      } catch (error) {
        if (errorCode(error) === 'EEXIST') return false;
        throw error;
      }
    });
  }

  /** Writes it as a whole, with the rights it had: a reader sees the old text or the new one. Makes missing folders. */
  write(text: string): Promise<void> {
    return this.#tried('unwritable', () => this.#inFolder(true, (folder) => this.#replace(folder, text)));
  }

  /** Removes it, if it is there. Throws `WorkspaceFileError`. */
  remove(): Promise<void> {
    return this.#tried('unwritable', () =>
      this.#inFolder(false, async (folder) => {
        await folder.refuseOdd(this.#name);
        await folder.remove(this.#name);
      }).catch(ignoreMissing),
    );
  }

  /** Removes its folders that are empty, from the inmost on, never the root. Throws `WorkspaceFileError`. */
  removeEmptyFolders(): Promise<void> {
    return this.#tried('unwritable', async () => {
      for (let at = this.#folder; at !== '.'; at = path.posix.dirname(at)) {
        const above = await ConfinedFolder.open(this.realRoot, path.posix.dirname(at));
        const isGone = await above.removeEmptyFolder(path.posix.basename(at)).finally(() => above.close());
        if (!isGone) return;
      }
    });
  }

  async #bytes(): Promise<Uint8Array | undefined> {
    const read = this.#inFolder(false, (folder) => folder.readWhole(this.#name, MAX_BYTES));
    return read.catch(ignoreMissing);
  }

  async #tried<T>(reason: 'unwritable' | 'unreadable', work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      throw failure(reason, this.relative, cause);
    }
  }

  async #replace(folder: ConfinedFolder, text: string): Promise<void> {
    const mode = (await folder.refuseOdd(this.#name))?.mode ?? 0o666;
    // A new file takes the place of the old one, which its own rights do not hold up.
    if ((mode & 0o222) === 0) throw Object.assign(new Error('The file is read-only'), { code: 'EACCES' });
    const temp = `${this.#name}.${process.pid}.${randomUUID().slice(0, 8)}${TEMP_SUFFIX}`;
    try {
      await folder.createWith(temp, text, mode & 0o777);
      await folder.rename(temp, this.#name);
    } catch (error) {
      await folder.remove(temp).catch(ignoreMissing);
      throw error;
    }
  }

  async #inFolder<T>(create: boolean, work: (folder: ConfinedFolder) => Promise<T>): Promise<T> {
    const folder = await ConfinedFolder.open(this.realRoot, this.#folder, { create });
    try {
      return await work(folder);
    } finally {
      await folder.close();
    }
  }
}

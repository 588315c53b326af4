import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { errorClass } from '../../core/text/phrase';
import { TEMP_SUFFIX } from '../atomicFile';
import { codeOrUnknown, errorCode, ignoreMissing } from '../errorCode';
import { ConfinedFolder } from './confinedFolder';
import { ConfinementError, type ConfinementReason } from './heldFolder';

/** A settings file of a folder has a few kilobytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Why a file of the workspace could not be written. */
type WorkspaceFileErrorReason = 'refused' | 'unwritable' | 'unreadable';

/** A failure to read or write a file of the workspace, in words for the user; no absolute path. */
export class WorkspaceFileError extends errorClass<WorkspaceFileErrorReason>('WorkspaceFileError') {}

/** What is wrong with a place, and what to do. */
const REFUSALS: Readonly<Record<ConfinementReason, string>> = {
  outside: 'leads out of the folder',
  git: 'is in a Git folder',
  link: 'is a link, which is not followed. Replace it with what it leads to',
  notFolder: 'is not a folder. Move it away',
  notFile: 'is not a file. Move it away',
  hardLink: 'is a hard link: another file would change with it. Replace it with a copy',
  swapped: 'was replaced by another program while it was opened. Try again',
  tooLarge: 'is too large',
};

function failure(reason: 'unwritable' | 'unreadable', relative: string, cause: unknown): WorkspaceFileError {
  if (ConfinementError.is(cause)) {
    const words = `${cause.path} ${REFUSALS[cause.reason]}. ${relative} was not touched.`;
    return new WorkspaceFileError('refused', words, { cause });
  }
  const what = reason === 'unwritable' ? 'written' : 'read';
  return new WorkspaceFileError(reason, `${relative} could not be ${what} (${codeOrUnknown(cause)}).`, { cause });
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
      const read = this.#inFolder(false, (folder) => folder.readWhole(this.#name, MAX_BYTES));
      const bytes = await read.catch(ignoreMissing);
      return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    });
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

  remove(): Promise<void> {
    return this.#tried('unwritable', () =>
      this.#inFolder(false, async (folder) => {
        await folder.refuseOdd(this.#name);
        await folder.remove(this.#name);
      }),
    );
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

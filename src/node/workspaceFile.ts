import { randomUUID } from 'node:crypto';
import { lstat, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { TEMP_SUFFIX } from './atomicFile';
import { errorCode } from './errorCode';
import { isInside, isPlainPath } from './fileSource';

/** Why a file of the workspace could not be written. */
export type WorkspaceFileErrorReason = 'outside' | 'unwritable' | 'unreadable';

/** A failure to read or write a file of the workspace, in words for the user; no absolute path. */
export class WorkspaceFileError extends Error {
  constructor(
    readonly reason: WorkspaceFileErrorReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'WorkspaceFileError';
  }

  static is(error: unknown, reason?: WorkspaceFileErrorReason): error is WorkspaceFileError {
    return error instanceof WorkspaceFileError && (reason === undefined || error.reason === reason);
  }
}

function failure(reason: 'unwritable' | 'unreadable', relative: string, cause: unknown): WorkspaceFileError {
  if (WorkspaceFileError.is(cause)) return cause;
  const what = reason === 'unwritable' ? 'written' : 'read';
  return new WorkspaceFileError(reason, `${relative} could not be ${what} (${errorCode(cause) ?? 'unknown reason'}).`, {
    cause,
  });
}

/** One file of a workspace folder that may be written; links that lead out of the folder are refused. */
export class WorkspaceFile {
  /** `realRoot` is the folder's real path; `relative` has `/` between segments. */
  constructor(
    private readonly realRoot: string,
    readonly relative: string,
  ) {}

  /** Its text; undefined where there is no file. Throws `WorkspaceFileError`. */
  async read(): Promise<string | undefined> {
    try {
      const bytes = await readFile(await this.place());
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (cause) {
      if (errorCode(cause) === 'ENOENT' || errorCode(cause) === 'ENOTDIR') return undefined;
      throw failure('unreadable', this.relative, cause);
    }
  }

  /** Writes it as a whole, with the rights it had: a reader sees the old text or the new one. Makes missing folders. */
  async write(text: string): Promise<void> {
    try {
      await this.makeFolder();
      const place = await this.place();
      const temp = `${place}.${process.pid}.${randomUUID().slice(0, 8)}${TEMP_SUFFIX}`;
      try {
        const handle = await open(temp, 'wx', await modeOf(place));
        try {
          await handle.writeFile(text);
        } finally {
          await handle.close();
        }
        await rename(temp, place);
      } catch (error) {
        await rm(temp, { force: true });
        throw error;
      }
    } catch (cause) {
      throw failure('unwritable', this.relative, cause);
    }
  }

  async remove(): Promise<void> {
    try {
      await rm(await this.place());
    } catch (cause) {
      throw failure('unwritable', this.relative, cause);
    }
  }

  /** Where the file really is, or would be; inside of the folder. */
  private async place(): Promise<string> {
    if (this.relative === '' || !isPlainPath(this.relative, process.platform)) throw this.outside();
    const folder = await realpath(path.join(this.realRoot, ...path.posix.dirname(this.relative).split('/')));
    const file = path.join(folder, path.posix.basename(this.relative));
    const real = (await isLink(file)) ? await realpath(file) : file;
    if (!isInside(this.realRoot, real)) throw this.outside();
    return real;
  }

  /** Makes the folders above, one by one, so that none is made behind a link that leads out. */
  private async makeFolder(): Promise<void> {
    let folder = this.realRoot;
    for (const segment of this.relative.split('/').slice(0, -1)) {
      folder = path.join(folder, segment);
      await mkdir(folder, { recursive: true });
      if (!isInside(this.realRoot, await realpath(folder))) throw this.outside();
    }
  }

  private outside(): WorkspaceFileError {
    return new WorkspaceFileError('outside', `${this.relative} leads out of the folder; it was not touched.`);
  }
}

async function isLink(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isSymbolicLink();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** The rights of an existing file; else those that any new file gets. */
async function modeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).mode & 0o777;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0o666;
    throw error;
  }
}

import * as vscode from 'vscode';
import { EditorError, requireTrust } from './editorError';
import { unlessMissing } from './folders';

/** One text file of a folder on a disk, opened through a door that follows no link; `WorkspaceFile` is one. */
export interface TextFile {
  /** Undefined where there is no file. */
  readBytes(): Promise<Uint8Array | undefined>;
  /** The whole file, old or new for a reader. */
  write(text: string): Promise<void>;
  remove(): Promise<void>;
}

/** Opens a file below a folder: both as paths of this machine's kind, `path` with `/`. */
export type OpenTextFile = (folder: string, path: string) => Promise<TextFile>;

/** Codes of a file or folder that may not be written. */
const READ_ONLY: readonly unknown[] = ['EACCES', 'EPERM', 'EROFS', 'EBUSY'];

/**
 * Files that the user has the editor change: agents' settings and the config. On a disk they go through the door of the
 * command line; files of virtual folders go through VS Code, since no process of this machine has them.
 */
export class FolderFiles {
  readonly #written = new vscode.EventEmitter<string>();
  /** The path of a file that was written or deleted here: watchers miss what comes into a folder that is just made. */
  readonly onDidWrite = this.#written.event;

  /** @param open undefined in hosts without disks */
  constructor(private readonly open: OpenTextFile | undefined) {}

  /**
   * The file's text with its byte order mark; undefined where there is no file.
   * @throws EditorError `notText`; the door's error for a link, a pipe, a file that may not be read
   */
  async read({ uri }: vscode.WorkspaceFolder, path: string): Promise<string | undefined> {
    const place = vscode.Uri.joinPath(uri, path);
    const file = await this.#onDisk(uri, path);
    const bytes = await (file ? file.readBytes() : unlessMissing(() => vscode.workspace.fs.readFile(place)));
    if (bytes === undefined) return undefined;
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      throw new EditorError('notText', vscode.l10n.t('{0} is not UTF-8 text, so it was not modified.', path));
    }
  }

  /** Writes the whole file, or deletes it for `undefined`. @throws EditorError `untrusted`; else as `read` */
  async write(folder: vscode.WorkspaceFolder, path: string, text: string | undefined): Promise<void> {
    requireTrust();
    await this.#write(folder.uri, path, text);
    this.#written.fire(path);
  }

  async #write(folder: vscode.Uri, path: string, text: string | undefined): Promise<void> {
    const place = vscode.Uri.joinPath(folder, path);
    const file = await this.#onDisk(folder, path);
    if (!file) {
      if (text === undefined) await vscode.workspace.fs.delete(place);
      else await vscode.workspace.fs.writeFile(place, new TextEncoder().encode(text));
      return;
    }
    try {
      await (text === undefined ? file.remove() : file.write(text));
    } catch (error) {
      const cause: unknown = error instanceof Error ? error.cause : undefined;
      if (READ_ONLY.includes((cause as { readonly code?: unknown } | undefined)?.code))
        throw vscode.FileSystemError.NoPermissions(place);
      throw error;
    }
  }

  async #onDisk({ scheme, fsPath }: vscode.Uri, path: string): Promise<TextFile | undefined> {
    return scheme === 'file' ? this.open?.(fsPath, path) : undefined;
  }
}

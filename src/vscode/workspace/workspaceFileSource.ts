import * as vscode from 'vscode';
import type { DirectoryEntry, DirectoryRead, FileRead, FileSource } from '../../core/ports/ports';
import { unreadable, unreadableFor } from '../../core/text/decode';
import type { Phrase } from '../../core/text/phrase';
import { isClosedByGit } from '../../core/text/safePath';
import { uriIn } from '../base/folders';

/**
 * Files of one workspace folder through `vscode.workspace.fs`: for folders without a disk path (remote repositories,
 * other virtual file systems). Links are never followed, because no API tells where they lead.
 */
export class WorkspaceFileSource implements FileSource {
  readonly rootName: string;

  constructor(private readonly folder: vscode.WorkspaceFolder) {
    this.rootName = folder.name;
  }

  async list(folder: string): Promise<DirectoryRead> {
    if (isClosedByGit(folder)) return { kind: 'unreadable', message: unreadable('ofGit') };
    try {
      const entries = await vscode.workspace.fs.readDirectory(uriIn(this.folder, folder));
      return { kind: 'ok', entries: entries.map(([name, type]) => ({ name, kind: entryKind(type) })) };
    } catch (error) {
      return asFailure(error);
    }
  }

  async read(path: string, maxBytes: number): Promise<FileRead> {
    if (isClosedByGit(path)) return { kind: 'unreadable', message: unreadable('ofGit') };
    try {
      const uri = uriIn(this.folder, path);
      const { size, mtime } = await vscode.workspace.fs.stat(uri);
      if (size > maxBytes) return { kind: 'tooLarge', sizeBytes: size };
      return { kind: 'ok', bytes: await vscode.workspace.fs.readFile(uri), modifiedMs: mtime };
    } catch (error) {
      return asFailure(error);
    }
  }

  resolveLink(): Promise<{ readonly kind: 'outside' }> {
    return Promise.resolve({ kind: 'outside' });
  }
}

/** The kind of an entry; a link is one whatever it leads to. */
export function entryKind(type: vscode.FileType): DirectoryEntry['kind'] {
  if ((type & vscode.FileType.SymbolicLink) !== 0) return 'link';
  if ((type & vscode.FileType.Directory) !== 0) return 'folder';
  return (type & vscode.FileType.File) !== 0 ? 'file' : 'other';
}

/** The code of a file system error; its message may hold an absolute path and is left out. */
function asFailure(error: unknown): { readonly kind: 'missing' } | { readonly kind: 'unreadable'; message: Phrase } {
  const code = error instanceof vscode.FileSystemError ? error.code : 'Unavailable';
  switch (code) {
    case 'FileNotFound':
    case 'FileNotADirectory':
      return { kind: 'missing' };
    case 'FileIsADirectory':
      return { kind: 'unreadable', message: unreadable('isFolder') };
    case 'NoPermissions':
      return { kind: 'unreadable', message: unreadable('noPermission') };
    default:
      return { kind: 'unreadable', message: unreadableFor(code) };
  }
}

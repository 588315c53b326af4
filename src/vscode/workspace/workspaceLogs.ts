import * as vscode from 'vscode';
import type { Clock } from '../../core/ports/ports';
import { HeldLogs, type LogOpeners } from '../../core/workspace/heldLogs';
import type { WorkspacePorts, WorkspacePreferences } from '../../core/workspace/workspace';
import { Workspace } from '../../core/workspace/workspace';
import type { Engines } from '../../protocol/engines';
import { type WholeFileLogOptions, WholeFileObservationLog, WholeFileUsageLog } from '../../web/records/wholeFileLog';
import type { FileStamp, WholeFiles } from '../../web/records/wholeFiles';
import { mayWrite } from '../base/editorError';
import { uriIn } from '../base/folders';
import { entryKind, WorkspaceFileSource } from './workspaceFileSource';
import type { OpenedFolder } from './workspaceRegistry';

/** Files of one workspace folder through `vscode.workspace.fs`, for the logs that are kept there. */
class WorkspaceWholeFiles implements WholeFiles {
  constructor(private readonly folder: vscode.WorkspaceFolder) {}

  get isWritable(): boolean {
    return vscode.workspace.fs.isWritableFileSystem(this.folder.uri.scheme) !== false;
  }

  stat(path: string): Promise<FileStamp | undefined> {
    return orMissing(async () => {
      const { type, size, mtime } = await vscode.workspace.fs.stat(uriIn(this.folder, path));
      return { sizeBytes: size, mtimeMs: mtime, kind: entryKind(type) };
    });
  }

  read(path: string): Promise<Uint8Array | undefined> {
    return orMissing(async () => vscode.workspace.fs.readFile(uriIn(this.folder, path)));
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    await coded(async () => vscode.workspace.fs.writeFile(uriIn(this.folder, path), bytes));
  }

  async rename(from: string, to: string): Promise<void> {
    await coded(async () =>
      vscode.workspace.fs.rename(uriIn(this.folder, from), uriIn(this.folder, to), { overwrite: false }),
    );
  }

  async remove(path: string): Promise<void> {
    await orMissing(async () => vscode.workspace.fs.delete(uriIn(this.folder, path)));
  }

  async list(folder: string): Promise<readonly string[]> {
    const entries = await orMissing(async () => vscode.workspace.fs.readDirectory(uriIn(this.folder, folder)));
    return (entries ?? []).map(([name]) => name);
  }
}

async function orMissing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof vscode.FileSystemError && /^FileNot(Found|ADirectory)$/.test(error.code)) return undefined;
    throw withCode(error);
  }
}

async function coded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw withCode(error);
  }
}

/** The code alone: a file system's message may hold an absolute path. */
function withCode(cause: unknown): Error {
  return new Error(cause instanceof vscode.FileSystemError ? cause.code : 'Unavailable', { cause });
}

/** A folder that is reached through VS Code alone: it has no processes, and its records are held back in Restricted Mode. */
export function openVirtualFolder(
  folder: vscode.WorkspaceFolder,
  engines: Engines,
  ports: Pick<WorkspacePorts, 'clock' | 'logger' | 'editor' | 'cache'>,
  preferences: WorkspacePreferences,
): OpenedFolder & vscode.Disposable {
  const { engine, parser } = engines;
  const logs = new HeldLogs(workspaceLogs(folder, ports.clock), mayWrite, ports.logger);
  const { openObservationLog, openUsageLog } = logs;
  const files = new WorkspaceFileSource(folder);
  const own = { files, engine, parser, processes: undefined, openObservationLog, openUsageLog };
  const workspace = new Workspace({ ...ports, ...own }, preferences);
  return {
    workspace,
    releaseRecords: () => logs.release(),
    dispose: () => {
      workspace.dispose();
      engines.dispose();
    },
  };
}

/** Opens the logs of a folder. In a read-only one they can be read. */
function workspaceLogs(folder: vscode.WorkspaceFolder, clock: Clock): LogOpeners {
  const files = new WorkspaceWholeFiles(folder);
  const makeKey = (): string => crypto.randomUUID();
  const options = (path: string): WholeFileLogOptions => ({ files, path, clock, makeKey });
  return {
    openObservationLog: (path) => new WholeFileObservationLog(options(path)),
    openUsageLog: (path) => new WholeFileUsageLog(options(path)),
  };
}

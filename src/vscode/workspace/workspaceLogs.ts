import type * as vscode from 'vscode';
import type { Clock } from '../../core/ports/ports';
import type { LogOpeners } from '../../core/workspace/heldLogs';
import type { WholeFileLogOptions } from '../../web/records/wholeFileLog';
import { WholeFileObservationLog, WholeFileUsageLog } from '../../web/records/wholeFileLog';
import { WorkspaceWholeFiles } from './workspaceWholeFiles';

/** Opens the logs of a folder that is reached through VS Code alone. In a read-only one they can be read. */
export function workspaceLogs(folder: vscode.WorkspaceFolder, clock: Clock): LogOpeners {
  const files = new WorkspaceWholeFiles(folder);
  const makeKey = (): string => crypto.randomUUID();
  const options = (path: string): WholeFileLogOptions => ({ files, path, clock, makeKey });
  return {
    openObservationLog: (path) => new WholeFileObservationLog(options(path)),
    openUsageLog: (path) => new WholeFileUsageLog(options(path)),
  };
}

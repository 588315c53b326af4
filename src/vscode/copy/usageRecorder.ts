import * as vscode from 'vscode';
import { CONFIG_PATH } from '../../core/config/config';
import type { ContextReport } from '../../core/model/report';
import type { PayloadMode } from '../../core/model/section';
import type { Logger } from '../../core/ports/ports';
import { handleCitations } from '../../core/usage/usageDraft';
import type { UsageService } from '../../core/usage/usageService';
import { unlessMissing } from '../base/folders';
import { SETTINGS } from '../base/ids';
import { isSettingOn } from '../base/preferences';
import type { FolderWorkspace } from '../workspace/workspaceRegistry';

/** What the usage log says of a payload that a person copied. */
const COPY_TRIGGER = 'copy';

/**
 * Records what was copied. Runs in the background; failures are only logged. Writes nothing where
 * `contextBudget.recordUsage` is off, nor into virtual folders without a folder of ours.
 */
export class UsageRecorder {
  /** One after another, so that details follow the payload that they belong to. */
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly logger: Logger) {}

  /** A payload of `report` went to an agent: a cycle. */
  payload(active: FolderWorkspace, report: ContextReport, mode: PayloadMode): void {
    this.#record(active, (usage) => usage.record(report, { payload: mode, trigger: COPY_TRIGGER }));
  }

  /** What handles stand for went to an agent: citations of the newest cycle. */
  handles(active: FolderWorkspace, handles: readonly string[]): void {
    const { report } = active.workspace.snapshot;
    const cited = report ? handleCitations(report, handles) : [];
    if (report && cited.length > 0) this.#record(active, (usage) => usage.cite(report, cited, { isFollowUp: true }));
  }

  #record({ folder, workspace }: FolderWorkspace, write: (usage: UsageService) => Promise<unknown>): void {
    const { usage } = workspace;
    if (!usage || !isSettingOn(SETTINGS.recordUsage, true, folder)) return;
    this.#last = this.#last.then(async () => {
      try {
        if (await mayWrite(folder)) await write(usage);
      } catch (error) {
        this.logger.error(`What was copied in ${folder.name} could not be recorded`, error);
      }
    });
  }
}

/**
 * Whether a record may appear in the folder. On a disk Git ignores it; a virtual file system may show it as a change of
 * the repository, so there it needs a folder of ours that exists already.
 */
async function mayWrite({ uri }: vscode.WorkspaceFolder): Promise<boolean> {
  if (uri.scheme === 'file') return true;
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) return false;
  const own = await unlessMissing(() => vscode.workspace.fs.stat(vscode.Uri.joinPath(uri, CONFIG_PATH, '..')));
  return own !== undefined;
}

/** Whether what agents get from this folder is recorded: the setting is on, and a log may appear. */
export async function isUsageRecorded(folder: vscode.WorkspaceFolder): Promise<boolean> {
  return isSettingOn(SETTINGS.recordUsage, true, folder) && (await mayWrite(folder));
}

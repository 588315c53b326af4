import * as vscode from 'vscode';
import type { Logger } from '../core/ports';
import type { ContextReport, PayloadMode } from '../core/report/contextReport';
import { handleCitations } from '../core/usage/handleCitations';
import type { UsageService } from '../core/usage/usageService';
import { SETTINGS, SETTINGS_SECTION } from './ids';
import type { FolderSession } from './sessions';

/** What the usage log says of a payload that a person copied. */
const COPY_TRIGGER = 'copy';

/** Whose use is recorded. */
type Recorded = Pick<FolderSession, 'folder' | 'session'>;

/**
 * Records what was copied, behind the copying: nobody waits for it, and that it failed is told in the log alone, since the
 * copy is there. Nothing is written where somebody switched `contextBudget.recordUsage` off.
 */
export class UsageRecorder {
  readonly #logger: Logger;
  /** One after another, so that details follow the payload that they belong to. */
  #last: Promise<void> = Promise.resolve();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** A payload of `report` went to an agent: a cycle. */
  payload(active: Recorded, report: ContextReport, mode: PayloadMode): void {
    this.#record(active, (usage) => usage.record(report, { payload: mode, trigger: COPY_TRIGGER }));
  }

  /** What handles stand for went to an agent: citations of the newest cycle. */
  handles(active: Recorded, handles: readonly string[]): void {
    const { report } = active.session.snapshot;
    const cited = report ? handleCitations(report, handles) : [];
    if (report && cited.length > 0) this.#record(active, (usage) => usage.cite(report, cited, { isFollowUp: true }));
  }

  #record({ folder, session }: Recorded, write: (usage: UsageService) => Promise<unknown>): void {
    const { usage } = session;
    if (!usage || !isWanted(folder)) return;
    this.#last = this.#last.then(async () => {
      try {
        await write(usage);
      } catch (error) {
        this.#logger.error(`What was copied in ${folder.name} could not be recorded`, error);
      }
    });
  }
}

function isWanted(folder: vscode.WorkspaceFolder): boolean {
  return vscode.workspace.getConfiguration(SETTINGS_SECTION, folder.uri).get<boolean>(SETTINGS.recordUsage, true);
}

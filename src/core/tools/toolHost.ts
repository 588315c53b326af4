import type { ContextReport } from '../model/report';
import type { Logger } from '../ports/ports';
import { handleCitations } from '../usage/usageDraft';
import type { Workspace } from '../workspace/workspace';
import type { ToolHost } from './tool';

/** What a host adds to a workspace. */
export interface ToolHostOptions {
  readonly logger: Logger;
  /** Another tokenizer's counts, where the host's budget is counted by one; the workspace's else. */
  readonly countTokens?: (texts: readonly string[]) => Promise<readonly number[]>;
  /** Whether expansions go into the usage log. */
  readonly recordsUsage: boolean;
}

/** The report once its sections are all counted; what is known where that failed. */
async function countedReport(workspace: Workspace): Promise<ContextReport | undefined> {
  try {
    const { report } = await workspace.whenReady();
    return report?.payloads.expanded.budget.isExact ? report : undefined;
  } catch {
    // The workspace tells of it itself.
    return workspace.snapshot.report;
  }
}

async function cite(workspace: Workspace, handles: readonly string[], logger: Logger): Promise<void> {
  const record = async (report: ContextReport | undefined): Promise<void> => {
    const cited = report ? handleCitations(report, handles) : [];
    if (!report || cited.length === 0) return;
    try {
      await workspace.usage?.cite(report, cited, { isFollowUp: true });
    } catch (error) {
      logger.warn(`The citation was not recorded: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const { report } = workspace.snapshot;
  if (report?.payloads.expanded.budget.isExact) return record(report);
  // A citation may begin a cycle, which says what each section costs: the answer does not wait for that.
  void countedReport(workspace).then(record);
}

/** Tools over a workspace. */
export function workspaceToolHost(workspace: Workspace, options: ToolHostOptions): ToolHost {
  const { logger, countTokens, recordsUsage } = options;
  return {
    workspace,
    countTokens: countTokens ?? ((texts) => workspace.countTokens(texts)),
    problems: () => workspace.masked(workspace.snapshot.problems),
    cite: async (handles) => {
      if (recordsUsage) await cite(workspace, handles, logger);
    },
  };
}

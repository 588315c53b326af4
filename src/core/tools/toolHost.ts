import type { ContextReport } from '../model/report';
import type { Logger } from '../ports/ports';
import { handleCitations } from '../usage/usageDraft';
import type { Workspace } from '../workspace/workspace';
import type { ToolHost } from './tool';

/** What a host adds to a session. */
export interface ToolHostOptions {
  readonly logger: Logger;
  /** Another tokenizer's counts, where the host's budget is counted by one; the session's else. */
  readonly countTokens?: (texts: readonly string[]) => Promise<readonly number[]>;
  /** Whether expansions go into the usage log. */
  readonly recordsUsage: boolean;
}

function isExact(report: ContextReport | undefined): report is ContextReport {
  return report?.payloads.expanded.budget.isExact ?? false;
}

async function record(
  workspace: Workspace,
  report: ContextReport | undefined,
  handles: readonly string[],
  logger: Logger,
): Promise<void> {
  const cited = report ? handleCitations(report, handles) : [];
  if (!report || cited.length === 0) return;
  try {
    await workspace.usage?.cite(report, cited, { isFollowUp: true });
  } catch (error) {
    logger.warn(`The citation was not recorded: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A report whose sections are all counted; what is known where that failed, nothing where the session was closed. */
async function countedReport(session: Workspace): Promise<ContextReport | undefined> {
  try {
    const { report } = await session.whenReady();
    return isExact(report) ? report : undefined;
  } catch {
    // The session tells of it itself.
    return session.snapshot.report;
  }
}

async function cite(session: Workspace, handles: readonly string[], logger: Logger): Promise<void> {
  const { report } = session.snapshot;
  if (isExact(report)) return record(session, report, handles, logger);
  // A citation may begin a cycle, which says what each section costs: the answer does not wait for that.
  void countedReport(session).then((counted) => record(session, counted, handles, logger));
}

/** Tools over a session. */
export function workspaceToolHost(session: Workspace, options: ToolHostOptions): ToolHost {
  const { logger, countTokens, recordsUsage } = options;
  return {
    session,
    countTokens: countTokens ?? ((texts) => session.countTokens(texts)),
    problems: () => session.masked(session.snapshot.problems),
    cite: async (handles) => {
      if (recordsUsage) await cite(session, handles, logger);
    },
  };
}

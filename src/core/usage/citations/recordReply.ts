/** What an agent's reply becomes in the usage log: decides which payload it answers and which cycle it belongs to. */

import type { ContextReport } from '../../model/report';
import type { PayloadMode } from '../../model/section';
import type { Citation, UsageRecord } from '../usageRecord';
import type { UsageService } from '../usageService';

async function newestUse(usage: UsageService, profile: string): Promise<UsageRecord | undefined> {
  const [newest] = (await usage.records(1)).records;
  return newest?.profile === profile && newest.sections.length > 0 ? newest : undefined;
}

/** The kind of payload that the newest recorded use of the profile gave an agent, else `expanded`. */
export async function payloadAnswered(usage: UsageService | undefined, profile: string): Promise<PayloadMode> {
  return (usage && (await newestUse(usage, profile))?.payload) ?? 'expanded';
}

/**
 * Records what a reply cited: of the newest use, unless another reply is recorded for it already, else of a new one.
 * Details that were copied are no reply. @returns the cycle
 */
export async function recordReply(
  usage: UsageService,
  report: ContextReport,
  cited: readonly Citation[],
): Promise<number> {
  const newest = await newestUse(usage, report.profile);
  const isFollowUp = newest?.cited.every(({ evidence }) => evidence === 'handle') ?? false;
  return usage.cite(report, cited, { isFollowUp });
}

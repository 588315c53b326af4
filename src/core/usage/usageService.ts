/** What a workspace, and through it editor and CLI, does with the usage of its folder. */

import type { ContextReport } from '../model/report';
import type { PayloadMode } from '../model/section';
import type { UsageWindow } from '../model/usage';
import type { AggregateOptions } from './report/usageAggregator';
import type { UsageReport } from './report/usageReport';
import type { UsageRead } from './usageLog';
import type { Citation, UsageDraft } from './usageRecord';

/** One use of a payload. */
export interface UseRequest {
  readonly payload: PayloadMode;
  /** See `UsageDraft.trigger`. */
  readonly trigger: string;
  readonly cited?: readonly Citation[];
  readonly responseMs?: number;
  readonly observabilityScore?: number;
}

/** How citations find their cycle. */
export interface CiteOptions {
  /** To the newest cycle of the profile even if it was cited already: details are asked for one after another. */
  readonly isFollowUp?: boolean;
}

/** How much of the payload a provider's prompt cache still holds from the last recorded one of the same kind. */
export interface PrefixMatch {
  /** The cycle compared with. */
  readonly cycle: number;
  /** Leading tokens that are equal: whole sections, from the start. */
  readonly tokens: number;
  readonly totalTokens: number;
  /** First section that differs, is new or is gone; undefined when everything is equal. */
  readonly brokenBy: string | undefined;
  readonly how: 'equal' | 'changed' | 'added' | 'removed';
}

export interface UsageService {
  /** The newest cycles, as many as the config's `scoring.window`. */
  window(): Promise<UsageWindow>;
  /** The newest `cycles` records, oldest first. */
  records(cycles: number): Promise<UsageRead>;
  /** Records one use of that payload of `report`. @returns the cycle */
  record(report: ContextReport, request: UseRequest): Promise<number>;
  /** Records cycles that were made elsewhere; those whose `origin` is recorded already are left out. @returns cycles */
  recordDrafts(drafts: readonly UsageDraft[]): Promise<readonly number[]>;
  /**
   * Adds citations to the newest cycle when it is a use of the same profile without citations, else records a new
   * cycle of the expanded payload with them. @returns the cycle
   */
  cite(report: ContextReport, cited: readonly Citation[], options?: CiteOptions): Promise<number>;
  /** What the whole log says, in slices that hold the thread for milliseconds only. */
  report(options?: Pick<AggregateOptions, 'signal'>): Promise<UsageReport>;
}

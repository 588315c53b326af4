/** What a workspace, and through it editor and CLI, does with the usage of its folder. */

import type { ScoringConfig } from '../model/relevance';
import type { ContextReport } from '../model/report';
import type { PayloadMode } from '../model/section';
import type { UsageWindow } from '../model/usage';
import type { Clock } from '../ports/ports';
import type { LogRepair } from '../records/recordLog';
import { formatObservationTime } from '../text/time';
import { type AggregateOptions, aggregateUsage } from './report/usageAggregator';
import type { UsageReport } from './report/usageReport';
import { type UseRequest, usageDraft } from './usageDraft';
import { usageHistory } from './usageHistory';
import { readForWindow, type UsageLog, type UsageProblem, type UsageRead } from './usageLog';
import type { Citation, UsageDraft, UsageRecord } from './usageRecord';

/** How citations find their cycle. */
export interface CiteOptions {
  /** To the newest cycle of the profile even if it was cited already: details are asked for one after another. */
  readonly isFollowUp?: boolean;
  /** The kind of payload that the agent had; that of the newest cycle unless given, else expanded. */
  readonly payload?: PayloadMode | undefined;
  readonly responseMs?: number | undefined;
  /** See `UsageDraft.observabilityScore`. */
  readonly observabilityScore?: number | undefined;
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

/** What a service works with. */
interface LogUsageOptions {
  readonly log: UsageLog;
  /** Where the log lies, workspace-relative; for problems. */
  readonly path: string;
  /** Asked for with each call, since the config may change. */
  readonly scoring: () => ScoringConfig;
  readonly clock: Clock;
  /** Told after each writing, with what had to be repaired of killed writers. */
  readonly onDidRecord?: ((repairs: readonly LogRepair[]) => void) | undefined;
}

/** The usage of one log. Rejects with a `UsageError` where the log cannot be read or written. */
export class LogUsageService {
  /** Citations one after another: each has to see the cycle that the one before may have made. */
  #lastCite: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: LogUsageOptions) {}

  /** The newest cycles, as many as the config's `scoring.window`. */
  async window(): Promise<UsageWindow> {
    return (await this.readWindow()).window;
  }

  /** The window, and bad lines, renamed sections and a clock that went back, each once. */
  async readWindow(): Promise<{ readonly window: UsageWindow; readonly problems: readonly UsageProblem[] }> {
    const { log, path, scoring } = this.options;
    const { window: size, roiThresholds } = scoring();
    const { records, problems } = await readForWindow(log, size);
    const { window, facts } = usageHistory(records, size, roiThresholds);
    return { window, problems: [...problems, ...facts.map((why) => ({ path, line: undefined, why }))] };
  }

  /** The newest `cycles` records, oldest first. */
  records(cycles: number): Promise<UsageRead> {
    return this.options.log.readNewest(cycles);
  }

  /** Records one use of that payload of `report`. @returns the cycle */
  async record(report: ContextReport, request: UseRequest): Promise<number> {
    const [cycle = 0] = await this.recordDrafts([usageDraft(report, request, this.#now, this.options.scoring().mode)]);
    return cycle;
  }

  /** Records cycles that were made elsewhere; those whose `origin` is recorded already are left out. @returns cycles */
  async recordDrafts(drafts: readonly UsageDraft[]): Promise<readonly number[]> {
    if (drafts.length === 0) return [];
    // Sections of a draft are those of a report, which was made in the mode that holds now.
    const { mode } = this.options.scoring();
    const { cycles, repairs } = await this.options.log.append(drafts.map((draft) => ({ mode, ...draft })));
    if (cycles.length > 0) this.options.onDidRecord?.(repairs);
    return cycles;
  }

  /**
   * Adds citations to the newest cycle when it is a use of the same profile without citations. Else they get a new cycle:
   * a use again of the payload that was handed out last, or of the report's own where none was. @returns the cycle
   */
  cite(report: ContextReport, cited: readonly Citation[], options: CiteOptions = {}): Promise<number> {
    const citing = this.#lastCite.then(() => this.#citeNow(report, cited, options));
    this.#lastCite = citing.catch(() => undefined);
    return citing;
  }

  /** What the whole log says, in slices that hold the thread for milliseconds only. */
  report({ signal }: Pick<AggregateOptions, 'signal'>): Promise<UsageReport> {
    const { log, scoring, clock } = this.options;
    return aggregateUsage(log.readAll(), { thresholds: scoring().roiThresholds, clock, signal });
  }

  async #citeNow(
    report: ContextReport,
    cited: readonly Citation[],
    { isFollowUp, payload, responseMs, observabilityScore }: CiteOptions,
  ): Promise<number> {
    const newest = await newestUse(this, report.profile, payload);
    const measures = {
      ...(responseMs === undefined ? {} : { responseMs }),
      ...(observabilityScore === undefined ? {} : { observabilityScore }),
    };
    const isJoined = newest && (isFollowUp || isOpen(newest));
    if (!newest || !(isJoined || isHandedOut(newest))) {
      const mode = payload ?? newest?.payload ?? 'expanded';
      return this.record(report, { payload: mode, trigger: 'cite', cited, ...measures });
    }
    const [cycle = newest.cycle] = isJoined ? [] : await this.recordDrafts([usedAgain(newest, this.#now)]);
    // A reply without a citation says something too: the cycle is judged.
    await this.options.log.amend(cycle, { profile: newest.profile, ts: this.#now, cited, ...measures });
    this.options.onDidRecord?.([]);
    return cycle;
  }

  get #now(): string {
    return formatObservationTime(new Date(this.options.clock.now()));
  }
}

/** The usage service for callers that record and read but do not create it. */
export type UsageService = Omit<LogUsageService, 'readWindow'>;

/** The newest cycle, where it is a use by that profile, of that kind of payload where one is given. */
async function newestUse(
  usage: Pick<UsageService, 'records'>,
  profile: string,
  kind: PayloadMode | undefined,
): Promise<UsageRecord | undefined> {
  const [newest] = (await usage.records(1)).records;
  if (newest?.profile !== profile || newest.sections.length === 0) return undefined;
  return kind === undefined || kind === (newest.payload ?? 'expanded') ? newest : undefined;
}

/** True for a payload that an agent got; other cycles are made of the report as it was when they were found. */
function isHandedOut({ trigger, origin }: UsageRecord): boolean {
  return trigger !== 'cite' && origin === undefined;
}

/** True for a use that no reply has joined: handed out, or of a log that does not tell. */
function isOpen(record: UsageRecord): boolean {
  const { judged, cited } = record;
  return judged === false || (judged === undefined && isHandedOut(record) && cited.length === 0);
}

/** Another use of a payload that an agent still has, which a reply is to join. */
function usedAgain(before: UsageRecord, ts: string): UsageDraft {
  const { trigger, profile, sections, mode, payload, overheadTokens, overheadChars, map, queryHash } = before;
  const overhead = { overheadTokens, overheadChars };
  return { ts, trigger, profile, sections, cited: [], mode, payload, ...overhead, map, queryHash, judged: false };
}

/** What a reply answers: the kind of payload, and what is recorded of it. */
export interface AnsweredPayload {
  readonly mode: PayloadMode;
  readonly given: UsageRecord | undefined;
}

/**
 * The payload that the newest recorded use of the profile gave an agent; where none of that kind was handed out, it is
 * the one that there is now. @param kind that of the newest use unless given, else expanded
 */
export async function payloadAnswered(
  usage: UsageService | undefined,
  profile: string,
  kind?: PayloadMode,
): Promise<AnsweredPayload> {
  const newest = usage && (await newestUse(usage, profile, kind));
  return { mode: kind ?? newest?.payload ?? 'expanded', given: newest && isHandedOut(newest) ? newest : undefined };
}

/**
 * Records what a reply cited: of the newest use, unless another reply is recorded for it already, else of a new one.
 * Details that were copied are no reply. @returns the cycle
 */
export async function recordReply(
  usage: UsageService,
  report: ContextReport,
  cited: readonly Citation[],
  had: Omit<CiteOptions, 'isFollowUp'> = {},
): Promise<number> {
  const newest = await newestUse(usage, report.profile, had.payload);
  const hasHandlesOnly = newest !== undefined && newest.cited.length > 0 && newest.cited.every(isHandle);
  return usage.cite(report, cited, { ...had, isFollowUp: hasHandlesOnly });
}

function isHandle({ evidence }: Citation): boolean {
  return evidence === 'handle';
}

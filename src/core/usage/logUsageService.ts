import type { ScoringConfig } from '../model/relevance';
import type { ContextReport } from '../model/report';
import type { UsageWindow } from '../model/usage';
import type { Clock } from '../ports/ports';
import type { LogRepair } from '../records/recordLog';
import { formatObservationTime } from '../text/time';
import { type AggregateOptions, aggregateUsage } from './report/usageAggregator';
import type { UsageReport } from './report/usageReport';
import { usageDraft } from './usageDraft';
import { usageHistory } from './usageHistory';
import type { UsageLog, UsageProblem, UsageRead } from './usageLog';
import type { Citation, UsageDraft } from './usageRecord';
import type { CiteOptions, UsageService, UseRequest } from './usageService';

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

/** A window with problems of its log. */
interface UsageWindowRead {
  readonly window: UsageWindow;
  readonly problems: readonly UsageProblem[];
}

/** `UsageService` over a log. Rejects with a `UsageError` where the log cannot be read or written. */
export class LogUsageService implements UsageService {
  readonly #options: LogUsageOptions;
  /** Citations one after another: each has to see the cycle that the one before may have made. */
  #lastCite: Promise<unknown> = Promise.resolve();

  constructor(options: LogUsageOptions) {
    this.#options = options;
  }

  async window(): Promise<UsageWindow> {
    return (await this.readWindow()).window;
  }

  /** The window, and bad lines, renamed sections and a clock that went back, each once. */
  async readWindow(): Promise<UsageWindowRead> {
    const { log, path, scoring } = this.#options;
    const { window: size, roiThresholds } = scoring();
    const { records, problems } = await log.readNewest(size);
    const { window, facts } = usageHistory(records, size, roiThresholds);
    return { window, problems: [...problems, ...facts.map((why) => ({ path, line: undefined, why }))] };
  }

  records(cycles: number): Promise<UsageRead> {
    return this.#options.log.readNewest(cycles);
  }

  async record(report: ContextReport, request: UseRequest): Promise<number> {
    const [cycle = 0] = await this.recordDrafts([usageDraft(report, request, this.#now, this.#options.scoring().mode)]);
    return cycle;
  }

  async recordDrafts(drafts: readonly UsageDraft[]): Promise<readonly number[]> {
    if (drafts.length === 0) return [];
    // Sections of a draft are those of a report, which was made in the mode that holds now.
    const { mode } = this.#options.scoring();
    const { cycles, repairs } = await this.#options.log.append(drafts.map((draft) => ({ mode, ...draft })));
    if (cycles.length > 0) this.#options.onDidRecord?.(repairs);
    return cycles;
  }

  cite(report: ContextReport, cited: readonly Citation[], options: CiteOptions = {}): Promise<number> {
    const citing = this.#lastCite.then(() => this.#citeNow(report, cited, options));
    this.#lastCite = citing.catch(() => undefined);
    return citing;
  }

  report({ signal }: Pick<AggregateOptions, 'signal'> = {}): Promise<UsageReport> {
    const { log, scoring, clock } = this.#options;
    return aggregateUsage(log.readAll(), { thresholds: scoring().roiThresholds, clock, signal });
  }

  async #citeNow(
    report: ContextReport,
    cited: readonly Citation[],
    { isFollowUp = false }: CiteOptions,
  ): Promise<number> {
    const [newest] = (await this.records(1)).records;
    const isOpen = newest?.profile === report.profile && newest.sections.length > 0;
    if (!isOpen || (newest.cited.length > 0 && !isFollowUp))
      return this.record(report, { payload: 'expanded', trigger: 'cite', cited });
    if (cited.length > 0) {
      await this.#options.log.amend(newest.cycle, newest.profile, this.#now, cited);
      this.#options.onDidRecord?.([]);
    }
    return newest.cycle;
  }

  get #now(): string {
    return formatObservationTime(new Date(this.#options.clock.now()));
  }
}

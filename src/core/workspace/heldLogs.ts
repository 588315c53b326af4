import { HeldObservationLog } from '../observations/heldObservationLog';
import type { ObservationLog } from '../observations/observationLog';
import { repairText } from '../observations/observationLog';
import type { Logger } from '../ports/ports';
import { HeldUsageLog } from '../usage/heldUsageLog';
import type { UsageLog } from '../usage/usageLog';

/** How a host opens the logs of a folder, by workspace-relative paths. */
export interface LogOpeners {
  readonly openObservationLog: (path: string) => ObservationLog;
  readonly openUsageLog: (path: string) => UsageLog;
}

/**
 * The logs of a folder into which nothing may be written until `mayWrite` says so: what is recorded meanwhile is kept in
 * memory. A log has one memory, however often it is opened.
 */
export class HeldLogs implements LogOpeners {
  readonly #observations = new Map<string, HeldObservationLog>();
  readonly #usage = new Map<string, HeldUsageLog>();

  constructor(
    private readonly openers: LogOpeners,
    private readonly mayWrite: () => boolean,
    private readonly logger: Logger,
  ) {}

  readonly openObservationLog = (path: string): ObservationLog => {
    const log =
      this.#observations.get(path) ?? new HeldObservationLog(this.openers.openObservationLog(path), this.mayWrite);
    this.#observations.set(path, log);
    return log;
  };

  readonly openUsageLog = (path: string): UsageLog => {
    const log = this.#usage.get(path) ?? new HeldUsageLog(this.openers.openUsageLog(path), this.mayWrite);
    this.#usage.set(path, log);
    return log;
  };

  /**
   * Writes what was kept, now that it may be written. Never rejects: what could not be written is told in the log, stays in
   * memory and is tried again with the next record.
   * @returns paths of the logs that have got something
   */
  async release(): Promise<readonly string[]> {
    const written: string[] = [];
    for (const [path, log] of [...this.#observations, ...this.#usage]) {
      try {
        const { hasWritten, repairs } = await log.release();
        for (const repair of repairs) this.logger.warn(repairText(path, repair));
        if (hasWritten) written.push(path);
      } catch (error) {
        this.logger.error(`What was kept in memory could not be written into ${path}`, error);
      }
    }
    return written;
  }
}

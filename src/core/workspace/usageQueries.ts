import { isUsageFile } from '../files/usageFiles';
import type { Problem } from '../model/problem';
import { makeProblem } from '../model/problem';
import type { UsageWindow } from '../model/usage';
import { repairText } from '../observations/observationLog';
import { type Phrase, phrase } from '../text/phrase';
import { usageProblemWords } from '../usage/usageLog';
import { UsageError } from '../usage/usageRecord';
import { LogUsageService } from '../usage/usageService';
import type { WorkspaceEvent, WorkspacePorts, WorkspaceState } from './workspaceState';

interface WindowState {
  readonly window: UsageWindow | undefined;
  readonly problems: readonly Problem[];
}

const NOTHING: WindowState = { window: undefined, problems: [] };

/**
 * The usage log of a workspace: opened at the first use, again when the config names another file. The window is read
 * once and again only after the log or its settings changed.
 */
export class UsageQueries {
  #open: { readonly path: string; readonly service: LogUsageService } | undefined;
  #reading: { readonly key: string; readonly state: Promise<WindowState> } | undefined;
  #state: WindowState = NOTHING;

  constructor(
    private readonly ports: WorkspacePorts,
    private readonly workspace: WorkspaceState,
  ) {}

  /** Of the log that the config names; undefined in hosts that keep none. */
  get service(): LogUsageService | undefined {
    const { openUsageLog, clock, logger } = this.ports;
    if (!openUsageLog) return undefined;
    const path = this.workspace.config.usageLog;
    if (this.#open?.path !== path) {
      const service = new LogUsageService({
        log: openUsageLog(path),
        path,
        scoring: () => this.workspace.config.scoring,
        clock,
        onDidRecord: (repairs) => {
          for (const repair of repairs) logger.warn(repairText(path, repair));
          this.#reading = undefined;
          this.workspace.reportWanted.fire();
        },
      });
      this.#open = { path, service };
    }
    return this.#open.service;
  }

  /** Of the last reading. */
  get problems(): readonly Problem[] {
    return this.#state.problems;
  }

  /** The window of the last reading; undefined before one, in mode `off`, and where there is no log. */
  get window(): UsageWindow | undefined {
    return this.#state.window;
  }

  /** Takes an event in: whether the log must be read again. */
  take(event: WorkspaceEvent): void {
    const log = this.workspace.config.usageLog;
    const isTold =
      event.kind === 'rescan' ||
      (event.kind === 'files' && [...event.changed, ...event.removed].some((path) => isUsageFile(log, path)));
    if (isTold) this.#reading = undefined;
  }

  /** Reads the window if it is not as the log is. Never rejects. */
  async refresh(): Promise<void> {
    const { usageLog, scoring } = this.workspace.config;
    const service = scoring.mode === 'off' ? undefined : this.service;
    const key = JSON.stringify([service && usageLog, scoring.window, scoring.roiThresholds]);
    if (this.#reading?.key !== key) this.#reading = { key, state: this.#read(service, usageLog) };
    const reading = this.#reading;
    const state = await reading.state;
    // Recorded meanwhile: the next round reads again, and what is here is as good as before.
    if (this.#reading === reading || !this.#reading) this.#state = state;
  }

  async #read(service: LogUsageService | undefined, path: string): Promise<WindowState> {
    if (!service) return NOTHING;
    try {
      const { window, problems } = await service.readWindow();
      return {
        window,
        problems: problems.map((problem) => warning(usageProblemWords(problem), problem.path, problem.line)),
      };
    } catch (error) {
      if (!UsageError.is(error)) this.ports.logger.error(`${path} could not be read`, error);
      const words = UsageError.is(error)
        ? error.words
        : phrase('{0} could not be read. See the log for details.', path);
      return { window: undefined, problems: [warning(words, path, undefined)] };
    }
  }
}

function warning(words: Phrase, path: string, line: number | undefined): Problem {
  return makeProblem('file', 'warning', words, { path, line });
}

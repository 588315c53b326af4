/** When numbers of the folder go to the user's OpenTelemetry receiver. No vscode in here. */
import type { Clock, Disposable, Logger, ProcessOutcome } from '../../core/ports/ports';

/** What the user's settings say. */
export interface MetricOptions {
  /** URL of the receiver; empty: the standard variables name it. */
  readonly endpoint: string;
  /** Ids of the user's own sections and the folder's name are sent as they are, not as hashes. */
  readonly withNames: boolean;
  /** Milliseconds between two exports of a folder. */
  readonly intervalMs: number;
}

/** Runs `export --otlp` on a folder. May reject. */
export type SendMetrics = (
  root: string,
  options: MetricOptions,
  signal: AbortSignal,
) => Promise<Pick<ProcessOutcome, 'kind' | 'stdout' | 'stderr'>>;

/** What there is to send. */
export interface WantedMetrics {
  /** Absolute. */
  readonly root: string;
  /** Another object whenever numbers may differ. */
  readonly report: object;
  readonly options: MetricOptions;
}

/** What is remembered of a folder's last export that was not ended early, across windows and restarts. */
export interface LastExport {
  /** When it began. */
  readonly atMs: number;
  /** Settings that it was sent by. */
  readonly by: string;
}

/** Several changes in a row are one export, and the first waits until the editor has started. */
const SETTLE_MS = 5_000;

function settingsOf({ endpoint, withNames }: MetricOptions): string {
  return `${endpoint} ${withNames}`;
}

/** What the command line said last, without its label. */
function reasonOf({ kind, stderr }: Pick<ProcessOutcome, 'kind' | 'stderr'>): string {
  const said =
    stderr
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^(?:error|warning): /, '') ?? '';
  return said === '' ? kind : said;
}

/**
 * Sends when the report changed, at most once an interval and one at a time. What fails is told in one line of the log and
 * is due again after the interval: totals are those of the usage log, so the next export has them all.
 */
export class MetricSchedule implements Disposable {
  #wanted: WantedMetrics | undefined;
  #timer: { readonly key: string; readonly timer: Disposable } | undefined;
  #sending: AbortController | undefined;
  /** Reports that were sent last, by folder. */
  readonly #sent = new Map<string, object>();

  constructor(
    private readonly send: SendMetrics,
    private readonly last: {
      get(root: string): LastExport | undefined;
      set(root: string, last: LastExport): void;
    },
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Call with what there is after every change; undefined: nothing yet. What is under way goes on. */
  look(wanted: WantedMetrics | undefined): void {
    this.#wanted = wanted;
    this.#plan();
  }

  /** Call when nothing may be sent: what is under way ends too, and counts as not sent. */
  stop(): void {
    this.look(undefined);
    this.#sending?.abort();
  }

  dispose(): void {
    this.stop();
  }

  #plan(): void {
    const { root, report, options } = this.#wanted ?? {};
    if (root === undefined || !options || this.#sending || this.#sent.get(root) === report) {
      this.#stopTimer();
      return;
    }
    const key = JSON.stringify([root, options]);
    // Further changes don't put it off.
    if (this.#timer?.key === key) return;
    this.#stopTimer();
    const last = this.last.get(root);
    // Other settings are tried at once.
    const dueMs = last?.by === settingsOf(options) ? last.atMs + options.intervalMs - this.clock.now() : 0;
    const timer = this.clock.schedule(() => void this.#run(), Math.max(SETTLE_MS, dueMs));
    this.#timer = { key, timer };
  }

  #stopTimer(): void {
    this.#timer?.timer.dispose();
    this.#timer = undefined;
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    const wanted = this.#wanted;
    if (!wanted) return;
    const { root, report, options } = wanted;
    const sending = new AbortController();
    this.#sending = sending;
    const last = { atMs: this.clock.now(), by: settingsOf(options) };
    try {
      const outcome = await this.send(root, options, sending.signal);
      if (outcome.stdout.startsWith('Sent ')) {
        this.#sent.set(root, report);
        this.logger.info(`OpenTelemetry: ${outcome.stdout.trim()}`);
      } else if (!sending.signal.aborted) this.logger.warn(`OpenTelemetry: ${reasonOf(outcome)}`);
    } catch (error) {
      this.logger.warn(`OpenTelemetry: ${String(error)}`);
    } finally {
      if (!sending.signal.aborted) this.last.set(root, last);
      this.#sending = undefined;
    }
    this.#plan();
  }
}

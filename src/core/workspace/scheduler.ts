/**
 * When a workspace works: the *listing* loop (config, files) and the *report* loop (sections, report) run beside the symbol
 * index, so that a slow index never delays the panel; each takes what is dirty, and runs again until nothing is. A map for
 * a task begins listing and index alone and waits for no section.
 */
import type { WorkingQuery } from '../repomap/ranking/workingQuery';
import { CoalescingLoop } from './coalescingLoop';
import type { SymbolIndexing } from './indexing/symbolIndexing';

/** What the loops do. */
interface WorkSteps {
  refreshListing(): Promise<void>;
  /** @param follow takes what a round is due after: sections that are still being read */
  refreshReport(follow: (late: Promise<unknown>) => void): Promise<void>;
  /** Told of a step that rejected. */
  fail(cause: unknown): void;
}

export class Scheduler {
  readonly #listing: CoalescingLoop;
  readonly #reports: CoalescingLoop;
  #isListed = false;
  #isStarted = false;
  /** Sections that are still being read after the loop went on without them. */
  #late: Promise<void> | undefined;
  /** What `#late` waits for. */
  #followed: Promise<unknown> | undefined;

  /** @param stopped fires when the workspace was disposed */
  constructor(
    steps: WorkSteps,
    private readonly indexing: SymbolIndexing,
    private readonly stopped: AbortSignal,
  ) {
    const onError = (cause: unknown): void => steps.fail(cause);
    this.#listing = new CoalescingLoop(() => steps.refreshListing(), onError);
    this.#reports = new CoalescingLoop(async () => {
      await this.#listing.idle();
      if (!this.stopped.aborted && !this.#listing.failure) await steps.refreshReport((late) => this.#follow(late));
    }, onError);
  }

  /** Config and files are read: since the first start, or the first map for a task. */
  get isListed(): boolean {
    return this.#isListed;
  }

  /** Reports are made. */
  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** Whether sections are still being read after the report went on without them. */
  get isLate(): boolean {
    return this.#late !== undefined;
  }

  start(): void {
    if (this.#isStarted || this.stopped.aborted) return;
    this.#isStarted = true;
    if (!this.#isListed) this.requestListing();
    this.requestReport();
  }

  /** Config and files are looked at again, as far as they are stale. */
  requestListing(): void {
    this.#isListed = true;
    this.#listing.request();
  }

  /** Does nothing before the start. */
  requestReport(): void {
    if (this.#isStarted) this.#reports.request();
  }

  /** Resolves when config and files are read; begins no report. @throws what reading failed with */
  async listed(signal: AbortSignal): Promise<void> {
    this.#list();
    while (!this.#isOver(signal) && !this.#listing.isIdle) await this.#listing.idle();
    this.#throwFailure([this.#listing]);
  }

  /** Resolves when sections are read, whatever the index is at. @throws what the last work failed with */
  async collected(signal: AbortSignal): Promise<void> {
    this.start();
    while (!this.#isOver(signal) && !this.#isCollected) await this.#loops();
    this.#throwFailure();
  }

  /** Resolves when nothing is under way. @throws what the last work failed with */
  async idle(signal: AbortSignal): Promise<void> {
    this.start();
    while (!this.#isOver(signal)) {
      await this.#loops();
      await this.indexing.idle();
      await this.#late;
      if (this.#isCollected && this.indexing.isIdle && !this.#late) break;
    }
    this.#throwFailure();
  }

  /**
   * Resolves when a map for a task can be made, whatever the report is at.
   * @param learn reads what else tells which files a task is about
   * @throws what listing or index failed with
   */
  async mappable(query: WorkingQuery, learn?: () => Promise<void>): Promise<void> {
    const calm = this.indexing.hurry();
    try {
      this.#list();
      while (!this.stopped.aborted) {
        await this.#listing.idle();
        await this.indexing.usable();
        if (this.#listing.isIdle && this.indexing.isUsable) break;
      }
    } finally {
      calm();
    }
    this.#throwFailure([this.#listing, this.indexing]);
    // Which files count for the task depends on it.
    await learn?.();
    await this.indexing.prepare(query);
  }

  /** No step begins after this call. */
  stop(): void {
    this.#listing.stop();
    this.#reports.stop();
  }

  /** Makes one more report when the slow sections are there, or failed: the report says which. */
  #follow(late: Promise<unknown>): void {
    if (this.#followed === late) return;
    this.#followed = late;
    const reportAgain = (): void => {
      if (this.#followed === late) this.#followed = this.#late = undefined;
      this.#reports.request();
    };
    this.#late = late.then(reportAgain, reportAgain);
  }

  #list(): void {
    if (!this.#isListed && !this.stopped.aborted) this.requestListing();
  }

  #isOver(signal: AbortSignal): boolean {
    return signal.aborted || this.stopped.aborted;
  }

  get #isCollected(): boolean {
    return this.#listing.isIdle && this.#reports.isIdle;
  }

  async #loops(): Promise<void> {
    await this.#listing.idle();
    await this.#reports.idle();
  }

  #throwFailure(
    parts: readonly Pick<CoalescingLoop, 'failure'>[] = [this.#listing, this.#reports, this.indexing],
  ): void {
    for (const { failure } of parts) if (failure) throw failure.cause;
  }
}

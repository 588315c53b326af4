/**
 * `Workspace` over ports: makes the parts, each from parts made before it, and takes events to them. What an earlier part
 * has to tell a later one, it fires through an emitter. `scheduler.ts` decides when work is done, `workspaceReader.ts` and
 * `symbolIndexing.ts` read, `reportLoop.ts` makes reports, `queries.ts` answers.
 */

import type { EngineRestart } from '../engine/engine';
import type { MapResult } from '../engine/map';
import type { Problem } from '../model/problem';
import type { IndexStats } from '../model/repoMap';
import type { ContextReport } from '../model/report';
import type { PayloadMode } from '../model/section';
import type { ObservationService } from '../observations/observationService';
import { type Disposable, NEVER_ABORTED } from '../ports/ports';
import { phrase } from '../text/phrase';
import type { CitingTurn } from '../usage/citations/findCitations';
import type { Citation } from '../usage/usageRecord';
import type { UsageService } from '../usage/usageService';
import { AgentQueries } from './agentQueries';
import type { DetailAnswer, ResolvedHandles } from './detailResolver';
import { EditorSymbolIndexer } from './indexing/editorSymbolSource';
import { SymbolIndexing } from './indexing/symbolIndexing';
import { InstructionQueries } from './instructionQueries';
import { MapFiles } from './mapFiles';
import { WorkspaceObservations } from './observationQueries';
import { Queries } from './queries';
import { WorkspaceReader } from './reading/workspaceReader';
import { ReportLoop } from './reportLoop';
import { Scheduler } from './scheduler';
import { SnapshotStream } from './snapshotStream';
import { UsageQueries } from './usageQueries';
import type {
  IndexProgress,
  MapOptions,
  SecretOptions,
  Workspace,
  WorkspaceEvent,
  WorkspacePorts,
  WorkspacePreferences,
  WorkspaceSnapshot,
} from './workspace';
import { WorkspaceState } from './workspaceState';

export class ContextWorkspace implements Workspace {
  readonly #state: WorkspaceState;
  readonly #observations: WorkspaceObservations;
  readonly #usage: UsageQueries;
  readonly #agents: AgentQueries;
  readonly #instructions: InstructionQueries;
  readonly #reader: WorkspaceReader;
  readonly #indexing: SymbolIndexing;
  readonly #snapshots: SnapshotStream;
  readonly #editorSymbols: EditorSymbolIndexer;
  readonly #reports: ReportLoop;
  readonly #work: Scheduler;
  readonly #queries: Queries;
  readonly #restarts: Disposable | undefined;
  readonly #ended = new AbortController();

  constructor(
    private readonly ports: WorkspacePorts,
    preferences: WorkspacePreferences,
  ) {
    const state = new WorkspaceState(ports.clock, preferences);
    this.#state = state;
    this.#observations = new WorkspaceObservations(ports, state);
    this.#usage = new UsageQueries(ports, state);
    this.#agents = new AgentQueries(ports);
    this.#instructions = new InstructionQueries(ports);
    this.#reader = new WorkspaceReader(ports, state, this.#observations);
    const reading = { reader: this.#reader, mapFiles: new MapFiles(state, this.#reader) };
    this.#indexing = new SymbolIndexing(ports, state, reading.mapFiles);
    this.#snapshots = new SnapshotStream(ports.files.rootName, state, this.#indexing.status.current);
    this.#editorSymbols = new EditorSymbolIndexer(ports, state, { ...reading, indexing: this.#indexing });
    const parts = {
      ...reading,
      indexing: this.#indexing,
      editorSymbols: this.#editorSymbols,
      usage: this.#usage,
      agents: this.#agents,
      instructions: this.#instructions,
      snapshots: this.#snapshots,
    };
    const reports = new ReportLoop(ports, state, parts, this.#ended.signal);
    this.#reports = reports;
    const steps = {
      refreshListing: () => this.#refreshListing(),
      refreshReport: (follow: (late: Promise<unknown>) => void) => reports.refresh(follow),
      fail: (cause: unknown) => reports.fail(phrase('The context could not be put together'), cause),
    };
    this.#work = new Scheduler(steps, this.#indexing, this.#ended.signal);
    this.#queries = new Queries(ports, state, this, this.#work, this.#reader);
    state.reportWanted.on(() => this.#work.requestReport());
    this.#indexing.status.didChange.on((index) => this.#snapshots.setIndex(index));
    this.#indexing.didChange.on(() => {
      this.#editorSymbols.request();
      this.#work.requestReport();
    });
    this.#indexing.didFail.on((cause) => reports.fail(phrase('The symbol index could not be made'), cause));
    this.#restarts = ports.engine.onDidRestart?.((restart) => this.#refill(restart));
  }

  get snapshot(): WorkspaceSnapshot {
    return this.#snapshots.current;
  }

  get problems(): readonly Problem[] {
    return this.#reports.problems;
  }

  get observations(): ObservationService | undefined {
    return this.#observations.service;
  }

  get usage(): UsageService | undefined {
    return this.#usage.service;
  }

  onDidChange(listener: (snapshot: WorkspaceSnapshot) => void): Disposable {
    return this.#snapshots.didChange.on(listener);
  }

  onDidChangeIndex(listener: (index: IndexProgress) => void): Disposable {
    return this.#indexing.status.didChange.on(listener);
  }

  stopIndexing(): void {
    this.#indexing.stop();
  }

  resumeIndexing(): void {
    this.#indexing.resume();
  }

  start(): void {
    this.#work.start();
  }

  async whenListed(signal: AbortSignal = NEVER_ABORTED): Promise<WorkspaceSnapshot> {
    await this.#work.listed(signal);
    // The first report may still be on its way.
    if (this.snapshot.config !== this.#state.config) this.#reports.emit({});
    return this.snapshot;
  }

  async whenReady(signal: AbortSignal = NEVER_ABORTED): Promise<WorkspaceSnapshot> {
    await this.#work.idle(signal);
    // The caller gets what is true now, not the focus of a second ago.
    if (this.#state.focus.settle()) {
      this.#work.requestReport();
      await this.#work.idle(signal);
    }
    return this.snapshot;
  }

  async whenCollected(signal: AbortSignal = NEVER_ABORTED): Promise<WorkspaceSnapshot> {
    await this.#work.collected(signal);
    return this.snapshot;
  }

  async unmasked(): Promise<ContextReport> {
    await this.whenReady();
    return this.#reports.unmasked();
  }

  notify(event: WorkspaceEvent): void {
    if (!this.#work.isListed) return;
    this.#usage.take(event);
    this.#agents.take(event);
    this.#instructions.take(event);
    const change = this.#reader.take(event);
    if (change.length > 0) this.#indexing.request(change);
    this.#work.requestListing();
    this.#work.requestReport();
  }

  update(preferences: Partial<WorkspacePreferences>): void {
    this.#state.preferences = { ...this.#state.preferences, ...preferences };
    // How observations are counted depends on them.
    this.#reader.outdate();
    if (this.#work.isListed) this.#work.requestListing();
    this.#work.requestReport();
  }

  refresh(): void {
    this.#reader.forgetAll();
    this.#usage.forget();
    this.#agents.forget();
    this.#instructions.forget();
    this.resumeIndexing();
    this.start();
    this.#work.requestListing();
    this.#work.requestReport();
  }

  detail(handles: readonly string[], options?: SecretOptions): Promise<DetailAnswer> {
    return this.#queries.detail(handles, options);
  }

  resolve(handles: readonly string[]): Promise<ResolvedHandles> {
    return this.#queries.resolve(handles);
  }

  isOpenable(path: string): Promise<boolean> {
    return this.#queries.isOpenable(path);
  }

  masked<T>(value: T): Promise<T> {
    return this.#queries.masked(value);
  }

  countTokens(texts: readonly string[]): Promise<readonly number[]> {
    return this.#queries.countTokens(texts);
  }

  map(options: MapOptions): Promise<MapResult> {
    return this.#queries.map(options);
  }

  findCitations(
    turns: readonly CitingTurn[],
    payload: PayloadMode = 'expanded',
  ): Promise<readonly (readonly Citation[])[]> {
    return this.#queries.findCitations(turns, payload);
  }

  indexStats(): Promise<IndexStats> {
    return this.#queries.indexStats();
  }

  dispose(): void {
    this.#ended.abort();
    this.#indexing.dispose();
    this.#state.dispose();
    this.#work.stop();
    this.#reader.dispose();
    this.#editorSymbols.dispose();
    this.#restarts?.dispose();
    this.#snapshots.didChange.dispose();
  }

  async #refreshListing(): Promise<void> {
    const isNewListing = await this.#reader.prepare(this.#ended.signal);
    if (this.#ended.signal.aborted) return;
    if (isNewListing) this.#indexing.request('all');
    // Callers that make no reports get config and problems here.
    if (!this.#work.isStarted) this.#reports.emit({ problems: this.problems });
  }

  /** The engine lost its memory: fill it again, unless that is what kills it. */
  #refill({ reason, shouldRefill }: EngineRestart): void {
    this.ports.logger.warn(`The engine was started again: ${reason}`);
    this.#indexing.reset();
    this.#editorSymbols.reset();
    if (!shouldRefill) {
      const why = phrase('its worker ended again and again; the log says more');
      this.#reports.fail(phrase('The symbol index was given up'), new Error(reason), why);
      return;
    }
    this.#indexing.request('all');
  }
}

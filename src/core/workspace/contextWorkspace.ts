/**
 * `Session` over ports: turns events into snapshots. Loops run beside each other, so that a slow index never delays the
 * panel: the *listing* loop (config, files), the *report* loop (sections, report) and those of the symbol index. Each takes
 * what is dirty, works, and goes round again until nothing is. A map for a task needs listing and index alone: it begins
 * these two and waits for no section. The loops live in `sessionWork.ts`, reading in `sectionReader.ts`, indexing in
 * `symbolIndexing.ts`, what a report is made of in `sessionReports.ts`, other answers in `sessionAnswers.ts`.
 */

import { type Config, profileOf } from '../config/config';
import type { EngineRestart } from '../engine/engine';
import type { MapResult } from '../engine/map';
import type { Problem } from '../model/problem';
import type { Profile } from '../model/profile';
import type { IndexStats } from '../model/repoMap';
import type { ContextReport } from '../model/report';
import type { PayloadMode } from '../model/section';
import type { ObservationService } from '../observations/observationService';
import { type Disposable, NEVER_ABORTED } from '../ports/ports';
import type { WorkingQuery } from '../repomap/ranking/workingQuery';
import { phrase } from '../text/phrase';
import type { CitingTurn } from '../usage/citations/findCitations';
import type { Citation } from '../usage/usageRecord';
import type { UsageService } from '../usage/usageService';
import { AgentQueries } from './agentQueries';
import type { DetailAnswer, ResolvedHandles } from './detailResolver';
import { SessionEditorSymbols } from './indexing/editorSymbolSource';
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
  WorkspaceState,
} from './workspace';

export class ContextWorkspace implements Workspace {
  readonly #ports: WorkspacePorts;
  readonly #reader: WorkspaceReader;
  readonly #mapFiles: MapFiles;
  readonly #indexing: SymbolIndexing;
  readonly #editorSymbols: SessionEditorSymbols;
  readonly #snapshots: SnapshotStream;
  readonly #work: Scheduler;
  readonly #observations: WorkspaceObservations;
  readonly #usage: UsageQueries;
  readonly #agents: AgentQueries;
  readonly #instructions: InstructionQueries;
  readonly #reports: ReportLoop;
  readonly #answers: Queries;
  readonly #restarts: Disposable | undefined;
  readonly #ended = new AbortController();
  #preferences: WorkspacePreferences;

  constructor(ports: WorkspacePorts, preferences: WorkspacePreferences) {
    this.#ports = ports;
    this.#preferences = preferences;
    this.#observations = new WorkspaceObservations(ports, () => this.#state);
    this.#usage = new UsageQueries(
      ports,
      () => this.#config,
      () => this.#work.requestReport(),
    );
    this.#agents = new AgentQueries(ports);
    this.#instructions = new InstructionQueries(ports);
    const readObservations = () => this.#observations.readSection();
    this.#reader = new WorkspaceReader(ports, () => this.#work.requestReport(), readObservations);
    this.#mapFiles = new MapFiles(this.#reader);
    this.#indexing = this.#makeIndexing();
    const steps = {
      refreshListing: () => this.#refreshListing(),
      refreshReport: () => this.#reports.refresh(),
      fail: (cause: unknown) => this.#reports.fail(phrase('The context could not be put together'), cause),
    };
    this.#work = new Scheduler(steps, this.#indexing, this.#ended.signal);
    this.#snapshots = new SnapshotStream(ports.files.rootName, preferences, this.#indexing.status.current);
    this.#indexing.status.onDidChange((index) => this.#snapshots.setIndex(index));
    const sources = { reader: this.#reader, indexing: this.#indexing };
    this.#editorSymbols = new SessionEditorSymbols(ports, sources, () => this.#work.requestReport());
    this.#reports = this.#makeReports();
    this.#answers = new Queries(ports, () => this.#state, this, this.#work, this.#reader);
    this.#restarts = ports.engine.onDidRestart?.((restart) => this.#refill(restart));
  }

  get snapshot(): WorkspaceSnapshot {
    return this.#snapshots.current;
  }

  get problems(): readonly Problem[] {
    const parts = [this.#reader, this.#mapFiles, this.#indexing, this.#usage];
    return parts.flatMap(({ problems }) => problems);
  }

  get observations(): ObservationService | undefined {
    return this.#observations.service;
  }

  get usage(): UsageService | undefined {
    return this.#usage.service;
  }

  onDidChange(listener: (snapshot: WorkspaceSnapshot) => void): Disposable {
    return this.#snapshots.onDidChange(listener);
  }

  onDidChangeIndex(listener: (index: IndexProgress) => void): Disposable {
    return this.#indexing.status.onDidChange(listener);
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
    if (this.snapshot.config !== this.#config) this.#reports.emit({});
    return this.snapshot;
  }

  async whenReady(signal: AbortSignal = NEVER_ABORTED): Promise<WorkspaceSnapshot> {
    await this.#work.idle(signal);
    // Who waits wants a state that is right now, not one that is still a second behind.
    if (this.#reports.settle()) {
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
    this.#preferences = { ...this.#preferences, ...preferences };
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
    return this.#answers.detail(handles, options);
  }

  resolve(handles: readonly string[]): Promise<ResolvedHandles> {
    return this.#answers.resolve(handles);
  }

  isOpenable(path: string): Promise<boolean> {
    return this.#answers.isOpenable(path);
  }

  countTokens(texts: readonly string[]): Promise<readonly number[]> {
    return this.#answers.countTokens(texts);
  }

  map(options: MapOptions): Promise<MapResult> {
    return this.#answers.map(options);
  }

  findCitations(
    turns: readonly CitingTurn[],
    payload: PayloadMode = 'expanded',
  ): Promise<readonly (readonly Citation[])[]> {
    return this.#answers.findCitations(turns, payload);
  }

  indexStats(): Promise<IndexStats> {
    return this.#answers.indexStats();
  }

  dispose(): void {
    this.#ended.abort();
    this.#indexing.dispose();
    this.#reports.dispose();
    this.#work.stop();
    this.#reader.dispose();
    this.#editorSymbols.dispose();
    this.#restarts?.dispose();
    this.#snapshots.close();
  }

  get #config(): Config {
    return this.#reader.config;
  }

  get #profile(): Profile {
    return profileOf(this.#config, this.#preferences.profile);
  }

  get #state(): WorkspaceState {
    return {
      config: this.#config,
      profile: this.#profile,
      preferences: this.#preferences,
      query: this.#query,
      sections: this.#reports.sections,
      report: this.snapshot.report,
    };
  }

  /** What maps are made for: the task, else what is being worked on. */
  get #query(): WorkingQuery {
    const task = this.#preferences.task?.trim() ?? '';
    return task === '' ? this.#reports.workingQuery : { query: task, focusPaths: [] };
  }

  async #refreshListing(): Promise<void> {
    const isNewListing = await this.#reader.prepare(this.#ended.signal);
    if (this.#ended.signal.aborted) return;
    if (isNewListing) this.#indexing.request('all');
    // Who works without reports reads config and problems here.
    if (!this.#work.isStarted) this.#reports.emit({ problems: this.problems });
  }

  #makeReports(): ReportLoop {
    const parts = {
      reader: this.#reader,
      indexing: this.#indexing,
      editorSymbols: this.#editorSymbols,
      usage: this.#usage,
      agents: this.#agents,
      instructions: this.#instructions,
      snapshots: this.#snapshots,
    };
    const owner = {
      state: () => this.#state,
      problems: () => this.problems,
      requestReport: () => this.#work.requestReport(),
      follow: (late: Promise<unknown>) => this.#work.follow(late),
    };
    return new ReportLoop(this.#ports, parts, owner, this.#ended.signal);
  }

  #makeIndexing(): SymbolIndexing {
    return new SymbolIndexing(this.#ports, {
      allFiles: () => this.#mapFiles.all(),
      among: (paths) => this.#mapFiles.among(paths),
      maxFileBytes: () => this.#config.repoMap.maxFileBytes,
      query: () => this.#query,
      onDidChange: () => {
        this.#editorSymbols.request();
        this.#work.requestReport();
      },
      onDidFail: (cause) => this.#reports.fail(phrase('The symbol index could not be made'), cause),
    });
  }

  /** The engine lost its memory: fill it again, unless that is what kills it. */
  #refill({ reason, shouldRefill }: EngineRestart): void {
    this.#ports.logger.warn(`The engine was started again: ${reason}`);
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

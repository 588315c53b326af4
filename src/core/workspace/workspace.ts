/**
 * One folder, watched, as a stream of snapshots: makes the parts over ports, takes events to them, and answers questions
 * beside the snapshots. `scheduler.ts` decides when work is done, `workspaceReader.ts` and `symbolIndexing.ts` read,
 * `reportLoop.ts` makes reports; how anything looks is up to the host.
 */
import type { EngineRestart } from '../engine/engine';
import type { MapResult } from '../engine/map';
import type { Problem } from '../model/problem';
import type { MapSymbol } from '../model/repoMap';
import type { ContextReport, PayloadReport } from '../model/report';
import type { Disclosure, PayloadMode, SectionDefinition } from '../model/section';
import type { ObservationService } from '../observations/observationService';
import { type Disposable, NEVER_ABORTED } from '../ports/ports';
import { maskStrings } from '../secrets/masking';
import { phrase } from '../text/phrase';
import type { CountingWork } from '../tokens/lines';
import type { GivenPayload } from '../usage/citations/citablePayload';
import type { CitingTurn } from '../usage/citations/findCitations';
import type { Citation, UsageRecord } from '../usage/usageRecord';
import type { UsageService } from '../usage/usageService';
import { AgentQueries } from './agentQueries';
import { ChangeQueries } from './changeQueries';
import type { TextBlock } from './codeLines';
import { masksFor } from './detailMasks';
import { DetailQueries } from './detailQueries';
import type { DetailAnswer, DetailOptions, ResolvedHandles } from './detailResolver';
import { EditorSymbolIndexer } from './indexing/editorSymbolSource';
import { ProjectReader } from './indexing/projectReader';
import { SymbolIndexing } from './indexing/symbolIndexing';
import { InstructionQueries } from './instructionQueries';
import { MapFiles } from './mapFiles';
import { MapQueries } from './mapQueries';
import { WorkspaceReader } from './reading/workspaceReader';
import { ReportLoop, type ReportParts } from './reportLoop';
import { Scheduler } from './scheduler';
import { CountCache } from './symbolCache/countCache';
import { UsageQueries } from './usageQueries';
import { WorkspaceObservations } from './workspaceObservations';
import {
  type IndexProgress,
  type MapOptions,
  type WorkspaceEvent,
  type WorkspacePorts,
  type WorkspacePreferences,
  type WorkspaceSnapshot,
  WorkspaceState,
} from './workspaceState';

export type {
  IndexProgress,
  MapOptions,
  SecretOptions,
  WorkspaceEvent,
  WorkspacePorts,
  WorkspacePreferences,
  WorkspaceSnapshot,
} from './workspaceState';

export class Workspace implements Disposable {
  readonly #state: WorkspaceState;
  readonly #observations: WorkspaceObservations;
  readonly #parts: ReportParts;
  readonly #reports: ReportLoop;
  readonly #work: Scheduler;
  readonly #maps: MapQueries;
  readonly #details: DetailQueries;
  readonly #restarts: Disposable | undefined;
  readonly #ended = new AbortController();

  constructor(
    private readonly ports: WorkspacePorts,
    preferences: WorkspacePreferences,
  ) {
    const state = new WorkspaceState(ports.clock, preferences);
    this.#state = state;
    this.#observations = new WorkspaceObservations(ports, state);
    const reader = new WorkspaceReader(ports, state, this.#observations);
    const mapFiles = new MapFiles(state, reader);
    const indexing = new SymbolIndexing(ports, state, mapFiles);
    const editorSymbols = new EditorSymbolIndexer(ports, state, { reader, mapFiles, indexing });
    const usage = new UsageQueries(ports, state);
    const [agents, instructions] = [
      new AgentQueries(ports),
      new InstructionQueries(ports, () => state.preferences.isTrusted),
    ];
    const counts = new CountCache(ports.cache, ports.engine, ports.logger);
    const project = new ProjectReader(ports, state, mapFiles);
    const changes = new ChangeQueries(ports, state);
    this.#parts = { reader, mapFiles, indexing, project, changes, editorSymbols, usage, agents, instructions, counts };
    const reports = new ReportLoop(ports, state, this.#parts, this.#ended.signal);
    this.#reports = reports;
    const steps = {
      refreshListing: () => this.#refreshListing(),
      refreshReport: (follow: (late: Promise<unknown>) => void) => reports.refresh(follow),
      fail: (cause: unknown) => reports.fail(phrase('The context could not be built'), cause),
    };
    const work = new Scheduler(steps, indexing, this.#ended.signal);
    this.#work = work;
    this.#maps = new MapQueries(ports, state, { changes, project, work, counts }, this.#ended.signal);
    this.#details = new DetailQueries(ports, state, { reader, indexing, maps: this.#maps, work }, this);
    state.reportWanted.on(() => this.#work.requestReport());
    indexing.status.didChange.on((index) => reports.setIndex(index));
    indexing.didChange.on(() => {
      editorSymbols.request();
      if (reports.followsIndex) this.#work.requestReport();
    });
    indexing.didFail.on((cause) => reports.fail(phrase('The symbol index could not be built'), cause));
    this.#restarts = ports.engine.onDidRestart?.((restart) => this.#refill(restart));
  }

  get snapshot(): WorkspaceSnapshot {
    return this.#reports.snapshot;
  }

  /** What is wrong now, before the next snapshot says so. */
  get problems(): readonly Problem[] {
    return this.#reports.problems;
  }

  /** What happened, in layers; undefined where the host keeps no observations. Follows the config's path. */
  get observations(): ObservationService | undefined {
    return this.#observations.service;
  }

  /** How payloads were used; undefined where the host keeps no log. Follows the config's path; what is recorded makes a new snapshot. */
  get usage(): UsageService | undefined {
    return this.#parts.usage.service;
  }

  /** Called after each new snapshot; disposing the result stops it. */
  onDidChange(listener: (snapshot: WorkspaceSnapshot) => void): Disposable {
    return this.#reports.didChange.on(listener);
  }

  /** Called when `snapshot.index` changed: at once for a new phase, else at most four times a second. */
  onDidChangeIndex(listener: (index: IndexProgress) => void): Disposable {
    return this.#parts.indexing.status.didChange.on(listener);
  }

  /** Ends the work on the symbol index until `resumeIndexing`; what is indexed stays in use. Nothing happens when it is ready. */
  stopIndexing(): void {
    this.#parts.indexing.stop();
  }

  resumeIndexing(): void {
    this.#parts.indexing.resume();
  }

  /** Begins to collect; later calls do nothing. A map for a task and `whenListed` need no start. */
  start(): void {
    this.#work.start();
  }

  /** Resolves with a snapshot of the config once files are listed. Makes no report; one may be there. */
  async whenListed(signal: AbortSignal = NEVER_ABORTED): Promise<WorkspaceSnapshot> {
    await this.#work.listed(signal);
    // The first report may still be on its way.
    if (this.snapshot.config !== this.#state.config) this.#reports.emit({});
    return this.snapshot;
  }

  /** Resolves with a complete, exact snapshot that includes every event notified before the call. */
  async whenReady(signal: AbortSignal = NEVER_ABORTED): Promise<WorkspaceSnapshot> {
    await this.#work.idle(signal);
    // The caller gets what is true now, not the focus of a second ago.
    if (this.#state.focus.settle()) {
      this.#work.requestReport();
      await this.#work.idle(signal);
    }
    return this.snapshot;
  }

  /** Resolves with a snapshot of config and sections; symbols may still be missing, and what is slow to read. */
  async whenCollected(signal: AbortSignal = NEVER_ABORTED): Promise<WorkspaceSnapshot> {
    await this.#work.collected(signal);
    return this.snapshot;
  }

  /** What the sections of a report are defined by; instruction files that are in `rules` alone have no definition. */
  definitions({ payloads }: ContextReport): readonly SectionDefinition[] {
    const ids = new Set(payloads.expanded.sections.map(({ id }) => id));
    return this.#state.sections.filter(({ id }) => ids.has(id));
  }

  /** The complete report as it is now with its secrets. */
  async unmasked(): Promise<ContextReport> {
    await this.whenReady();
    return this.#reports.unmasked();
  }

  notify(event: WorkspaceEvent): void {
    if (!this.#work.isListed) return;
    const { usage, agents, instructions, project, changes, reader, indexing } = this.#parts;
    for (const part of [usage, project, changes]) part.take(event);
    const withLinks = reader.withLinks(event);
    for (const part of [agents, instructions]) part.take(withLinks);
    const change = reader.take(event);
    if (change.length > 0) indexing.request(change);
    this.#work.requestListing();
    this.#work.requestReport();
  }

  update(preferences: Partial<WorkspacePreferences>): void {
    this.#state.preferences = { ...this.#state.preferences, ...preferences };
    // How observations are counted depends on them.
    this.#parts.reader.outdate();
    this.#parts.project.outdate();
    this.#parts.changes.outdate();
    if (this.#work.isListed) this.#work.requestListing();
    this.#work.requestReport();
  }

  /** Forgets everything read and collects again. */
  refresh(): void {
    this.resumeIndexing();
    this.start();
    this.notify({ kind: 'rescan' });
  }

  detail(handles: readonly string[], options: DetailOptions = {}): Promise<DetailAnswer> {
    return this.#details.detail(handles, options);
  }

  /** The whole texts behind handles, for hosts that fit them themselves. Waits for symbols only where a handle needs them. */
  resolve(handles: readonly string[]): Promise<ResolvedHandles> {
    return this.#details.resolve(handles);
  }

  /**
   * The symbols of a name, masked, as far as the index knows the files that hold it; of the first `sized` ones with the
   * tokens of their detail. @throws NotScanned
   */
  findNames(name: string, sized: number): ReturnType<DetailQueries['findNames']> {
    return this.#details.findNames(name, sized);
  }

  /**
   * The lines of code that hold a text or most of its words, masked, the best first, as far as the index knows the files
   * that hold it. @throws NotScanned
   */
  findLines(text: string): Promise<readonly TextBlock[]> {
    return this.#details.findLines(text);
  }

  /** What the detail of each symbol costs, parallel to `symbols`; undefined where its file cannot be read. */
  symbolTokens(symbols: readonly MapSymbol[]): Promise<readonly (number | undefined)[]> {
    return this.#details.symbolTokens(symbols);
  }

  /** Whether a `file:` handle may open the file at `path`, normalized; says nothing of whether it is there. */
  async isOpenable(path: string): Promise<boolean> {
    await this.whenListed();
    return this.#parts.reader.isOpenable(path);
  }

  /** Files below a folder, by its normalized path; none for what is no folder. */
  async filesBelow(folder: string): Promise<readonly string[]> {
    await this.whenListed();
    return [...this.#parts.reader.files].filter((path) => path.startsWith(`${folder}/`));
  }

  /** Exact counts by the preferences' tokenizer, parallel to `texts`. */
  countTokens(texts: readonly string[]): Promise<readonly number[]> {
    return this.ports.engine.countTokens({ texts, tokenizer: this.#state.preferences.tokenizer });
  }

  /** What the tokenizer had to do so far; the rest was known. */
  countingWork(): Promise<CountingWork> {
    return this.ports.engine.countingWork(this.#state.preferences.tokenizer);
  }

  /** What did not come from the engine, such as messages of problems, without secrets. @throws NotScanned */
  async masked<T>(value: T): Promise<T> {
    return maskStrings(value, await masksFor(this.ports.engine, value));
  }

  /** Reads what changed since the main branch, for nothing but its failure. @throws ChangesError */
  async requireChanges(): Promise<void> {
    await this.#parts.changes.since(undefined, this.#ended.signal);
  }

  /** The paths of what changed since the main branch, masked; for this the index need know nothing. @throws ChangesError */
  async changedPaths(): Promise<{ readonly base: string; readonly paths: readonly string[] }> {
    return this.masked(await this.#parts.changes.paths(this.#ended.signal));
  }

  /** For a task: as soon as the files that it may show are in the index as they are now; no section is waited for. */
  map(options: MapOptions): Promise<MapResult> {
    return this.#maps.map(options);
  }

  /**
   * The payload that a use recorded, as far as it can be made again: of today's texts, with the sections hidden that were
   * hidden then. Without a record as it is now. Undefined without a report. Waits for a complete snapshot.
   */
  async payloadGiven(mode: PayloadMode, given?: UsageRecord): Promise<PayloadReport | undefined> {
    const { report } = await this.whenReady();
    if (!given || !report) return report?.payloads[mode];
    const idsOf = (...shown: readonly Disclosure[]) =>
      given.sections.flatMap(({ id, disclosure }) => (shown.includes(disclosure) ? [id] : []));
    const disclosures = { shown: idsOf('full', 'summary'), stubs: idsOf('stub') };
    const then = await this.#reports.asGiven({ mode: given.mode ?? 'baseline', ...disclosures });
    return then.payloads[mode];
  }

  /**
   * What of a payload (`payloadGiven`; the expanded one as it is now unless told) each turn gives evidence of having used,
   * parallel to the turns. Waits for a complete snapshot. Nothing is recorded.
   */
  async findCitations(
    turns: readonly CitingTurn[],
    payload?: PayloadReport,
    given?: GivenPayload,
  ): Promise<readonly (readonly Citation[])[]> {
    const { report } = await this.whenReady();
    const asked = payload ?? report?.payloads.expanded;
    return asked ? this.ports.engine.findCitations({ payload: asked, given, turns }) : turns.map(() => []);
  }

  /** Ends the work on the index and keeps what it has found and counted, for a process that ends with its answer. Never rejects. */
  async saveIndex(): Promise<void> {
    this.#parts.indexing.stop();
    await Promise.all([this.#parts.indexing.save(), this.#parts.counts.save(this.#state.preferences.tokenizer)]);
  }

  dispose(): void {
    this.#ended.abort();
    this.#parts.indexing.dispose();
    this.#state.dispose();
    this.#work.stop();
    this.#parts.reader.dispose();
    this.#parts.editorSymbols.dispose();
    this.#restarts?.dispose();
    this.#reports.didChange.dispose();
  }

  async #refreshListing(): Promise<void> {
    this.#parts.indexing.expectFiles(this.#state.preferences.task ?? '');
    const isNewListing = await this.#parts.reader.prepare(this.#ended.signal);
    if (this.#ended.signal.aborted) return;
    if (isNewListing) {
      this.#parts.indexing.request('all');
      this.#parts.project.outdate();
    }
    // Callers that make no reports get config and problems here.
    if (!this.#work.isStarted) this.#reports.emit({ problems: this.problems });
  }

  /** The engine lost its memory: fill it again, unless that is what kills it. */
  #refill({ reason, shouldRefill }: EngineRestart): void {
    this.ports.logger.warn(`The engine was started again: ${reason}`);
    this.#parts.indexing.reset();
    this.#parts.project.reset();
    this.#parts.editorSymbols.reset();
    this.#parts.counts.reset();
    if (!shouldRefill) {
      const why = phrase('its worker keeps failing; see the log');
      this.#reports.fail(phrase('The symbol index stopped'), new Error(reason), why);
      return;
    }
    this.#parts.indexing.request('all');
  }
}

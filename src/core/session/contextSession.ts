/**
 * `Session` over ports: turns events into snapshots. Loops run beside each other, so that a slow index never delays the
 * panel: the *listing* loop (config, files), the *report* loop (sections, report) and those of the symbol index. Each takes
 * what is dirty, works, and goes round again until nothing is. A map for a task needs listing and index alone: it begins
 * these two and waits for no section. The loops live in `sessionWork.ts`, reading in `sectionReader.ts`, indexing in
 * `symbolIndexing.ts`.
 */
import { markLoaded } from '../agents/markLoaded';
import { capChars } from '../budget/profile';
import { type Config, profileOf } from '../config/config';
import type { EngineRestart, IndexStats, MapResult } from '../engine';
import type { ObservationService } from '../observations/observationService';
import type { Disposable } from '../ports';
import { type Cancel, NEVER_CANCELLED } from '../ports';
import { languageOf } from '../repomap/languages';
import type { WorkingQuery } from '../repomap/workingQuery';
import type { PayloadMode, Problem } from '../report/contextReport';
import { makeProblem } from '../report/problem';
import type { CollectedSection } from '../sections/section';
import { asGiven, inEnglish, type Phrase, phrase } from '../text/phrase';
import type { CitingTurn } from '../usage/citations/findCitations';
import type { Citation } from '../usage/usageRecord';
import type { UsageService } from '../usage/usageService';
import { answerDetail, type DetailWorld, type ResolvedHandles, resolveHandles } from './detailResolver';
import { EditorSymbolIndexer } from './editorSymbolIndexer';
import { mapFiles } from './mapFiles';
import { SectionReader } from './sectionReader';
import { sectionText } from './sectionText';
import type {
  DetailAnswer,
  IndexProgress,
  MapOptions,
  Session,
  SessionEvent,
  SessionPorts,
  SessionPreferences,
  SessionSnapshot,
} from './session';
import { SessionAgents } from './sessionAgents';
import { SessionInstructions } from './sessionInstructions';
import { SessionObservations } from './sessionObservations';
import { SessionUsage } from './sessionUsage';
import { SessionWork } from './sessionWork';
import { SnapshotStream } from './snapshotStream';
import { SymbolIndexing } from './symbolIndexing';
import { WorkingFocus } from './workingFocus';
import { WorkspaceGrammars } from './workspaceGrammars';

/** How long sections may take before the rest is shown without them. */
const PATIENCE_MS = 250;

export class ContextSession implements Session {
  readonly #ports: SessionPorts;
  readonly #reader: SectionReader;
  readonly #grammars: WorkspaceGrammars;
  readonly #indexing: SymbolIndexing;
  readonly #editorSymbols: EditorSymbolIndexer | undefined;
  readonly #snapshots: SnapshotStream;
  readonly #work: SessionWork;
  readonly #observations: SessionObservations;
  readonly #usage: SessionUsage;
  readonly #agents: SessionAgents;
  readonly #instructions: SessionInstructions;
  readonly #disposables: Disposable[] = [];
  readonly #cancel = { isCancelled: false };
  #preferences: SessionPreferences;
  #sections: readonly CollectedSection[] = [];
  /** A counted report was shown: after that, an estimate would only take the number back. */
  #isCounted = false;
  readonly #working: WorkingFocus;
  /** Times that the editor's symbols changed the index. */
  #editorRevision = 0;

  constructor(ports: SessionPorts, preferences: SessionPreferences) {
    this.#ports = ports;
    this.#preferences = preferences;
    this.#observations = new SessionObservations(ports, () => ({
      config: this.#config,
      profile: profileOf(this.#config, this.#preferences.profile),
      tokenizer: this.#preferences.tokenizer,
    }));
    this.#usage = new SessionUsage(
      ports,
      () => this.#config,
      () => this.#work.requestReport(),
    );
    this.#agents = new SessionAgents(ports);
    this.#instructions = new SessionInstructions(ports);
    const readObservations = () => this.#observations.readSection();
    this.#reader = new SectionReader(ports, () => this.#work.requestReport(), readObservations);
    this.#grammars = new WorkspaceGrammars(ports);
    this.#indexing = this.#makeIndexing();
    const steps = {
      refreshListing: () => this.#refreshListing(),
      refreshReport: () => this.#refreshReport(),
      fail: (cause: unknown) => this.#fail(phrase('The context could not be put together'), cause),
    };
    this.#work = new SessionWork(steps, this.#indexing, this.#cancel);
    this.#snapshots = new SnapshotStream(ports.files.rootName, preferences, this.#indexing.status.current);
    this.#indexing.status.onDidChange((index) => this.#snapshots.setIndex(index));
    this.#working = new WorkingFocus(ports.clock, () => this.#work.requestReport());
    this.#editorSymbols = this.#makeEditorSymbols();
    if (this.#editorSymbols) this.#disposables.push(this.#editorSymbols);
    const restarts = ports.engine.onDidRestart?.((restart) => this.#refill(restart));
    if (restarts) this.#disposables.push(restarts);
  }

  get snapshot(): SessionSnapshot {
    return this.#snapshots.current;
  }

  get problems(): readonly Problem[] {
    return [...this.#reader.problems, ...this.#grammars.problems, ...this.#indexing.problems, ...this.#usage.problems];
  }

  get observations(): ObservationService | undefined {
    return this.#observations.service;
  }

  get usage(): UsageService | undefined {
    return this.#usage.service;
  }

  onDidChange(listener: (snapshot: SessionSnapshot) => void): Disposable {
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

  async whenListed(cancel: Cancel = NEVER_CANCELLED): Promise<SessionSnapshot> {
    await this.#work.listed(cancel);
    // The first report may still be on its way.
    if (this.snapshot.config !== this.#config) this.#emit({});
    return this.snapshot;
  }

  async whenReady(cancel: Cancel = NEVER_CANCELLED): Promise<SessionSnapshot> {
    await this.#work.idle(cancel);
    // Who waits wants a state that is right now, not one that is still a second behind.
    if (this.#working.settle()) {
      this.#work.requestReport();
      await this.#work.idle(cancel);
    }
    return this.snapshot;
  }

  async whenCollected(cancel: Cancel = NEVER_CANCELLED): Promise<SessionSnapshot> {
    await this.#work.collected(cancel);
    return this.snapshot;
  }

  notify(event: SessionEvent): void {
    if (!this.#work.isListed) return;
    this.#usage.take(event);
    this.#agents.take(event);
    this.#instructions.take(event);
    const change = this.#reader.take(event);
    if (event.kind === 'files') this.#grammars.take([...event.changed, ...event.removed]);
    if (event.kind === 'rescan') this.#grammars.forget();
    if (change.length > 0) this.#indexing.request(change);
    this.#work.requestListing();
    this.#work.requestReport();
  }

  update(preferences: Partial<SessionPreferences>): void {
    this.#preferences = { ...this.#preferences, ...preferences };
    if (this.#work.isListed) this.#work.requestListing();
    this.#work.requestReport();
  }

  refresh(): void {
    this.#reader.forgetAll();
    this.#usage.forget();
    this.#agents.forget();
    this.#instructions.forget();
    this.resumeIndexing();
    this.#grammars.forget();
    this.start();
    this.#work.requestListing();
    this.#work.requestReport();
  }

  async detail(handles: readonly string[]): Promise<DetailAnswer> {
    await this.#readyFor(handles);
    const profile = profileOf(this.#config, this.#preferences.profile);
    return answerDetail(this.#detailWorld, handles, profile, this.#preferences.tokenizer);
  }

  async resolve(handles: readonly string[]): Promise<ResolvedHandles> {
    await this.#readyFor(handles);
    return resolveHandles(this.#detailWorld, handles);
  }

  /** Lines of a file and observations need no symbol index, which takes its time in a large folder. */
  async #readyFor(handles: readonly string[]): Promise<void> {
    const needsAll = handles.some((handle) => /^\s*(?:sym|section):/.test(handle));
    const areFiles = handles.every((handle) => /^\s*file:/.test(handle));
    await (needsAll ? this.whenReady() : areFiles ? this.whenListed() : this.whenCollected());
  }

  countTokens(texts: readonly string[]): Promise<readonly number[]> {
    return this.#ports.engine.countTokens(texts, this.#preferences.tokenizer);
  }

  async map(options: MapOptions): Promise<MapResult> {
    const isPlain = options.query === undefined && options.focusPaths === undefined;
    const asked = isPlain ? this.#query : { query: this.#preferences.task ?? '', focusPaths: [] };
    const query = options.query?.trim() ?? asked.query;
    const focusPaths = options.focusPaths ?? asked.focusPaths;
    this.#warmTokenizer();
    if (query === '') await this.#work.idle(NEVER_CANCELLED);
    else await this.#work.mappable({ query, focusPaths });
    return this.#ports.engine.buildMap({
      tokenizer: this.#preferences.tokenizer,
      budgetTokens: options.budgetTokens ?? profileOf(this.#config, this.#preferences.profile).mapTokens,
      focusPaths,
      query,
      withReasons: options.withReasons ?? false,
      ...(options.leftOut ? { leftOut: options.leftOut } : {}),
    });
  }

  async findCitations(
    turns: readonly CitingTurn[],
    payload: PayloadMode = 'expanded',
  ): Promise<readonly (readonly Citation[])[]> {
    const { report } = await this.whenReady();
    if (!report) return turns.map(() => []);
    return this.#ports.engine.findCitations({ payload: report.payloads[payload], turns });
  }

  async indexStats(): Promise<IndexStats> {
    await this.whenReady();
    return this.#ports.engine.stats();
  }

  dispose(): void {
    this.#cancel.isCancelled = true;
    this.#indexing.dispose();
    this.#working.dispose();
    this.#work.stop();
    this.#reader.dispose();
    for (const disposable of this.#disposables) disposable.dispose();
    this.#snapshots.close();
  }

  get #config(): Config {
    return this.#reader.config;
  }

  /** Where texts behind handles come from. */
  get #detailWorld(): DetailWorld {
    const { engine, files } = this.#ports;
    const { detailTokens } = profileOf(this.#config, this.#preferences.profile);
    return {
      engine,
      files,
      maxFileBytes: this.#config.repoMap.maxFileBytes,
      observation: async (id) => (await this.observations?.details([id]))?.items[0],
      sectionText: (id) =>
        sectionText(id, {
          sections: this.#sections,
          report: this.snapshot.report,
          detailTokens,
          mapText: async (budgetTokens) => (await this.map({ budgetTokens })).text,
        }),
    };
  }

  /** Has the engine start, and load its tokenizer, while files are read. What it fails with is told by the call that needs it. */
  #warmTokenizer(): void {
    this.#ports.engine.countTokens([], this.#preferences.tokenizer).catch(() => undefined);
  }

  /** What maps are made for: the task, else what is being worked on. */
  get #query(): WorkingQuery {
    const task = this.#preferences.task?.trim() ?? '';
    return task === '' ? this.#working.current : { query: task, focusPaths: [] };
  }

  /** What a map depends on. */
  get #mapKey(): string {
    const { mapTokens } = profileOf(this.#config, this.#preferences.profile);
    const isReady = this.#indexing.isReadyFor(this.#query);
    const { revision } = this.#indexing;
    return JSON.stringify([
      revision,
      this.#editorRevision,
      isReady,
      this.#query,
      mapTokens,
      this.#preferences.tokenizer,
    ]);
  }

  async #refreshListing(): Promise<void> {
    const isNewListing = await this.#reader.prepare(this.#cancel);
    if (this.#cancel.isCancelled) return;
    if (isNewListing) {
      this.#indexing.request('all');
    } else if (this.#grammars.needsRefresh(this.#config.repoMap.grammars, this.#preferences.isTrusted)) {
      this.#indexing.recheck();
    }
    // Who works without reports reads config and problems here.
    if (!this.#work.isStarted) this.#emit({ problems: this.problems });
  }

  async #refreshReport(): Promise<void> {
    const usage = this.#usage.refresh();
    const agents = this.#agents.refresh(this.#reader.files, this.#preferences.activePath);
    if (!this.snapshot.report) await this.#publish(this.#reader.pending(), true);
    const { sections, late } = await this.#reader.read(this.#preferences.isTrusted, PATIENCE_MS, this.#cancel);
    if (late) this.#work.follow(late);
    this.#sections = sections;
    this.#working.offer(this.#reader.work);
    if (!this.#isCounted) await this.#publish(sections, true);
    await Promise.all([usage, agents, this.#readInstructions()]);
    await this.#publish(sections, false);
  }

  /** What instruction files name and the folder does not have. */
  #readInstructions(): Promise<void> {
    const { files } = this.#reader;
    const { include, exclude } = this.#config.repoMap;
    // Words of files that the config keeps out of the index are unknown, not gone.
    const isWhole = this.#indexing.isComplete && include.length === 0 && exclude.length === 0;
    return this.#instructions.refresh({
      files,
      links: this.#reader.links,
      isIgnored: (path, isFolder) => this.#reader.isIgnored(path, isFolder),
      indexRevision: isWhole ? this.#indexing.revision : undefined,
    });
  }

  async #publish(sections: readonly CollectedSection[], isEstimate: boolean): Promise<void> {
    if (!isEstimate && this.#indexing.isReadyFor(this.#query)) await this.#indexing.prepare(this.#query);
    if (this.#cancel.isCancelled) return;
    const { trigger } = this.#preferences;
    const { window } = this.#usage;
    const profile = capChars(profileOf(this.#config, this.#preferences.profile), this.#preferences.maxChars);
    const report = await this.#ports.engine.buildReport(
      {
        profile,
        tokenizer: this.#preferences.tokenizer,
        sections: markLoaded(sections, profile.agent, this.#agents.coverage),
        ...this.#query,
        scoring: this.#config.scoring,
        ...(window ? { usage: window } : {}),
        ...(trigger === undefined ? {} : { trigger }),
        isIndexReady: this.#indexing.isReadyFor(this.#query),
        problems: this.problems,
        isEstimate,
      },
      this.#cancel,
    );
    if (this.#cancel.isCancelled) return;
    this.#isCounted ||= !isEstimate;
    this.#emit({ state: 'ready', report, problems: report.problems });
  }

  #emit(change: Partial<Pick<SessionSnapshot, 'state' | 'report' | 'problems'>>): void {
    const { report, problems } = this.snapshot;
    this.#snapshots.emit({
      report,
      problems,
      profile: profileOf(this.#config, this.#preferences.profile).name,
      profiles: this.#config.profiles,
      isTrusted: this.#preferences.isTrusted,
      hasInstructions: this.#reader.hasInstructions,
      configState: this.#reader.configState,
      config: this.#config,
      relay: this.#reader.relay,
      agents: this.#agents.coverage,
      notices: [...this.#agents.notices, ...this.#instructions.notices],
      task: this.#preferences.task ?? '',
      index: this.#indexing.status.current,
      mapKey: this.#mapKey,
      ...change,
    });
  }

  #fail(what: Phrase, cause: unknown): void {
    if (this.#cancel.isCancelled) return;
    const why = asGiven(cause instanceof Error ? cause.message : String(cause));
    this.#ports.logger.error(inEnglish(what), cause);
    const problem = makeProblem('index', 'error', phrase('{0}: {1}. Refresh tries again.', what, why));
    this.#emit({ problems: [...this.problems, problem] });
  }

  #makeIndexing(): SymbolIndexing {
    const grammars = this.#grammars;
    return new SymbolIndexing(
      { ...this.#ports, grammars },
      {
        prepare: () => grammars.refresh(this.#config.repoMap.grammars, this.#preferences.isTrusted),
        allFiles: () => mapFiles(this.#config.repoMap, this.#reader.files),
        among: (paths) =>
          mapFiles(
            this.#config.repoMap,
            paths.filter((path) => this.#reader.files.has(path)),
          ),
        maxFileBytes: () => this.#config.repoMap.maxFileBytes,
        query: () => this.#query,
        onDidChange: () => {
          this.#editorSymbols?.request();
          this.#work.requestReport();
        },
        onDidFail: (cause) => this.#fail(phrase('The symbol index could not be made'), cause),
      },
    );
  }

  #makeEditorSymbols(): EditorSymbolIndexer | undefined {
    const source = this.#ports.editor?.symbols;
    if (!source) return undefined;
    const onDidIndex = (): void => {
      this.#editorRevision++;
      this.#work.requestReport();
    };
    return new EditorSymbolIndexer({ ...this.#ports, source }, () => this.#filesWithoutGrammar(), onDidIndex);
  }

  #filesWithoutGrammar(): readonly string[] {
    if (!this.#indexing.isIdle) return [];
    const bare = [...this.#reader.files].filter(
      (path) => languageOf(path) === undefined && this.#grammars.grammarOf(path) === undefined,
    );
    return mapFiles(this.#config.repoMap, bare);
  }

  /** The engine lost its memory: fill it again, unless that is what kills it. */
  #refill({ reason, shouldRefill }: EngineRestart): void {
    this.#ports.logger.warn(`The engine was started again: ${reason}`);
    this.#indexing.reset();
    this.#editorSymbols?.reset();
    if (!shouldRefill) {
      this.#fail(phrase('The symbol index was given up'), new Error(reason));
      return;
    }
    this.#indexing.request('all');
  }
}

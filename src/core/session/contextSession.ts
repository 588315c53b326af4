/**
 * `Session` over ports: turns events into snapshots. Loops run beside each other, so that a slow index never delays the
 * panel: the *listing* loop (config, files), the *report* loop (sections, report) and those of the symbol index. Each takes
 * what is dirty, works, and goes round again until nothing is. A map for a task needs listing and index alone: it begins
 * these two and waits for no section. Reading lives in `sectionReader.ts`, indexing in `symbolIndexing.ts`.
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
import { SnapshotStream } from './snapshotStream';
import { SymbolIndexing } from './symbolIndexing';
import { WorkingFocus } from './workingFocus';
import { WorkLoop } from './workLoop';
import { WorkspaceGrammars } from './workspaceGrammars';

/** How long sections may take before the rest is shown without them. */
const PATIENCE_MS = 250;
/** Tokens kept free for the tags around one expanded section. */
const DETAIL_OVERHEAD_TOKENS = 60;

export class ContextSession implements Session {
  readonly #ports: SessionPorts;
  readonly #reader: SectionReader;
  readonly #grammars: WorkspaceGrammars;
  readonly #indexing: SymbolIndexing;
  readonly #editorSymbols: EditorSymbolIndexer | undefined;
  readonly #snapshots: SnapshotStream;
  readonly #listingLoop = new WorkLoop(
    () => this.#refreshListing(),
    (cause) => this.#failReport(cause),
  );
  readonly #reportLoop = new WorkLoop(
    () => this.#refreshReport(),
    (cause) => this.#failReport(cause),
  );
  readonly #observations: SessionObservations;
  readonly #usage: SessionUsage;
  readonly #agents: SessionAgents;
  readonly #instructions: SessionInstructions;
  readonly #disposables: Disposable[] = [];
  readonly #cancel = { isCancelled: false };
  #preferences: SessionPreferences;
  #sections: readonly CollectedSection[] = [];
  /** Config and files are read: since the first start, or the first map for a task. */
  #isListed = false;
  /** Reports are made. */
  #isStarted = false;
  /** A counted report was shown: after that, an estimate would only take the number back. */
  #isCounted = false;
  /** Sections that are still being read after the loop went on without them. */
  #late: Promise<unknown> | undefined;
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
      () => this.#requestReport(),
    );
    this.#agents = new SessionAgents(ports);
    this.#instructions = new SessionInstructions(ports);
    const readObservations = () => this.#observations.readSection();
    this.#reader = new SectionReader(ports, () => this.#requestReport(), readObservations);
    this.#grammars = new WorkspaceGrammars(ports);
    this.#indexing = this.#makeIndexing();
    this.#snapshots = new SnapshotStream(ports.files.rootName, preferences, this.#indexing.status.current);
    this.#indexing.status.onDidChange((index) => this.#snapshots.setIndex(index));
    this.#working = new WorkingFocus(ports.clock, () => this.#requestReport());
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
    if (this.#isStarted || this.#cancel.isCancelled) return;
    this.#isStarted = true;
    if (!this.#isListed) this.#requestListing();
    this.#requestReport();
  }

  async whenListed(cancel: Cancel = NEVER_CANCELLED): Promise<SessionSnapshot> {
    this.#list();
    while (!cancel.isCancelled && !this.#cancel.isCancelled && !this.#listingLoop.isIdle)
      await this.#listingLoop.idle();
    this.#throwFailure([this.#listingLoop]);
    // The first report may still be on its way.
    if (this.snapshot.config !== this.#config) this.#emit({});
    return this.snapshot;
  }

  async whenReady(cancel: Cancel = NEVER_CANCELLED): Promise<SessionSnapshot> {
    await this.#idle(cancel);
    // Who waits wants a state that is right now, not one that is still a second behind.
    if (this.#working.settle()) {
      this.#reportLoop.request();
      await this.#idle(cancel);
    }
    return this.snapshot;
  }

  async whenCollected(cancel: Cancel = NEVER_CANCELLED): Promise<SessionSnapshot> {
    this.start();
    while (!cancel.isCancelled && !this.#cancel.isCancelled && !this.#isCollected) await this.#collected();
    this.#throwFailure();
    return this.snapshot;
  }

  /** Resolves when nothing is under way. @throws what the last work failed with */
  async #idle(cancel: Cancel = NEVER_CANCELLED): Promise<void> {
    this.start();
    while (!cancel.isCancelled && !this.#cancel.isCancelled) {
      await this.#collected();
      await this.#indexing.idle();
      await this.#late;
      if (this.#isCollected && this.#indexing.isIdle && !this.#late) break;
    }
    this.#throwFailure();
  }

  get #isCollected(): boolean {
    return this.#listingLoop.isIdle && this.#reportLoop.isIdle;
  }

  async #collected(): Promise<void> {
    await this.#listingLoop.idle();
    await this.#reportLoop.idle();
  }

  /** Resolves when a map for `query` can be made, whatever the report is at. @throws what listing or index failed with */
  async #mappable(query: WorkingQuery): Promise<void> {
    if (query.query === '') return this.#idle();
    this.#list();
    while (!this.#cancel.isCancelled) {
      await this.#listingLoop.idle();
      await this.#indexing.usable();
      if (this.#listingLoop.isIdle && this.#indexing.isUsable) break;
    }
    this.#throwFailure([this.#listingLoop, this.#indexing]);
    await this.#indexing.prepare(query);
  }

  #throwFailure(
    parts: readonly Pick<WorkLoop, 'failure'>[] = [this.#listingLoop, this.#reportLoop, this.#indexing],
  ): void {
    for (const { failure } of parts) if (failure) throw failure.cause;
  }

  #list(): void {
    if (!this.#isListed && !this.#cancel.isCancelled) this.#requestListing();
  }

  /** Config and files are looked at again, as far as they are stale. */
  #requestListing(): void {
    this.#isListed = true;
    this.#listingLoop.request();
  }

  #requestReport(): void {
    if (this.#isStarted) this.#reportLoop.request();
  }

  notify(event: SessionEvent): void {
    if (!this.#isListed) return;
    this.#usage.take(event);
    this.#agents.take(event);
    this.#instructions.take(event);
    const change = this.#reader.take(event);
    if (event.kind === 'files') this.#grammars.take([...event.changed, ...event.removed]);
    if (event.kind === 'rescan') this.#grammars.forget();
    if (change.length > 0) this.#indexing.request(change);
    this.#requestListing();
    this.#requestReport();
  }

  update(preferences: Partial<SessionPreferences>): void {
    this.#preferences = { ...this.#preferences, ...preferences };
    if (this.#isListed) this.#requestListing();
    this.#requestReport();
  }

  refresh(): void {
    this.#reader.forgetAll();
    this.#usage.forget();
    this.#agents.forget();
    this.#instructions.forget();
    this.resumeIndexing();
    this.#grammars.forget();
    this.start();
    this.#requestListing();
    this.#requestReport();
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
    await this.#mappable({ query, focusPaths });
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
    this.#listingLoop.stop();
    this.#reportLoop.stop();
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
      sectionText: (id) => this.#sectionText(id, detailTokens),
    };
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
    if (!this.#isStarted) this.#emit({ problems: this.problems });
  }

  async #refreshReport(): Promise<void> {
    await this.#listingLoop.idle();
    if (this.#cancel.isCancelled || this.#listingLoop.failure) return;
    const usage = this.#usage.refresh();
    const agents = this.#agents.refresh(this.#reader.files, this.#preferences.activePath);
    if (!this.snapshot.report) await this.#publish(this.#reader.pending(), true);
    const { sections, late } = await this.#reader.read(this.#preferences.isTrusted, PATIENCE_MS, this.#cancel);
    if (late) this.#follow(late);
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

  /** Goes round once more when the slow sections are there. */
  #follow(late: Promise<unknown>): void {
    const followed: Promise<void> = late.then(() => {
      if (this.#late === followed) this.#late = undefined;
      this.#reportLoop.request();
    });
    this.#late = followed;
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

  #failReport(cause: unknown): void {
    this.#fail(phrase('The context could not be put together'), cause);
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
          this.#requestReport();
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
      this.#requestReport();
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

  async #sectionText(
    id: string,
    detailTokens: number,
  ): Promise<{ readonly title: string; readonly text: string } | undefined> {
    const section = this.#sections.find((candidate) => candidate.id === id);
    if (!section) return undefined;
    const { title, body } = section;
    if (body.kind === 'text') return { title, text: body.text };
    if (body.kind === 'observations') return { title, text: body.rows.map((row) => row.text).join('') };
    if (body.kind === 'repoMap') {
      const budgetTokens = Math.max(0, detailTokens - DETAIL_OVERHEAD_TOKENS);
      return { title, text: (await this.map({ budgetTokens })).text };
    }
    const fitted = this.snapshot.report?.payloads.expanded.sections.find((candidate) => candidate.id === id);
    return { title, text: fitted?.text || fitted?.explanation || '' };
  }
}

/**
 * `Session` over ports: turns events into snapshots. Two loops run beside each other, so that a slow index never
 * delays the panel: the *report* loop (config, listing, sections, report) and the *index* loop (symbols). Each takes
 * what is dirty, works, and goes round again until nothing is. Reading lives in `sectionReader.ts`, indexing in
 * `folderIndexer.ts`.
 */
import { type Config, DEFAULT_CONFIG, profileOf } from '../config/config';
import type { EngineRestart, IndexStats, MapResult } from '../engine';
import type { ObservationService } from '../observations/observationService';
import type { Disposable } from '../ports';
import { type Cancel, NEVER_CANCELLED } from '../ports';
import type { ContextReport, Problem } from '../report/contextReport';
import { globMatcher } from '../sections/glob';
import type { CollectedSection } from '../sections/section';
import { answerDetail } from './detailResolver';
import { FolderIndexer } from './folderIndexer';
import { indexProblems } from './indexProblems';
import { SectionReader } from './sectionReader';
import type {
  DetailAnswer,
  MapOptions,
  Session,
  SessionEvent,
  SessionPorts,
  SessionPreferences,
  SessionSnapshot,
} from './session';
import { SessionObservations } from './sessionObservations';
import { WorkLoop } from './workLoop';

/** How long sections may take before the rest is shown without them. */
const PATIENCE_MS = 250;
/** The symbol cache is written this long after the last change. */
const FLUSH_DELAY_MS = 5000;
/** Tokens kept free for the tags around one expanded section. */
const DETAIL_OVERHEAD_TOKENS = 60;

export class ContextSession implements Session {
  readonly #ports: SessionPorts;
  readonly #reader: SectionReader;
  readonly #indexer: FolderIndexer;
  readonly #listeners = new Set<(snapshot: SessionSnapshot) => void>();
  readonly #reportLoop = new WorkLoop(
    () => this.#refreshReport(),
    (cause) => this.#fail('The context could not be put together', cause),
  );
  readonly #indexLoop = new WorkLoop(
    () => this.#refreshIndex(),
    (cause) => this.#fail('The symbol index could not be made', cause),
  );
  readonly #observations: SessionObservations;
  readonly #disposables: Disposable[] = [];
  readonly #cancel = { isCancelled: false };
  #preferences: SessionPreferences;
  #snapshot: SessionSnapshot;
  #sections: readonly CollectedSection[] = [];
  #isStarted = false;
  #isIndexReady = false;
  #indexProblems: readonly Problem[] = [];
  /** Files to index again; `all` when the folder was listed anew. */
  #toIndex: Set<string> | 'all' = new Set();
  /** Sections that are still being read after the loop went on without them. */
  #late: Promise<unknown> | undefined;
  #flushTimer: Disposable | undefined;
  #indexing: Session['indexing'];

  constructor(ports: SessionPorts, preferences: SessionPreferences) {
    this.#ports = ports;
    this.#preferences = preferences;
    this.#observations = new SessionObservations(ports, () => ({
      config: this.#config,
      profile: profileOf(this.#config, this.#preferences.profile),
      tokenizer: this.#preferences.tokenizer,
    }));
    const readObservations = () => this.#observations.readSection();
    this.#reader = new SectionReader(ports, () => this.#reportLoop.request(), readObservations);
    this.#indexer = new FolderIndexer(ports);
    const restarts = ports.engine.onDidRestart?.((restart) => this.#refill(restart));
    if (restarts) this.#disposables.push(restarts);
    this.#snapshot = {
      revision: 0,
      folderName: ports.files.rootName,
      state: 'loading',
      report: undefined,
      profile: profileOf(DEFAULT_CONFIG, preferences.profile).name,
      profiles: DEFAULT_CONFIG.profiles.map((profile) => profile.name),
      progress: undefined,
      isTrusted: preferences.isTrusted,
      hasInstructions: true,
      configState: 'defaults',
      problems: [],
    };
  }

  get snapshot(): SessionSnapshot {
    return this.#snapshot;
  }

  get indexing(): Session['indexing'] {
    return this.#indexing;
  }

  get observations(): ObservationService | undefined {
    return this.#observations.service;
  }

  onDidChange(listener: (snapshot: SessionSnapshot) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  start(): void {
    if (this.#isStarted || this.#cancel.isCancelled) return;
    this.#isStarted = true;
    this.#reportLoop.request();
  }

  async whenReady(cancel: Cancel = NEVER_CANCELLED): Promise<SessionSnapshot> {
    this.start();
    while (!cancel.isCancelled && !this.#cancel.isCancelled) {
      await this.#reportLoop.idle();
      await this.#indexLoop.idle();
      await this.#late;
      if (this.#reportLoop.isIdle && this.#indexLoop.isIdle && !this.#late) break;
    }
    const failure = this.#reportLoop.failure ?? this.#indexLoop.failure;
    if (failure) throw failure.cause;
    return this.#snapshot;
  }

  notify(event: SessionEvent): void {
    if (!this.#isStarted) return;
    const change = this.#reader.take(event);
    if (this.#toIndex !== 'all') for (const path of change) this.#toIndex.add(path);
    if (change.length > 0) this.#indexLoop.request();
    this.#reportLoop.request();
  }

  update(preferences: Partial<SessionPreferences>): void {
    this.#preferences = { ...this.#preferences, ...preferences };
    if (this.#isStarted) this.#reportLoop.request();
  }

  refresh(): void {
    this.#reader.forgetAll();
    this.start();
    this.#reportLoop.request();
  }

  async detail(handles: readonly string[]): Promise<DetailAnswer> {
    await this.whenReady();
    const { engine, files } = this.#ports;
    const profile = profileOf(this.#config, this.#preferences.profile);
    return answerDetail(
      {
        engine,
        files,
        maxFileBytes: this.#config.repoMap.maxFileBytes,
        observation: async (id) => (await this.observations?.details([id]))?.items[0],
        sectionText: (id) => this.#sectionText(id, profile.detailTokens),
      },
      handles,
      profile,
      this.#preferences.tokenizer,
    );
  }

  async map(options: MapOptions): Promise<MapResult> {
    await this.whenReady();
    return this.#ports.engine.buildMap({
      tokenizer: this.#preferences.tokenizer,
      budgetTokens: options.budgetTokens ?? profileOf(this.#config, this.#preferences.profile).mapTokens,
      focusPaths: options.focusPaths ?? [],
      query: options.query ?? this.#preferences.task ?? '',
      withReasons: options.withReasons ?? false,
    });
  }

  async indexStats(): Promise<IndexStats> {
    await this.whenReady();
    return this.#ports.engine.stats();
  }

  dispose(): void {
    this.#cancel.isCancelled = true;
    this.#reportLoop.stop();
    this.#indexLoop.stop();
    this.#reader.dispose();
    this.#flushTimer?.dispose();
    for (const disposable of this.#disposables) disposable.dispose();
    this.#listeners.clear();
  }

  get #problems(): readonly Problem[] {
    return [...this.#reader.problems, ...this.#indexProblems];
  }

  get #config(): Config {
    return this.#reader.config;
  }

  async #refreshReport(): Promise<void> {
    const isNewListing = await this.#reader.prepare(this.#cancel);
    if (this.#cancel.isCancelled) return;
    if (isNewListing) {
      this.#toIndex = 'all';
      this.#indexLoop.request();
    }
    if (!this.#snapshot.report) await this.#publish(this.#reader.pending(this.#preferences), true);
    const { sections, late } = await this.#reader.read(this.#preferences, PATIENCE_MS, this.#cancel);
    if (late) this.#follow(late);
    this.#sections = sections;
    if (!this.#snapshot.report?.payloads.expanded.budget.isExact) await this.#publish(sections, true);
    await this.#publish(sections, false);
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
    if (this.#cancel.isCancelled) return;
    const report = await this.#ports.engine.buildReport(
      {
        profile: profileOf(this.#config, this.#preferences.profile),
        tokenizer: this.#preferences.tokenizer,
        sections,
        focusPaths: [],
        query: this.#preferences.task ?? '',
        isIndexReady: this.#isIndexReady,
        problems: this.#problems,
        isEstimate,
      },
      this.#cancel,
    );
    if (!this.#cancel.isCancelled) this.#emit({ state: 'ready', report, problems: report.problems });
  }

  #emit(change: Partial<SessionSnapshot>): void {
    const report = change.report ?? this.#snapshot.report;
    this.#snapshot = {
      ...this.#snapshot,
      profile: profileOf(this.#config, this.#preferences.profile).name,
      profiles: this.#config.profiles.map((profile) => profile.name),
      isTrusted: this.#preferences.isTrusted,
      hasInstructions: this.#reader.hasInstructions,
      configState: this.#reader.configState,
      ...change,
      progress: progressOf(report),
      revision: this.#snapshot.revision + 1,
    };
    for (const listener of [...this.#listeners]) listener(this.#snapshot);
  }

  #fail(what: string, cause: unknown): void {
    if (this.#cancel.isCancelled) return;
    const message = `${what}: ${cause instanceof Error ? cause.message : String(cause)}. Refresh tries again.`;
    this.#ports.logger.error(what, cause);
    const problem: Problem = { kind: 'index', severity: 'error', message, path: undefined, line: undefined };
    this.#emit({ problems: [...this.#problems, problem] });
  }

  async #refreshIndex(): Promise<void> {
    const wanted = this.#toIndex;
    this.#toIndex = new Set();
    const { maxFileBytes } = this.#config.repoMap;
    if (wanted === 'all') {
      const files = this.#mapFiles(this.#reader.files);
      const onProgress = (done: number): void => {
        this.#indexing = { done, total: files.length };
      };
      await this.#indexer.sync(files, maxFileBytes, onProgress, this.#cancel).finally(() => {
        this.#indexing = undefined;
      });
    } else {
      const { files } = this.#reader;
      const paths = [...wanted];
      await this.#indexer.remove(paths.filter((path) => !files.has(path)));
      await this.#indexer.update(this.#mapFiles(paths.filter((path) => files.has(path))), maxFileBytes, this.#cancel);
      this.#scheduleFlush();
    }
    if (this.#cancel.isCancelled) return;
    this.#indexProblems = indexProblems(await this.#ports.engine.listTroubled());
    this.#isIndexReady = true;
    this.#reportLoop.request();
  }

  /** The files that the config lets into the map. */
  #mapFiles(files: Iterable<string>): readonly string[] {
    const { include, exclude } = this.#config.repoMap;
    const included = include.map(globMatcher);
    const excluded = exclude.map(globMatcher);
    return [...files].filter(
      (path) =>
        (included.length === 0 || included.some((matches) => matches(path))) &&
        !excluded.some((matches) => matches(path)),
    );
  }

  #scheduleFlush(): void {
    this.#flushTimer?.dispose();
    this.#flushTimer = this.#ports.clock.schedule(() => {
      this.#indexer.flush().catch((cause) => this.#ports.logger.warn(`symbol cache not written: ${String(cause)}`));
    }, FLUSH_DELAY_MS);
  }

  /** The engine lost its memory: fill it again, unless that is what kills it. */
  #refill({ reason, shouldRefill }: EngineRestart): void {
    this.#ports.logger.warn(`The engine was started again: ${reason}`);
    this.#indexer.reset();
    this.#isIndexReady = false;
    if (!shouldRefill) {
      this.#fail('The symbol index was given up', new Error(reason));
      return;
    }
    this.#toIndex = 'all';
    this.#indexLoop.request();
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
    const fitted = this.#snapshot.report?.payloads.expanded.sections.find((candidate) => candidate.id === id);
    return { title, text: fitted?.text || fitted?.explanation || '' };
  }
}

/** Sections counted so far while any is not. */
function progressOf(report: ContextReport | undefined): SessionSnapshot['progress'] {
  if (!report) return undefined;
  const { sections, budget } = report.payloads.expanded;
  const done = sections.filter((section) => !section.isPending).length;
  return budget.isExact ? undefined : { done, total: sections.length };
}

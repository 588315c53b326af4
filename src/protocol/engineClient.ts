/**
 * The engine over messages. It decides how a host survives the loss of the engine's state; what the engine computes is
 * `src/worker/engine.ts`.
 */
import type {
  CandidateRequest,
  CitationRequest,
  ContextEngine,
  EngineRestart,
  MapRequest,
  MapResult,
} from '../core/engine/engine';
import type { DetailRequest, DetailResult } from '../core/model/detail';
import type { IndexStats, MapSymbol } from '../core/model/repoMap';
import type { ContextReport, ReportRequest } from '../core/model/report';
import type { BookState, ObservationFeed } from '../core/observations/observationIndex';
import type { ObservationAnswer, ObservationQuestion } from '../core/observations/observationStore';
import type { Cancel, Disposable, TokenizerName } from '../core/ports/ports';
import type { RelayFiles, RelaySection } from '../core/relay/relaySection';
import type { WordStanding } from '../core/repomap/ranking/wordUsage';
import type { Citation } from '../core/usage/usageRecord';
import { Fallback } from './fallback';
import type { WorkerApi, WorkerMethod } from './worker';
import { type CallOptions, WorkerClient, type WorkerClientOptions } from './workerClient';
import type { WorkerError } from './workerError';

/** What an engine client needs beside a worker. */
export interface EngineClientOptions extends Omit<WorkerClientOptions, 'mayStopWhenIdle' | 'onDidCrash'> {
  /** Per call; default 60,000 ms, far above any measured call: it exists so that a hang ends. */
  readonly deadlineMs?: number;
  /** Makes the engine in this process, after three launches in a row have failed. */
  readonly createFallback?: (why?: WorkerError) => ContextEngine;
}

const DEFAULT_DEADLINE_MS = 60_000;
/** CONVENTIONS: after three failures the index is not filled again. */
const MAX_CRASHES = 3;

/** `ContextEngine` in a worker. Every method rejects with a `WorkerError` and nothing else. */
export class EngineClient implements ContextEngine, Disposable {
  readonly #client: WorkerClient;
  readonly #options: EngineClientOptions;
  readonly #restartListeners = new Set<(restart: EngineRestart) => void>();
  readonly #fallback: Fallback<ContextEngine>;
  #holdsIndex = false;
  #crashesInARow = 0;

  constructor(options: EngineClientOptions) {
    this.#options = options;
    this.#fallback = new Fallback(options.createFallback);
    this.#client = new WorkerClient({
      ...options,
      mayStopWhenIdle: () => !this.#holdsIndex,
      onDidCrash: (reason) => this.#loseIndex(reason),
    });
  }

  /** Calls `listener` after a crash of a worker that held an index. The new engine starts empty, with the next call. */
  onDidRestart(listener: (restart: EngineRestart) => void): Disposable {
    this.#restartListeners.add(listener);
    return { dispose: () => this.#restartListeners.delete(listener) };
  }

  async upsertFiles(encodedFacts: readonly Uint8Array[]): Promise<void> {
    this.#holdsIndex = true;
    await this.#call('upsertFiles', { encodedFacts }, async (engine) => {
      await engine.upsertFiles(encodedFacts);
      return undefined;
    });
  }

  async removeFiles(paths: readonly string[]): Promise<void> {
    await this.#call('removeFiles', { paths }, async (engine) => {
      await engine.removeFiles(paths);
      return undefined;
    });
  }

  stats(): Promise<IndexStats> {
    return this.#call('stats', undefined, (engine) => engine.stats());
  }

  async buildReport(request: ReportRequest, cancel?: Cancel): Promise<ContextReport> {
    return this.#succeed(
      await this.#call('buildReport', request, (engine) => engine.buildReport(request, cancel), cancel),
    );
  }

  async buildMap(request: MapRequest, cancel?: Cancel): Promise<MapResult> {
    return this.#succeed(await this.#call('buildMap', request, (engine) => engine.buildMap(request, cancel), cancel));
  }

  async buildDetail(request: DetailRequest, cancel?: Cancel): Promise<DetailResult> {
    return this.#succeed(
      await this.#call('buildDetail', request, (engine) => engine.buildDetail(request, cancel), cancel),
    );
  }

  findCitations(request: CitationRequest): Promise<readonly (readonly Citation[])[]> {
    return this.#call('findCitations', request, (engine) => engine.findCitations(request));
  }

  buildRelay(files: RelayFiles): Promise<RelaySection> {
    return this.#call('buildRelay', files, (engine) => engine.buildRelay(files));
  }

  findCandidates(request: CandidateRequest): Promise<readonly string[]> {
    return this.#call('findCandidates', request, (engine) => engine.findCandidates(request));
  }

  /** A lost book is noticed by the next question, and filled again by the asker. */
  feedObservations(feed: ObservationFeed): Promise<boolean> {
    return this.#call('feedObservations', feed, (engine) => engine.feedObservations(feed));
  }

  askObservations(at: BookState, question: ObservationQuestion): Promise<ObservationAnswer> {
    return this.#call('askObservations', { at, question }, (engine) => engine.askObservations(at, question));
  }

  findSymbols(handles: readonly string[]): Promise<readonly (readonly MapSymbol[])[]> {
    return this.#call('findSymbols', { handles }, (engine) => engine.findSymbols(handles));
  }

  standingOf(words: readonly string[]): Promise<readonly WordStanding[]> {
    return this.#call('standingOf', { words }, (engine) => engine.standingOf(words));
  }

  listTroubled(): ReturnType<ContextEngine['listTroubled']> {
    return this.#call('listTroubled', undefined, (engine) => engine.listTroubled());
  }

  countTokens(texts: readonly string[], tokenizer: TokenizerName): Promise<readonly number[]> {
    return this.#call('countTokens', { texts, tokenizer }, (engine) => engine.countTokens(texts, tokenizer));
  }

  /** Ends the worker; pending calls reject with reason `stopped`. */
  dispose(): void {
    this.#restartListeners.clear();
    this.#client.dispose();
  }

  #succeed<T>(result: T): T {
    this.#crashesInARow = 0;
    return result;
  }

  #call<M extends WorkerMethod>(
    method: M,
    params: WorkerApi[M]['params'],
    inProcess: (engine: ContextEngine) => Promise<WorkerApi[M]['result']>,
    cancel?: Cancel,
  ): Promise<WorkerApi[M]['result']> {
    const call = () => this.#client.call(method, params, this.#callOptions(cancel));
    return this.#fallback.callOr(this.#client, call, inProcess);
  }

  #callOptions(cancel: Cancel | undefined): CallOptions {
    return { cancel, deadlineMs: this.#options.deadlineMs ?? DEFAULT_DEADLINE_MS };
  }

  #loseIndex(reason: string): void {
    if (!this.#holdsIndex) return;
    this.#holdsIndex = false;
    const shouldRefill = ++this.#crashesInARow < MAX_CRASHES;
    for (const listener of [...this.#restartListeners]) listener({ reason, shouldRefill });
  }
}

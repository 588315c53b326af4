/**
 * The engine: holds the symbol index and the tokenizers, and runs the core's pure pipeline over what the host
 * collected. It decides what to keep between calls; what a report or a map contains is the core's business.
 */
import type { ContextEngine } from '../core/engine/engine';
import type { CitationRequest } from '../core/engine/logs';
import type { CandidateRequest, MapRequest, MapResult } from '../core/engine/map';
import type { CountRequest } from '../core/engine/report';
import type { DetailRequest, DetailResult } from '../core/model/detail';
import type { IndexStats, MapSymbol } from '../core/model/repoMap';
import type { ContextReport, ReportRequest } from '../core/model/report';
import type { ObservationFeed } from '../core/observations/observationIndex';
import { ObservationDesk } from '../core/observations/observationQueries';
import type { ObservationAnswer, ObservationInquiry } from '../core/observations/observationStore';
import { buildReport } from '../core/pipeline/report/buildReport';
import type { AssetSource, Tokenizer, TokenizerName } from '../core/ports/ports';
import { buildRelaySection, type RelayFiles, type RelaySection } from '../core/relay/relaySection';
import { buildDetail } from '../core/render/detail';
import { openFacts } from '../core/repomap/facts/factsCodec';
import type { ExplainedMap } from '../core/repomap/facts/types';
import { RepoIndex } from '../core/repomap/index/repoIndex';
import { selectMap } from '../core/repomap/map/selection';
import { candidatePaths } from '../core/repomap/ranking/candidates';
import { parseTask } from '../core/repomap/ranking/query';
import { type MapOrder, type RankedFiles, rankFiles } from '../core/repomap/ranking/ranking';
import { structuralOrder } from '../core/repomap/ranking/structuralOrder';
import { taskOrder } from '../core/repomap/ranking/taskOrder';
import { TaskRanker } from '../core/repomap/ranking/taskRanking';
import { estimateTokens, LineTokenCounter } from '../core/tokens/lines';
import { citablePayload } from '../core/usage/citations/citablePayload';
import { CitationFinder } from '../core/usage/citations/findCitations';
import type { Citation } from '../core/usage/usageRecord';
import { createTokenizer } from './tokenizer';

/** A value that is right as long as its key is. */
interface Kept<T> {
  readonly key: string;
  readonly value: T;
}

/** Maps kept at once: the report's and those of other budgets asked for in between. */
const MAPS_KEPT = 4;

/** `ContextEngine` in this thread. Every method works synchronously once its tokenizer is loaded. */
export class Engine implements ContextEngine {
  readonly #assets: AssetSource;
  readonly #makeTokenizer: typeof createTokenizer;
  readonly #tokenizers = new Map<TokenizerName, Promise<Tokenizer>>();
  readonly #index = new RepoIndex(crypto.getRandomValues(new Int32Array(1))[0]);
  readonly #ranker = new TaskRanker(this.#index);
  readonly #observations = new ObservationDesk();
  #ranked: Kept<RankedFiles> | undefined;
  /** The last order for a task: a caller that has a map again, smaller, pays for the choice alone. */
  #ordered: Kept<MapOrder> | undefined;
  /** Most recently used last. */
  #maps: readonly Kept<ExplainedMap>[] = [];

  /** `assets` gives `dist/tokenizers/<name>.ranks`, asked for when a tokenizer is first needed. */
  constructor(assets: AssetSource, makeTokenizer = createTokenizer) {
    this.#assets = assets;
    this.#makeTokenizer = makeTokenizer;
  }

  async upsertFiles(encodedFacts: readonly Uint8Array[]): Promise<void> {
    for (const encoded of encodedFacts) this.#index.upsert(openFacts(encoded));
  }

  async removeFiles(paths: readonly string[]): Promise<void> {
    for (const path of paths) this.#index.remove(path);
  }

  async stats(): Promise<IndexStats> {
    return this.#index.stats();
  }

  async buildReport(request: ReportRequest): Promise<ContextReport> {
    if (request.isEstimate)
      return buildReport({ ...request, isIndexReady: false }, undefined, estimator(request.tokenizer));
    const tokenizer = await this.#tokenizer(request.tokenizer);
    const needsMap = request.isIndexReady && request.sections.some((section) => section.body.kind === 'repoMap');
    const map = needsMap ? this.#map(request, request.profile.mapTokens, tokenizer) : undefined;
    return buildReport(request, map, tokenizer);
  }

  async buildMap(request: MapRequest): Promise<MapResult> {
    const tokenizer = await this.#tokenizer(request.tokenizer);
    const map = this.#map(request, request.budgetTokens, tokenizer);
    const { text, view } = map.render(map.size);
    const explanation = request.withReasons ? { explanation: map.explain(map.size) } : {};
    const leftOut = request.leftOut ? { leftOut: map.leftOut(map.size, request.leftOut) } : {};
    const { budgetTokens } = request;
    return { text, tokens: tokenizer.count(text), budgetTokens, view, ...explanation, ...leftOut };
  }

  async buildDetail(request: DetailRequest): Promise<DetailResult> {
    return buildDetail(request, await this.#tokenizer(request.tokenizer));
  }

  async findCitations({ payload, turns }: CitationRequest): Promise<readonly (readonly Citation[])[]> {
    const finder = new CitationFinder(citablePayload(payload));
    return turns.map((turn) => finder.find(turn));
  }

  async buildRelay(files: RelayFiles): Promise<RelaySection> {
    return buildRelaySection(files);
  }

  async findCandidates({ query, files }: CandidateRequest): Promise<readonly string[]> {
    const task = parseTask(query.trim());
    const identifiers = new Set([...task.identifiers.keys()].map((name) => name.toLowerCase()));
    return candidatePaths(this.#ranker.rankByWords(task), identifiers, files);
  }

  async feedObservations(feed: ObservationFeed): Promise<boolean> {
    return this.#observations.feed(feed);
  }

  async askObservations({ at, question }: ObservationInquiry): Promise<ObservationAnswer> {
    const counter = 'tokenizer' in question ? await this.#tokenizer(question.tokenizer) : estimator('o200k_base');
    return this.#observations.ask(at, question, counter);
  }

  async findSymbols(handles: readonly string[]): Promise<readonly (readonly MapSymbol[])[]> {
    return handles.map((handle) => this.#index.findSymbols(handle));
  }

  async listTroubled(): ReturnType<ContextEngine['listTroubled']> {
    return this.#index.troubled();
  }

  async countTokens({ texts, tokenizer }: CountRequest): Promise<readonly number[]> {
    const counter = await this.#tokenizer(tokenizer);
    return texts.map((text) => counter.count(text));
  }

  /** Loads a tokenizer once; a load that failed is tried again with the next call. */
  #tokenizer(name: TokenizerName): Promise<Tokenizer> {
    const known = this.#tokenizers.get(name);
    if (known) return known;
    const loading = this.#assets
      .read(`dist/tokenizers/${name}.ranks`)
      .then((ranks) => new LineTokenCounter(this.#makeTokenizer(name, ranks)));
    this.#tokenizers.set(name, loading);
    loading.catch(() => this.#tokenizers.delete(name));
    return loading;
  }

  #map(task: Pick<MapRequest, 'focusPaths' | 'query'>, budgetTokens: number, tokenizer: Tokenizer): ExplainedMap {
    const query = task.query?.trim() ?? '';
    const key = JSON.stringify([this.#index.revision, tokenizer.name, budgetTokens, task.focusPaths, query]);
    const kept = this.#maps.find((map) => map.key === key) ?? {
      key,
      value: selectMap(this.#index, this.#order(query, task.focusPaths), { budgetTokens }, tokenizer),
    };
    this.#maps = [...this.#maps.filter((map) => map.key !== key), kept].slice(-MAPS_KEPT);
    return kept.value;
  }

  /** A query that finds nothing says nothing: structure then. */
  #order(query: string, focusPaths: readonly string[]): MapOrder {
    if (query === '') return structuralOrder(this.#rank(focusPaths));
    const key = JSON.stringify([this.#index.revision, focusPaths, query]);
    if (this.#ordered?.key !== key) {
      const ranking = this.#ranker.rank(parseTask(query));
      const value = ranking.hasMatches ? taskOrder(ranking) : structuralOrder(this.#rank(focusPaths));
      this.#ordered = { key, value };
    }
    return this.#ordered.value;
  }

  #rank(focusPaths: readonly string[]): RankedFiles {
    const key = JSON.stringify([this.#index.revision, focusPaths]);
    if (this.#ranked?.key !== key)
      this.#ranked = { key, value: rankFiles(this.#index, { focusPaths }, this.#ranked?.value) };
    return this.#ranked.value;
  }
}

/** Stands in for a tokenizer whose ranks are not there yet. */
function estimator(name: TokenizerName): Tokenizer {
  return { name, count: estimateTokens };
}

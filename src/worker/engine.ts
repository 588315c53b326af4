/**
 * The engine: holds the symbol index and the tokenizers, and runs the core's pure pipeline over what the host
 * collected. It decides what to keep between calls; what a report or a map contains is the core's business.
 */
import type { ContextEngine } from '../core/engine/engine';
import type { CitationRequest } from '../core/engine/logs';
import type { CandidateRequest, MapRequest, MapResult } from '../core/engine/map';
import type { CountRequest, CountsName, CountsRequest, StoredCounts } from '../core/engine/report';
import type { DetailRequest, DetailResult } from '../core/model/detail';
import type { FoundSymbol, NamedSymbols, TextHolders, WordMatch } from '../core/model/repoMap';
import type { ContextReport, ReportRequest } from '../core/model/report';
import type { ObservationFeed } from '../core/observations/observationIndex';
import { ObservationQueries } from '../core/observations/observationQueries';
import type { ObservationAnswer, ObservationInquiry } from '../core/observations/observationStore';
import { wholeEntries } from '../core/pipeline/fit/pieces';
import { type MaskedMap, maskMap, maskRows } from '../core/pipeline/mask/maskLines';
import { buildMaskedReport } from '../core/pipeline/mask/maskReport';
import { buildReport } from '../core/pipeline/report/buildReport';
import type { AssetSource, Tokenizer, TokenizerName } from '../core/ports/ports';
import { buildRelaySection, type RelayFiles, type RelaySection } from '../core/relay/relaySection';
import { buildDetail } from '../core/render/detail';
import { openFacts } from '../core/repomap/facts/factsCodec';
import { splitContents } from '../core/repomap/index/fileContent';
import { findByName } from '../core/repomap/index/nameLookup';
import { RepoIndex } from '../core/repomap/index/repoIndex';
import type { SavedSegment, StoredIndex } from '../core/repomap/index/storedIndex';
import { selectMap } from '../core/repomap/map/selection';
import { NO_PROJECT, type Project } from '../core/repomap/project/packages';
import { type ChangeSet, changedOrder, changeKey } from '../core/repomap/ranking/changedOrder';
import type { MapOrder } from '../core/repomap/ranking/mapOrder';
import { orient } from '../core/repomap/ranking/orientation';
import { orientationOrder } from '../core/repomap/ranking/orientationOrder';
import { parseTask } from '../core/repomap/ranking/query';
import { focusFirst, taskOrder } from '../core/repomap/ranking/taskOrder';
import { TaskRanker } from '../core/repomap/ranking/taskRanking';
import { findHolders } from '../core/repomap/ranking/textHolders';
import { findWithUses } from '../core/repomap/ranking/uses';
import { expectTask, matchWords, noFileLines } from '../core/repomap/ranking/wordMatch';
import { Masking, maskStrings, stringsOf, UNMASKED } from '../core/secrets/masking';
import type { SecretScanner } from '../core/secrets/secretScanner';
import { hashText } from '../core/text/hash';
import { KnownCounts } from '../core/tokens/knownCounts';
import { type CountingWork, estimateTokens, LineTokenCounter } from '../core/tokens/lines';
import { citablePayload, type SymbolReader } from '../core/usage/citations/citablePayload';
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

/** A map, whatever it is counted by. */
type MapTask = Omit<MapRequest, 'tokenizer'>;

/** The order of a map, and which words of its task are known. */
interface Found {
  readonly order: MapOrder;
  readonly match: WordMatch | undefined;
  /** Nothing matches: the map is empty, and its text says so. */
  readonly isNothing: boolean;
  /** Nothing matches, and the map is by structure. */
  readonly isGeneral: boolean;
}

const EMPTY_ORDER: MapOrder = { items: () => [], explainFile: () => [], explain: () => [] };

/** `ContextEngine` in this thread. Every method works synchronously once its tokenizer is loaded. */
export class Engine implements ContextEngine {
  readonly #tokenizers = new Map<TokenizerName, Promise<LineTokenCounter>>();
  readonly #counts = new Map<CountsName, KnownCounts>();
  readonly #index = new RepoIndex(randomSeed(), Array.from({ length: 4 }, randomSeed));
  readonly #stored: StoredIndex | undefined;
  readonly #ranker = new TaskRanker(this.#index);
  readonly #observations = new ObservationQueries();
  #oriented: Kept<MapOrder> | undefined;
  #project = NO_PROJECT;
  /** Increases with every change of the project. */
  #projects = 0;
  /** The last order for a task: a caller that has a map again, smaller, pays for the choice alone. */
  #ordered: Kept<Found> | undefined;
  #changed: Kept<MapOrder> | undefined;
  /** Most recently used last. */
  #maps: readonly Kept<MaskedMap>[] = [];
  readonly #masking: Masking;

  /**
   * `assets` gives `dist/tokenizers/<name>.ranks`, asked for when a tokenizer is first needed. Without `storeIndex`
   * nothing of the index outlives the engine: in browsers, whose bundle holds none of it.
   */
  constructor(
    private readonly assets: AssetSource,
    private readonly secrets: SecretScanner,
    private readonly makeTokenizer = createTokenizer,
    nowMs = () => performance.now(),
    storeIndex?: (index: RepoIndex) => StoredIndex,
  ) {
    this.#stored = storeIndex?.(this.#index);
    this.#masking = new Masking(secrets, nowMs, secrets.rules === undefined ? undefined : this.#countsOf('secrets'));
  }

  async upsertFiles(encodedFacts: readonly Uint8Array[]): Promise<void> {
    for (const encoded of encodedFacts) this.#index.upsert(openFacts(encoded));
  }

  async loadIndex(segments: readonly Uint8Array[]): Promise<void> {
    this.#stored?.load(segments);
  }

  async adoptFiles(files: string): Promise<readonly string[]> {
    const contents = splitContents(files);
    for (const content of contents) if (content.unread) this.#index.list(content, content.unread);
    const read = contents.filter(({ unread }) => unread === undefined);
    return this.#stored?.adopt(read) ?? read.map(({ path }) => path);
  }

  async saveIndex({ paths }: { readonly paths: readonly string[] | 'all' }): Promise<SavedSegment | undefined> {
    return this.#stored?.save(paths);
  }

  async removeFiles(paths: readonly string[]): Promise<void> {
    for (const path of paths) this.#index.remove(path);
  }

  async setProject(project: Project): Promise<void> {
    this.#project = project;
    this.#ranker.learn(project);
    this.#projects++;
  }

  async buildReport(request: ReportRequest & Pick<MapRequest, 'changes'>): Promise<ContextReport> {
    this.#masking.startRequest();
    const isEstimate = request.isEstimate === true;
    const tokenizer = isEstimate ? estimator(request.tokenizer) : await this.#tokenizer(request.tokenizer);
    const asked = isEstimate ? { ...request, isIndexReady: false } : request;
    const needsMap = asked.isIndexReady && asked.sections.some((section) => section.body.kind === 'repoMap');
    const task = { ...asked, budgetTokens: asked.profile.mapTokens, orGeneral: true };
    const mapFor = async (texts: readonly string[]) => (needsMap ? this.#map(task, tokenizer, texts) : undefined);
    if (asked.isUnmasked) return buildReport(asked, (await mapFor([]))?.map, tokenizer);
    try {
      return await buildMaskedReport(asked, this.#masking, mapFor, tokenizer);
    } finally {
      this.#masking.endRequest();
    }
  }

  async buildMap(request: MapRequest): Promise<MapResult> {
    this.#masking.startRequest();
    const tokenizer = await this.#tokenizer(request.tokenizer);
    const { map, secrets } = await this.#map(request, tokenizer, []);
    const found = this.#found(request);
    const rendered = map.render(map.size);
    const { view } = rendered;
    const { match } = map;
    const text =
      match && found.isNothing ? mostLines(noFileLines(match), request.budgetTokens, tokenizer) : rendered.text;
    const explanation = request.withReasons ? { explanation: map.explain(map.size) } : {};
    const hasRest = request.leftOut && !found.isNothing;
    const leftOut = hasRest ? { leftOut: map.leftOut(map.size, request.leftOut) } : {};
    const { budgetTokens } = request;
    const places = secrets.map(({ mask: _, ...place }) => ({ sectionId: 'repo-map', ...place }));
    const rest = { ...(match ? { match } : {}), ...explanation, ...leftOut };
    return { text, tokens: tokenizer.count(text), budgetTokens, view, secrets: places, ...rest };
  }

  async maskTexts(texts: readonly string[]): ReturnType<ContextEngine['maskTexts']> {
    this.#masking.startRequest();
    const masks = await this.#masking.masksFor(texts);
    return texts.map(masks);
  }

  async buildDetail(request: DetailRequest): Promise<DetailResult> {
    return buildDetail(request, await this.#tokenizer(request.tokenizer));
  }

  async findCitations({ payload, given, turns }: CitationRequest): Promise<readonly (readonly Citation[])[]> {
    const symbolsOf: SymbolReader = (path) => this.#index.fileAt(path)?.symbols ?? [];
    const finder = new CitationFinder(citablePayload(payload, given, wholeEntries, symbolsOf));
    return turns.map((turn) => finder.find(turn));
  }

  async buildRelay(files: RelayFiles): Promise<RelaySection> {
    return buildRelaySection(files);
  }

  async expectTask({ query }: CandidateRequest): Promise<void> {
    expectTask(this.#index, parseTask(query.trim()));
  }

  async findCandidates({ query }: CandidateRequest): Promise<readonly string[]> {
    const text = query.trim();
    const task = parseTask(text);
    const ranking = this.#ranker.rank(task);
    if (ranking.unparsed.length > 0 || ranking.hasMatches) return ranking.unparsed;
    // `#find` looks into tests then.
    return matchWords(this.#index, task, text).isMatch
      ? this.#ranker.rank({ ...task, isAboutTests: true }).unparsed
      : [];
  }

  async feedObservations(feed: ObservationFeed): Promise<boolean> {
    return this.#observations.feed(feed);
  }

  async askObservations({ at, question }: ObservationInquiry): Promise<ObservationAnswer> {
    this.#masking.startRequest();
    const counter = 'tokenizer' in question ? await this.#tokenizer(question.tokenizer) : estimator('o200k_base');
    const isShown = question.kind === 'index' || question.kind === 'timeline' || question.kind === 'list';
    if (!isShown || question.isUnmasked) return this.#observations.ask(at, question, counter);
    return maskRows(
      (masks) => this.#observations.ask(at, question, counter, masks),
      (shown) => this.#masking.masksFor(shown),
    );
  }

  async findSymbols(handles: readonly string[]): Promise<readonly (readonly FoundSymbol[])[]> {
    return handles.map((handle) => findWithUses(this.#index, handle));
  }

  async findNames(name: string): Promise<NamedSymbols> {
    return findByName(this.#index, name);
  }

  async findHolders(text: string): Promise<TextHolders> {
    return findHolders(this.#index, text);
  }

  async listTroubled(): ReturnType<ContextEngine['listTroubled']> {
    return this.#index.troubled();
  }

  async countTokens({ texts, tokenizer }: CountRequest): Promise<readonly number[]> {
    const counter = await this.#tokenizer(tokenizer);
    return texts.map((text) => counter.count(text));
  }

  async loadCounts(packs: readonly StoredCounts[]): Promise<void> {
    for (const { of, bytes } of packs) this.#countsOf(of).load(bytes);
  }

  async saveCounts({ of, what }: CountsRequest): ReturnType<ContextEngine['saveCounts']> {
    return this.#countsOf(of).save(what);
  }

  async countingWork(tokenizer: TokenizerName): Promise<CountingWork> {
    return (await this.#tokenizer(tokenizer)).worked;
  }

  #countsOf(name: CountsName): KnownCounts {
    const kind = name === 'secrets' ? `secrets by ${this.secrets.rules}` : name;
    const counts = this.#counts.get(name) ?? new KnownCounts(randomSeed(), undefined, kind);
    this.#counts.set(name, counts);
    return counts;
  }

  /** Loads a tokenizer once; a load that failed is tried again with the next call. */
  #tokenizer(name: TokenizerName): Promise<LineTokenCounter> {
    const known = this.#tokenizers.get(name);
    if (known) return known;
    const loading = this.assets
      .read(`dist/tokenizers/${name}.ranks`)
      .then((ranks) => new LineTokenCounter(this.#whenNeeded(name, ranks), this.#countsOf(name)));
    this.#tokenizers.set(name, loading);
    loading.catch(() => this.#tokenizers.delete(name));
    return loading;
  }

  /** The vocabulary takes longer to unpack than a payload whose counts are all known takes to make. */
  #whenNeeded(name: TokenizerName, ranks: Uint8Array): Tokenizer {
    let made: Tokenizer | undefined;
    const make = (): Tokenizer => {
      try {
        return this.makeTokenizer(name, ranks);
      } catch (error) {
        this.#tokenizers.delete(name);
        throw error;
      }
    };
    return {
      name,
      count: (text) => {
        made ??= make();
        return made.count(text);
      },
    };
  }

  /** @param texts what the map is shown with: secrets of these are masked in it as well */
  async #map(task: MapTask, tokenizer: Tokenizer, texts: readonly string[]): Promise<MaskedMap> {
    const { budgetTokens, focusPaths, withReasons, leftOut, isUnmasked } = task;
    const query = task.query?.trim() ?? '';
    const masks = isUnmasked ? UNMASKED : await this.#masking.masksFor(texts);
    const known = texts.flatMap((text) => masks(text)?.secrets.map(({ value }) => value) ?? []);
    const key = JSON.stringify([
      this.#index.revision,
      this.#projects,
      tokenizer.name,
      budgetTokens,
      task.leastShare ?? 0,
      focusPaths,
      query,
      task.orGeneral ?? false,
      changeKey(task.changes),
      ...[isUnmasked ?? false, withReasons ?? false, leftOut ?? null, hashText(known.join('\n'))],
    ]);
    const kept = this.#maps.find((map) => map.key === key) ?? {
      key,
      value: await this.#select(task, tokenizer, texts),
    };
    this.#maps = [...this.#maps.filter((map) => map.key !== key), kept].slice(-MAPS_KEPT);
    return kept.value;
  }

  async #select(task: MapTask, tokenizer: Tokenizer, texts: readonly string[]): Promise<MaskedMap> {
    const { budgetTokens, leastShare, withReasons, leftOut, isUnmasked } = task;
    const { order, match, isGeneral } = this.#found(task);
    const isOfChanges = task.changes ? { isOfChanges: true } : {};
    const found = match ? { match: await this.#maskedMatch(match, isUnmasked ?? false), isGeneral } : {};
    const scanned: string[] = [];
    const masked = await maskMap(
      (mask) => selectMap(this.#index, order, { budgetTokens, leastShare, mask }, tokenizer),
      (map) => {
        if (withReasons) map.explain(map.size);
        if (leftOut) map.leftOut(map.size, leftOut);
        return map.render(map.size).view;
      },
      async (shown) => {
        if (isUnmasked) return UNMASKED;
        scanned.push(...shown);
        return this.#masking.masksFor([...texts, ...scanned]);
      },
    );
    return { ...masked, map: { ...masked.map, ...found, ...isOfChanges } };
  }

  /** What a task finds. Where nothing matches, an answer shows nothing, and what is no answer the structure. */
  #found({ query: asked, focusPaths, orGeneral = false, changes }: MapTask): Found {
    if (changes) return { order: this.#orderOf(changes), match: undefined, isNothing: false, isGeneral: false };
    const query = asked?.trim() ?? '';
    if (query === '') return { order: this.#orient(focusPaths), match: undefined, isNothing: false, isGeneral: false };
    const key = JSON.stringify([this.#index.revision, this.#projects, focusPaths, query, orGeneral]);
    if (this.#ordered?.key !== key) this.#ordered = { key, value: this.#find(query, focusPaths, orGeneral) };
    return this.#ordered.value;
  }

  #find(query: string, focusPaths: readonly string[], orGeneral: boolean): Found {
    const task = parseTask(query);
    const ranking = this.#ranker.rank(task);
    const spelled = ranking.named.map(({ file }) => file.path);
    const words = matchWords(this.#index, task, query);
    // The words of a path may all be too short or too common to count.
    const isPath = !words.isMatch && spelled.length > 0;
    const match = isPath ? { isMatch: true, known: spelled, unknown: [], nearest: {} } : words;
    const isFound = ranking.hasMatches && (match.isMatch || orGeneral);
    if (isFound) {
      // What is not asked for, such as a payload, has the files that happen to be open in focus.
      const order = taskOrder(ranking);
      const isAsked = focusPaths.length > 0 && !orGeneral;
      return { order: isAsked ? focusFirst(order, focusPaths) : order, match, isNothing: false, isGeneral: false };
    }
    // What only tests hold is no match for a map without them.
    const inTests = match.isMatch ? this.#ranker.rank({ ...task, isAboutTests: true }) : undefined;
    if (inTests?.hasMatches) return { order: taskOrder(inTests), match, isNothing: false, isGeneral: false };
    if (orGeneral) return { order: this.#orient(focusPaths), match, isNothing: false, isGeneral: true };
    return { order: EMPTY_ORDER, match, isNothing: true, isGeneral: false };
  }

  async #maskedMatch(match: WordMatch, isUnmasked: boolean): Promise<WordMatch> {
    return isUnmasked ? match : maskStrings(match, await this.#masking.masksFor(stringsOf(match)));
  }

  #orderOf(changes: ChangeSet): MapOrder {
    const key = `${this.#index.revision} ${changeKey(changes)}`;
    if (this.#changed?.key !== key) this.#changed = { key, value: changedOrder(this.#index, changes) };
    return this.#changed.value;
  }

  #orient(focusPaths: readonly string[]): MapOrder {
    const key = JSON.stringify([this.#index.revision, this.#projects, focusPaths]);
    if (this.#oriented?.key !== key) {
      const value = orientationOrder(orient(this.#index, this.#project, { focusPaths }));
      this.#oriented = { key, value };
    }
    return this.#oriented.value;
  }
}

/** As many of the first lines as fit; none of an answer that a budget cannot hold. */
function mostLines(lines: readonly string[], budgetTokens: number, tokenizer: Tokenizer): string {
  const fitting = lines.map((_, at) => lines.slice(0, lines.length - at).join(''));
  return fitting.find((text) => tokenizer.count(text) <= budgetTokens) ?? '';
}

function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}

/** Stands in for a tokenizer whose ranks are not there yet. */
function estimator(name: TokenizerName): Tokenizer {
  return { name, count: estimateTokens };
}

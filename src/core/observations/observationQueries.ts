import type { ObservationRow } from '../model/observation';
import type { Tokenizer } from '../ports/ports';
import { cleanText } from '../text/sentence';
import { LineTokenCounter, wholeDetailTokens } from '../tokens/lines';
import { groupKey, groupObservations, type ObservationPage } from './browse';
import { readRunLog } from './ingest/runLog';
import { fitIndex, fitTimeline, type LayerAnswer, type MakeRow } from './layers';
import { observationDetail, renderObservationRow } from './observationCodec';
import { type BookState, contentKey, type ObservationFeed, ObservationIndex } from './observationIndex';
import type { FedStats, ObservationAnswer, ObservationDetail, ObservationQuestion } from './observationStore';

/** Observations that one slice takes into the search index: about 20 ms. */
const SEARCH_SLICE = 200;

type Question<K extends ObservationQuestion['kind']> = Extract<ObservationQuestion, { readonly kind: K }>;

/** Answers questions from a book; lives in the engine. Token counts of details are kept: rows are shown again and again. */
export class ObservationQueries {
  readonly #book = new ObservationIndex();
  readonly #detailTokens = new Map<string, Map<number, number>>();

  feed(feed: ObservationFeed): boolean {
    if (feed.from.offset === 0) this.#detailTokens.clear();
    return this.#book.feed(feed);
  }

  /**
   * `tokenizer` is the one that the question names; questions without one do not count. `masks` give what stands
   * for each text of rows.
   */
  ask(
    { generation, offset }: BookState,
    question: ObservationQuestion,
    tokenizer: Tokenizer,
    masks = AS_IT_IS,
  ): ObservationAnswer {
    const { state } = this.#book;
    // An empty log is never fed.
    const isBehind = offset > 0 ? generation !== state.generation || offset !== state.offset : state.offset > 0;
    if (isBehind) return { kind: 'behind' };
    if (needsSearch(question) && this.#book.unsearched > SEARCH_SLICE) {
      this.#book.prepareSearch(SEARCH_SLICE);
      return { kind: 'preparing', left: this.#book.unsearched };
    }
    switch (question.kind) {
      case 'index':
        return { kind: 'layer', answer: this.#index(question, tokenizer, masks) };
      case 'timeline':
        return this.#timeline(question, tokenizer, masks);
      case 'detail':
        return this.#detail(question, tokenizer);
      case 'stats':
        return { kind: 'stats', stats: this.#stats() };
      case 'groups':
        return { kind: 'groups', groups: groupObservations(this.#newestFirst(), question.by, question.limit) };
      case 'list':
        return { kind: 'list', page: this.#list(question, tokenizer, masks) };
      case 'prepareSearch':
        this.#book.prepareSearch(SEARCH_SLICE);
        return { kind: 'prepared' };
      case 'readLog':
        return { kind: 'readLog', log: readRunLog(question.path, question.text) };
      case 'unknownOf':
        return { kind: 'unknownOf', drafts: this.#unknownOf(question) };
    }
  }

  #index({ query = '', taskId, limit, caps }: Question<'index'>, tokenizer: Tokenizer, masks: RowMasks): LayerAnswer {
    const isWanted = (place: number): boolean => !taskId || this.#book.header(place)?.taskId === taskId;
    const found =
      query.trim() === '' ? [...this.#book.byTime(taskId)].reverse() : this.#book.search(query).filter(isWanted);
    return fitIndex(found, limit, this.#rowMaker(tokenizer, masks), caps, tokenizer);
  }

  #timeline({ around, window, caps }: Question<'timeline'>, tokenizer: Tokenizer, masks: RowMasks): ObservationAnswer {
    const places = this.#book.byTime('taskId' in around ? around.taskId : undefined);
    const place = 'id' in around ? this.#book.placeOf(around.id) : places.at(-1);
    if (place === undefined) return { kind: 'noSuchId' };
    const centre = places.indexOf(place);
    return {
      kind: 'layer',
      answer: fitTimeline(places, centre, window, this.#rowMaker(tokenizer, masks), caps, tokenizer),
    };
  }

  #detail({ ids }: Question<'detail'>, tokenizer: Tokenizer): ObservationAnswer {
    const makeRow = this.#rowMaker(tokenizer);
    const items: ObservationDetail[] = [];
    const unknown: number[] = [];
    for (const id of ids) {
      const place = this.#book.placeOf(id);
      const observation = place === undefined ? undefined : this.#book.observation(place);
      const row = place === undefined ? undefined : makeRow(place);
      if (observation && row) items.push({ source: observationDetail(observation), row });
      else unknown.push(id);
    }
    return { kind: 'detail', details: { items, unknown } };
  }

  #list(
    { within, query = '', limit, after }: Question<'list'>,
    tokenizer: Tokenizer,
    masks: RowMasks,
  ): ObservationPage {
    const found = query.trim() === '' ? [...this.#book.byTime()].reverse() : this.#book.search(query);
    const isWithin = (place: number): boolean => {
      const header = this.#book.header(place);
      return !within || (header !== undefined && groupKey(header, within.by) === within.key);
    };
    const places = found.filter(isWithin);
    const makeRow = this.#rowMaker(tokenizer, masks);
    const start = after === undefined ? 0 : afterPlace(places, this.#book.placeOf(after));
    const wanted = start < 0 ? [] : places.slice(start, start + limit);
    const rows = wanted.flatMap((place) => makeRow(place) ?? []);
    return { rows, total: places.length, start };
  }

  *#newestFirst() {
    const places = this.#book.byTime();
    for (let at = places.length - 1; at >= 0; at--) {
      const header = this.#book.header(places[at] ?? -1);
      if (header) yield header;
    }
  }

  #stats(): FedStats {
    const { first, count } = this.#book.problems;
    return { total: this.#book.size, problems: first, problemCount: count };
  }

  #unknownOf({ drafts }: Question<'unknownOf'>): Extract<ObservationAnswer, { kind: 'unknownOf' }>['drafts'] {
    const left = this.#book.contentCounts();
    return drafts.filter((draft) => {
      const key = contentKey(draft);
      const count = left.get(key) ?? 0;
      if (count > 0) left.set(key, count - 1);
      return count === 0;
    });
  }

  #rowMaker(tokenizer: Tokenizer, { line: mask, whole } = AS_IT_IS): MakeRow {
    const counter = LineTokenCounter.over(tokenizer);
    const counts = this.#detailTokens.get(tokenizer.name) ?? new Map<number, number>();
    this.#detailTokens.set(tokenizer.name, counts);
    return (place): ObservationRow | undefined => {
      const observation = this.#book.observation(place);
      if (!observation) return undefined;
      const detail = observationDetail(observation);
      const plain = cleanText(detail.text);
      const masked = { ...detail, title: whole(detail.title), text: whole(plain) };
      const isPlain = masked.title === detail.title && masked.text === plain;
      const detailTokens = (isPlain ? counts.get(place) : undefined) ?? wholeDetailTokens(masked, counter);
      if (isPlain) counts.set(place, detailTokens);
      const { id, ts, refs } = observation;
      const shown = {
        ...{ id, ts },
        type: mask(observation.type),
        taskId: mask(observation.taskId),
        actor: mask(observation.actor),
        phase: mask(observation.phase),
        summary: mask(observation.summary),
        refs: { files: refs.files.map(mask), commands: refs.commands.map(mask), urls: refs.urls.map(mask) },
      };
      return { ...shown, detailTokens, text: renderObservationRow(shown, detailTokens) };
    };
  }
}

/** What stands for texts of rows. */
export interface RowMasks {
  readonly line: (text: string) => string;
  /** For a detail: not shown with the row, but counted. */
  readonly whole: (text: string) => string;
}

/** For rows that a person reads, or that are masked later. */
const AS_IT_IS: RowMasks = { line: (text) => text, whole: (text) => text };

/** Where the places after `place` begin; -1 when it is not among them. */
function afterPlace(places: readonly number[], place: number | undefined): number {
  const at = place === undefined ? -1 : places.indexOf(place);
  return at < 0 ? -1 : at + 1;
}

/** True for a question that has to wait for the search index. */
function needsSearch(question: ObservationQuestion): boolean {
  if (question.kind === 'prepareSearch') return true;
  return (question.kind === 'index' || question.kind === 'list') && (question.query ?? '').trim() !== '';
}

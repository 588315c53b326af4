import type { ObservationRow } from '../model/observation';
import type { WordMatch } from '../model/repoMap';
import type { Tokenizer } from '../ports/ports';
import { cleanText } from '../text/sentence';
import { LineTokenCounter, wholeDetailTokens } from '../tokens/lines';
import { groupKey, groupObservations, type ObservationPage } from './browse';
import { readRunLog } from './ingest/runLog';
import { fitIndex, fitTimeline, type LayerAnswer, type RowChoice } from './layers';
import { taskLabel } from './observation';
import { observationDetail, renderObservationRow } from './observationCodec';
import { type BookState, type NearWord, type ObservationFeed, ObservationIndex } from './observationIndex';
import type { ObservationAnswer, ObservationDetail, ObservationDetails, ObservationQuestion } from './observationStore';

/** Words named for an unknown one. */
const MAX_NEAREST = 3;

/** Observations that one slice takes into the search index: about 20 ms. */
const SEARCH_SLICE = 200;

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
    return { kind: 'answered', value: this.#answer(question, tokenizer, masks) };
  }

  #answer(question: ObservationQuestion, tokenizer: Tokenizer, masks: RowMasks) {
    const makeRow = this.#rowMaker(tokenizer, masks);
    switch (question.kind) {
      case 'index': {
        const { query, taskId, limit, caps } = question;
        const layer = fitIndex(limit, { places: this.#found(query, taskId), makeRow, caps, tokenizer });
        const match = isBlank(query) ? {} : { match: this.#match(query, masks) };
        return { ...layer, all: this.#book.size, ...match };
      }
      case 'timeline':
        return this.#timeline(question, tokenizer, makeRow);
      case 'detail':
        return this.#detail(question.ids, makeRow);
      case 'stats': {
        const { first, count } = this.#book.problems;
        return { total: this.#book.size, problems: first, problemCount: count };
      }
      case 'groups':
        return groupObservations(this.#newestFirst(), question.by, question.limit);
      case 'list':
        return this.#list(question, makeRow, masks);
      case 'prepareSearch':
        this.#book.prepareSearch(SEARCH_SLICE);
        return undefined;
      case 'readLog':
        return readRunLog(question.path, question.text, question.dates);
      case 'unknownOf':
        return this.#book.unknownOf(question.drafts);
    }
  }

  /** Places of a query's hits, best first; of all, newest first, without one. */
  #found(query = '', task?: string): readonly number[] {
    const taskId = task === undefined ? undefined : taskLabel(task);
    if (isBlank(query)) return this.#book.byTime(taskId).toReversed();
    return this.#book.search(query).filter((place) => !taskId || this.#book.header(place)?.taskId === taskId);
  }

  #timeline(
    { around, window, caps }: ObservationQuestion<'timeline'>,
    tokenizer: Tokenizer,
    makeRow: RowChoice['makeRow'],
  ): LayerAnswer | undefined {
    const places = this.#book.byTime('taskId' in around ? taskLabel(around.taskId) : undefined);
    const place = 'id' in around ? this.#book.placeOf(around.id) : places.at(-1);
    if (place === undefined) return undefined;
    return fitTimeline(places.indexOf(place), window, { places, makeRow, caps, tokenizer });
  }

  #detail(ids: readonly number[], makeRow: RowChoice['makeRow']): ObservationDetails {
    const items: ObservationDetail[] = [];
    const unknown: number[] = [];
    for (const id of ids) {
      const place = this.#book.placeOf(id) ?? -1;
      const observation = this.#book.observation(place);
      const row = makeRow(place);
      if (observation && row) items.push({ source: observationDetail(observation), row });
      else unknown.push(id);
    }
    return { items, unknown };
  }

  #list(
    { within, query, limit, after }: ObservationQuestion<'list'>,
    makeRow: RowChoice['makeRow'],
    masks: RowMasks,
  ): ObservationPage {
    const isWithin = (place: number): boolean => {
      const header = this.#book.header(place);
      return !within || (header !== undefined && groupKey(header, within.by) === within.key);
    };
    const places = this.#found(query).filter(isWithin);
    // After a row that the list does not have there is none.
    const start = after === undefined ? 0 : places.indexOf(this.#book.placeOf(after) ?? -1) + 1 || -1;
    const wanted = start < 0 ? [] : places.slice(start, start + limit);
    const rows = wanted.flatMap((place) => makeRow(place) ?? []);
    const match = isBlank(query) || places.length > 0 ? {} : { match: this.#match(query, masks) };
    return { rows, total: places.length, start, ...match };
  }

  /** What of a query's words is known. A near word is named only where what is shown has it too: no secret is. */
  #match(query: string, masks: RowMasks): WordMatch {
    const { known, unknown, nearest } = this.#book.words(query);
    const isShown = ({ word, place }: NearWord): boolean => {
      const observation = this.#book.observation(place);
      if (!observation) return false;
      const { summary, taskId, actor, phase, type, refs } = observation;
      const labels = [summary, taskId, actor, phase, type, ...refs.files].map(masks.line);
      const texts = [...labels, masks.whole(cleanText(observationDetail(observation).text))];
      return texts.some((text) => text.toLowerCase().includes(word));
    };
    const shown = [...nearest].map(
      ([word, near]) =>
        [
          word,
          near
            .filter(isShown)
            .slice(0, MAX_NEAREST)
            .map((each) => each.word),
        ] as const,
    );
    return { isMatch: known.length > 0, known, unknown, nearest: Object.fromEntries(shown) };
  }

  #newestFirst() {
    return this.#found().flatMap((place) => this.#book.header(place) ?? []);
  }

  #rowMaker(tokenizer: Tokenizer, { line: mask, whole }: RowMasks): RowChoice['makeRow'] {
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
      const { id, ts, precision, timeFrom, instant, refs } = observation;
      const shown = {
        id,
        ts,
        precision,
        timeFrom,
        instant,
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

function isBlank(query: string | undefined): query is undefined | '' {
  return query === undefined || query.trim() === '';
}

/** True for a question that has to wait for the search index. */
function needsSearch(question: ObservationQuestion): boolean {
  if (question.kind === 'prepareSearch') return true;
  return (question.kind === 'index' || question.kind === 'list') && !isBlank(question.query);
}

import MiniSearch from 'minisearch';
import { hashText } from '../text/hash';
import { MAX_TERM_CHARS, matchesPrefix, queryTerms, searchTerms } from '../text/searchTerms';
import { toSentence, toSummary } from '../text/sentence';
import { isUnspaced, typosOf } from '../text/terms';
import type { Observation, ObservationDraft } from './observation';
import { decodeObservation } from './observationCodec';

/** How much of a detail is searched: the head says what it is about, and a log of a megabyte would outweigh all others. */
const DETAIL_CHARS = 600;

/** A hit in a summary or a label says more than one in a detail. */
const BOOST = { head: 3, detail: 1 };

/** Between terms that are cut already; in no term. */
const SEPARATOR = '\n';

interface Entry {
  readonly id: number;
  /** Terms of summary and labels. */
  readonly head: string;
  /** Terms of the detail and of the files that the head does not have, each once: a detail often repeats its summary. */
  readonly detail: string;
}

/** Full-text search over observations by their place in the book; best match first (BM25+ of MiniSearch). */
class ObservationSearch {
  readonly #index = new MiniSearch<Entry>({
    fields: ['head', 'detail'],
    tokenize: (terms) => terms.split(SEPARATOR),
    // Terms are normal already.
    processTerm: (term) => term,
    searchOptions: {
      tokenize: queryTerms,
      prefix: matchesPrefix,
      boost: BOOST,
    },
  });

  /** Places from 0 to here are searched. */
  get size(): number {
    return this.#index.documentCount;
  }

  add(place: number, { summary, taskId, actor, phase, type, detail, refs }: Observation): void {
    const files = refs.files.map((file) => file.replace(/#L[\d-L]+$/, ''));
    const head = searchTerms([summary, taskId, actor, phase, type].join(' '));
    const known = new Set(head);
    // Every row has the path of the log that it was read from, which says less than the row's own words.
    const rest = new Set(
      searchTerms([detail.slice(0, DETAIL_CHARS), ...files].join(' ')).filter((term) => !known.has(term)),
    );
    this.#index.add({ id: place, head: head.join(SEPARATOR), detail: [...rest].join(SEPARATOR) });
  }

  /** Places with their scores: those with every word of the query, or, when there is none, with any. */
  find(query: string): readonly { readonly place: number; readonly score: number }[] {
    if (queryTerms(query).length === 0) return [];
    const all = this.#index.search(query, { combineWith: 'AND' });
    const found = all.length > 0 ? all : this.#index.search(query, { combineWith: 'OR' });
    return found.map(({ id, score }) => ({ place: Number(id), score }));
  }

  words(query: string): KnownWords {
    const words = [...new Set(query.normalize('NFKC').match(QUERY_WORDS) ?? [])];
    if (words.length === 0) return { known: [], unknown: [toSentence(query, MAX_TEXT_CHARS)], nearest: new Map() };
    const known = new Set(words.filter((word) => this.#has(word)));
    const unknown = words.filter((word) => !known.has(word)).slice(0, MAX_WORDS);
    const told = (word: string): string => toSentence(word, MAX_TEXT_CHARS);
    return {
      known: [...known].slice(0, MAX_WORDS).map(told),
      unknown: unknown.map(told),
      nearest: new Map(unknown.slice(0, MAX_LOOKUPS).map((word) => [told(word), this.#nearest(word)])),
    };
  }

  #has(word: string): boolean {
    return this.#index.search(word, { combineWith: isUnspaced(word) ? 'OR' : 'AND' }).length > 0;
  }

  /** Words that differ from it by typos: those with fewer first, then those of more observations. */
  #nearest(word: string): readonly NearWord[] {
    const lower = word.toLowerCase();
    const near = new Map<string, NearWord>();
    const mostTypos = lower.length > MAX_NEAR_CHARS ? 0 : typosOf(lower.length);
    for (let typos = 1; typos <= mostTypos; typos++) {
      const options = { fuzzy: typos, prefix: false, tokenize: (term: string) => [term] };
      const found = new Map<string, { place: number; count: number }>();
      for (const { id, match } of this.#index.search(lower, options)) {
        for (const term of Object.keys(match)) {
          const { place, count } = found.get(term) ?? { place: Number(id), count: 0 };
          found.set(term, { place: Math.min(place, Number(id)), count: count + 1 });
        }
      }
      const byCount = [...found].sort(([a, left], [b, right]) => right.count - left.count || (a < b ? -1 : 1));
      for (const [term, { place }] of byCount) if (!near.has(term)) near.set(term, { word: term, place });
    }
    return [...near.values()];
  }
}

/** Words listed of a query, and those of the unknown ones that near words are looked up for. */
const MAX_WORDS = 12;
const MAX_LOOKUPS = 6;
/** What is said of a query without words, and of one word. UTF-16 code units. */
const MAX_TEXT_CHARS = 80;
const QUERY_WORDS = /[\p{L}\p{N}\p{M}_]+/gu;

/** No term of the index is near to a longer word: MiniSearch takes the square of the length in bytes. */
const MAX_NEAR_CHARS = MAX_TERM_CHARS + typosOf(MAX_TERM_CHARS);

/** A word of the log that an unknown one may stand for, and the place of an observation that has it. */
export interface NearWord {
  readonly word: string;
  readonly place: number;
}

/** Which words of a query the log knows; of those that it does not, the nearest ones that it has. */
export interface KnownWords {
  readonly known: readonly string[];
  readonly unknown: readonly string[];
  readonly nearest: ReadonlyMap<string, readonly NearWord[]>;
}

/** How far a book has read a log; two that are the same hold the same. */
export interface BookState {
  /** Which reading of the log from its start. */
  readonly generation: number;
  /** Bytes read in it. */
  readonly offset: number;
}

/** Lines for a book. */
export interface ObservationFeed {
  /** What the book must have read before; a feed from offset 0 starts it again. */
  readonly from: BookState;
  readonly bytes: Uint8Array;
}

/** A line that is no observation. */
export interface LineProblem {
  /** 1-based. */
  readonly line: number;
  readonly why: string;
}

/** Problems kept; the others are counted. */
const MAX_PROBLEMS = 20;

const NEWLINE = 10;

/** What is kept of an observation; the rest stays in the bytes until it is asked for: details may be long and many. */
interface Header extends Pick<Observation, 'id' | 'ts' | 'taskId' | 'summary'> {
  /** What order is by: the instant, else `ts` as UTC. Sortable. */
  readonly order: string;
  readonly chunk: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** All that feeding changes. */
function nothingRead() {
  return {
    headers: [] as Header[],
    placeById: new Map<number, number>(),
    byTime: [] as number[],
    isSorted: true,
    lines: 0,
    problems: [] as LineProblem[],
    problemCount: 0,
    search: new ObservationSearch(),
    events: new RecordedEvents(),
  };
}

/** What an event is known by: its time; else its file, where its day is said by the log or is a guess. */
type KnownBy = 'time' | 'saidDay' | 'guessedDay';

function dayOf({ timeFrom }: ObservationDraft): KnownBy {
  return timeFrom === 'text' || timeFrom === 'context' ? 'saidDay' : 'guessedDay';
}

/** UTF-16 code units. */
const MAX_KEY_TASK_CHARS = 80;

/** Key of an event: equal for any actor and for any blanks at the ends of lines. */
function keyOf(draft: ObservationDraft, by: KnownBy): string {
  const { ts, taskId, actor, phase, type, summary, detail, refs } = draft;
  const where = by === 'time' ? ts : (refs.files[0]?.replace(/#L\d+$/, '') ?? '');
  const lines = detail.split('\n').map((line) => line.trimEnd());
  // Earlier versions kept so much of a task's id.
  const task = toSummary(taskId, MAX_KEY_TASK_CHARS);
  return hashText(JSON.stringify([by, where, task, actor, phase, type, summary, lines]));
}

/** Of which day the events of a key are, or that they are of several. */
class Days {
  readonly #days = new Map<string, string>();

  add(key: string, { ts }: ObservationDraft): void {
    const day = ts.slice(0, 10);
    this.#days.set(key, (this.#days.get(key) ?? day) === day ? day : 'several');
  }

  areSeveral(key: string): boolean {
    return this.#days.get(key) === 'several';
  }
}

/** Which events are recorded. Memory: about 300 bytes for each. */
class RecordedEvents {
  /** Places by key, ascending. */
  readonly #places = new Map<string, number[]>();
  readonly #days = new Days();
  /** Places from 0 to here are taken in. */
  size = 0;

  /** Takes in the next place; `undefined` where no observation can be read. */
  add(observation: Observation | undefined): void {
    const place = this.size++;
    if (!observation) return;
    for (const by of ['time', dayOf(observation)] as const) {
      const key = keyOf(observation, by);
      const same = this.#places.get(key);
      if (same) same.push(place);
      else this.#places.set(key, [place]);
      if (by === 'saidDay') this.#days.add(key, observation);
    }
  }

  /**
   * Those drafts of one run log that are not recorded. Each observation stands for one draft: the k-th of equal ones is
   * new where fewer than k are recorded. One whose entry does not say the day is also known without its time, since
   * edits elsewhere may change that: by observations that no draft has the time of. But what the log says of several
   * days is another event each day. Linear in the drafts.
   */
  unknownOf(drafts: readonly ObservationDraft[]): readonly ObservationDraft[] {
    const taken = new Set<number>();
    /** How many places of a key were looked at. */
    const looked = new Map<string, number>();
    const take = (key: string): boolean => {
      const places = this.#places.get(key) ?? [];
      for (let at = looked.get(key) ?? 0; at < places.length; at++) {
        const place = places[at] ?? 0;
        looked.set(key, at + 1);
        if (taken.has(place)) continue;
        taken.add(place);
        return true;
      }
      return false;
    };
    const days = new Days();
    for (const draft of drafts) if (dayOf(draft) === 'saidDay') days.add(keyOf(draft, 'saidDay'), draft);
    const rest = drafts.filter((draft) => !take(keyOf(draft, 'time')));
    const isKnownWithoutTime = (draft: ObservationDraft): boolean => {
      if (take(keyOf(draft, 'guessedDay'))) return true;
      const key = keyOf(draft, 'saidDay');
      return !this.#days.areSeveral(key) && !days.areSeveral(key) && take(key);
    };
    return rest.filter((draft) => draft.timeFrom === 'text' || !isKnownWithoutTime(draft));
  }
}

/**
 * All observations of one log, in memory, in the order of the log, by id and by time. It reads lines as they come and
 * makes its search index when something is first searched. Memory: the log's bytes and about as much again.
 */
export class ObservationIndex {
  #state: BookState = { generation: 0, offset: 0 };
  #read = nothingRead();
  readonly #decoder = new TextDecoder();

  get state(): BookState {
    return this.#state;
  }

  get size(): number {
    return this.#read.headers.length;
  }

  get problems(): { readonly first: readonly LineProblem[]; readonly count: number } {
    return { first: this.#read.problems, count: this.#read.problemCount };
  }

  /** Takes lines in; false when they do not follow what was read, and the feeder has to start again. */
  feed({ from, bytes }: ObservationFeed): boolean {
    if (from.offset === 0) this.#read = nothingRead();
    else if (from.generation !== this.#state.generation || from.offset !== this.#state.offset) return false;
    this.#readLines(bytes);
    this.#state = { generation: from.generation, offset: from.offset + bytes.length };
    return true;
  }

  /** Place of an id in the log; `undefined` when there is none. */
  placeOf(id: number): number | undefined {
    return this.#read.placeById.get(id);
  }

  header(place: number): Header | undefined {
    return this.#read.headers[place];
  }

  /** The whole observation; reads its line again. */
  observation(place: number): Observation | undefined {
    const header = this.#read.headers[place];
    if (!header) return undefined;
    const decoded = decodeObservation(this.#decoder.decode(header.chunk.subarray(header.start, header.end)));
    return decoded.kind === 'ok' ? decoded.observation : undefined;
  }

  /** Places by time, then id, oldest first; of one task when given. */
  byTime(taskId: string | undefined): readonly number[] {
    if (!this.#read.isSorted) {
      this.#read.byTime.sort((left, right) => this.#compare(left, right));
      this.#read.isSorted = true;
    }
    if (taskId === undefined) return this.#read.byTime;
    return this.#read.byTime.filter((place) => this.#read.headers[place]?.taskId === taskId);
  }

  /** How many observations the search index has still to take in. */
  get unsearched(): number {
    return this.size - this.#read.search.size;
  }

  /** Takes at most `count` observations more into the search index: a long history takes seconds, so it is done in slices. */
  prepareSearch(count: number): void {
    const end = Math.min(this.size, this.#read.search.size + count);
    for (let place = this.#read.search.size; place < end; place++) {
      const observation = this.observation(place);
      if (observation) this.#read.search.add(place, observation);
    }
  }

  /** Places that match, best first; of equal ones the newer first. Finishes the search index. */
  search(query: string): readonly number[] {
    this.prepareSearch(this.unsearched);
    const found = [...this.#read.search.find(query)];
    found.sort((left, right) => right.score - left.score || this.#compare(right.place, left.place));
    return found.map(({ place }) => place);
  }

  /** Which words of a query some observation has. Finishes the search index. */
  words(query: string): KnownWords {
    this.prepareSearch(this.unsearched);
    return this.#read.search.words(query);
  }

  /** Those drafts of one run log that are not recorded yet. Reads each line again when it is first asked. */
  unknownOf(drafts: readonly ObservationDraft[]): readonly ObservationDraft[] {
    const { events } = this.#read;
    while (events.size < this.size) events.add(this.observation(events.size));
    return events.unknownOf(drafts);
  }

  #readLines(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#read.lines++;
      const line = this.#decoder.decode(chunk.subarray(start, end));
      if (line.trim() !== '') this.#readLine(line, { chunk, start, end });
      start = end + 1;
    }
  }

  #readLine(line: string, where: Pick<Header, 'chunk' | 'start' | 'end'>): void {
    const decoded = decodeObservation(line);
    if (decoded.kind === 'malformed') {
      this.#complain(decoded.why);
      return;
    }
    const { id, ts, instant, taskId, summary } = decoded.observation;
    const order = instant?.slice(0, -1).replace('T', ' ') ?? ts;
    if (this.#read.placeById.has(id)) {
      this.#complain(`the id ${id} is used before`);
      return;
    }
    const place = this.#read.headers.push({ id, ts, order, taskId, summary, ...where }) - 1;
    this.#read.placeById.set(id, place);
    const last = this.#read.byTime.at(-1);
    this.#read.byTime.push(place);
    if (last !== undefined && this.#compare(last, place) > 0) this.#read.isSorted = false;
  }

  #complain(why: string): void {
    this.#read.problemCount++;
    if (this.#read.problems.length < MAX_PROBLEMS) this.#read.problems.push({ line: this.#read.lines, why });
  }

  #compare(left: number, right: number): number {
    const [a, b] = [this.#read.headers[left], this.#read.headers[right]];
    if (!a || !b) return 0;
    return a.order < b.order ? -1 : a.order > b.order ? 1 : a.id - b.id;
  }
}

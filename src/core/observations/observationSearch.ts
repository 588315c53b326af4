import MiniSearch from 'minisearch';
import type { Observation } from './observation';
import { matchesPrefix, queryTerms, searchTerms } from './searchTerms';

/** How much of a detail is searched: the head says what it is about, and a log of a megabyte would outweigh all others. */
const DETAIL_CHARS = 600;

/** A hit in a summary or a label says more than one in a detail. */
const BOOST = { summary: 3, labels: 2, detail: 1 };

interface Entry {
  readonly id: number;
  readonly summary: string;
  readonly labels: string;
  readonly detail: string;
}

/** Full-text search over observations by their place in the book; best match first (BM25+ of MiniSearch). */
export class ObservationSearch {
  readonly #index = new MiniSearch<Entry>({
    fields: ['summary', 'labels', 'detail'],
    tokenize: searchTerms,
    // Terms are normal already.
    processTerm: (term) => term,
    searchOptions: {
      tokenize: queryTerms,
      prefix: matchesPrefix,
      boost: BOOST,
      combineWith: 'AND',
    },
  });

  /** Places from 0 to here are searched. */
  get size(): number {
    return this.#index.documentCount;
  }

  add(place: number, { summary, taskId, actor, phase, type, detail, refs }: Observation): void {
    this.#index.add({
      id: place,
      summary,
      labels: [taskId, actor, phase, type, ...refs.files].join(' '),
      detail: detail.slice(0, DETAIL_CHARS),
    });
  }

  /** Places with their scores: those with every word of the query, or, when there is none, with any. */
  find(query: string): readonly { readonly place: number; readonly score: number }[] {
    if (queryTerms(query).length === 0) return [];
    const all = this.#index.search(query);
    const found = all.length > 0 ? all : this.#index.search(query, { combineWith: 'OR' });
    return found.map(({ id, score }) => ({ place: Number(id), score }));
  }
}

import MiniSearch from 'minisearch';
import { matchesPrefix, queryTerms, searchTerms } from '../text/searchTerms';
import type { Observation } from './observation';

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
export class ObservationSearch {
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

  /** Leaves a place without words, so that `size` goes on. */
  skip(place: number): void {
    this.#index.add({ id: place, head: '', detail: '' });
  }

  add(place: number, { summary, taskId, actor, phase, type, detail, refs }: Observation): void {
    const files = refs.files.map((file) => file.replace(/#L[\d-L]+$/, ''));
    const head = searchTerms([summary, taskId, actor, phase, type].join(' '));
    const known = new Set(head);
    // Of what a log was read from every row has the path: it says less than what the row says itself.
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
}

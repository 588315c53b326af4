/** The order of a map for a task (`taskRanking.ts`), and what speaks for each of its definitions and files. */
import { type Phrase, phrase } from '../../text/phrase';
import type { IndexedFile } from '../index/indexedFile';
import type { MapItem, MapOrder } from './ranking';
import { saturated, strongestTerms, type TaskRanking } from './taskRanking';

const TERMS_NAMED = 3;
const NEIGHBOURS_NAMED = 2;

/** Two digits, without those that say nothing. */
function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Definitions best first, with what speaks for each. */
class TaskOrder implements MapOrder {
  readonly #ranking: TaskRanking;
  readonly #positions: ReadonlyMap<IndexedFile, number>;

  constructor(ranking: TaskRanking) {
    this.#ranking = ranking;
    this.#positions = new Map(ranking.corpus.files.map(({ file }, at) => [file, at]));
  }

  *items(): Generator<MapItem> {
    for (const { fileAt, index } of this.#ranking.order()) {
      const file = this.#ranking.corpus.files[fileAt]?.file;
      if (file) yield { file, index };
    }
  }

  placeOf(file: IndexedFile): number {
    return this.#ranking.files.places[this.#positions.get(file) ?? -1] ?? 0;
  }

  explainFile(file: IndexedFile): readonly Phrase[] {
    const { files } = this.#ranking;
    const at = this.#positions.get(file);
    if (at === undefined) return [];
    const rank = String((files.ranks[at] as number) + 1);
    const parts = [phrase('file rank {0}, score {1}', rank, number(files.scores[at] as number))];
    const named = files.named.get(at);
    if (named !== undefined) parts.push(phrase('named by the task ({0})', number(named)));
    const frame = files.frames.get(at);
    if (frame !== undefined) parts.push(phrase('in the stack trace ({0})', number(frame)));
    const baseName = files.baseNames[at] as number;
    if (baseName > 0) parts.push(phrase('its name is in the task ({0})', number(baseName)));
    const inScope = files.inScope[at] as number;
    if (inScope > 0) parts.push(phrase('where the title points to ({0})', number(inScope)));
    parts.push(phrase('words {0}', number((files.words[at] as number) / files.mostWords)));
    return parts;
  }

  explain({ file, index }: MapItem): readonly Phrase[] {
    const at = this.#positions.get(file);
    const base = at === undefined ? undefined : this.#ranking.corpus.files[at]?.base;
    if (base === undefined) return [];
    const definition = base + index;
    const { exact, own, walked } = this.#ranking;
    const parts: Phrase[] = [];
    if (exact.frames[definition])
      parts.push(phrase('in the stack trace ({0})', number(exact.frames[definition] as number)));
    if (exact.identifiers[definition]) {
      parts.push(phrase('named by the task ({0})', number(exact.identifiers[definition] as number)));
    }
    const terms = this.#terms(definition);
    if (terms !== '') parts.push(phrase('words {0}', terms));
    const flow = walked[definition] as number;
    if (flow > 0) {
      const neighbours = this.#neighbours(definition);
      const near = neighbours === '' ? phrase('what matches') : neighbours;
      parts.push(phrase('near {0} ({1})', near, number(flow)));
    }
    return [phrase('score {0}', number(own[definition] as number)), ...parts];
  }

  /** `open 0.31, store 0.12`: shares of the best definition's score. */
  #terms(definition: number): string {
    const { corpus, hits, weights, bestWords } = this.#ranking;
    const found = strongestTerms(hits, corpus, weights.maxTerms).flatMap(({ hit, worth }) => {
      const at = hit.definitions.indexOf(definition);
      if (at < 0) return [];
      const tf = saturated(hit.counts[at] as number, corpus.lengths[definition] as number, corpus, weights);
      return [{ term: hit.query.term, share: (worth * tf) / bestWords }];
    });
    found.sort((a, b) => b.share - a.share);
    return found
      .slice(0, TERMS_NAMED)
      .map(({ term, share }) => `${term} ${number(share)}`)
      .join(', ');
  }

  #neighbours(definition: number): string {
    const { corpus, own } = this.#ranking;
    const near = corpus.graph
      .neighbours(definition)
      .map(({ definition: other, weight }) => ({ other, worth: weight * (own[other] as number) ** 2 }))
      .filter(({ worth }) => worth > 0)
      .sort((a, b) => b.worth - a.worth || a.other - b.other);
    const names = near.map(({ other }) => {
      const { fileAt, index } = corpus.locate(other);
      return corpus.files[fileAt]?.file.qualifiedNames[index] ?? '';
    });
    return [...new Set(names)].slice(0, NEIGHBOURS_NAMED).join(', ');
  }
}

/** The order of what a ranking found. */
export function taskOrder(ranking: TaskRanking): MapOrder {
  return new TaskOrder(ranking);
}

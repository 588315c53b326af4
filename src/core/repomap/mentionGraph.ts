/**
 * Which definition mentions which other's name in its code, for the short walk of RANKING §1.3. It decides what a
 * mention is worth; where the walk starts is `taskRanking.ts`.
 */
import type { TaskCorpus } from './taskCorpus';
import { PostingReader } from './wordPostings';

/** A name that more definitions carry says nothing about which is meant (RANKING §1.3). */
const MAX_CARRIERS = 8;
const SAME_FILE = 1.5;
const STEPS = 3;
const BACKWARD = 0.5;
const DAMPING = 0.5;

/** Edges as compressed rows. */
interface Edges {
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
  readonly weights: Float32Array;
}

class EdgeList {
  readonly sources: number[] = [];
  readonly targets: number[] = [];
  readonly weights: number[] = [];

  add(source: number, target: number, weight: number): void {
    this.sources.push(source);
    this.targets.push(target);
    this.weights.push(weight);
  }

  rows(count: number): Edges {
    const starts = new Uint32Array(count + 1);
    for (const source of this.sources) starts[source + 1] = (starts[source + 1] as number) + 1;
    for (let row = 0; row < count; row++) starts[row + 1] = (starts[row + 1] as number) + (starts[row] as number);
    const next = starts.slice();
    const targets = new Uint32Array(this.sources.length);
    const weights = new Float32Array(this.sources.length);
    this.sources.forEach((source, at) => {
      const slot = next[source] as number;
      next[source] = slot + 1;
      targets[slot] = this.targets[at] as number;
      weights[slot] = this.weights[at] as number;
    });
    return { starts, targets, weights };
  }
}

/** Definitions by the vocabulary number of their name; `undefined` for names too many carry. */
function carriersOf(corpus: TaskCorpus): ReadonlyMap<number, readonly number[] | undefined> {
  const carriers = new Map<number, number[] | undefined>();
  for (const { file, base } of corpus.files) {
    file.nameWords.forEach((word, index) => {
      const known = carriers.get(word);
      if (known === undefined && carriers.has(word)) return;
      if (known && known.length >= MAX_CARRIERS) carriers.set(word, undefined);
      else if (known) known.push(base + index);
      else carriers.set(word, [base + index]);
    });
  }
  return carriers;
}

/** Mentions among the definitions of a corpus. */
export class MentionGraph {
  readonly #edges: Edges;
  readonly #outWeight: Float32Array;
  readonly #inWeight: Float32Array;

  /** Linear in words and mentions. */
  constructor(corpus: TaskCorpus) {
    const count = corpus.definitionCount;
    const list = collect(corpus);
    this.#edges = list.rows(count);
    this.#outWeight = new Float32Array(count);
    this.#inWeight = new Float32Array(count);
    list.sources.forEach((source, at) => {
      const weight = list.weights[at] as number;
      this.#outWeight[source] = (this.#outWeight[source] as number) + weight;
      const target = list.targets[at] as number;
      this.#inWeight[target] = (this.#inWeight[target] as number) + weight;
    });
  }

  /**
   * What flows to each definition in three steps from where `start` lies, without `start` itself: along mentions, and
   * half as much against them.
   */
  walk(start: Float64Array): Float64Array {
    const { starts, targets, weights } = this.#edges;
    const count = start.length;
    let flow = start.slice();
    for (let step = 0; step < STEPS; step++) {
      const next = start.slice();
      for (let source = 0; source < count; source++) {
        const forward = (DAMPING * (flow[source] as number)) / ((this.#outWeight[source] as number) + 1);
        for (let at = starts[source] as number; at < (starts[source + 1] as number); at++) {
          const target = targets[at] as number;
          const weight = weights[at] as number;
          next[target] = (next[target] as number) + forward * weight;
          const backward = (DAMPING * BACKWARD * (flow[target] as number)) / ((this.#inWeight[target] as number) + 1);
          next[source] = (next[source] as number) + backward * weight;
        }
      }
      flow = next;
    }
    for (let at = 0; at < count; at++) flow[at] = (flow[at] as number) - (start[at] as number);
    return flow;
  }

  /** Definitions that `definition` mentions or is mentioned by, with the weight of the mention. Linear in all mentions. */
  neighbours(
    definition: number,
  ): readonly { readonly definition: number; readonly weight: number; readonly isMentioned: boolean }[] {
    const { starts, targets, weights } = this.#edges;
    const found: { definition: number; weight: number; isMentioned: boolean }[] = [];
    for (let source = 0; source + 1 < starts.length; source++) {
      for (let at = starts[source] as number; at < (starts[source + 1] as number); at++) {
        const target = targets[at] as number;
        if (source === definition)
          found.push({ definition: target, weight: weights[at] as number, isMentioned: false });
        else if (target === definition)
          found.push({ definition: source, weight: weights[at] as number, isMentioned: true });
      }
    }
    return found;
  }
}

function collect(corpus: TaskCorpus): EdgeList {
  const carriers = carriersOf(corpus);
  const list = new EdgeList();
  const reader = new PostingReader();
  for (const { file, base } of corpus.files) {
    const count = file.definitions.length;
    reader.open(file.postings);
    for (const word of file.words) {
      reader.nextWord();
      const named = carriers.get(word);
      if (!named) continue;
      while (reader.next()) {
        if (reader.code === 0 || reader.owner < 0 || reader.owner >= count) continue;
        const source = base + reader.owner;
        for (const target of named) {
          if (target === source) continue;
          const isSameFile = target >= base && target < base + count;
          list.add(source, target, (isSameFile ? SAME_FILE : 1) / named.length);
        }
      }
    }
  }
  return list;
}

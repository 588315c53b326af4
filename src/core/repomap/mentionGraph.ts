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

/** Edges in the order in which they are found; grows without an object for each. */
class EdgeList {
  sources = new Uint32Array(4096);
  targets = new Uint32Array(4096);
  weights = new Float32Array(4096);
  length = 0;

  add(source: number, target: number, weight: number): void {
    if (this.length === this.sources.length) this.#grow();
    this.sources[this.length] = source;
    this.targets[this.length] = target;
    this.weights[this.length++] = weight;
  }

  rows(count: number): Edges {
    const starts = new Uint32Array(count + 1);
    for (let at = 0; at < this.length; at++) {
      const next = (this.sources[at] as number) + 1;
      starts[next] = (starts[next] as number) + 1;
    }
    for (let row = 0; row < count; row++) starts[row + 1] = (starts[row + 1] as number) + (starts[row] as number);
    const next = starts.slice();
    const targets = new Uint32Array(this.length);
    const weights = new Float32Array(this.length);
    for (let at = 0; at < this.length; at++) {
      const source = this.sources[at] as number;
      const slot = next[source] as number;
      next[source] = slot + 1;
      targets[slot] = this.targets[at] as number;
      weights[slot] = this.weights[at] as number;
    }
    return { starts, targets, weights };
  }

  #grow(): void {
    const { sources, targets, weights } = this;
    this.sources = new Uint32Array(sources.length * 2);
    this.sources.set(sources);
    this.targets = new Uint32Array(sources.length * 2);
    this.targets.set(targets);
    this.weights = new Float32Array(sources.length * 2);
    this.weights.set(weights);
  }
}

/** Definitions by the vocabulary number of their name, as compressed rows; those of names that too many carry are left out. */
interface Carriers {
  readonly starts: Uint32Array;
  readonly definitions: Uint32Array;
}

function carriersOf(corpus: TaskCorpus): Carriers {
  const wordCount = corpus.index.vocabulary.size;
  const counts = new Uint32Array(wordCount);
  for (const { file } of corpus.files) for (const word of file.nameWords) counts[word] = (counts[word] as number) + 1;
  const starts = new Uint32Array(wordCount + 1);
  for (let word = 0; word < wordCount; word++) {
    const count = counts[word] as number;
    starts[word + 1] = (starts[word] as number) + (count <= MAX_CARRIERS ? count : 0);
  }
  const next = starts.slice();
  const definitions = new Uint32Array(starts[wordCount] as number);
  for (const { file, base } of corpus.files) {
    file.nameWords.forEach((word, index) => {
      const slot = next[word] as number;
      if (slot >= (starts[word + 1] as number)) return;
      definitions[slot] = base + index;
      next[word] = slot + 1;
    });
  }
  return { starts, definitions };
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
    for (let at = 0; at < list.length; at++) {
      const source = list.sources[at] as number;
      const target = list.targets[at] as number;
      const weight = list.weights[at] as number;
      this.#outWeight[source] = (this.#outWeight[source] as number) + weight;
      this.#inWeight[target] = (this.#inWeight[target] as number) + weight;
    }
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
  const { starts, definitions } = carriersOf(corpus);
  const list = new EdgeList();
  const reader = new PostingReader();
  for (const { file, base } of corpus.files) {
    const count = file.definitions.length;
    if (count === 0) continue;
    reader.open(file.postings);
    for (const word of file.words) {
      reader.nextWord();
      const first = starts[word] as number;
      const end = starts[word + 1] as number;
      while (first < end && reader.next()) {
        if (reader.code === 0 || reader.owner < 0 || reader.owner >= count) continue;
        const source = base + reader.owner;
        for (let at = first; at < end; at++) {
          const target = definitions[at] as number;
          if (target === source) continue;
          const isSameFile = target >= base && target < base + count;
          list.add(source, target, (isSameFile ? SAME_FILE : 1) / (end - first));
        }
      }
    }
  }
  return list;
}

/** Which definition mentions which other's name in its code, and what that is worth, for the walk of RANKING §1.3. */

import { type GroupedRows, groupRows, grown } from '../facts/varint';
import { type IndexedFile, isSameDefinitions, type NumberedFile } from './indexedFile';
import type { Vocabulary } from './vocabulary';
import { PostingReader } from './wordPostings';

/** A name that more definitions carry says nothing about which is meant (RANKING §1.3). */
const MAX_CARRIERS = 8;
const SAME_FILE = 1.5;
const STEPS = 3;
const BACKWARD = 0.5;
const DAMPING = 0.5;
const NONE: readonly number[] = [];

/** The definitions among which mentions are looked for, and the words of the index that they are in. */
interface MentionCorpus {
  readonly index: { readonly vocabulary: Vocabulary };
  readonly files: readonly NumberedFile[];
  readonly definitionCount: number;
}

/** Edges in the order in which they are found; grows without an object for each. */
class EdgeList {
  sources = new Uint32Array(4096);
  targets = new Uint32Array(4096);
  weights = new Float32Array(4096);
  length = 0;

  add(source: number, target: number, weight: number): void {
    if (this.length === this.sources.length) this.resize(this.sources.length * 2);
    this.sources[this.length] = source;
    this.targets[this.length] = target;
    this.weights[this.length++] = weight;
  }

  /** Adds the edges `from` … `end - 1` of another list. */
  copy(other: EdgeList, from: number, end: number): void {
    while (this.length + end - from > this.sources.length) this.resize(this.sources.length * 2);
    this.sources.set(other.sources.subarray(from, end), this.length);
    this.targets.set(other.targets.subarray(from, end), this.length);
    this.weights.set(other.weights.subarray(from, end), this.length);
    this.length += end - from;
  }

  /** Makes room for so many edges, or gives back what is not used. */
  resize(room: number): void {
    this.sources = grown(this.sources, room);
    this.targets = grown(this.targets, room);
    this.weights = grown(this.weights, room);
  }
}

/** Definitions by the vocabulary number of their name; those inside of functions in a row of their own. */
function carriersOf({ index, files, definitionCount }: MentionCorpus): GroupedRows {
  const { size } = index.vocabulary;
  const names = new Uint32Array(definitionCount);
  for (const { file, base } of files) {
    if (file.facts.definitionCount === 0) continue;
    names.set(
      file.nameWords.map((word, at) => (file.isInner[at] === 1 ? size : word)),
      base,
    );
  }
  return groupRows(names, size + 1);
}

/** Definitions inside of a file's functions by the vocabulary number of their name. */
function innerCarriers({ file, base }: NumberedFile): ReadonlyMap<number, readonly number[]> {
  const carriers = new Map<number, number[]>();
  file.nameWords.forEach((word, at) => {
    if (file.isInner[at] === 0) return;
    const known = carriers.get(word);
    if (known) known.push(base + at);
    else carriers.set(word, [base + at]);
  });
  return carriers;
}

/** Mentions among the definitions of a corpus. */
export class MentionGraph {
  readonly #files: readonly IndexedFile[];
  /** Edges of file `at` are those from `#starts[at]` to `#starts[at + 1]`. */
  readonly #starts: Uint32Array;
  readonly #edges = new EdgeList();
  readonly #outWeight: Float32Array;
  readonly #inWeight: Float32Array;

  /** Linear in words and mentions; of the same definitions as `before`, in those of files that changed since. */
  constructor(corpus: MentionCorpus, before?: MentionGraph) {
    const count = corpus.definitionCount;
    this.#files = corpus.files.map(({ file }) => file);
    this.#starts = new Uint32Array(corpus.files.length + 1);
    const known = before && isSameDefinitions(this.#files, before.#files) ? before : undefined;
    const carriers = carriersOf(corpus);
    const reader = new PostingReader();
    corpus.files.forEach((each, at) => {
      if (known && each.file === known.#files[at]) {
        this.#edges.copy(known.#edges, known.#starts[at] as number, known.#starts[at + 1] as number);
      } else if (each.file.facts.definitionCount > 0) collectFile(each, carriers, reader, this.#edges);
      this.#starts[at + 1] = this.#edges.length;
    });
    this.#edges.resize(this.#edges.length);
    this.#outWeight = new Float32Array(count);
    this.#inWeight = new Float32Array(count);
    const { sources, targets, weights, length } = this.#edges;
    for (let at = 0; at < length; at++) {
      const source = sources[at] as number;
      const target = targets[at] as number;
      const weight = weights[at] as number;
      this.#outWeight[source] = (this.#outWeight[source] as number) + weight;
      this.#inWeight[target] = (this.#inWeight[target] as number) + weight;
    }
  }

  /** What flows to each definition in three steps from `start`, less that: along mentions, half as much against. */
  walk(start: Float64Array): Float64Array {
    const { sources, targets, weights, length } = this.#edges;
    const count = start.length;
    const forward = new Float64Array(count);
    const backward = new Float64Array(count);
    let flow = start.slice();
    for (let step = 0; step < STEPS; step++) {
      for (let at = 0; at < count; at++) {
        forward[at] = (DAMPING * (flow[at] as number)) / ((this.#outWeight[at] as number) + 1);
        backward[at] = (DAMPING * BACKWARD * (flow[at] as number)) / ((this.#inWeight[at] as number) + 1);
      }
      const next = start.slice();
      for (let at = 0; at < length; at++) {
        const source = sources[at] as number;
        const target = targets[at] as number;
        const weight = weights[at] as number;
        next[target] = (next[target] as number) + (forward[source] as number) * weight;
        next[source] = (next[source] as number) + (backward[target] as number) * weight;
      }
      flow = next;
    }
    for (let at = 0; at < count; at++) flow[at] = (flow[at] as number) - (start[at] as number);
    return flow;
  }

  /** Definitions that `definition` mentions or is mentioned by, with the weight of the mention. Linear in all mentions. */
  neighbours(definition: number): readonly { readonly definition: number; readonly weight: number }[] {
    const { sources, targets, weights, length } = this.#edges;
    const found: { definition: number; weight: number }[] = [];
    for (let at = 0; at < length; at++) {
      const source = sources[at] as number;
      const target = targets[at] as number;
      if (source !== definition && target !== definition) continue;
      found.push({ definition: target === definition ? source : target, weight: weights[at] as number });
    }
    return found;
  }
}

/** Adds what a file mentions: what any file defines outside of functions, and what its own functions hold. */
function collectFile(each: NumberedFile, { starts, order }: GroupedRows, reader: PostingReader, list: EdgeList): void {
  const { file, base } = each;
  const count = file.definitions.length;
  const inner = innerCarriers(each);
  reader.open(file.postings);
  let skipped = 0;
  for (const word of file.words) {
    const own = inner.get(word) ?? NONE;
    const carriers = (starts[word + 1] as number) - (starts[word] as number) + own.length;
    if (carriers === 0 || carriers > MAX_CARRIERS) {
      skipped++;
      continue;
    }
    reader.nextWord(skipped);
    skipped = 0;
    const targets = order.subarray(starts[word] as number, starts[word + 1] as number);
    while (reader.next()) {
      if (reader.code === 0 || reader.owner < 0 || reader.owner >= count) continue;
      const source = base + reader.owner;
      const add = (target: number): void => {
        if (target === source) return;
        const isSameFile = target >= base && target < base + count;
        list.add(source, target, (isSameFile ? SAME_FILE : 1) / carriers);
      };
      for (const target of targets) add(target);
      for (const target of own) add(target);
    }
  }
}

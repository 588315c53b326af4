/** Which files mention names of which others, with weights: the graph file → name → file (PERFORMANCE §5). */

import type { SymbolKind } from '../../ports/symbolKind';
import type { Definition } from '../facts/types';
import { groupRows, grown } from '../facts/varint';
import { type IndexedFile, isSameDefinitions } from './indexedFile';
import type { PathClass } from './pathClass';
import type { RepoIndex } from './repoIndex';

/** How much a definition of that kind attracts. Variables and namespaces share their names with locals everywhere. */
const KIND_WEIGHTS: Readonly<Partial<Record<SymbolKind, number>>> = {
  method: 0.6,
  constructor: 0.3,
  constant: 0.4,
  property: 0.3,
  field: 0.2,
  variable: 0.15,
  enumMember: 0.2,
  module: 0.1,
  namespace: 0.1,
  package: 0.1,
  heading: 0.1,
};

/** What a file of the class gives and attracts, relative to the product's own code. */
export const CLASS_WEIGHTS: Readonly<Record<PathClass, number>> = {
  source: 1,
  tooling: 0.3,
  example: 0.1,
  docs: 0.1,
  generated: 0.1,
  test: 0.05,
  vendored: 0.05,
};

/** Weight of a definition's kind, 0…1. */
export function kindWeight(definition: Definition): number {
  return KIND_WEIGHTS[definition.kind] ?? 1;
}

/** A file that mentions a name which it defines itself means its own; that says little about the file's importance. */
const SELF_SHARE = 0.1;
/** What the source keeps to its file, or a function, may still be exported elsewhere in it (`export { a }`). */
export const LOCAL_WEIGHT = 0.2;
/** A name with more definers than this is a common word (aider); tests, vendored files and variables count in part. */
const MANY_DEFINERS = 5;

/** Kinds whose names, capitalised, are hardly ever anything else. */
export const TYPE_KINDS: ReadonlySet<SymbolKind> = new Set([
  'class',
  'interface',
  'trait',
  'struct',
  'union',
  'enum',
  'type',
]);

/**
 * Aider's weights: long compound names mean something (×10), private ones (×0.1) and common ones (×0.1) little. Ours: a
 * capitalised type name of one word means something too (×5), a short word in lower case is also every local
 * variable's and every library's name (×0.15).
 */
function nameWeight(name: string, definers: number, isType: boolean): number {
  const isCompound = /[A-Za-z0-9]_[A-Za-z0-9]/.test(name) || /[a-z0-9][A-Z]/.test(name);
  let weight = 1;
  if (isCompound && name.length >= 8) weight = 10;
  else if (isType && /^[A-Z]\w{3}/.test(name)) weight = 5;
  else if (!isType && /^[a-z][a-z0-9]*$/.test(name)) weight = 0.15;
  if (name.startsWith('_')) weight *= 0.1;
  if (definers > MANY_DEFINERS) weight *= 0.1;
  return weight;
}

/** Compressed rows: entries of row `r` are `starts[r]` … `starts[r + 1] - 1`. */
export interface SparseRows {
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  readonly weights: Float64Array;
}

/** Each row's weights sum to 1, or the row is empty; `self` completes the rows of `mentions`. */
export interface ReferenceGraph {
  /** Vocabulary number of each name row. */
  readonly nameWords: Uint32Array;
  /** File → names it mentions and others define. */
  readonly mentions: SparseRows;
  /** File → itself. */
  readonly self: Float64Array;
  /** Name → files that define it. */
  readonly definers: SparseRows;
  /** What a graph of a later state of the index can be made from. */
  readonly origin: GraphOrigin;
}

/** The rows of the graph, and the files it was made of. */
interface GraphOrigin {
  readonly files: readonly IndexedFile[];
  readonly names: NameRows;
  /** By name row: what a mention of it is worth. */
  readonly worths: Float64Array;
}

/** Collects the entries of compressed rows in row order. */
class RowBuilder {
  readonly #starts: number[] = [0];
  #columns = new Uint32Array(4096);
  #weights = new Float64Array(4096);
  #length = 0;

  add(column: number, weight: number): void {
    if (this.#length === this.#columns.length) {
      this.#columns = grown(this.#columns, this.#length * 2);
      this.#weights = grown(this.#weights, this.#length * 2);
    }
    this.#columns[this.#length] = column;
    this.#weights[this.#length++] = weight;
  }

  /** Adds a row of another graph. */
  copyRow({ starts, columns, weights }: SparseRows, row: number): void {
    for (let at = starts[row] as number; at < (starts[row + 1] as number); at++) {
      this.add(columns[at] as number, weights[at] as number);
    }
    this.endRow();
  }

  endRow(): void {
    this.#starts.push(this.#length);
  }

  build(): SparseRows {
    return {
      starts: Uint32Array.from(this.#starts),
      columns: this.#columns.slice(0, this.#length),
      weights: this.#weights.slice(0, this.#length),
    };
  }
}

/** One row a name of a family of languages. */
class NameRows {
  /** By row: vocabulary number of the name. */
  readonly words: number[] = [];
  readonly #rowOfWord = new Map<string, Int32Array>();

  constructor(index: RepoIndex) {
    const { size } = index.vocabulary;
    for (const { family, nameWords } of index.files) {
      const rows = this.#rowOfWord.get(family) ?? new Int32Array(size).fill(-1);
      this.#rowOfWord.set(family, rows);
      for (const word of nameWords) if ((rows[word] as number) < 0) rows[word] = this.words.push(word) - 1;
    }
  }

  /** Row by vocabulary number, or -1. */
  ofFamily(family: string): Int32Array {
    return this.#rowOfWord.get(family) as Int32Array;
  }
}

/** Files that define each name, with weights that sum to 1; and what a mention of each name is worth. */
function definersOf(
  index: RepoIndex,
  names: NameRows,
): { readonly definers: SparseRows; readonly worths: Float64Array } {
  const count = index.files.reduce((sum, { definitions }) => sum + definitions.length, 0);
  const rowOf = new Uint32Array(count);
  const fileOf = new Uint32Array(count);
  const weightOf = new Float64Array(count);
  const isType = new Uint8Array(names.words.length);
  let next = 0;
  index.files.forEach((file, fileAt) => {
    const rows = names.ofFamily(file.family);
    file.definitions.forEach((definition, at) => {
      const row = rows[file.nameWords[at] as number] as number;
      if (TYPE_KINDS.has(definition.kind)) isType[row] = 1;
      const locality = definition.isLocal || file.isInner[at] === 1 ? LOCAL_WEIGHT : 1;
      rowOf[next] = row;
      fileOf[next] = fileAt;
      weightOf[next++] = kindWeight(definition) * CLASS_WEIGHTS[file.pathClass] * locality;
    });
  });
  const byName = groupRows(rowOf, names.words.length);
  const starts = new Uint32Array(names.words.length + 1);
  const columns = new Uint32Array(count);
  const weights = new Float64Array(count);
  let end = 0;
  const worths = Float64Array.from(names.words, (word, row) => {
    const start = end;
    // A file's definitions follow one another: the strongest counts.
    for (let at = byName.starts[row] as number; at < (byName.starts[row + 1] as number); at++) {
      const definition = byName.order[at] as number;
      if (end === start || columns[end - 1] !== fileOf[definition]) columns[end++] = fileOf[definition] as number;
      weights[end - 1] = Math.max(weights[end - 1] as number, weightOf[definition] as number);
    }
    starts[row + 1] = end;
    let total = 0;
    let strongest = 0;
    for (let at = start; at < end; at++) {
      total += weights[at] as number;
      strongest = Math.max(strongest, weights[at] as number);
    }
    for (let at = start; at < end; at++) weights[at] = (weights[at] as number) / total;
    return nameWeight(index.vocabulary.wordOf(word), total, isType[row] === 1) * strongest;
  });
  return { definers: { starts, columns: columns.slice(0, end), weights: weights.slice(0, end) }, worths };
}

/** Adds the row of what a file mentions; returns its own names' share. `definedBy`: last definer found, by name row. */
function addMentions(
  file: IndexedFile,
  fileAt: number,
  { names, worths }: Omit<GraphOrigin, 'files'>,
  definedBy: Int32Array,
  mentions: RowBuilder,
): number {
  const rows = names.ofFamily(file.family);
  for (const word of file.nameWords) definedBy[rows[word] as number] = fileAt;
  const found: number[] = [];
  let own = 0;
  let total = 0;
  file.referenceCounts.forEach((count, at) => {
    // A word that is newer than the rows names nothing.
    const row = rows[file.words[at] as number] ?? -1;
    if (row < 0) return;
    const weight = (worths[row] as number) * Math.sqrt(count);
    if (definedBy[row] === fileAt) own += weight * SELF_SHARE;
    else {
      found.push(row, weight);
      total += weight;
    }
  });
  total += own;
  for (let at = 0; at < found.length; at += 2) mentions.add(found[at] as number, (found[at + 1] as number) / total);
  mentions.endRow();
  return total > 0 ? own / total : 0;
}

/**
 * Builds the graph over `index.files`, in their order. Linear in references and definitions; where `before` is of the
 * same definitions, in those of files that changed.
 * @param before the graph of an earlier state of the index
 */
export function buildReferenceGraph(index: RepoIndex, before?: ReferenceGraph): ReferenceGraph {
  const { files } = index;
  const known = before && isSameDefinitions(files, before.origin.files) ? before : undefined;
  const names = known?.origin.names ?? new NameRows(index);
  const { definers, worths } = known
    ? { definers: known.definers, worths: known.origin.worths }
    : definersOf(index, names);
  const mentions = new RowBuilder();
  const definedBy = new Int32Array(names.words.length).fill(-1);
  const self = Float64Array.from(files, (file, at) => {
    if (known?.origin.files[at] !== file) return addMentions(file, at, { names, worths }, definedBy, mentions);
    mentions.copyRow(known.mentions, at);
    return known.self[at] as number;
  });
  return {
    nameWords: Uint32Array.from(names.words),
    mentions: mentions.build(),
    self,
    definers,
    origin: { files, names, worths },
  };
}

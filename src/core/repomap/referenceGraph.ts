/**
 * Who mentions whose names, as typed arrays: the factorised graph file → name → file (PERFORMANCE §5). It decides what
 * a mention weighs; walking the graph is `pageRank.ts`.
 */
import type { IndexedFile } from './indexedFile';
import type { PathClass } from './pathClass';
import type { RepoIndex } from './repoIndex';
import type { Definition, SymbolKind } from './types';

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
/** What the source keeps to its file may still be exported elsewhere in it (`export { a }`). */
const LOCAL_WEIGHT = 0.2;
/** A name with more definers than this is a common word (aider); tests, vendored files and variables count in part. */
const MANY_DEFINERS = 5;

/** Kinds whose names, capitalised, are hardly ever anything else. */
const TYPE_KINDS: ReadonlySet<SymbolKind> = new Set(['class', 'interface', 'trait', 'struct', 'union', 'enum', 'type']);

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
  readonly fileCount: number;
  readonly nameCount: number;
  /** Vocabulary number of each name row. */
  readonly nameWords: Uint32Array;
  /** File → names it mentions and others define. */
  readonly mentions: SparseRows;
  /** File → itself. */
  readonly self: Float64Array;
  /** Name → files that define it. */
  readonly definers: SparseRows;
}

/** Collects the entries of compressed rows in row order. */
class RowBuilder {
  readonly #starts: number[] = [0];
  readonly #columns: number[] = [];
  readonly #weights: number[] = [];

  add(column: number, weight: number): void {
    this.#columns.push(column);
    this.#weights.push(weight);
  }

  endRow(): void {
    this.#starts.push(this.#columns.length);
  }

  build(): SparseRows {
    return {
      starts: Uint32Array.from(this.#starts),
      columns: Uint32Array.from(this.#columns),
      weights: Float64Array.from(this.#weights),
    };
  }
}

/** One row a name of a family of languages, with who defines it. */
class NameRows {
  /** By row: vocabulary number of the name. */
  readonly words: number[] = [];
  /** By row: files that define it, ascending, each with the weight of the strongest kind and of the file's class. */
  readonly files: number[][] = [];
  readonly weights: number[][] = [];
  readonly isType: boolean[] = [];
  readonly #rowOfWord = new Map<string, Int32Array>();
  readonly #wordCount: number;

  constructor(index: RepoIndex) {
    this.#wordCount = index.vocabulary.size;
    index.files.forEach((file, fileAt) => {
      const rows = this.ofFamily(file.family);
      file.definitions.forEach((definition, at) => {
        this.#add(rows, file.nameWords[at] as number, definition, file, fileAt);
      });
    });
  }

  /** Row by vocabulary number, or -1. */
  ofFamily(family: string): Int32Array {
    const known = this.#rowOfWord.get(family);
    if (known) return known;
    const rows = new Int32Array(this.#wordCount).fill(-1);
    this.#rowOfWord.set(family, rows);
    return rows;
  }

  #add(rows: Int32Array, word: number, definition: Definition, file: IndexedFile, fileAt: number): void {
    const weight = kindWeight(definition) * CLASS_WEIGHTS[file.pathClass] * (definition.isLocal ? LOCAL_WEIGHT : 1);
    const isType = TYPE_KINDS.has(definition.kind);
    const row = rows[word] as number;
    if (row < 0) {
      rows[word] = this.words.push(word) - 1;
      this.files.push([fileAt]);
      this.weights.push([weight]);
      this.isType.push(isType);
      return;
    }
    this.isType[row] ||= isType;
    const files = this.files[row] as number[];
    const weights = this.weights[row] as number[];
    const last = files.length - 1;
    if (files[last] === fileAt) weights[last] = Math.max(weights[last] as number, weight);
    else {
      files.push(fileAt);
      weights.push(weight);
    }
  }
}

function definersOf(
  names: NameRows,
  index: RepoIndex,
): { readonly definers: SparseRows; readonly worths: Float64Array } {
  const definers = new RowBuilder();
  const worths = new Float64Array(names.words.length);
  names.words.forEach((word, row) => {
    const weights = names.weights[row] as number[];
    let total = 0;
    let strongest = 0;
    for (const weight of weights) {
      total += weight;
      strongest = Math.max(strongest, weight);
    }
    names.files[row]?.forEach((file, at) => {
      definers.add(file, (weights[at] as number) / total);
    });
    definers.endRow();
    worths[row] = nameWeight(index.vocabulary.wordOf(word), total, names.isType[row] === true) * strongest;
  });
  return { definers: definers.build(), worths };
}

/** Builds the graph over `index.files`, in their order. Linear in references and definitions. */
export function buildReferenceGraph(index: RepoIndex): ReferenceGraph {
  const names = new NameRows(index);
  const { definers, worths } = definersOf(names, index);
  const self = new Float64Array(index.files.length);
  const mentions = new RowBuilder();
  /** The last file that was found to define the row. */
  const definedBy = new Int32Array(names.words.length).fill(-1);
  index.files.forEach((file, fileAt) => {
    const rows = names.ofFamily(file.family);
    for (const word of file.nameWords) definedBy[rows[word] as number] = fileAt;
    const found: number[] = [];
    let own = 0;
    let total = 0;
    file.referenceCounts.forEach((count, at) => {
      const row = rows[file.words[at] as number] as number;
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
    self[fileAt] = total > 0 ? own / total : 0;
  });
  return {
    fileCount: index.files.length,
    nameCount: names.words.length,
    nameWords: Uint32Array.from(names.words),
    mentions: mentions.build(),
    self,
    definers,
  };
}

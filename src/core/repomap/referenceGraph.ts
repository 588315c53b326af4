/**
 * Who mentions whose names, as typed arrays: the factorised graph file → name → file (PERFORMANCE §5). It decides what
 * a mention weighs; walking the graph is `pageRank.ts`.
 */
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
  /** Pool id of each name row. */
  readonly nameIds: Uint32Array;
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

/** Who defines a name: files, each once, with the weight of the strongest kind and of the file's class. */
interface Definers {
  readonly files: Map<number, number>;
  isType: boolean;
}

function collectDefiners(index: RepoIndex): Map<number, Definers> {
  const definers = new Map<number, Definers>();
  index.files.forEach((file, fileAt) => {
    const classWeight = CLASS_WEIGHTS[file.pathClass];
    file.definitions.forEach((definition, at) => {
      const name = file.definedNames[at] as number;
      const known = definers.get(name) ?? { files: new Map<number, number>(), isType: false };
      const weight = kindWeight(definition) * classWeight * (definition.isLocal ? LOCAL_WEIGHT : 1);
      known.files.set(fileAt, Math.max(known.files.get(fileAt) ?? 0, weight));
      known.isType ||= TYPE_KINDS.has(definition.kind);
      definers.set(name, known);
    });
  });
  return definers;
}

/** Builds the graph over `index.files`, in their order. Linear in references and definitions. */
export function buildReferenceGraph(index: RepoIndex): ReferenceGraph {
  const byName = collectDefiners(index);
  const rowOfName = new Int32Array(index.nameCapacity).fill(-1);
  const mentionWeights: number[] = [];
  const definers = new RowBuilder();
  for (const [name, { files, isType }] of byName) {
    rowOfName[name] = mentionWeights.length;
    let total = 0;
    let strongest = 0;
    for (const weight of files.values()) {
      total += weight;
      strongest = Math.max(strongest, weight);
    }
    for (const [file, weight] of files) definers.add(file, weight / total);
    definers.endRow();
    mentionWeights.push(nameWeight(index.nameOf(name), total, isType) * strongest);
  }

  const self = new Float64Array(index.files.length);
  const mentions = new RowBuilder();
  index.files.forEach((file, fileAt) => {
    const found: { readonly row: number; readonly weight: number }[] = [];
    let own = 0;
    file.referencedNames.forEach((name, at) => {
      const row = rowOfName[name] as number;
      if (row < 0) return;
      const weight = (mentionWeights[row] as number) * Math.sqrt(file.referenceCounts[at] as number);
      if (byName.get(name)?.files.has(fileAt)) own += weight * SELF_SHARE;
      else found.push({ row, weight });
    });
    const total = found.reduce((sum, { weight }) => sum + weight, own);
    for (const { row, weight } of found) mentions.add(row, weight / total);
    mentions.endRow();
    self[fileAt] = total > 0 ? own / total : 0;
  });
  return {
    fileCount: index.files.length,
    nameCount: mentionWeights.length,
    nameIds: Uint32Array.from(byName.keys()),
    mentions: mentions.build(),
    self,
    definers: definers.build(),
  };
}

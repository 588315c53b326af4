/**
 * Structural ranking: how important each definition is when only the files in focus are known. PageRank over mentions
 * ranks files; what flows into a file through a name is the score of what defines it there.
 */

import type { Phrase } from '../../text/phrase';
import type { IndexedFile } from '../index/indexedFile';
import {
  buildReferenceGraph,
  CLASS_WEIGHTS,
  kindWeight,
  LOCAL_WEIGHT,
  type ReferenceGraph,
  type SparseRows,
} from '../index/referenceGraph';
import type { RepoIndex } from '../index/repoIndex';

/** Damping of the original PageRank paper (Brin and Page 1998), and of networkx. */
const ALPHA = 0.85;
/** networkx's stopping rule: total change below N·1e-6. */
const TOLERANCE = 1e-6;
const MAX_ITERATIONS = 100;

function spread(rows: SparseRows, from: Float64Array, to: Float64Array): void {
  const { starts, columns, weights } = rows;
  for (let row = 0; row < from.length; row++) {
    const mass = from[row] as number;
    if (mass === 0) continue;
    const end = starts[row + 1] as number;
    for (let at = starts[row] as number; at < end; at++) {
      const column = columns[at] as number;
      to[column] = (to[column] as number) + mass * (weights[at] as number);
    }
  }
}

function normalised(weights: Float64Array): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => (total > 0 ? weight / total : 1 / weights.length));
}

/**
 * Personalised PageRank of the files, by power iteration over file → name → file. `teleport` says where a walk starts
 * again (any non-negative weights); files that mention nothing teleport too. O(references + definitions) per iteration.
 * @returns ranks of files, which sum to 1, and what flows through each name to the files that define it
 */
export function pageRank(
  graph: ReferenceGraph,
  teleport: Float64Array,
): { readonly ranks: Float64Array; readonly nameFlow: Float64Array } {
  const fileCount = graph.self.length;
  const nameCount = graph.nameWords.length;
  const start = normalised(teleport);
  const isDangling = Array.from({ length: fileCount }, (_, file) => {
    const { starts } = graph.mentions;
    return starts[file] === starts[file + 1] && graph.self[file] === 0;
  });
  let ranks = start;
  let nameFlow = new Float64Array(nameCount);
  let change = Number.POSITIVE_INFINITY;
  for (let round = 0; round < MAX_ITERATIONS && change >= TOLERANCE * fileCount; round++) {
    const next = new Float64Array(fileCount);
    nameFlow = new Float64Array(nameCount);
    spread(graph.mentions, ranks, nameFlow);
    spread(graph.definers, nameFlow, next);
    let dangling = 0;
    for (let file = 0; file < fileCount; file++) {
      if (isDangling[file]) dangling += ranks[file] as number;
    }
    change = 0;
    for (let file = 0; file < fileCount; file++) {
      const old = ranks[file] as number;
      const walked = (next[file] as number) + old * (graph.self[file] as number) + dangling * (start[file] as number);
      const rank = ALPHA * walked + (1 - ALPHA) * (start[file] as number);
      next[file] = rank;
      change += Math.abs(rank - old);
    }
    ranks = next;
  }
  return { ranks, nameFlow };
}

/** A file with the scores of its definitions, by index. Higher is better; only the order means something. */
export interface RankedFile {
  readonly file: IndexedFile;
  /** PageRank of the file, demoted by its class. */
  readonly rank: number;
  readonly scores: Float64Array;
}

/** Files of the index, sorted by path, with what ranking found. */
export interface RankedFiles {
  readonly files: readonly RankedFile[];
  readonly graph: ReferenceGraph;
}

/** Share of the walk's fresh starts that begin in the files in focus. */
const FOCUS_SHARE = 0.7;

/** What a definition gets of its file's rank without being mentioned anywhere. */
const UNMENTIONED_SHARE = 0.02;

/** A unit test inside of a source file (`mod tests` of Rust). */
const TEST_SCOPE_WEIGHT = 0.02;

function teleportWeights(index: RepoIndex, focusPaths: readonly string[]): Float64Array {
  const { files } = index;
  const weights = Float64Array.from(files, (file) =>
    file.outcome === 'noGrammar' ? 0 : CLASS_WEIGHTS[file.pathClass],
  );
  const inFocus = new Set(focusPaths);
  const focus = files.flatMap((file, at) => (inFocus.has(file.path) ? [at] : []));
  if (focus.length === 0) return weights;
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const scaled = weights.map((weight) => (weight / total) * (1 - FOCUS_SHARE));
  for (const at of focus) scaled[at] = (scaled[at] as number) + FOCUS_SHARE / focus.length;
  return scaled;
}

/** What flows into each file through each name it defines: vocabulary number → flow, per file. */
function inflows(index: RepoIndex, graph: ReferenceGraph, nameFlow: Float64Array): readonly Map<number, number>[] {
  const flows = index.files.map(() => new Map<number, number>());
  const { starts, columns, weights } = graph.definers;
  for (let row = 0; row < graph.nameWords.length; row++) {
    const flow = nameFlow[row] as number;
    if (flow === 0) continue;
    const name = graph.nameWords[row] as number;
    for (let at = starts[row] as number; at < (starts[row + 1] as number); at++) {
      flows[columns[at] as number]?.set(name, flow * (weights[at] as number));
    }
  }
  return flows;
}

/** Whether a definition stands in a module of unit tests inside of a source file. */
export function isInTestScope(file: IndexedFile, index: number): boolean {
  for (let at = index; at >= 0; at = file.definitions[at]?.parent ?? -1) {
    const definition = file.definitions[at];
    if (definition?.kind === 'module' && /^tests?$/.test(definition.name)) return true;
  }
  return false;
}

function scoreFile(file: IndexedFile, rank: number, flows: ReadonlyMap<number, number>): RankedFile {
  const classWeight = CLASS_WEIGHTS[file.pathClass];
  const weightOfName = new Map<number, number>();
  const weights = Float64Array.from(
    file.definitions,
    (definition, at) => kindWeight(definition) * (file.isInner[at] === 1 ? LOCAL_WEIGHT : 1),
  );
  weights.forEach((weight, at) => {
    const name = file.nameWords[at] as number;
    weightOfName.set(name, (weightOfName.get(name) ?? 0) + weight);
  });
  const base = (rank * UNMENTIONED_SHARE) / Math.max(1, file.definitions.length);
  const scores = weights.map((weight, at) => {
    const name = file.nameWords[at] as number;
    const share = ((flows.get(name) ?? 0) * weight) / (weightOfName.get(name) ?? 1);
    return (share + base * weight) * classWeight * (isInTestScope(file, at) ? TEST_SCOPE_WEIGHT : 1);
  });
  return { file, rank: rank * classWeight, scores };
}

/**
 * Ranks all definitions of the index. Deterministic. About 100 ms for 9,000 files; keep the result per revision, and
 * give it as `before` to the next. Unknown `focusPaths` are ignored.
 */
export function rankFiles(
  index: RepoIndex,
  options: { readonly focusPaths: readonly string[] },
  before?: RankedFiles,
): RankedFiles {
  const graph = buildReferenceGraph(index, before?.graph);
  const { ranks, nameFlow } = pageRank(graph, teleportWeights(index, options.focusPaths));
  const flows = inflows(index, graph, nameFlow);
  return {
    graph,
    files: index.files.map((file, at) => scoreFile(file, ranks[at] as number, flows[at] ?? new Map<number, number>())),
  };
}

/** One definition: index into its file's. */
export interface MapItem {
  readonly file: IndexedFile;
  readonly index: number;
}

/** In which order definitions are tried, and why. */
export interface MapOrder {
  /** Best first, each at most once. `shownIn` tells how many definitions of a file were taken so far. */
  items(shownIn: (file: IndexedFile) => number): Iterable<MapItem>;
  /** How far up a file stands in the map, the largest first; without it files stand in the order in which they came. */
  placeOf?(file: IndexedFile): number;
  /** Why a file is where it is: short phrases, the strongest first. */
  explainFile(file: IndexedFile): readonly Phrase[];
  /** The same for a definition. */
  explain(item: MapItem): readonly Phrase[];
}

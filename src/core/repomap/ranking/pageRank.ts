import type { ReferenceGraph, SparseRows } from '../index/referenceGraph';

/** Damping of the original PageRank paper (Brin and Page 1998), and of networkx. */
const ALPHA = 0.85;
/** networkx's stopping rule: total change below N·1e-6. */
const TOLERANCE = 1e-6;
const MAX_ITERATIONS = 100;

/** What the walk ends up with. */
export interface FileRanks {
  /** Per file; sums to 1. */
  readonly ranks: Float64Array;
  /** Per name of the graph: what flows from the files that mention it to those that define it. */
  readonly nameFlow: Float64Array;
  readonly iterations: number;
}

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
 * anew (any non-negative weights); files that mention nothing teleport too. O(references + definitions) per iteration.
 */
export function pageRank(graph: ReferenceGraph, teleport: Float64Array): FileRanks {
  const { fileCount, nameCount } = graph;
  const start = normalised(teleport);
  const isDangling = Array.from({ length: fileCount }, (_, file) => {
    const { starts } = graph.mentions;
    return starts[file] === starts[file + 1] && graph.self[file] === 0;
  });
  let ranks = start;
  let nameFlow = new Float64Array(nameCount);
  let iterations = 0;
  for (
    let change = Number.POSITIVE_INFINITY;
    change >= TOLERANCE * fileCount && iterations < MAX_ITERATIONS;
    iterations++
  ) {
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
  return { ranks, nameFlow, iterations };
}

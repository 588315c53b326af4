/**
 * Byte-pair merge: joins, again and again, the adjacent pair whose union has the lowest rank, the leftmost of equals,
 * until no union is a token. Only the number of parts that remain matters here.
 */
import { NO_RANK, type RankTable } from './rankTable';

/** Below this many bytes a scan over all parts beats the heap's bookkeeping (measured on source code). */
const SCAN_LIMIT_BYTES = 96;

const NONE = -1;
/** Keys are `rank * 2^32 + position`: exact in a double, ordered by rank, then from left to right. */
const RANK_UNIT = 2 ** 32;

const scanStarts = new Int32Array(SCAN_LIMIT_BYTES + 1);
const scanRanks = new Int32Array(SCAN_LIMIT_BYTES + 1);

/** Tokens of the piece `bytes[start…end)`. O(n²) for short pieces, O(n log n) for long ones. */
export function countMergedParts(bytes: Uint8Array, start: number, end: number, table: RankTable): number {
  if (end - start < 2) return end - start;
  return end - start <= SCAN_LIMIT_BYTES
    ? countByScan(bytes, start, end, table)
    : new HeapMerge(bytes, start, end, table).count();
}

function countByScan(bytes: Uint8Array, start: number, end: number, table: RankTable): number {
  const starts = scanStarts;
  const ranks = scanRanks;
  let parts = end - start;
  for (let i = 0; i <= parts; i++) starts[i] = start + i;
  for (let i = 0; i + 1 < parts; i++) {
    ranks[i] = table.pairRank(bytes[start + i] as number, bytes[start + i + 1] as number);
  }
  const rankAt = (i: number): number =>
    i >= 0 && i + 1 < parts ? table.rank(bytes, starts[i] as number, starts[i + 2] as number) : NO_RANK;
  while (parts > 1) {
    let best = NO_RANK;
    let at = NONE;
    for (let i = 0; i + 1 < parts; i++) {
      if ((ranks[i] as number) < best) {
        best = ranks[i] as number;
        at = i;
      }
    }
    if (at === NONE) break;
    starts.copyWithin(at + 1, at + 2, parts + 1);
    ranks.copyWithin(at + 1, at + 2, parts - 1);
    parts--;
    ranks[at] = rankAt(at);
    if (at > 0) ranks[at - 1] = rankAt(at - 1);
  }
  return parts;
}

/** One long merge: a linked list of parts and a binary heap of candidate joins, stale ones skipped when they surface. */
class HeapMerge {
  readonly #base: number;
  readonly #length: number;
  /** For the part that starts at `i`: where it ends (which is where the next part starts). */
  readonly #ends: Int32Array;
  /** For the part that starts at `i`: where the part before it starts, or `NONE`. */
  readonly #previous: Int32Array;
  /** Rank of the part that starts at `i` joined with the next one; `NO_RANK` also when `i` starts no part any more. */
  readonly #ranks: Int32Array;
  readonly #heap: Float64Array;
  #heapSize = 0;

  constructor(
    private readonly bytes: Uint8Array,
    start: number,
    end: number,
    private readonly table: RankTable,
  ) {
    const length = end - start;
    this.#base = start;
    this.#length = length;
    this.#ends = new Int32Array(length);
    this.#previous = new Int32Array(length + 1);
    this.#ranks = new Int32Array(length).fill(NO_RANK);
    // Every join takes one candidate off and puts at most two on.
    this.#heap = new Float64Array(2 * length);
    for (let i = 0; i < length; i++) {
      this.#ends[i] = i + 1;
      this.#previous[i] = i - 1;
      if (i + 1 < length) this.#seed(i, table.pairRank(bytes[start + i] as number, bytes[start + i + 1] as number));
    }
    for (let i = (this.#heapSize >> 1) - 1; i >= 0; i--) this.#siftDown(i, this.#heap[i] as number);
  }

  count(): number {
    let parts = this.#length;
    while (this.#heapSize > 0) {
      const key = this.#pop();
      const rank = Math.floor(key / RANK_UNIT);
      const at = key - rank * RANK_UNIT;
      if (this.#ranks[at] !== rank) continue;
      this.#join(at);
      parts--;
    }
    return parts;
  }

  #seed(at: number, rank: number): void {
    if (rank === NO_RANK) return;
    this.#ranks[at] = rank;
    this.#heap[this.#heapSize++] = rank * RANK_UNIT + at;
  }

  #join(at: number): void {
    const next = this.#ends[at] as number;
    const end = this.#ends[next] as number;
    this.#ends[at] = end;
    this.#previous[end] = at;
    this.#ranks[next] = NO_RANK;
    this.#rate(at);
    const before = this.#previous[at] as number;
    if (before !== NONE) this.#rate(before);
  }

  /** Computes the rank of joining the part at `at` with the next one. */
  #rate(at: number): void {
    const next = this.#ends[at] as number;
    const rank =
      next < this.#length
        ? this.table.rank(this.bytes, this.#base + at, this.#base + (this.#ends[next] as number))
        : NO_RANK;
    this.#ranks[at] = rank;
    if (rank !== NO_RANK) this.#push(rank * RANK_UNIT + at);
  }

  #push(key: number): void {
    const heap = this.#heap;
    let i = this.#heapSize++;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const above = heap[parent] as number;
      if (above <= key) break;
      heap[i] = above;
      i = parent;
    }
    heap[i] = key;
  }

  #pop(): number {
    const top = this.#heap[0] as number;
    const last = this.#heap[--this.#heapSize] as number;
    if (this.#heapSize > 0) this.#siftDown(0, last);
    return top;
  }

  #siftDown(from: number, key: number): void {
    const heap = this.#heap;
    const size = this.#heapSize;
    let i = from;
    for (let child = 2 * i + 1; child < size; child = 2 * i + 1) {
      if (child + 1 < size && (heap[child + 1] as number) < (heap[child] as number)) child++;
      const below = heap[child] as number;
      if (below >= key) break;
      heap[i] = below;
      i = child;
    }
    heap[i] = key;
  }
}

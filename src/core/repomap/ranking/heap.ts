/** A sorted list in the queue: its best item that is not given out yet. */
interface Candidate<T> {
  /** Number of the list. */
  readonly at: number;
  /** Best first; made when the list comes up first. */
  readonly list: readonly T[] | undefined;
  readonly next: number;
  readonly score: number;
}

function isBefore<T>(a: Candidate<T>, b: Candidate<T>): boolean {
  return a.score !== b.score ? a.score > b.score : a.at < b.at;
}

function push<T>(heap: Candidate<T>[], item: Candidate<T>): void {
  let at = heap.push(item) - 1;
  while (at > 0) {
    const up = (at - 1) >> 1;
    if (!isBefore(item, heap[up] as Candidate<T>)) break;
    heap[at] = heap[up] as Candidate<T>;
    at = up;
  }
  heap[at] = item;
}

/** Removes and returns the first. */
function pop<T>(heap: Candidate<T>[]): Candidate<T> | undefined {
  const top = heap[0];
  const last = heap.pop();
  if (heap.length === 0 || last === undefined) return top;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1] as Candidate<T>, heap[child] as Candidate<T>)) child++;
    if (!isBefore(heap[child] as Candidate<T>, last)) break;
    heap[at] = heap[child] as Candidate<T>;
    at = child;
  }
  heap[at] = last;
  return top;
}

/**
 * Items of many lists, best first; of equal ones, that of the list with the lower number.
 * @param starts score of each list's best item
 * @param listOf the list, best first: asked for when its best item is the next of all
 * @param scoreOf of an item when its turn may have come; what was taken since may have lowered it
 */
export function* bestOfLists<T>(
  starts: Iterable<{ readonly at: number; readonly score: number }>,
  listOf: (at: number) => readonly T[],
  scoreOf: (item: T) => number,
): Generator<T> {
  const heap: Candidate<T>[] = [];
  for (const { at, score } of starts) push(heap, { at, list: undefined, next: 0, score });
  for (let top = pop(heap); top; top = pop(heap)) {
    const { at, list = listOf(at), next } = top;
    const score = scoreOf(list[next] as T);
    if (score < top.score) {
      push(heap, { at, list, next, score });
      continue;
    }
    yield list[next] as T;
    const following = list[next + 1];
    if (following !== undefined) push(heap, { at, list, next: next + 1, score: scoreOf(following) });
  }
}

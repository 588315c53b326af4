/** A member of the queue with its current size. */
interface Node {
  readonly key: number;
  readonly value: number;
}

/** Larger key first; equal keys by smaller value, so that the order never depends on insertion. */
function isBefore(left: Node, right: Node): boolean {
  return left.key > right.key || (left.key === right.key && left.value < right.value);
}

/** A priority queue of numbers (indices) by size: `push` and `pop` in O(log n), deterministic with equal sizes. */
export class LargestFirst {
  readonly #nodes: Node[] = [];

  push(value: number, key: number): void {
    const nodes = this.#nodes;
    const node = { key, value };
    let at = nodes.length;
    nodes.push(node);
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = nodes[parentAt];
      if (!parent || !isBefore(node, parent)) break;
      nodes[at] = parent;
      at = parentAt;
    }
    nodes[at] = node;
  }

  /** Removes and returns the value with the largest key. */
  pop(): number | undefined {
    const nodes = this.#nodes;
    const top = nodes[0];
    const last = nodes.pop();
    if (top && last && nodes.length > 0) this.#sinkFromTop(last);
    return top?.value;
  }

  #sinkFromTop(node: Node): void {
    const nodes = this.#nodes;
    let at = 0;
    for (;;) {
      const left = nodes[2 * at + 1];
      const right = nodes[2 * at + 2];
      const child = left && right && isBefore(right, left) ? right : left;
      if (!child || !isBefore(child, node)) break;
      nodes[at] = child;
      at = child === right ? 2 * at + 2 : 2 * at + 1;
    }
    nodes[at] = node;
  }
}

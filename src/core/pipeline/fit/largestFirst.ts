import type { SectionRelevance } from '../../model/relevance';
import { MIN_CYCLES } from '../../model/usage';
import { type Phrase, phrase } from '../../text/phrase';
import { formatScore, formatThreshold } from '../score/trigger';
import type { MeasuredSection } from './measuredSection';

// The words of mode `dynamic` (PANEL §8): why a score made a stub of a section, or did not.

/** `Last cited in cycle 512.`, as far as the window knows. Numbers of cycles are not grouped here. */
export function lastCited({ scored: { usage } }: MeasuredSection): Phrase {
  const cycle = usage?.lastCitedCycle;
  if (cycle !== undefined) return phrase('Last cited in cycle {0}.', String(cycle));
  const cycles = usage?.citationsPerCycle.length ?? 0;
  return cycles > 0 ? phrase('Not cited in the last {0} cycles.', String(cycles)) : phrase('Not cited yet.');
}

function isBelow({ score, threshold }: SectionRelevance): boolean {
  return score < threshold;
}

/** A row's reason for a section that mode `dynamic` shows; undefined where the score has no say. */
export function keptReason(relevance: SectionRelevance | undefined, { scored }: MeasuredSection): Phrase | undefined {
  if (!relevance?.hasEnoughData) return undefined;
  if (!isBelow(relevance)) return phrase('score {0}', formatScore(relevance.score));
  switch (relevance.exemption) {
    case 'cited':
      return phrase('cited in cycle {0}', String(scored.usage?.lastCitedCycle ?? 0));
    case 'triggered':
      return phrase('matches the task');
    default:
      return undefined;
  }
}

/** The same as a sentence. */
export function whyKept(relevance: SectionRelevance | undefined, facts: MeasuredSection): Phrase | undefined {
  if (!relevance || relevance.exemption === 'P0') return undefined;
  const { exemption } = relevance;
  const [score, threshold] = [formatScore(relevance.score), formatThreshold(relevance.threshold)];
  if (!isBelow(relevance))
    return phrase('In full, because its score of {0} reaches the threshold of {1}.', score, threshold);
  const below = phrase('its score of {0} is below the threshold of {1}', score, threshold);
  if (exemption === 'pinned') return phrase('In full although {0}, because it is pinned.', below);
  if (exemption === 'cited') {
    const cycle = String(facts.scored.usage?.lastCitedCycle ?? 0);
    return phrase('In full although {0}, because it was cited in cycle {1}.', below, cycle);
  }
  if (exemption === 'triggered') return phrase('In full although {0}, because it matches the task.', below);
  if (!relevance.hasEnoughData)
    return phrase('In full although {0}: fewer than {1} cycles say whether it is used.', below, MIN_CYCLES);
  return undefined;
}

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

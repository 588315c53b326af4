/**
 * Item counts by which a map shrinks from `current` (not included) to `floor`: by a thirty-second of what is left, at
 * least one, so that a large map needs some hundred renderings at most. It does not depend on any cap.
 */
export function* mapFormCounts(current: number, floor: number): Generator<number> {
  let count = current;
  while (count > floor) {
    count = Math.max(floor, count - Math.max(1, count >> 5));
    yield count;
  }
}

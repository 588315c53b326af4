/** Columns of a trend. */
export const MAX_STRETCHES = 20;

/** The stretches before one more was needed and the width had to grow: where each of them went. */
export type Moved = readonly number[];

/**
 * Cuts cycles into stretches of equal width, by number: cycle c is in stretch ⌊(c − 1) ÷ width⌋. The width is the
 * smallest power of two that leaves at most 20 stretches with a cycle in them, so that neither the order of the cycles
 * nor a gap in their numbers matters.
 */
export class Stretches {
  #width = 1;
  /** Number of each stretch, by its place; places are given as stretches are met. */
  #keys: number[] = [];
  #places = new Map<number, number>();
  #lastKey = -1;
  #lastPlace = 0;

  get width(): number {
    return this.#width;
  }

  /** Place and number of each stretch, oldest first. */
  get inOrder(): readonly { readonly place: number; readonly firstCycle: number }[] {
    return this.#keys
      .map((key, place) => ({ place, firstCycle: key * this.#width + 1 }))
      .sort((left, right) => left.firstCycle - right.firstCycle);
  }

  /** Place of the cycle's stretch. Calls `onMove` when it had to make stretches wider for it. */
  placeOf(cycle: number, onMove: (moved: Moved) => void): number {
    const key = Math.floor((cycle - 1) / this.#width);
    if (key === this.#lastKey) return this.#lastPlace;
    let place = this.#places.get(key);
    if (place === undefined) {
      if (this.#keys.length === MAX_STRETCHES) {
        this.#widen(key, onMove);
        return this.placeOf(cycle, onMove);
      }
      place = this.#keys.push(key) - 1;
      this.#places.set(key, place);
    }
    this.#lastKey = key;
    this.#lastPlace = place;
    return place;
  }

  /** Doubles the width until there is room for one more stretch, or the new one is part of one that is there. */
  #widen(newKey: number, onMove: (moved: Moved) => void): void {
    let factor = 2;
    const at = (key: number): number => Math.floor(key / factor);
    while (new Set([...this.#keys, newKey].map(at)).size > MAX_STRETCHES) factor *= 2;
    const keys = [...new Set(this.#keys.map(at))];
    const moved = this.#keys.map((key) => keys.indexOf(at(key)));
    this.#width *= factor;
    this.#keys = keys;
    this.#places = new Map(keys.map((key, place) => [key, place]));
    this.#lastKey = -1;
    onMove(moved);
  }
}

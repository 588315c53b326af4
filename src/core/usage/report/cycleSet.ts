/** A set of cycle numbers: 32 to an entry, since they mostly follow one another. */
export class CycleSet {
  readonly #words = new Map<number, number>();
  #size = 0;
  /** The word looked at last, which mostly is the one looked at next. */
  #at = -1;
  #bits = 0;

  get size(): number {
    return this.#size;
  }

  has(cycle: number): boolean {
    this.#seek(Math.floor(cycle / 32));
    return (this.#bits & (1 << (cycle % 32))) !== 0;
  }

  /** @returns false when it was there */
  add(cycle: number): boolean {
    if (this.has(cycle)) return false;
    this.#bits |= 1 << (cycle % 32);
    this.#size++;
    return true;
  }

  *[Symbol.iterator](): Generator<number> {
    this.#seek(-1);
    for (const [word, bits] of this.#words) {
      for (let bit = 0; bit < 32; bit++) if ((bits & (1 << bit)) !== 0) yield word * 32 + bit;
    }
  }

  #seek(at: number): void {
    if (at === this.#at) return;
    if (this.#at >= 0 && this.#bits !== 0) this.#words.set(this.#at, this.#bits);
    this.#at = at;
    this.#bits = this.#words.get(at) ?? 0;
  }
}

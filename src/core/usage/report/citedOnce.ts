/** More are looked up in a set: a list is faster while it is short. */
const MAX_LISTED = 48;

/** The citations of one cycle, each once. */
export class CitedOnce {
  #cycle = 0;
  /** Section and fingerprint of each, in its first `#length` places. */
  readonly #list: number[] = [];
  #length = 0;
  #set: Set<string> | undefined;

  /** Forgets what it holds unless that is of `cycle`. */
  begin(cycle: number): void {
    if (cycle === this.#cycle) return;
    this.#cycle = cycle;
    this.#length = 0;
    this.#set = undefined;
  }

  /** @returns false when it was there */
  add(section: number, a: number, b: number): boolean {
    const list = this.#list;
    if (this.#set) {
      const { size } = this.#set;
      return this.#set.add(`${section},${a},${b}`).size > size;
    }
    for (let at = 0; at < this.#length; at += 3) {
      if (list[at] === section && list[at + 1] === a && list[at + 2] === b) return false;
    }
    list[this.#length++] = section;
    list[this.#length++] = a;
    list[this.#length++] = b;
    if (this.#length === MAX_LISTED * 3) this.#set = this.#toSet();
    return true;
  }

  #toSet(): Set<string> {
    const set = new Set<string>();
    for (let at = 0; at < this.#length; at += 3) set.add(this.#list.slice(at, at + 3).join());
    return set;
  }
}

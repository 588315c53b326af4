/** More are looked up in a set: a list is faster while it is short. */
const MAX_LISTED = 48;

/** The citations of one cycle, each once. */
export class CitedOnce {
  #cycle = 0;
  /** Section and fingerprint of each. */
  readonly #list: number[] = [];
  #set: Set<string> | undefined;

  /** Forgets what it holds unless that is of `cycle`. */
  begin(cycle: number): void {
    if (cycle === this.#cycle) return;
    this.#cycle = cycle;
    this.#list.length = 0;
    this.#set = undefined;
  }

  /** @returns false when it was there */
  add(section: number, a: number, b: number): boolean {
    const list = this.#list;
    if (this.#set) {
      const { size } = this.#set;
      return this.#set.add(`${section},${a},${b}`).size > size;
    }
    for (let at = 0; at < list.length; at += 3) {
      if (list[at] === section && list[at + 1] === a && list[at + 2] === b) return false;
    }
    list.push(section, a, b);
    if (list.length === MAX_LISTED * 3) this.#set = this.#toSet();
    return true;
  }

  #toSet(): Set<string> {
    const set = new Set<string>();
    for (let at = 0; at < this.#list.length; at += 3) set.add(this.#list.slice(at, at + 3).join());
    return set;
  }
}

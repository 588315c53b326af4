/** Names as small integers, counted, so that ten thousand files share one copy of each. */
export class NamePool {
  readonly #ids = new Map<string, number>();
  #names: (string | undefined)[] = [];
  #uses: number[] = [];
  #free: number[] = [];

  /** Upper bound of the ids in use. */
  get capacity(): number {
    return this.#names.length;
  }

  /** The id of `name`, held until `release`. */
  retain(name: string): number {
    let id = this.#ids.get(name);
    if (id === undefined) {
      id = this.#free.pop() ?? this.#names.length;
      this.#ids.set(name, id);
      this.#names[id] = name;
      this.#uses[id] = 0;
    }
    this.#uses[id] = (this.#uses[id] as number) + 1;
    return id;
  }

  release(id: number): void {
    const uses = (this.#uses[id] ?? 0) - 1;
    this.#uses[id] = uses;
    const name = this.#names[id];
    if (uses > 0 || name === undefined) return;
    this.#ids.delete(name);
    this.#names[id] = undefined;
    this.#free.push(id);
  }

  /** The name with that id; empty when nobody holds it. */
  nameOf(id: number): string {
    return this.#names[id] ?? '';
  }
}

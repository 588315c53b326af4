import { ascii, FAILED, isAt, SPACE } from './lineBytes';

/** The keys that an object may have, each with its colon; matched from the one that mostly comes next. */
export class KeySet {
  readonly #keys: readonly Uint8Array[];
  /** Behind the key that `match` found, and a blank after it. */
  valueAt = 0;

  constructor(names: readonly string[]) {
    this.#keys = names.map((name) => ascii(`"${name}":`));
  }

  /** Index of the key at `at`, tried first with `likely`; `FAILED` for any other. */
  match(bytes: Uint8Array, at: number, likely: number): number {
    const keys = this.#keys;
    for (let tried = 0, index = likely; tried < keys.length; tried++, index++) {
      if (index >= keys.length) index -= keys.length;
      const key = keys[index] as Uint8Array;
      if (!isAt(bytes, at, key)) continue;
      const next = at + key.length;
      this.valueAt = bytes[next] === SPACE ? next + 1 : next;
      return index;
    }
    return FAILED;
  }
}

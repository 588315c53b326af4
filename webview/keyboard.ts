/** The row list's keys, without a DOM: which row comes next, and type-ahead. */

/** The row that a movement key leads to; undefined for other keys and at the ends. */
export function nextRow(ids: readonly string[], currentId: string, key: string): string | undefined {
  const at = ids.indexOf(currentId);
  if (at < 0) return undefined;
  switch (key) {
    case 'ArrowDown':
      return ids[at + 1];
    case 'ArrowUp':
      return at > 0 ? ids[at - 1] : undefined;
    case 'Home':
      return ids[0];
    case 'End':
      return ids.at(-1);
    default:
      return undefined;
  }
}

/** A row as type-ahead sees it. */
interface NamedRow {
  readonly id: string;
  readonly name: string;
}

/** Letters typed within this many milliseconds of each other make one word, as in VS Code's lists. */
export const TYPE_AHEAD_MS = 800;

/**
 * The first row after the current one whose name starts with what was typed, round the end. One letter, typed again,
 * walks through all rows that start with it.
 */
export function findTyped(rows: readonly NamedRow[], currentId: string, typed: string): string | undefined {
  const isRepeat = [...typed].every((letter) => letter === typed[0]);
  const needle = (isRepeat ? typed.slice(0, 1) : typed).toLowerCase();
  const at = rows.findIndex((row) => row.id === currentId);
  // A longer word may still be the current row's own name.
  const from = isRepeat ? at + 1 : Math.max(0, at);
  const inOrder = [...rows.slice(from), ...rows.slice(0, from)];
  return inOrder.find((row) => row.name.toLowerCase().startsWith(needle))?.id;
}

/** Collects letters into a word until a pause. */
export class TypeAhead {
  #typed = '';
  #lastMs = Number.NEGATIVE_INFINITY;

  /** The word so far, with this letter. */
  add(letter: string, nowMs: number): string {
    this.#typed = nowMs - this.#lastMs <= TYPE_AHEAD_MS ? this.#typed + letter : letter;
    this.#lastMs = nowMs;
    return this.#typed;
  }
}

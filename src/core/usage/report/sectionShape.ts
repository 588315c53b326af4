import { FAILED } from './lineBytes';
import type { SectionValues } from './sectionValues';

/** Kinds of values in a section: what stands between is always the same. */
export const SLOT = { chars: 0, tokens: 1, number: 2, disclosure: 3, hash: 4, end: 5 } as const;

/** Where a value was in a section that was read key by key. */
export interface SlotPlace {
  /** Of `SLOT`. */
  readonly slot: number;
  readonly start: number;
  readonly end: number;
}

/** What bytes are compared as: numbers of four bytes, the last of which may have some in common with the one before. */
function wordsOf(bytes: Uint8Array): readonly number[] {
  if (bytes.length < 4) return [...bytes];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = Math.ceil(bytes.length / 4);
  return Array.from({ length: count }, (_, at) => view.getInt32(Math.min(at * 4, bytes.length - 4), true));
}

/**
 * How a section is written in this log: what stands before, between and behind its values, its id included. One that is
 * written like that again is read several times as fast as key by key.
 */
export class SectionShape {
  readonly #section: number;
  /** In turn: length of a literal in bytes, its words, and the slot behind it. One array, since it is walked in nanoseconds. */
  readonly #program: Int32Array;

  /** Of the section at `start` up to `end`, whose values are at `places`, in order. */
  constructor(section: number, bytes: Uint8Array, start: number, end: number, places: readonly SlotPlace[]) {
    const stops = [...places, { slot: SLOT.end, start: end, end }];
    this.#section = section;
    this.#program = Int32Array.from(
      stops.flatMap(({ slot, start: to }, at) => {
        const literal = bytes.slice(places[at - 1]?.end ?? start, to);
        return [literal.length, ...wordsOf(literal), slot];
      }),
    );
  }

  /** Behind the section that begins at `at`, or `FAILED`. */
  read(bytes: Uint8Array, view: DataView, at: number, values: SectionValues): number {
    const program = this.#program;
    values.begin(this.#section);
    let step = 0;
    let next = at;
    for (;;) {
      const length = program[step++] as number;
      const end = next + length;
      if (end > bytes.length) return FAILED;
      if (length >= 4) {
        for (const last = end - 4; next < last; next += 4) {
          if (view.getInt32(next, true) !== program[step++]) return FAILED;
        }
        if (view.getInt32(end - 4, true) !== program[step++]) return FAILED;
      } else for (; next < end; next++) if (bytes[next] !== program[step++]) return FAILED;
      const slot = program[step++] as number;
      if (slot === SLOT.end) return end;
      next = values.readSlot(slot, bytes, end);
      if (next === FAILED) return FAILED;
    }
  }
}

/**
 * Counts of pieces that are not tokens themselves, so that the same identifier is merged once. Direct-mapped over
 * typed arrays: a fixed size (1.1 MB), no garbage, and exact, because a hit compares all bytes.
 */

const SLOT_BITS = 14;
const SLOTS = 1 << SLOT_BITS;
/** Longer pieces are rare and not kept. */
const MAX_PIECE_BYTES = 64;

/** A bounded cache from piece to token count; a newer piece replaces an older one in the same slot. */
export class PieceCache {
  readonly #bytes = new Uint8Array(SLOTS * MAX_PIECE_BYTES);
  readonly #lengths = new Uint8Array(SLOTS);
  readonly #counts = new Uint8Array(SLOTS);

  /** Token count of `text[start…end)`, whose `hashRange` is `hash`, or 0 when it is not kept. */
  get(text: Uint8Array, start: number, end: number, hash: number): number {
    const slot = hash & (SLOTS - 1);
    if (this.#lengths[slot] !== end - start) return 0;
    const from = slot * MAX_PIECE_BYTES - start;
    for (let i = start; i < end; i++) if (this.#bytes[from + i] !== text[i]) return 0;
    return this.#counts[slot] as number;
  }

  /** Keeps a count of at most 64 for a piece of at most 64 bytes; ignores longer ones. */
  set(text: Uint8Array, start: number, end: number, hash: number, count: number): void {
    if (end - start > MAX_PIECE_BYTES) return;
    const slot = hash & (SLOTS - 1);
    this.#bytes.set(text.subarray(start, end), slot * MAX_PIECE_BYTES);
    this.#lengths[slot] = end - start;
    this.#counts[slot] = count;
  }
}

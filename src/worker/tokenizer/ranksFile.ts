/**
 * Reads a vocabulary as the build packs it. The format, and why it is so, is in `src/worker/tokenizer/packRanks.mjs`, which writes it.
 */
import { RankTable } from './rankTable';

/** A vocabulary with the pattern that texts are split by before its tokens apply. */
export interface Ranks {
  /** A regular expression, as js-tiktoken's `pat_str` has it. */
  readonly pattern: string;
  readonly table: RankTable;
}

/** "CBR1", little-endian. */
const MAGIC = 0x31524243;
const HEADER_BYTES = 12;
const SINGLE_BYTES = 256;
/** Two token numbers of three bytes each. */
const PAIR_BYTES = 6;

/** The pairs that make up the tokens after the single bytes, each number's bytes in a plane of their own. */
class Pairs {
  readonly #planes: Uint8Array;
  readonly #count: number;

  constructor(planes: Uint8Array) {
    this.#planes = planes;
    this.#count = planes.length / PAIR_BYTES;
  }

  /** The left token's number (`side` 0) or the right one's (1) of pair `i`. */
  at(i: number, side: 0 | 1): number {
    const low = i + side * 3 * this.#count;
    const middle = low + this.#count;
    const planes = this.#planes;
    return (
      (planes[low] as number) | ((planes[middle] as number) << 8) | ((planes[middle + this.#count] as number) << 16)
    );
  }
}

/** Where each token's bytes start, and the end of the last; `undefined` when a pair names a token that comes later. */
function readOffsets(pairs: Pairs, count: number): Uint32Array | undefined {
  const offsets = new Uint32Array(count + 1);
  for (let token = 0; token < SINGLE_BYTES; token++) offsets[token + 1] = token + 1;
  for (let token = SINGLE_BYTES; token < count; token++) {
    const left = pairs.at(token - SINGLE_BYTES, 0);
    const right = pairs.at(token - SINGLE_BYTES, 1);
    if (left >= token || right >= token) return undefined;
    const leftBytes = (offsets[left + 1] as number) - (offsets[left] as number);
    const rightBytes = (offsets[right + 1] as number) - (offsets[right] as number);
    offsets[token + 1] = (offsets[token] as number) + leftBytes + rightBytes;
  }
  return offsets;
}

/** Spells out the tokens: each is the bytes of its pair. */
function spell(pairs: Pairs, singles: Uint8Array, offsets: Uint32Array): Uint8Array {
  const count = offsets.length - 1;
  const bytes = new Uint8Array(offsets[count] as number);
  bytes.set(singles);
  let at = SINGLE_BYTES;
  for (let token = SINGLE_BYTES; token < count; token++) {
    for (const side of [0, 1] as const) {
      const part = pairs.at(token - SINGLE_BYTES, side);
      const end = offsets[part + 1] as number;
      for (let from = offsets[part] as number; from < end; from++) bytes[at++] = bytes[from] as number;
    }
  }
  return bytes;
}

/** The vocabulary in `file`, or `undefined` when that is not a file of ranks or has another length than it says. */
export function readRanks(file: Uint8Array): Ranks | undefined {
  if (file.length < HEADER_BYTES) return undefined;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const patternBytes = view.getUint32(4, true);
  const count = view.getUint32(8, true);
  const singlesAt = HEADER_BYTES + patternBytes;
  const planesAt = singlesAt + SINGLE_BYTES;
  if (view.getUint32(0, true) !== MAGIC || count < SINGLE_BYTES) return undefined;
  if (file.length !== planesAt + PAIR_BYTES * (count - SINGLE_BYTES)) return undefined;
  const pairs = new Pairs(file.subarray(planesAt));
  const offsets = readOffsets(pairs, count);
  if (offsets === undefined) return undefined;
  const pattern = new TextDecoder().decode(file.subarray(HEADER_BYTES, singlesAt));
  return { pattern, table: new RankTable(spell(pairs, file.subarray(singlesAt, planesAt), offsets), offsets) };
}

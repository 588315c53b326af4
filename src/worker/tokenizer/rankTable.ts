/**
 * The vocabulary of an encoding: byte sequence → rank. All tokens lie in one byte array and are found through an
 * open-addressing hash table over typed arrays: 200,000 tokens take 7 MB and load in tens of milliseconds, where a
 * `Map` with string keys takes several times both.
 */

import { hashRange } from '../../core/text/hash';

/** Rank of a byte sequence that is no token. Larger than every rank. */
export const NO_RANK = 0x7fffffff;

const EMPTY = -1;

/** Byte sequence → rank, immutable once built. */
export class RankTable {
  /** Bytes of the longest token. */
  readonly longestToken: number;
  readonly size: number;
  readonly #hashes: Int32Array;
  readonly #slots: Int32Array;
  /** Ranks of all two-byte sequences: the first step of every merge. */
  readonly #pairRanks = new Int32Array(0x10000).fill(NO_RANK);

  /** The token of rank `i` is `bytes[offsets[i]…offsets[i + 1])`. */
  constructor(
    private readonly bytes: Uint8Array,
    private readonly offsets: Uint32Array,
  ) {
    const size = offsets.length - 1;
    this.size = size;
    this.#hashes = new Int32Array(size);
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(size * 2 + 1))).fill(EMPTY);
    let longest = 0;
    for (let token = 0; token < size; token++) longest = Math.max(longest, this.#insert(token));
    this.longestToken = longest;
  }

  #insert(token: number): number {
    const start = this.offsets[token] as number;
    const end = this.offsets[token + 1] as number;
    const hash = hashRange(this.bytes, start, end);
    this.#hashes[token] = hash;
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    while (this.#slots[slot] !== EMPTY) slot = (slot + 1) & mask;
    this.#slots[slot] = token;
    if (end - start === 2) {
      const pair = ((this.bytes[start] as number) << 8) | (this.bytes[start + 1] as number);
      this.#pairRanks[pair] = token;
    }
    return end - start;
  }

  /** Rank of the two-byte sequence, or `NO_RANK`. */
  pairRank(first: number, second: number): number {
    return this.#pairRanks[(first << 8) | second] as number;
  }

  /** Rank of `text[start…end)`, or `NO_RANK`. Cost grows with the range's length up to the longest token's. */
  rank(text: Uint8Array, start: number, end: number): number {
    if (end - start > this.longestToken) return NO_RANK;
    return this.rankOfHashed(text, start, end, hashRange(text, start, end));
  }

  /** As `rank`, for a caller that has the range's `hashRange` already. */
  rankOfHashed(text: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const token = slots[slot] as number;
      if (token === EMPTY) return NO_RANK;
      if (this.#hashes[token] === hash && this.#isToken(token, text, start, end)) return token;
    }
  }

  #isToken(token: number, text: Uint8Array, start: number, end: number): boolean {
    const from = this.offsets[token] as number;
    if ((this.offsets[token + 1] as number) - from !== end - start) return false;
    for (let i = start, j = from; i < end; i++, j++) if (text[i] !== this.bytes[j]) return false;
    return true;
  }
}

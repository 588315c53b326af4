/**
 * The vocabulary of an encoding: byte sequence → rank. All tokens lie in one byte array and are found through an
 * open-addressing hash table over typed arrays: 200,000 tokens take 7 MB and load in tens of milliseconds, where a
 * `Map` with string keys takes several times both.
 */

/** Rank of a byte sequence that is no token. Larger than every rank. */
export const NO_RANK = 0x7fffffff;

const EMPTY = -1;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** Finaliser multiplier of MurmurHash3: spreads the hash's high bits into the slot number. */
const MIX = 0x85ebca6b;

const BASE64_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE64_VALUES = new Int16Array(128).fill(-1);
for (let i = 0; i < BASE64_ALPHABET.length; i++) BASE64_VALUES[BASE64_ALPHABET.charCodeAt(i)] = i;

/** FNV-1a of a byte range (Fowler, Noll and Vo), mixed once. */
export function hashRange(bytes: Uint8Array, start: number, end: number): number {
  let hash = FNV_OFFSET;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), FNV_PRIME);
  hash = Math.imul(hash ^ (hash >>> 15), MIX);
  return hash ^ (hash >>> 13);
}

/** Decodes the base64 token `text[start…end)` to `out[at…]` and returns where it ends, or -1 if it is malformed. */
function decodeBase64(text: string, start: number, end: number, out: Uint8Array, at: number): number {
  let bits = 0;
  let bitCount = 0;
  let position = at;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x3d) break;
    const value = code < 128 ? (BASE64_VALUES[code] as number) : -1;
    if (value < 0) return -1;
    bits = ((bits << 6) | value) & 0xffff;
    bitCount += 6;
    if (bitCount >= 8) {
      bitCount -= 8;
      out[position++] = (bits >> bitCount) & 0xff;
    }
  }
  return position;
}

/** Byte sequence → rank, immutable once built. */
export class RankTable {
  /** Bytes of the longest token. */
  readonly longestToken: number;
  readonly size: number;
  readonly #bytes: Uint8Array;
  readonly #offsets: Uint32Array;
  readonly #ranks: Int32Array;
  readonly #hashes: Int32Array;
  readonly #slots: Int32Array;
  /** Ranks of all two-byte sequences: the first step of every merge. */
  readonly #pairRanks = new Int32Array(0x10000).fill(NO_RANK);

  /** Token `i` is `bytes[offsets[i]…offsets[i + 1])` with rank `ranks[i]`. */
  constructor(bytes: Uint8Array, offsets: Uint32Array, ranks: Int32Array) {
    const size = ranks.length;
    this.size = size;
    this.#bytes = bytes;
    this.#offsets = offsets;
    this.#ranks = ranks;
    this.#hashes = new Int32Array(size);
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(size * 2 + 1))).fill(EMPTY);
    let longest = 0;
    for (let token = 0; token < size; token++) longest = Math.max(longest, this.#insert(token));
    this.longestToken = longest;
  }

  #insert(token: number): number {
    const start = this.#offsets[token] as number;
    const end = this.#offsets[token + 1] as number;
    const hash = hashRange(this.#bytes, start, end);
    this.#hashes[token] = hash;
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    while (this.#slots[slot] !== EMPTY) slot = (slot + 1) & mask;
    this.#slots[slot] = token;
    if (end - start === 2) {
      const pair = ((this.#bytes[start] as number) << 8) | (this.#bytes[start + 1] as number);
      this.#pairRanks[pair] = this.#ranks[token] as number;
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
      if (this.#hashes[token] === hash && this.#isToken(token, text, start, end)) return this.#ranks[token] as number;
    }
  }

  #isToken(token: number, text: Uint8Array, start: number, end: number): boolean {
    const from = this.#offsets[token] as number;
    if ((this.#offsets[token + 1] as number) - from !== end - start) return false;
    for (let i = start, j = from; i < end; i++, j++) if (text[i] !== this.#bytes[j]) return false;
    return true;
  }
}

/**
 * Builds the table from js-tiktoken's `bpe_ranks`: lines of `! <first rank> <base64 token> <base64 token> …`.
 * Returns `undefined` when the text is not of that form.
 */
export function parseRanks(bpeRanks: string): RankTable | undefined {
  const bytes = new Uint8Array(Math.ceil((bpeRanks.length * 3) / 4));
  const offsets: number[] = [0];
  const ranks: number[] = [];
  let used = 0;
  for (const line of bpeRanks.split('\n')) {
    if (line === '') continue;
    const rankStart = line.indexOf(' ') + 1;
    const rankEnd = line.indexOf(' ', rankStart);
    let rank = Number.parseInt(line.slice(rankStart, rankEnd), 10);
    if (rankStart === 0 || rankEnd < 0 || !Number.isSafeInteger(rank)) return undefined;
    for (let start = rankEnd + 1; start < line.length; ) {
      const space = line.indexOf(' ', start);
      const end = space < 0 ? line.length : space;
      const next = decodeBase64(line, start, end, bytes, used);
      if (next <= used) return undefined;
      used = next;
      offsets.push(used);
      ranks.push(rank++);
      start = end + 1;
    }
  }
  if (ranks.length === 0) return undefined;
  return new RankTable(bytes.slice(0, used), Uint32Array.from(offsets), Int32Array.from(ranks));
}

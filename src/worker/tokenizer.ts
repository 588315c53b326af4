/**
 * Exact token counts for `o200k_base` and `cl100k_base` over js-tiktoken's ranks. This folder decides how text is cut
 * into pieces and how bytes merge; it does not load files, cache lines or estimate.
 */
import type { Tokenizer, TokenizerName } from '../core/ports/ports';
import { hashRange } from '../core/text/hash';
import { errorClass } from '../core/text/phrase';
import { countMergedParts } from './tokenizer/bytePairMerge';
import { classifyUtf8 } from './tokenizer/charClasses';
import { PIECE_SCANNERS, type PieceScanner, SCANNED_PATTERNS } from './tokenizer/pieceScanner';
import { NO_RANK, RankTable } from './tokenizer/rankTable';

// Reads a vocabulary as the build packs it; `esbuild.assets.mjs` writes it and explains the format.

/** A vocabulary with the pattern that texts are split by before its tokens apply. */
interface Ranks {
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

/** The left token's number (`side` 0) or the right one's (1) of the pair that makes up token 256 + `i`. */
type Pairs = (i: number, side: 0 | 1) => number;

/** Each of a number's three bytes is in a plane of its own. */
function readPairs(planes: Uint8Array): Pairs {
  const count = planes.length / PAIR_BYTES;
  return (i, side) => {
    const low = i + side * 3 * count;
    const middle = low + count;
    return (planes[low] as number) | ((planes[middle] as number) << 8) | ((planes[middle + count] as number) << 16);
  };
}

/** Where each token's bytes start, and the end of the last; `undefined` when a pair names a token that comes later. */
function readOffsets(pairs: Pairs, count: number): Uint32Array | undefined {
  const offsets = new Uint32Array(count + 1);
  for (let token = 0; token < SINGLE_BYTES; token++) offsets[token + 1] = token + 1;
  for (let token = SINGLE_BYTES; token < count; token++) {
    const left = pairs(token - SINGLE_BYTES, 0);
    const right = pairs(token - SINGLE_BYTES, 1);
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
      const part = pairs(token - SINGLE_BYTES, side);
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
  const pairs = readPairs(file.subarray(planesAt));
  const offsets = readOffsets(pairs, count);
  if (offsets === undefined) return undefined;
  const pattern = new TextDecoder().decode(file.subarray(HEADER_BYTES, singlesAt));
  return { pattern, table: new RankTable(spell(pairs, file.subarray(singlesAt, planesAt), offsets), offsets) };
}

// Counts of pieces that are not tokens themselves, so that the same identifier is merged once. Direct-mapped over
// typed arrays: a fixed size (1.1 MB), no garbage, and exact, because a hit compares all bytes.

const SLOT_BITS = 14;
const SLOTS = 1 << SLOT_BITS;
/** Longer pieces are rare and not kept. */
const MAX_PIECE_BYTES = 64;

/** A bounded cache from piece to token count; a newer piece replaces an older one in the same slot. */
class PieceCache {
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

/**
 * A ranks asset that cannot be used: `malformed` is no file of ranks, or an incomplete one; the pattern of an
 * `unknownPattern` is not the one that the scanner implements.
 */
export class TokenizerError extends errorClass<'malformed' | 'unknownPattern'>('TokenizerError') {}

/** Buffers that grow past this many bytes are given back after the call. */
const KEPT_BUFFER_BYTES = 1 << 18;
/** A UTF-16 code unit takes at most this many bytes of UTF-8. */
const MAX_UTF8_PER_UNIT = 3;

class RankTokenizer implements Tokenizer {
  readonly name: TokenizerName;
  readonly #scan: PieceScanner;
  readonly #cache = new PieceCache();
  readonly #encoder = new TextEncoder();
  #bytes = new Uint8Array(4096);
  #classes = new Uint8Array(4097);

  constructor(
    name: TokenizerName,
    private readonly table: RankTable,
  ) {
    this.name = name;
    this.#scan = PIECE_SCANNERS[name];
  }

  count(text: string): number {
    if (text === '') return 0;
    const bytes = this.#encode(text);
    const length = bytes.length;
    if (this.#classes.length <= length) this.#classes = new Uint8Array(length + 1);
    const classified = { bytes, classes: this.#classes, length };
    classifyUtf8(bytes, length, classified.classes);
    let tokens = 0;
    for (let start = 0; start < length; ) {
      const end = this.#scan(classified, start);
      tokens += this.#countPiece(bytes, start, end);
      start = end;
    }
    if (this.#classes.length > KEPT_BUFFER_BYTES) this.#classes = new Uint8Array(4097);
    return tokens;
  }

  /** UTF-8 with lone surrogates as U+FFFD, as the reference encodes them. */
  #encode(text: string): Uint8Array {
    const worstCase = text.length * MAX_UTF8_PER_UNIT;
    if (worstCase > KEPT_BUFFER_BYTES) return this.#encoder.encode(text);
    if (this.#bytes.length < worstCase) this.#bytes = new Uint8Array(worstCase);
    const { written } = this.#encoder.encodeInto(text, this.#bytes);
    return this.#bytes.subarray(0, written);
  }

  #countPiece(bytes: Uint8Array, start: number, end: number): number {
    if (end - start === 1) return 1;
    const table = this.table;
    if (end - start > table.longestToken) return countMergedParts(bytes, start, end, table);
    const hash = hashRange(bytes, start, end);
    if (table.rankOfHashed(bytes, start, end, hash) !== NO_RANK) return 1;
    const known = this.#cache.get(bytes, start, end, hash);
    if (known !== 0) return known;
    const count = countMergedParts(bytes, start, end, table);
    this.#cache.set(bytes, start, end, hash, count);
    return count;
  }
}

/**
 * Makes a tokenizer from a file of ranks, as `esbuild.assets.mjs` makes it from js-tiktoken's.
 *
 * Counts equal `encode(text, [], []).length` of js-tiktoken, special tokens encoded as ordinary text, with one
 * exception: `\s` is Unicode's White_Space, as in OpenAI's tiktoken, so that U+FEFF is no white space and U+0085 is.
 *
 * @throws TokenizerError when the asset is malformed or its pattern is not the one implemented here.
 */
export function createTokenizer(name: TokenizerName, asset: Uint8Array): Tokenizer {
  const ranks = readRanks(asset);
  if (ranks === undefined) {
    throw new TokenizerError('malformed', `The ranks of ${name} cannot be read. Build or install the product again.`);
  }
  if (ranks.pattern !== SCANNED_PATTERNS[name]) {
    throw new TokenizerError('unknownPattern', `The ranks of ${name} come with another pattern than the one built in.`);
  }
  return new RankTokenizer(name, ranks.table);
}

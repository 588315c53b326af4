/**
 * Exact token counts for `o200k_base` and `cl100k_base` over js-tiktoken's ranks. This folder decides how text is cut
 * into pieces and how bytes merge; it does not load files, cache lines or estimate.
 */

import type { Tokenizer, TokenizerName } from '../core/ports/ports';
import { errorClass } from '../core/text/errorWords';
import { hashRange } from '../core/text/hash';
import { countMergedParts } from './tokenizer/bytePairMerge';
import { classifyUtf8 } from './tokenizer/charClasses';
import { PieceCache } from './tokenizer/pieceCache';
import { PIECE_SCANNERS, type PieceScanner, SCANNED_PATTERNS } from './tokenizer/pieceScanner';
import { readRanks } from './tokenizer/ranksFile';
import { NO_RANK, type RankTable } from './tokenizer/rankTable';

/** Why a tokenizer cannot be made from an asset. */
export type TokenizerErrorReason =
  /** The asset is not a file of ranks, or an incomplete one. */
  | 'malformed'
  /** Its pattern is not the one that the scanner implements. */
  | 'unknownPattern';

/** A ranks asset that cannot be used. */
export class TokenizerError extends errorClass<TokenizerErrorReason>('TokenizerError') {}

/** Buffers that grow past this many bytes are given back after the call. */
const KEPT_BUFFER_BYTES = 1 << 18;
/** A UTF-16 code unit takes at most this many bytes of UTF-8. */
const MAX_UTF8_PER_UNIT = 3;

class RankTokenizer implements Tokenizer {
  readonly name: TokenizerName;
  readonly #table: RankTable;
  readonly #scan: PieceScanner;
  readonly #cache = new PieceCache();
  readonly #encoder = new TextEncoder();
  #bytes = new Uint8Array(4096);
  #classes = new Uint8Array(4097);

  constructor(name: TokenizerName, table: RankTable) {
    this.name = name;
    this.#table = table;
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
    const table = this.#table;
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
 * Makes a tokenizer from a file of ranks, as `src/worker/tokenizer/packRanks.mjs` makes it from js-tiktoken's.
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

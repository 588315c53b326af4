// Product files as they ship, for the build and for tests that run without one: grammars, their packing, vocabularies.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompressSync, constants } from 'node:zlib';

// The bytes of a grammar as they ship: the npm package's file, with the repairs that its table declares.

/**
 * @param {string} modules path of `node_modules`
 * @param {{file: string, package: string, folder?: string, repairs?: {at: number, from: number, to: number}[]}} grammar
 * @returns {Uint8Array}
 */
export function readGrammar(modules, grammar) {
  const bytes = readFileSync(path.join(modules, grammar.package, grammar.folder ?? '', grammar.file));
  for (const { at, from, to } of grammar.repairs ?? []) {
    if (bytes[at] !== from) {
      throw new Error(`${grammar.file}: byte ${at} is ${bytes[at]}, not ${from}. Is the repair still needed?`);
    }
    bytes[at] = to;
  }
  return bytes;
}

// WebAssembly as it ships: grammars are tables of parse states whose rows repeat over megabytes, which the 32 KiB window
// of a zip does not see. Brotli with its largest window makes a third less of them.

/** 9 packs all grammars within two seconds; 11 makes another tenth less of them, in forty times as long. */
const QUALITY = 9;

/**
 * @param {Uint8Array} bytes
 * @returns {Promise<Buffer>} the same bytes for every run with the same Node
 */
export function packWasm(bytes) {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return promisify(brotliCompress)(bytes, { params });
}

/**
 * @param {Buffer} packed
 * @param {Uint8Array} bytes
 * @returns {boolean} whether `packed` holds exactly `bytes`; false for a file that a killed build left incomplete
 */
export function holdsWasm(packed, bytes) {
  try {
    return brotliDecompressSync(packed).equals(bytes);
  } catch (error) {
    // Whatever Brotli says about it, it is not what should be there.
    if (typeof error.errno === 'number') return false;
    throw error;
  }
}

// A tokenizer's vocabulary as it ships. js-tiktoken has it as base64, which does not compress; here every token but the
// single bytes is the pair of earlier tokens that it is made of, which is what byte pair encoding is.
//
//   offset        bytes
//   0             4          magic, "CBR1"
//   4             4          P, length of the pattern; little-endian, as all numbers
//   8             4          N, number of tokens; a token's number is its rank
//   12            P          the pattern, UTF-8
//   12+P          256        tokens 0…255, a byte each
//   then          6 × M      M = N - 256 pairs in planes: bits 0–7 of every left token, 8–15, 16–23, the same of the right
//
// Planes, because the upper bits of neighbours are alike: a fifth smaller when compressed than pair after pair.

/** Bytes before the pattern. */
const HEADER_BYTES = 12;
const SINGLE_BYTES = 256;

/** Tokens in rank order, as binary strings, from js-tiktoken's `! <first rank> <base64> …` lines. */
function tokensOf(bpeRanks) {
  const tokens = [];
  for (const line of bpeRanks.split('\n').filter((text) => text !== '')) {
    const [, first, ...encoded] = line.split(' ');
    if (Number(first) !== tokens.length) throw new Error(`ranks are not consecutive: ${first} after ${tokens.length}`);
    for (const token of encoded) tokens.push(Buffer.from(token, 'base64').toString('latin1'));
  }
  return tokens;
}

/** The two earlier tokens that make up `token`, such that the later of them is as early as can be. */
function pairOf(token, rank, ranks) {
  let best;
  for (let at = 1; at < token.length; at++) {
    const left = ranks.get(token.slice(0, at));
    const right = ranks.get(token.slice(at));
    if (left === undefined || right === undefined) continue;
    const later = Math.max(left, right);
    if (later < rank && (best === undefined || later < best.later)) best = { left, right, later };
  }
  if (best === undefined) throw new Error(`token ${rank} is not made of two earlier ones`);
  return best;
}

/**
 * @param {{ pat_str: string, bpe_ranks: string }} encoding as js-tiktoken exports it
 * @returns {Uint8Array}
 */
export function packRanks({ pat_str, bpe_ranks }) {
  const tokens = tokensOf(bpe_ranks);
  const ranks = new Map(tokens.map((token, rank) => [token, rank]));
  const pattern = Buffer.from(pat_str, 'utf8');
  const pairs = tokens.length - SINGLE_BYTES;
  const out = Buffer.alloc(HEADER_BYTES + pattern.length + SINGLE_BYTES + 6 * pairs);
  out.write('CBR1', 0, 'latin1');
  out.writeUInt32LE(pattern.length, 4);
  out.writeUInt32LE(tokens.length, 8);
  pattern.copy(out, HEADER_BYTES);
  const singles = HEADER_BYTES + pattern.length;
  for (let rank = 0; rank < SINGLE_BYTES; rank++) {
    if (tokens[rank].length !== 1) throw new Error(`token ${rank} is not a single byte`);
    out[singles + rank] = tokens[rank].charCodeAt(0);
  }
  const planes = singles + SINGLE_BYTES;
  for (let i = 0; i < pairs; i++) {
    const { left, right } = pairOf(tokens[SINGLE_BYTES + i], SINGLE_BYTES + i, ranks);
    for (let plane = 0; plane < 3; plane++) {
      out[planes + plane * pairs + i] = left >> (8 * plane);
      out[planes + (3 + plane) * pairs + i] = right >> (8 * plane);
    }
  }
  return out;
}

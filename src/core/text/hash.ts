/**
 * Non-cryptographic content hashing, the same in every host. Used for cache keys and handles, never for security.
 */

const SEED_A = 0xdeadbeef;
const SEED_B = 0x41c6ce57;
/** Odd multipliers of MurmurHash3's 32-bit finaliser and of xxHash32 (both public domain), spread over two lanes. */
const MUL_A = 0x85ebca6b;
const MUL_B = 0xc2b2ae35;
const PRIME_A = 0x9e3779b1;
const PRIME_B = 0x27d4eb2f;

function finish(a: number, b: number): string {
  let x = a;
  let y = b;
  x = Math.imul(x ^ (x >>> 16), MUL_A) ^ Math.imul(y ^ (y >>> 13), MUL_B);
  y = Math.imul(y ^ (y >>> 16), MUL_A) ^ Math.imul(x ^ (x >>> 13), MUL_B);
  return (x >>> 0).toString(16).padStart(8, '0') + (y >>> 0).toString(16).padStart(8, '0');
}

/** 64-bit hash of bytes as 16 hex digits. About 400 MB/s. */
export function hashBytes(bytes: Uint8Array): string {
  let a = SEED_A ^ bytes.length;
  let b = SEED_B ^ bytes.length;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    a = Math.imul(a ^ byte, PRIME_A);
    b = Math.imul(b ^ byte, PRIME_B);
    b ^= b >>> 15;
  }
  return finish(a, b);
}

/** 64-bit hash of a string's UTF-16 code units as 16 hex digits. */
export function hashText(text: string): string {
  let a = SEED_A ^ text.length;
  let b = SEED_B ^ text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, PRIME_A);
    b = Math.imul(b ^ unit, PRIME_B);
    b ^= b >>> 15;
  }
  return finish(a, b);
}

/** 64-bit hash of a string's UTF-16 code units as two numbers, put into `out`. Each seed makes another function of it. */
export function hashInto(out: Uint32Array, text: string, seed: number): void {
  let a = SEED_A ^ text.length ^ seed;
  let b = SEED_B ^ text.length ^ Math.imul(seed, MUL_B);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, PRIME_A);
    a ^= a >>> 13;
    b = Math.imul(b ^ unit, PRIME_B);
    b ^= b >>> 15;
  }
  out[0] = Math.imul(a ^ (a >>> 16), MUL_A) ^ Math.imul(b ^ (b >>> 13), MUL_B);
  out[1] = Math.imul(b ^ (b >>> 16), MUL_A) ^ Math.imul(a ^ (a >>> 13), MUL_B);
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** Finaliser multiplier of MurmurHash3: spreads the hash's high bits into the slot number. */
const MIX = 0x85ebca6b;

/** FNV-1a of a byte range (Fowler, Noll and Vo), mixed once. A secret seed defeats bytes that are made to collide. */
export function hashRange(bytes: Uint8Array, start: number, end: number, seed = 0): number {
  let hash = FNV_OFFSET ^ seed;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), FNV_PRIME);
  hash = Math.imul(hash ^ (hash >>> 15), MIX);
  return hash ^ (hash >>> 13);
}

// WebAssembly as it ships: grammars are tables of parse states whose rows repeat over megabytes, which the 32 KiB window
// of a zip does not see. Brotli with its largest window makes a third less of them.

import { promisify } from 'node:util';
import { brotliCompress, brotliDecompressSync, constants } from 'node:zlib';

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

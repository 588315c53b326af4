// The bytes of a grammar as they ship: the npm package's file, with the repairs that its table declares.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} modules path of `node_modules`
 * @param {{file: string, package: string, folder?: string, repairs?: {at: number, from: number, to: number}[]}} grammar
 * @returns {Uint8Array}
 */
export function readGrammar(modules, grammar) {
  const bytes = readFileSync(join(modules, grammar.package, grammar.folder ?? '', grammar.file));
  for (const { at, from, to } of grammar.repairs ?? []) {
    if (bytes[at] !== from) {
      throw new Error(`${grammar.file}: byte ${at} is ${bytes[at]}, not ${from}. Is the repair still needed?`);
    }
    bytes[at] = to;
  }
  return bytes;
}

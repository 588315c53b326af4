import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { largestFunctionBytes, wasmKindOf } from '../../../../../src/core/repomap/facts/wasmFile';

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const text = (value: string) => [...new TextEncoder().encode(value)];

test('a grammar of today is current', () => {
  const real = readFileSync('node_modules/@tree-sitter-grammars/tree-sitter-toml/tree-sitter-toml.wasm');
  expect(wasmKindOf(real)).toBe('current');
});

test('a module whose first section is "dylink" is old, "dylink.0" is not', () => {
  expect(wasmKindOf(Uint8Array.from([...HEADER, 0, 12, 6, ...text('dylink'), 0, 0, 0, 0, 0]))).toBe('old');
  expect(wasmKindOf(Uint8Array.from([...HEADER, 0, 9, 8, ...text('dylink.0')]))).toBe('current');
  // The same length written in three bytes, as linkers that fill it in later do.
  expect(wasmKindOf(Uint8Array.from([...HEADER, 0, 0x8c, 0x80, 0x00, 6, ...text('dylink'), 0]))).toBe('old');
});

test('anything else is no WebAssembly, a header alone is', () => {
  for (const bytes of [[], text('<!doctype html>'), HEADER.slice(0, 7)]) {
    expect(wasmKindOf(Uint8Array.from(bytes))).toBe('notWasm');
  }
  expect(wasmKindOf(Uint8Array.from(HEADER))).toBe('current');
});

test('the largest function is found, whatever stands around the code, and what breaks off has none beyond its end', () => {
  const section = (id: number, ...bytes: number[]) => [id, bytes.length, ...bytes];
  // Three bodies of 2, 5 and 1 bytes.
  const code = section(10, 3, 2, 1, 1, 5, 1, 2, 3, 4, 5, 1, 9);
  const types = section(1, 9, 9, 9);
  expect(largestFunctionBytes(Uint8Array.from([...HEADER, ...types, ...code, ...types]))).toBe(5);
  expect(largestFunctionBytes(Uint8Array.from([...HEADER, ...types]))).toBe(0);
  expect(largestFunctionBytes(Uint8Array.from([...HEADER, ...code].slice(0, 13)))).toBe(2);
  expect(largestFunctionBytes(Uint8Array.from([]))).toBe(0);
});

test('the lexers of Bash and Go lie on the two sides of what is worth optimizing', () => {
  const largest = (language: string) =>
    largestFunctionBytes(readFileSync(`node_modules/tree-sitter-${language}/tree-sitter-${language}.wasm`));
  expect(largest('bash')).toBeGreaterThan(128 * 1024);
  expect(largest('go')).toBeLessThan(16 * 1024);
});

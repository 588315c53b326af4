import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { wasmKindOf } from '../../../../src/core/repomap/wasmFile';

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

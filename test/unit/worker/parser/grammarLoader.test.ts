import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hashBytes } from '../../../../src/core/text/hash';
import { TreeSitterParser } from '../../../../src/worker/parser/fileParser';
import { largestFunctionBytes } from '../../../../src/worker/parser/grammarLoader';
import { nodeModulesAssets } from '../../../support/nodeModulesAssets';

// Node's types have the namespace, not its values.
const { Module } = (
  globalThis as unknown as { readonly WebAssembly: { readonly Module: new (bytes: Uint8Array) => WebAssembly.Module } }
).WebAssembly;

function input(path: string, text: string) {
  const bytes = new TextEncoder().encode(text);
  return { path, contentHash: hashBytes(bytes), bytes };
}

const SHELL = input('run.sh', 'greet() {\n  echo hello\n}\n');
const PYTHON = input('run.py', 'def greet():\n    pass\n');

describe('grammars with a huge lexer', () => {
  it('are compiled as the host says, others as ever, and both read files', async () => {
    const compiled: number[] = [];
    const compileOnce = (wasm: Uint8Array): WebAssembly.Module => {
      compiled.push(wasm.length);
      return new Module(wasm);
    };
    const parser = new TreeSitterParser(nodeModulesAssets, undefined, undefined, compileOnce);
    for (const file of [PYTHON, SHELL, SHELL]) {
      expect((await parser.parseFile(file)).definitions.map(({ name }) => name)).toEqual(['greet']);
    }
    expect(compiled).toEqual([(await nodeModulesAssets.read('grammars/tree-sitter-bash.wasm')).length]);
  });

  it('are read as well where the host has no say', async () => {
    const parser = new TreeSitterParser(nodeModulesAssets);
    expect((await parser.parseFile(SHELL)).definitions.map(({ name }) => name)).toEqual(['greet']);
  });
});

describe('the largest function of a module', () => {
  const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

  it('is found, whatever stands around the code, and what breaks off has none beyond its end', () => {
    const section = (id: number, ...bytes: number[]) => [id, bytes.length, ...bytes];
    // Three bodies of 2, 5 and 1 bytes.
    const code = section(10, 3, 2, 1, 1, 5, 1, 2, 3, 4, 5, 1, 9);
    const types = section(1, 9, 9, 9);
    expect(largestFunctionBytes(Uint8Array.from([...HEADER, ...types, ...code, ...types]))).toBe(5);
    expect(largestFunctionBytes(Uint8Array.from([...HEADER, ...types]))).toBe(0);
    expect(largestFunctionBytes(Uint8Array.from([...HEADER, ...code].slice(0, 13)))).toBe(2);
    expect(largestFunctionBytes(Uint8Array.from([]))).toBe(0);
  });

  it('puts Bash and Go on the two sides of what is worth optimizing', () => {
    const largest = (language: string) =>
      largestFunctionBytes(readFileSync(`node_modules/tree-sitter-${language}/tree-sitter-${language}.wasm`));
    expect(largest('bash')).toBeGreaterThan(128 * 1024);
    expect(largest('go')).toBeLessThan(16 * 1024);
  });
});

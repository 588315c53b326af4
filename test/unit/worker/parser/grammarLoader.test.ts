import { describe, expect, it } from 'vitest';
import { hashBytes } from '../../../../src/core/text/hash';
import { TreeSitterParser } from '../../../../src/worker/parser/fileParser';
import { nodeModulesAssets } from './nodeModulesAssets';

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

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../../../grammars/manifest.json';
import type { ParseInput } from '../../../../src/core/engine/parser';
import { MAX_PARSE_BYTES, readLimitOf } from '../../../../src/core/repomap/facts/languages';
import type { FileFacts } from '../../../../src/core/repomap/facts/types';
import { qualifiedNames } from '../../../../src/core/repomap/index/indexedFile';
import { hashBytes } from '../../../../src/core/text/hash';
import { TreeSitterParser } from '../../../../src/worker/parser/fileParser';
import { isWasmFailure, ParserCrash } from '../../../../src/worker/parser/parserCrash';
import { IS_LONG } from '../../../support/extent.mjs';
import { nodeModulesAssets } from '../../../support/nodeModulesAssets';
import { decodeFacts } from '../../../support/repoMapBuilders';
import { some } from '../../../support/runs';

const FIXTURES = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'languages');
const parser = new TreeSitterParser(nodeModulesAssets);

function input(path: string, content: string | Uint8Array): ParseInput {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { path, contentHash: hashBytes(bytes), bytes };
}

async function parse(path: string, content: string | Uint8Array): Promise<FileFacts> {
  const [encoded] = await parser.parse([input(path, content)]);
  return decodeFacts(encoded!);
}

/** One line a definition, in the words of a person: range, kind, qualified name, signature, doc. */
function describeFacts(facts: FileFacts): string {
  const names = qualifiedNames(facts.definitions);
  const lines = facts.definitions.map((definition, at) => {
    const { lineStart, lineEnd, kind, signature, doc, isLocal } = definition;
    return `${lineStart}-${lineEnd} ${isLocal ? 'local ' : ''}${kind} ${names[at]} | ${signature}${doc && ` // ${doc}`}`;
  });
  return `${[`${facts.language}, ${facts.outcome}, ${facts.lineCount} lines`, ...lines].join('\n')}\n`;
}

describe('definitions of each language', () => {
  const files = readdirSync(FIXTURES).filter((name) => !name.endsWith('.txt') && name !== 'README.md');

  it.each(files)('finds what %s defines', async (name) => {
    const facts = await parse(name, readFileSync(join(FIXTURES, name)));
    const expected = join(FIXTURES, `${name}.txt`);
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(expected, describeFacts(facts));
    expect(existsSync(expected)).toBe(true);
    expect(describeFacts(facts)).toBe(readFileSync(expected, 'utf8'));
  });

  it('gives a Go method its receiver as parent, also when the type comes later', async () => {
    const { definitions } = await parse('a.go', 'package a\nfunc (s *Store) Get() {}\ntype Store struct{}\n');
    expect(definitions.map(({ name, kind, parent }) => ({ name, kind, parent }))).toEqual([
      { name: 'Get', kind: 'method', parent: 1 },
      { name: 'Store', kind: 'struct', parent: -1 },
    ]);
  });

  it('knows a C struct by its tag and by the name of its type', async () => {
    const { definitions } = await parse(
      'a.h',
      'typedef struct node {\n  int a;\n} node_t;\ntypedef struct twin { int a; } twin;\n',
    );
    expect(
      definitions.map(({ name, kind, signature, lineStart, lineEnd }) => [name, kind, signature, lineStart, lineEnd]),
    ).toEqual([
      ['node', 'struct', 'struct node', 1, 3],
      ['node_t', 'struct', 'typedef struct node node_t', 1, 3],
      ['twin', 'struct', 'typedef struct twin twin', 4, 4],
    ]);
  });

  it('reads each name of a Go declaration', async () => {
    const source =
      'package a\nvar ErrA, ErrB = f(1), f(2)\nvar (\n\tx, _, y int\n)\nconst P, Q = 1, 2\nvar _, z = 1, 2\nvar _ I = T{}\n';
    const { definitions } = await parse('a.go', source);
    const shown = definitions.map(({ name, kind, signature, lineStart }) => [lineStart, kind, signature, name]);
    expect(shown.sort()).toEqual([
      [2, 'variable', 'var ErrA, ErrB = f(1), f(2)', 'ErrA'],
      [2, 'variable', 'var ErrA, ErrB = f(1), f(2)', 'ErrB'],
      [4, 'variable', 'var x, _, y int', 'x'],
      [4, 'variable', 'var x, _, y int', 'y'],
      [6, 'constant', 'const P, Q = 1, 2', 'P'],
      [6, 'constant', 'const P, Q = 1, 2', 'Q'],
      [7, 'variable', 'var _, z = 1, 2', 'z'],
    ]);
  });

  it('calls what a module exports by its own name', async () => {
    for (const [value, name] of [
      ['class Store {}', 'Store'],
      ['function open() {}', 'open'],
      ['() => 1', 'module.exports'],
    ] as const) {
      const { definitions } = await parse('a.js', `module.exports = ${value};\n`);
      expect(definitions).toMatchObject([{ name }]);
    }
  });

  it('finds functions inside of Python functions, constructors too', async () => {
    const { definitions } = await parse(
      'a.py',
      'class A:\n  def __init__(self):\n    if x:\n      def inner(): pass\n',
    );
    expect(definitions.map(({ name, kind, parent }) => ({ name, kind, parent }))).toEqual([
      { name: 'A', kind: 'class', parent: -1 },
      { name: '__init__', kind: 'constructor', parent: 0 },
      { name: 'inner', kind: 'function', parent: 1 },
    ]);
  });

  it('names the owner of a method whose type is in another file', async () => {
    const { definitions } = await parse('a.rs', 'impl<T> fmt::Debug for other::Store<T> { fn fmt(&self) {} }');
    expect(definitions).toMatchObject([{ name: 'fmt', kind: 'method', parent: -1, scope: 'Store' }]);
  });

  it('keeps parents free of loops when a qualified class holds a class of its owner’s name', async () => {
    const { definitions } = await parse('a.cpp', 'class C::B { class C { int x; }; };');
    expect(() => qualifiedNames(definitions)).not.toThrow();
    expect(definitions.map(({ name, parent }) => [name, parent])).toEqual([
      ['B', -1],
      ['C', 0],
    ]);
  });

  it('reads a header as C++ only when it has C++ constructs', async () => {
    expect((await parse('a.h', 'struct a { int b; };\nvoid f(void);\n')).language).toBe('c');
    for (const text of ['namespace a {\n}', 'template <class T> struct A;', 'class A {\n};', 'std::string f();']) {
      expect((await parse('a.h', text)).language).toBe('cpp');
    }
  });

  it('finds definitions outside of a syntax error and says that the file is partial', async () => {
    const facts = await parse('a.ts', 'function before() {}\nclass {{{ ((\nexport function after() {}\n');
    expect(facts.outcome).toBe('partial');
    expect(facts.definitions.map(({ name }) => name)).toContain('before');
  });

  it('reads a Swift file after another with # the same', async () => {
    const text = '#if DEBUG\nfunc a() {}\n#endif\nfunc b(f: String = #file) {}\n';
    for (let round = 0; round < 3; round++) {
      const facts = await parse('a.swift', text);
      expect(facts.outcome).toBe('parsed');
      expect(facts.definitions.map(({ name }) => name)).toEqual(['a', 'b']);
    }
  });

  it('recognises generated and minified files', async () => {
    expect((await parse('a.go', '// Code generated by protoc-gen-go. DO NOT EDIT.\npackage a\n')).isGenerated).toBe(
      true,
    );
    expect((await parse('a.js', `var a=${'1+'.repeat(2000)}1;`)).isGenerated).toBe(true);
    expect((await parse('a.py', '# Handles generated ids.\nx = 1\n')).isGenerated).toBeUndefined();
  });
});

describe('files with other languages inside', () => {
  it('keeps only the words of a notebook that is broken or of a language without grammar', async () => {
    const cells = [{ cell_type: 'code', source: ['alpha <- 1\n'] }];
    const r = JSON.stringify({ cells, metadata: { kernelspec: { language: 'R' } } }, undefined, 1);
    for (const text of [r, '{"cells": [', '[]', '{"cells": {}}']) {
      expect(await parse('a.ipynb', text)).toMatchObject({ outcome: 'noGrammar', language: 'notebook' });
    }
  });

  it('reads the cells of a notebook whose outputs are larger than any source may be', async () => {
    const notebook = (code: string) =>
      JSON.stringify(
        {
          cells: [
            {
              cell_type: 'code',
              source: [code],
              outputs: [{ data: { 'image/png': 'A'.repeat(1_500_000), 'text/html': ['B'.repeat(1_500_000)] } }],
            },
          ],
          metadata: { kernelspec: { language: 'python' } },
        },
        undefined,
        1,
      );
    const facts = await parse('a.ipynb', notebook('def draw(): pass'));
    expect(facts).toMatchObject({ outcome: 'parsed', definitions: [{ name: 'draw' }] });
    // Code cells have the cap of any source.
    expect((await parse('b.ipynb', notebook(`x = "${'y'.repeat(90_000)}"`))).outcome).toBe('parsed');
    expect((await parse('c.ipynb', new Uint8Array(4_000_001).fill(65))).outcome).toBe('tooLarge');
  });

  it.each([
    ['on one line', ['def f():\n', '    pass\n', '\n', 'def g(): pass'], undefined, [1, 1]],
    ['with one string a cell', 'def f():\n    pass\n\ndef g(): pass', 1, [13, 13]],
    ['with a string a line', ['def f():\n', '    pass\n', '\n', 'def g(): pass'], 1, [19, 22]],
  ])('reads a notebook %s', async (_, source, indent, lines) => {
    // The same text stands in an output before.
    const cell = { cell_type: 'code', outputs: [{ text: source }], source };
    const cells = [{ cell_type: 'raw' }, cell, { cell_type: 'code', source: ['%ls\n', 'x = "\\""'] }];
    const notebook = { cells, metadata: { kernelspec: { language: 'python' } } };
    const { definitions, outcome } = await parse('a.ipynb', JSON.stringify(notebook, undefined, indent));
    expect(outcome).toBe('parsed');
    expect(definitions.map(({ name }) => name)).toEqual(['f', 'g', 'x']);
    expect(definitions.slice(0, 2).map(({ lineStart }) => lineStart)).toEqual(lines);
  });

  it('does not take a notebook with pictures for minified code', async () => {
    const cells = [{ cell_type: 'code', source: ['def f(): pass'], outputs: [{ png: 'A'.repeat(100_000) }] }];
    const text = JSON.stringify({ cells, metadata: { kernelspec: { language: 'python' } } }, undefined, 1);
    const facts = await parse('a.ipynb', text);
    expect(facts.isGenerated).toBeUndefined();
    expect(facts.definitions).toMatchObject([{ name: 'f', lineStart: 6 }]);
  });

  it('keeps the words of a component without a script', async () => {
    expect(await parse('a.vue', '<template>hello</template>')).toMatchObject({ outcome: 'noGrammar', language: 'vue' });
  });
});

describe('what a file is', () => {
  it('keeps words but no definitions of a file without grammar', async () => {
    const facts = await parse('notes.txt', 'call makeStore twice: makeStore\n');
    expect(facts).toMatchObject({ outcome: 'noGrammar', definitions: [], language: undefined, lineCount: 1 });
    expect(facts.references).toContainEqual(['makeStore', 2]);
  });

  it('says binary for a source extension over a NUL, and too large above the cap', async () => {
    expect((await parse('a.py', new Uint8Array([65, 0, 66]))).outcome).toBe('binary');
    expect((await parse('a.py', new Uint8Array(MAX_PARSE_BYTES + 1).fill(65))).outcome).toBe('tooLarge');
  });

  it('scans the lines of a file that is too large to parse, unless it is data or people set a lower limit', async () => {
    const filler = `${'        self.step(one, two, three)\n'.repeat(10)}\n`;
    const text = `class Main:\n    def run(self):\n${filler.repeat(3200)}    def stop(self):\n        pass\n`;
    expect(text.length).toBeGreaterThan(MAX_PARSE_BYTES);
    const facts = await parse('a.py', text);
    expect(facts).toMatchObject({ outcome: 'lineScan', language: 'python' });
    expect(facts.definitions.map(({ name, parent, isGuessed }) => [name, parent, isGuessed])).toEqual([
      ['Main', -1, true],
      ['run', 0, true],
      ['stop', 0, true],
    ]);
    expect(facts.references).toContainEqual(['step', 32_000]);
    expect(readLimitOf('a.py', MAX_PARSE_BYTES)).toBe(4_000_000);
    expect(readLimitOf('a.py', 1000)).toBe(1000);
    expect(readLimitOf('data.csv', MAX_PARSE_BYTES)).toBe(MAX_PARSE_BYTES);
    expect((await parse('a.js', `x=${'1,'.repeat(600_000)}1;\n`)).outcome).toBe('tooLarge');
  });

  it('decodes UTF-16 by its byte order mark', async () => {
    const text = 'def naïve(): pass\n';
    const utf16 = new Uint8Array([0xff, 0xfe, ...Buffer.from(text, 'utf16le')]);
    const facts = await parse('a.py', utf16);
    expect(facts.definitions).toMatchObject([{ name: 'naïve', signature: 'def naïve()' }]);
  });

  it('gives an empty file no lines and no definitions', async () => {
    expect(await parse('a.go', '')).toMatchObject({ outcome: 'parsed', lineCount: 0, definitions: [] });
  });

  it('returns facts in the order of the files and stops at a cancellation', async () => {
    const files = ['a.py', 'b.py', 'c.py'].map((path) => input(path, `def ${path[0]}1(): pass`));
    const all = (await parser.parse(files)).map(decodeFacts);
    expect(all.map(({ path }) => path)).toEqual(['a.py', 'b.py', 'c.py']);
    expect(await parser.parse(files, AbortSignal.abort())).toEqual([]);
  });
});

/** A quarter of the size by itself: enough for what recurses or floods. */
const much = (count: number): number => (IS_LONG ? count : count / 4);

/** Inputs that made parsers and queries hang, abort or overflow (PERFORMANCE §3). */
const HOSTILE: readonly (readonly [what: string, path: string, make: () => string | Uint8Array])[] = [
  ['open parentheses', 'a.py', () => '('.repeat(much(100_000))],
  ['open braces', 'a.js', () => '{'.repeat(much(100_000))],
  ['open braces in Go', 'a.go', () => `package a\n${'{'.repeat(much(100_000))}`],
  ['calls of calls', 'a.js', () => `a${'()'.repeat(much(300_000))}`],
  ['chained calls', 'a.ts', () => `a${'.b()'.repeat(much(200_000))}`],
  ['template holes', 'a.ts', () => `\`\${`.repeat(much(100_000))],
  ['minified JavaScript', 'a.js', () => 'function a(b){return b+1};var c=[1,2];'.repeat(25_000)],
  ['nested namespaces', 'a.cpp', () => 'namespace a {'.repeat(20_000)],
  [
    'nested classes',
    'a.py',
    () => Array.from({ length: IS_LONG ? 900 : 600 }, (_, i) => `${' '.repeat(i)}class A${i}:`).join('\n'),
  ],
  ['nested modules', 'a.rs', () => `${'mod a {'.repeat(5000)}${'}'.repeat(5000)}`],
  ['nested declarators', 'a.c', () => `int ${'('.repeat(5000)}*x${')'.repeat(5000)};`],
  [
    'constants',
    'a.go',
    () => `package a\nconst (\n${Array.from({ length: much(40_000) }, (_, i) => `A${i} = ${i}`).join('\n')}\n)`,
  ],
  ['open generics', 'a.ts', () => 'a<'.repeat(50_000)],
  ['one unclosed string', 'a.java', () => `class A { String s = """${'x'.repeat(500_000)}`],
  ['unclosed comment', 'a.rs', () => '/*'.repeat(much(200_000))],
  ['comments in each other', 'a.rs', () => `${'/*'.repeat(much(100_000))}${'*/'.repeat(much(100_000))}`],
  ['open script tags', 'a.vue', () => '<script '.repeat(much(50_000))],
  ['a heading of brackets', 'a.md', () => `# ${'['.repeat(much(200_000))}\n${'a\n==\n'.repeat(much(50_000))}`],
  [
    'a notebook of one line',
    'a.ipynb',
    () =>
      JSON.stringify({
        cells: Array(20_000).fill({ cell_type: 'code', source: ['x\n'] }),
        metadata: { kernelspec: { language: 'python' } },
      }),
  ],
  ['regular expressions that never end', 'a.js', () => '=/['.repeat(150_000)],
];

function randomBytes(length: number): Uint8Array {
  let seed = 7;
  return Uint8Array.from({ length }, () => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return 1 + ((seed >>> 16) % 127);
  });
}

/** A twentieth of the size by itself: enough for what recurses, and the deadline has tests of its own. */
const MANY = IS_LONG ? 100_000 : 5000;

/** Nests, leaves open or floods what each language's grammar and lexis look for. */
const FOR_EVERY_LANGUAGE: readonly (() => string | Uint8Array)[] = [
  () => '('.repeat(MANY),
  () => '{'.repeat(MANY),
  () => '([{<'.repeat(MANY / 4),
  () => 'def a(b){return b+1};var c=[1,2];'.repeat(MANY / 20),
  () => '"#{${a'.repeat(MANY / 5),
  () => Array.from({ length: MANY / 20 }, (_, i) => `x <<A${i} <<~B${i} <<<C${i}`).join('\n'),
  () => randomBytes(MANY / 2),
];

describe('hostile input', () => {
  it.each(some(HOSTILE, 7))('survives %s', async (_what, path, make) => {
    const facts = await parse(path, make());
    expect(['parsed', 'partial', 'deadline', 'noGrammar']).toContain(facts.outcome);
  });

  it.each(manifest.languages.map(({ id, extensions }, at) => [id, extensions[0]!, at] as const))(
    'survives brackets, open literals, minified text and random bytes as %s',
    async (_id, extension, at) => {
      // By itself two of them each, in turns.
      const makes = FOR_EVERY_LANGUAGE.filter(
        (_, place) => IS_LONG || (place + at) % 7 === 0 || (place + at) % 7 === 3,
      );
      for (const make of makes) {
        const facts = await parse(`a${extension}`, make());
        expect(['parsed', 'partial', 'deadline', 'noGrammar']).toContain(facts.outcome);
      }
    },
  );

  it('gives up at the deadline and parses the next file as if nothing had happened', async () => {
    let now = 0;
    const impatient = new TreeSitterParser(nodeModulesAssets, () => {
      now += 1000;
      return now;
    });
    const large = await impatient.parseFile(input('a.js', 'function start(b){return b+1};'.repeat(20_000)));
    expect(large.outcome).toBe('deadline');
    expect(large.references.length).toBeGreaterThan(0);
    const small = await impatient.parseFile(input('b.js', 'function ok() {}'));
    expect(small).toMatchObject({ outcome: 'parsed', definitions: [{ name: 'ok' }] });
  });
});

describe('when the parser itself fails', () => {
  it('tells failures of WebAssembly from failures of our code', () => {
    const abort = (() => {
      try {
        // A module whose start function is `unreachable`: the smallest real RuntimeError there is.
        const bytes = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 8, 1, 0, 10, 5, 1, 3, 0, 0, 11];
        // @ts-expect-error the global has no type without the DOM library
        new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes)));
        return undefined;
      } catch (error) {
        return error;
      }
    })();
    expect(isWasmFailure(abort)).toBe(true);
    expect(isWasmFailure(new Error('Aborted(). Build with -sASSERTIONS'))).toBe(true);
    expect(isWasmFailure(new TypeError('x is undefined'))).toBe(false);
  });

  it('reports missing product files as a crash, not as facts about the file', async () => {
    const broken = new TreeSitterParser({
      read: (name) => (name.endsWith('go.json') ? Promise.reject(new Error('gone')) : nodeModulesAssets.read(name)),
    });
    await expect(broken.parse([input('a.go', 'package a')])).rejects.toSatisfy((error) =>
      ParserCrash.is(error, 'notLoaded'),
    );
    expect((await broken.parse([input('a.py', 'x = 1')])).length).toBe(1);
  });

  it('tells the size of its WebAssembly memory, which it shares with other parsers of its thread', async () => {
    const second = new TreeSitterParser(nodeModulesAssets);
    for (const each of [parser, second]) await each.parse([input('a.py', 'x = 1')]);
    expect(parser.memoryBytes).toBeGreaterThan(1_000_000);
    expect(second.memoryBytes).toBe(parser.memoryBytes);
  });
});

import { describe, expect, it } from 'vitest';
import type { EditorSymbol } from '../../../../../src/core/ports/ports';
import { readEditorSymbols } from '../../../../../src/core/repomap/facts/editorSymbols';

function symbol(name: string, lines: readonly [number, number], change: Partial<EditorSymbol> = {}): EditorSymbol {
  const [lineStart, lineEnd] = lines;
  return { kind: 'function', name, detail: '', nameLine: lineStart, lineStart, lineEnd, children: [], ...change };
}

const TEXT = '## Adds.\nfunction add(a,  b) {\n  return a + b\n}\n\nclass Box =\n  size: int\n';

describe('readEditorSymbols', () => {
  it('takes the line that names the symbol as its signature, without what opens the body', () => {
    const symbols = [
      symbol('add', [1, 4], { nameLine: 2 }),
      symbol('Box', [6, 7], { kind: 'class', children: [symbol('size', [7, 7], { kind: 'field', detail: 'int' })] }),
    ];
    expect(
      readEditorSymbols(TEXT, symbols).map(({ kind, name, signature, lineStart, lineEnd, parent }) => [
        kind,
        name,
        signature,
        lineStart,
        lineEnd,
        parent,
      ]),
    ).toEqual([
      ['function', 'add', 'function add(a, b)', 1, 4, -1],
      ['class', 'Box', 'class Box', 6, 7, -1],
      ['field', 'size', 'size: int', 7, 7, 1],
    ]);
  });

  it('falls back to name and detail where the line does not name the symbol', () => {
    expect(readEditorSymbols(TEXT, [symbol('sum', [3, 3], { detail: ': number' })])[0]?.signature).toBe('sum : number');
  });

  it('leaves out what is no definition, and keeps what is inside of it', () => {
    const inner = symbol('add', [2, 4]);
    const found = readEditorSymbols(TEXT, [symbol('"key"', [1, 4], { kind: undefined, children: [inner] })]);
    expect(found.map(({ name, parent }) => [name, parent])).toEqual([['add', -1]]);
  });

  it('keeps lines inside of the file, whatever an extension says', () => {
    const [first] = readEditorSymbols('one', [symbol('x\ny', [-5, 1e9], { nameLine: Number.NaN })]);
    expect(first).toMatchObject({ name: 'x y', lineStart: 1, lineEnd: 1 });
  });

  it('takes nothing of a file with more symbols than code has', () => {
    const many = Array.from({ length: 1500 }, (_, i) => symbol(`k${i}`, [1, 1]));
    expect(readEditorSymbols(TEXT, many)).toEqual([]);
    let deep = symbol('leaf', [1, 1]);
    for (let i = 0; i < 500; i++) deep = symbol('x', [1, 1], { children: [deep] });
    expect(readEditorSymbols(TEXT, [deep]).length).toBeLessThan(100);
  });
});

import { describe, expect, it } from 'vitest';
import type { SymbolUses } from '../../../../src/core/model/repoMap';
import { usesLine } from '../../../../src/core/workspace/usePlaces';

const NONE: SymbolUses = { callers: '', places: [], tests: '', testPlaces: [], twins: [], types: [] };

function lineFor(
  name: string,
  uses: Partial<SymbolUses>,
  texts: Readonly<Record<string, string>>,
  qualifiedName = name,
) {
  return usesLine({ path: 'a.ts', name, qualifiedName, uses: { ...NONE, ...uses } }, async (path) => texts[path]);
}

const place = (path: string, name: string, lineStart: number, lineEnd: number) => ({ path, name, lineStart, lineEnd });

describe('the line about who uses a definition', () => {
  it('says in which lines, whatever the name is written with', async () => {
    const texts = { 'b.x': 'one\n  Get-Item $x\n  a+b[c](d)?\n', 'c.x': 'GetItem\nother Get-Items\n' };
    for (const [name, line] of [
      ['Get-Item', 2],
      ['a+b[c](d)?', 3],
      ['$x', 2],
      ['none', 1],
    ] as const)
      expect(await lineFor(name, { callers: '1 caller in 1 file', places: [place('b.x', 'f', 1, 3)] }, texts)).toBe(
        `1 caller in 1 file: b.x:${line} f`,
      );
    // Part of a longer word is no mention; a file that cannot be read has its first line.
    for (const path of ['c.x', 'gone.x'])
      expect(await lineFor('Get-Item', { callers: '1 use in 1 file', places: [place(path, '', 1, 2)] }, texts)).toBe(
        `1 use in 1 file: ${path}:1`,
      );
  });

  it('begins with mentions behind the name of the type, says a path once, and counts what it leaves out', async () => {
    const texts = { 'b.rs': 'T::new()\n', 'c.rs': 'U::new();\n\nT::new();\n' };
    const places = [place('c.rs', 'x', 1, 1), place('b.rs', 'y', 1, 1), place('c.rs', 'z', 3, 3)];
    expect(await lineFor('new', { callers: '3 callers in 2 files', places }, texts, 'T.new')).toBe(
      '3 callers in 2 files: b.rs:1 y, c.rs:3 z, :1 x',
    );
    const many = Array.from({ length: 6 }, (_, at) => place('b.rs', `f${at}`, 1, 1));
    expect(await lineFor('new', { callers: '6 callers in 1 file', places: many }, texts)).toBe(
      '6 callers in 1 file: b.rs:1 f0, :1 f1, :1 f2, :1 f3',
    );
    const all = {
      tests: 'tests: t.rs',
      testPlaces: [place('a.ts', 'tests.one', 9, 9)],
      twins: [4, 7],
      types: [{ name: 'T', line: 2 }],
    };
    expect(await lineFor('new', all, texts)).toBe(
      'tests here: :9 tests.one; tests: t.rs; same name here: :4, :7; types here: :2 T',
    );
    expect(await lineFor('new', {}, texts)).toBeUndefined();
  });
});

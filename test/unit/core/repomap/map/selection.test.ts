import { describe, expect, it } from 'vitest';
import type { Tokenizer } from '../../../../../src/core/ports/ports';
import { packFacts } from '../../../../../src/core/repomap/facts/factsCodec';
import type { FileFacts, RankedMap } from '../../../../../src/core/repomap/facts/types';
import type { IndexedFile } from '../../../../../src/core/repomap/index/indexedFile';
import { RepoIndex } from '../../../../../src/core/repomap/index/repoIndex';
import { selectMap } from '../../../../../src/core/repomap/map/selection';
import { NO_PROJECT } from '../../../../../src/core/repomap/project/packages';
import type { MapOrder } from '../../../../../src/core/repomap/ranking/mapOrder';
import { orient } from '../../../../../src/core/repomap/ranking/orientation';
import { orientationOrder } from '../../../../../src/core/repomap/ranking/orientationOrder';
import { findWithUses } from '../../../../../src/core/repomap/ranking/uses';
import { exactTokenizer } from '../../../../support/exactTokenizer';
import { definition, facts } from '../../../../support/repoMapBuilders';

const tokenizer = exactTokenizer('o200k_base');

function mapOf(files: readonly FileFacts[], budgetTokens: number, counter: Tokenizer = tokenizer): RankedMap {
  const index = new RepoIndex();
  for (const file of files) index.upsert(packFacts(file));
  return selectMap(index, orientationOrder(orient(index, NO_PROJECT, { focusPaths: [] })), { budgetTokens }, counter);
}

const textOf = (map: RankedMap, n = map.size) => map.render(n).text;

const STORE = facts('src/store.ts', [
  definition('Store', { kind: 'class', signature: 'export class Store', lineStart: 3, lineEnd: 20 }),
  definition('open', { kind: 'method', signature: 'open(path: string): Promise<void>', lineStart: 5, parent: 0 }),
  definition('close', { kind: 'method', signature: 'close(): void', lineStart: 9, parent: 0 }),
  definition('makeStore', { signature: 'export function makeStore(): Store', lineStart: 30 }),
]);

describe('selectMap', () => {
  it('lists definitions that read the same once, with the lines of the others', () => {
    const lines = [10, 20, 30, 40, 50];
    const branches = lines.map((lineStart) => definition('open', { signature: 'int open(void)', lineStart }));
    const map = mapOf([facts('a.c', [...branches, definition('once', { lineStart: 60 })])], 600);
    expect(textOf(map)).toContain('  10 int open(void) (also 20, 30, 40 and 1 more)\n');
    expect(textOf(map).match(/int open/gu)).toHaveLength(1);
    expect(textOf(map)).toContain('  60 function once()\n');
    expect(tokenizer.count(textOf(map))).toBeLessThanOrEqual(600);
  });

  it('lists what a C header declares where a source defines it, once', () => {
    const c = (path: string, ...signatures: readonly [name: string, signature: string][]): FileFacts => {
      const made = signatures.map(([name, signature], at) => definition(name, { signature, lineStart: at + 1 }));
      return facts(path, made, {}, { language: 'c' });
    };
    const header = c('a.h', ['open', 'int open(void)'], ['seek', 'void seek(int, int)'], ['only', 'int only(void)']);
    const source = c('a.c', ['open', 'API int open()'], ['seek', 'void seek(int at)']);
    const windows = c('win.c', ['open', 'int open(void)']);
    const text = textOf(mapOf([header, source, windows], 600));
    expect(text.split('\n').sort()).toEqual(
      ['', 'a.c', '  1 API int open()', '  2 void seek(int at)', 'a.h', '  2 void seek(int, int)', '  3 int only(void)']
        .concat(['win.c', '  1 int open(void)'])
        .sort(),
    );
    expect(textOf(mapOf([header], 600))).toContain('  1 int open(void)\n');
  });

  it('leaves a declaration where it is as long as what defines it does not count', () => {
    const index = new RepoIndex();
    const c = { language: 'c' };
    const header = facts('a.h', [definition('open', { signature: 'int open(void)' })], {}, c);
    for (const file of [header, facts('a.c', [definition('open', { signature: 'int open()' })], {}, c)])
      index.upsert(packFacts(file));
    const order = (files: readonly IndexedFile[]): MapOrder => {
      const items = files.flatMap((file) => file.definitions.map((_, at) => ({ file, index: at })));
      return { files, items: () => items, explainFile: () => [], explain: () => [] };
    };
    const [source, declaring] = index.files as [IndexedFile, IndexedFile];
    const shownOf = (files: readonly IndexedFile[]): unknown => {
      const { text, view } = selectMap(index, order(files), { budgetTokens: 600 }, tokenizer).render(1);
      return { path: text.split('\n')[0], symbolsTotal: view.symbolsTotal };
    };
    expect(shownOf([source, declaring])).toEqual({ path: 'a.c', symbolsTotal: 2 });
    expect(shownOf([source.scanned, declaring])).toEqual({ path: 'a.h', symbolsTotal: 1 });
  });

  it('chooses a definition once, the first of a file too, however often the order names it', () => {
    const index = new RepoIndex();
    index.upsert(packFacts(STORE));
    const [file] = index.files as [IndexedFile];
    const items = [0, 0, 3, 0].map((at) => ({ file, index: at }));
    const order: MapOrder = { files: [file], items: () => items, explainFile: () => [], explain: () => [] };
    expect(selectMap(index, order, { budgetTokens: 600 }, tokenizer).size).toBe(2);
  });

  it('says which files have symbols that only a scan of lines found', () => {
    const map = mapOf([facts('a.ts', [definition('lost', { isGuessed: true })]), facts('b.ts', ['found'])], 200);
    expect(textOf(map)).toMatch(/^a\.ts \(some symbols by line scan\)$/mu);
    expect(textOf(map)).toMatch(/^b\.ts$/mu);
  });

  it('writes the path, then line number and signature, members below their parent', () => {
    expect(textOf(mapOf([STORE], 1000))).toBe(
      [
        'src/store.ts',
        '  3 export class Store',
        '    5 open(path: string): Promise<void>',
        '    9 close(): void',
        '  30 export function makeStore(): Store',
        '',
      ].join('\n'),
    );
  });

  it('makes namespaces that hold one type alone part of its name, and gives it for that row', () => {
    const cop = facts(
      'lib/cop.rb',
      [
        definition('RuboCop', { kind: 'module', signature: 'module RuboCop', lineEnd: 30 }),
        definition('Cop', { kind: 'module', signature: 'module Cop', parent: 0, lineStart: 2, lineEnd: 29 }),
        definition('Base', { kind: 'class', signature: 'class Base < Object', parent: 1, lineStart: 3, lineEnd: 20 }),
        definition('run', { kind: 'method', signature: 'def run', parent: 2, lineStart: 4 }),
        definition('Team', { kind: 'module', signature: 'module Team', parent: 1, lineStart: 21, lineEnd: 28 }),
        definition('stop', { kind: 'method', signature: 'def stop', parent: 4, lineStart: 22 }),
      ],
      {},
      { language: 'ruby' },
    );
    const rows = [
      'lib/cop.rb',
      '  2 module RuboCop::Cop',
      '    3 class Base < Object',
      '      4 def run',
      '    21 module Team',
      '      22 def stop',
      '',
    ];
    expect(textOf(mapOf([cop], 1000))).toBe(rows.join('\n'));
    expect(textOf(mapOf([cop], 200))).toContain('  2 RuboCop::Cop\n    3 Base\n');
    const index = new RepoIndex();
    index.upsert(packFacts(cop));
    const names = (row: string) => findWithUses(index, row).map(({ qualifiedName }) => qualifiedName);
    expect(names('2 module RuboCop::Cop')).toEqual(['RuboCop.Cop']);
    expect(names('2 RuboCop::Cop')).toEqual(['RuboCop.Cop']);
  });

  it('lists names instead of signatures up to 512 tokens', () => {
    expect(textOf(mapOf([STORE], 512))).toBe('src/store.ts\n  3 Store\n    5 open\n    9 close\n  30 makeStore\n');
  });

  it('lists names alone once the signatures have had their share of the budget', () => {
    const index = new RepoIndex();
    const named = Array.from({ length: 60 }, (_, at) =>
      definition(`task${at}`, { signature: `task${at}(path: string): Promise<void>`, lineStart: at + 2, parent: 0 }),
    );
    const around = definition('Outer', { kind: 'class', signature: 'export class Outer extends Base' });
    for (const path of ['a.ts', 'b.ts']) index.upsert(packFacts(facts(path, [around, ...named])));
    const items = index.files.flatMap((file) => named.map((_, at) => ({ file, index: at + 1 })));
    const order = { items: () => items, explainFile: () => [], explain: () => [] };
    const mapWith = (signatureShare: number): RankedMap =>
      selectMap(index, { ...order, signatureShare }, { budgetTokens: 1200 }, tokenizer);
    const map = mapWith(0.5);
    const lines = textOf(map).trimEnd().split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'a.ts',
      '  1 export class Outer extends Base',
      '    2 task0(path: string): Promise<void>',
    ]);
    const brief = lines.slice(lines.findIndex((row) => /^ +\d+ task\d+$/u.test(row)));
    expect(brief.filter((row) => row.includes('('))).toEqual([]);
    expect(brief.slice(brief.indexOf('b.ts'), brief.indexOf('b.ts') + 3)).toEqual(['b.ts', '  1 Outer', '    2 task0']);
    const full = lines.slice(0, lines.length - brief.length).join('\n');
    expect(tokenizer.count(full)).toBeGreaterThan(580);
    expect(tokenizer.count(full)).toBeLessThan(630);
    expect(tokenizer.count(textOf(map))).toBeLessThanOrEqual(1200);
    expect(map.size).toBeGreaterThan(mapWith(1).size * 1.2);
    // A smaller map of the same choices reads the same as far as it goes, and the view keeps signatures whole.
    expect(textOf(map, 10)).toBe(`${lines.slice(0, 12).join('\n')}\n`);
    const views = map.render(map.size).view.items.flatMap(({ symbols }) => symbols);
    expect(views.every(({ signature }) => signature !== '')).toBe(true);
    expect(views.at(-1)?.signature).toMatch(/^task\d+\(path: string\): Promise<void>$/u);
  });

  it('shows the parents of what it shows, and prices them', () => {
    const deep = facts('src/deep.ts', [
      definition('Outer', { kind: 'class', signature: 'class Outer' }),
      definition('Inner', { kind: 'class', signature: 'class Inner', parent: 0, lineStart: 2 }),
      definition('openStore', { kind: 'method', signature: 'openStore()', parent: 1, lineStart: 3 }),
    ]);
    const index = new RepoIndex();
    index.upsert(packFacts(deep));
    const file = index.fileAt('src/deep.ts')!;
    const innermostFirst = { items: () => [{ file, index: 2 }], explainFile: () => [], explain: () => [] };
    const map = selectMap(index, innermostFirst, { budgetTokens: 1000 }, tokenizer);
    expect(textOf(map, 1)).toBe('src/deep.ts\n  1 class Outer\n    2 class Inner\n      3 openStore()\n');
    expect(map.render(1).view.items[0]?.symbols.map(({ qualifiedName }) => qualifiedName)).toEqual([
      'Outer',
      'Outer.Inner',
      'Outer.Inner.openStore',
    ]);
  });

  it('puts members of a type from elsewhere below its name, once', () => {
    const file = facts('src/display.rs', [
      definition('fmt', { kind: 'method', signature: 'fn fmt(&self)', scope: 'Thing', lineStart: 2 }),
      definition('drop', { kind: 'method', signature: 'fn drop(&mut self)', scope: 'Thing', lineStart: 6 }),
      definition('Get', { kind: 'method', signature: 'func (s *Far) Get()', scope: 'Far', lineStart: 9 }),
    ]);
    expect(textOf(mapOf([file], 1000))).toBe(
      'src/display.rs\n  9 func (s *Far) Get()\n  Thing\n    2 fn fmt(&self)\n    6 fn drop(&mut self)\n',
    );
  });

  it('cuts a long signature in the text and keeps it whole in the view', () => {
    const signature = `export function wide(${'argument: string, '.repeat(20)}last: number): void`;
    const map = mapOf([facts('a.ts', [definition('wide', { signature })])], 1000);
    const line = textOf(map).split('\n')[1];
    expect(line?.endsWith('…')).toBe(true);
    expect(line?.length).toBe('  1 '.length + 52);
    expect(map.render(1).view.items[0]?.symbols[0]?.signature).toBe(signature);
  });

  it('does not show what reads the same at the same place twice', () => {
    const twice = facts(
      'a.c',
      ['free', 'free', 'other'].map((name) => definition(name)),
    );
    expect(textOf(mapOf([twice], 1000))).toBe('a.c\n  1 function free()\n  1 function other()\n');
  });

  it('does not let one file eat the map', () => {
    const names = Array.from({ length: 60 }, (_, i) => `bigThing${i}`);
    const big = facts('big.ts', names);
    const small = Array.from({ length: 6 }, (_, i) => facts(`small${i}.ts`, [`smallThing${i}`]));
    const mentions = Object.fromEntries([...names, ...small.map((_, i) => `smallThing${i}`)].map((name) => [name, 1]));
    const map = mapOf([big, ...small, facts('user.ts', ['someUser'], mentions)], 130);
    expect(map.render(map.size).view.filesShown).toBeGreaterThanOrEqual(7);
  });

  it('is empty for a budget of nothing, and for a workspace of nothing', () => {
    for (const budget of [0, 1, 2, 3, -5]) expect(textOf(mapOf([STORE], budget))).toBe('');
    expect(mapOf([], 1000)).toMatchObject({ size: 0, filesTotal: 0, symbolsTotal: 0 });
  });

  it('quotes a path that would not make a line of its own', () => {
    const text = textOf(
      mapOf(
        ['\n', ' ', 'a\nb.ts', ' c.ts', '/d.ts'].map((path) => facts(path, ['one'])),
        2000,
      ),
    );
    for (const line of text.split('\n').slice(0, -1)) expect(line).toMatch(/^[^\s/]|^ +\d/);
  });

  it('keeps a line one line whatever names, scopes and signatures hold', () => {
    const odd = facts('a.ts', [
      definition(' ', { signature: '', scope: ' ' }),
      definition('b', { signature: 'x\n\n/ y', scope: '\n/z', lineStart: 2 }),
      definition('c\r\n', { signature: '\u2028', lineStart: 3 }),
    ]);
    for (const budget of [500, 2000]) {
      for (const line of textOf(mapOf([odd], budget))
        .split('\n')
        .slice(0, -1))
        expect(line).toMatch(/^ *[^\s/]|^ +\//);
      expect(textOf(mapOf([odd], budget))).not.toMatch(/^\s*$|^\//);
    }
  });

  it('never trusts that counts add up: a tokenizer that charges for the whole still gets a map within budget', () => {
    const grumpy: Tokenizer = {
      name: 'o200k_base',
      count: (text) => Math.ceil(text.length / 4) + text.split('\n').length ** 2,
    };
    const files = Array.from({ length: 20 }, (_, i) => facts(`f${i}.ts`, [`thing${i}`, `other${i}`]));
    const map = mapOf(files, 600, grumpy);
    expect(map.size).toBeGreaterThan(0);
    expect(grumpy.count(textOf(map))).toBeLessThanOrEqual(600);
  });

  it('counts totals of the whole index and ranks of the map', () => {
    const { view } = mapOf(
      [STORE, facts('z.ts', ['zed']), facts('n.md', [], {}, { language: undefined })],
      1000,
    ).render(99);
    expect(view).toMatchObject({ filesTotal: 3, filesShown: 2, symbolsTotal: 5 });
    expect(view.items.map(({ rank }) => rank)).toEqual([1, 2]);
  });
});

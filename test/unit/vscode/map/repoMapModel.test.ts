import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MapResult } from '../../../../src/core/engine/map';
import type { MapSymbol } from '../../../../src/core/model/repoMap';
import { asGiven, phrase } from '../../../../src/core/text/phrase';
import {
  bodyHandle,
  type FileNode,
  handleOf,
  leftOutChildren,
  type MapNode,
  mapRoots,
  type SymbolNode,
  signatureTail,
  splitPath,
} from '../../../../src/vscode/map/repoMapModel';

function symbol(path: string, qualifiedName: string, lines: readonly [number, number]): MapSymbol {
  const name = qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
  return {
    handle: `sym:${qualifiedName}`,
    path,
    kind: 'function',
    name,
    qualifiedName,
    signature: `function ${name}()`,
    doc: '',
    lineStart: lines[0],
    lineEnd: lines[1],
  };
}

const STORE = 'src/store.ts';
const SYMBOLS = [
  symbol(STORE, 'Store', [1, 20]),
  symbol(STORE, 'Store.open', [2, 9]),
  symbol(STORE, 'Store.open.inner', [3, 4]),
  symbol(STORE, 'Store.close', [10, 12]),
  symbol(STORE, 'makeStore', [30, 31]),
];

const RESULT: MapResult = {
  text: '',
  tokens: 40,
  budgetTokens: 100,
  secrets: [],
  view: {
    filesTotal: 12,
    filesShown: 2,
    symbolsTotal: 99,
    items: [
      { path: STORE, rank: 1, symbols: SYMBOLS },
      { path: 'main.ts', rank: 2, symbols: [symbol('main.ts', 'main', [1, 2])] },
    ],
  },
  explanation: {
    files: [
      {
        path: STORE,
        tokens: 30,
        because: [phrase('file rank 1')],
        symbols: SYMBOLS.map(({ handle, qualifiedName, lineStart }) => ({
          handle,
          qualifiedName,
          lineStart,
          because: [asGiven(`why ${qualifiedName}`)],
        })),
      },
      { path: 'main.ts', tokens: 10, because: [], symbols: [] },
    ],
  },
  leftOut: { filesTotal: 10, items: [] },
};

/** `Store > open > inner` as a person reads the tree. */
function outline(nodes: readonly MapNode[]): unknown[] {
  return nodes.map((node) => {
    if (node.kind === 'leftOut' || node.kind === 'more') return node.kind;
    const name = node.kind === 'file' ? node.path : node.symbol.name;
    return node.children.length === 0 ? name : [name, ...outline(node.children)];
  });
}

describe('the tree', () => {
  it('has files by rank, members below what they are members of, and last what was left out', () => {
    expect(outline(mapRoots(RESULT, ''))).toEqual([
      [STORE, ['Store', ['open', 'inner'], 'close'], 'makeStore'],
      ['main.ts', 'main'],
      'leftOut',
    ]);
  });

  it('says of each row why it is there and what a file costs', () => {
    const [file] = mapRoots(RESULT, '') as [FileNode];
    expect(file).toMatchObject({ rank: 1, tokens: 30, symbolCount: 5, because: [phrase('file rank 1')] });
    const store = file.children[0] as SymbolNode;
    expect(store.because).toEqual([asGiven('why Store')]);
    expect(store.children[0]?.children[0]?.because).toEqual([asGiven('why Store.open.inner')]);
  });

  it('is empty when there is nothing to map, so that the welcome text shows', () => {
    expect(mapRoots({ ...RESULT, view: { ...RESULT.view, symbolsTotal: 0, items: [] } }, '')).toEqual([]);
  });

  it('has no row for what was left out when nothing was', () => {
    expect(outline(mapRoots({ ...RESULT, leftOut: { filesTotal: 0, items: [] } }, ''))).not.toContain('leftOut');
  });

  it('gives rows with the same handle different ids', () => {
    const twins = [symbol('a.c', 'twin', [1, 2]), symbol('a.c', 'twin', [5, 6])];
    const items = [{ path: 'a.c', rank: 1, symbols: twins }];
    const [file] = mapRoots({ ...RESULT, view: { ...RESULT.view, items } }, '') as [FileNode];
    expect(new Set(file.children.map(({ id }) => id)).size).toBe(2);
  });
});

describe('a filter', () => {
  it('keeps a file whose path matches whole', () => {
    expect(outline(mapRoots(RESULT, 'STORE.ts'))[0]).toEqual([
      STORE,
      ['Store', ['open', 'inner'], 'close'],
      'makeStore',
    ]);
  });

  it('keeps matching symbols with what is around them', () => {
    expect(outline(mapRoots(RESULT, 'inner'))).toEqual([[STORE, ['Store', ['open', 'inner']]], 'leftOut']);
  });

  it('that matches nothing shown opens what was left out', () => {
    expect(mapRoots(RESULT, 'elsewhere')).toEqual([
      { kind: 'leftOut', id: 'leftOut:only', filesTotal: 10, isOnly: true },
    ]);
  });
});

describe('what was left out', () => {
  it('comes in pages: the rest is a row of its own', () => {
    const items = [{ path: 'x.ts', rank: 3, symbols: [symbol('x.ts', 'x', [1, 1])] }];
    const nodes = leftOutChildren({ filesTotal: 8, items });
    expect(nodes).toMatchObject([
      { kind: 'file', path: 'x.ts', tokens: undefined },
      { kind: 'more', remaining: 7 },
    ]);
    expect(leftOutChildren({ filesTotal: 1, items })).toHaveLength(1);
  });
});

describe('words', () => {
  it('leave the name out of a signature', () => {
    const tail = (name: string, signature: string) => signatureTail({ name, signature });
    expect(tail('open', 'export async function open(path: string): Promise<void>')).toBe(
      '(path: string): Promise<void>',
    );
    expect(tail('Store', 'export class Store extends Base')).toBe('extends Base');
    expect(tail('x', 'max(x)')).toBe(')');
    expect(tail('main', 'main')).toBe('');
    expect(tail('$el', 'get $el(): Element')).toBe('(): Element');
    expect(tail('operator+', 'T operator+(T a)')).toBe('(T a)');
    expect(tail('gone', 'macro!(a)')).toBe('macro!(a)');
  });

  it('never repeat or invent a part of a signature', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), (signature, name) => {
        expect(signature.endsWith(signatureTail({ name, signature })) || signature.trimEnd() !== signature).toBe(true);
      }),
    );
  });

  it('part folder and name', () => {
    expect(splitPath('src/a/b.ts')).toEqual({ folder: 'src/a', name: 'b.ts' });
    expect(splitPath('b.ts')).toEqual({ folder: '', name: 'b.ts' });
  });

  it('name what an agent can ask with', () => {
    const [file] = mapRoots(RESULT, '') as [FileNode];
    expect(handleOf(file)).toBe(`file:${STORE}`);
    expect(handleOf(file.children[0] as SymbolNode)).toBe('sym:Store');
    expect(bodyHandle(SYMBOLS[1] as MapSymbol)).toBe(`file:${STORE}#L2-L9`);
  });
});

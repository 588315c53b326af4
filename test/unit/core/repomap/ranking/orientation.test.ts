import { describe, expect, it } from 'vitest';
import { packFacts } from '../../../../../src/core/repomap/facts/factsCodec';
import type { FileFacts } from '../../../../../src/core/repomap/facts/types';
import { RepoIndex } from '../../../../../src/core/repomap/index/repoIndex';
import { selectMap } from '../../../../../src/core/repomap/map/selection';
import { NO_PROJECT, type Project } from '../../../../../src/core/repomap/project/packages';
import { type Orientation, orient } from '../../../../../src/core/repomap/ranking/orientation';
import { orientationOrder } from '../../../../../src/core/repomap/ranking/orientationOrder';
import { exactTokenizer } from '../../../../support/exactTokenizer';
import { definition, facts } from '../../../../support/repoMapBuilders';

function indexOf(files: readonly FileFacts[]): RepoIndex {
  const index = new RepoIndex();
  for (const file of files) index.upsert(packFacts(file));
  return index;
}

/** `path:name`, by score alone. */
function best(
  files: readonly FileFacts[],
  { focusPaths = [], ...project }: Partial<Project> & { readonly focusPaths?: readonly string[] } = {},
): readonly string[] {
  const { files: ranked } = orient(indexOf(files), { ...NO_PROJECT, ...project }, { focusPaths });
  return ranked
    .flatMap(({ file, scores }) =>
      file.definitions.map((one, at) => ({ name: `${file.path}:${one.name}`, score: scores[at]! })),
    )
    .sort((a, b) => b.score - a.score)
    .map(({ name }) => name);
}

/** The first is ranked before the second. */
function expectBefore(order: readonly string[], first: string, second: string): void {
  expect(order).toContain(first);
  expect(order).toContain(second);
  expect(order.indexOf(first), `${first} before ${second}`).toBeLessThan(order.indexOf(second));
}

const type = (name: string, more: Parameters<typeof definition>[1] = {}) =>
  definition(name, { kind: 'class', signature: `export class ${name}`, lineEnd: 20, ...more });

/** Two classes alike but for what a test says of `Chosen`. */
const twins = (chosen: Parameters<typeof definition>[1] = {}, other: Parameters<typeof definition>[1] = {}) => [
  facts('src/a.ts', [type('Chosen', chosen)]),
  facts('src/b.ts', [type('Another', other)]),
];
const MENTIONS_BOTH = facts('src/use.ts', [], { Chosen: 2, Another: 2 });

describe('orient', () => {
  it('ranks what more files mention first', () => {
    expectBefore(best([...twins(), facts('src/use.ts', [], { Chosen: 3 })]), 'src/a.ts:Chosen', 'src/b.ts:Another');
    expectBefore(best([...twins(), facts('src/use.ts', [], { Another: 3 })]), 'src/b.ts:Another', 'src/a.ts:Chosen');
  });

  it('counts mentions from several packages more than as many from one', () => {
    const packages = ['one', 'two', 'three'].map((path) => ({ path, job: '' }));
    const files = [
      facts('one/a.ts', [type('Chosen')]),
      facts('one/b.ts', [type('Another')]),
      facts('one/x.ts', [], { Another: 1 }),
      facts('one/y.ts', [], { Another: 1 }),
      facts('two/x.ts', [], { Chosen: 1 }),
      facts('three/y.ts', [], { Chosen: 1 }),
    ];
    expectBefore(best(files, { packages }), 'one/a.ts:Chosen', 'one/b.ts:Another');
  });

  it('ranks what an entry of the package names above what it does not', () => {
    const files = [...twins(), MENTIONS_BOTH];
    expectBefore(best([...files, facts('src/index.ts', [], { Another: 1 })]), 'src/b.ts:Another', 'src/a.ts:Chosen');
    expectBefore(best([...files, facts('src/index.ts', [], { Chosen: 1 })]), 'src/a.ts:Chosen', 'src/b.ts:Another');
  });

  it('ranks a function that an entry exports among types, any other below them', () => {
    const files = [
      facts('src/a.ts', [definition('createStore', { signature: 'export function createStore()', lineEnd: 20 })]),
      facts('src/b.ts', [type('Another')]),
      facts('src/use.ts', [], { createStore: 2, Another: 2 }),
    ];
    expectBefore(best(files), 'src/b.ts:Another', 'src/a.ts:createStore');
    const order = best([...files, facts('src/index.ts', [], { createStore: 1 })]);
    expectBefore(order, 'src/a.ts:createStore', 'src/b.ts:Another');
  });

  it('ranks a public function below types where a package has hundreds, as the headers of a C library do', () => {
    const header = (count: number) =>
      facts('include/lib.h', [
        definition('thing', { kind: 'struct', signature: 'struct thing', lineEnd: 9 }),
        ...Array.from({ length: count }, (_, at) =>
          definition(`f${at}`, { signature: `int f${at}(void)`, lineStart: 10 + at, lineEnd: 10 + at }),
        ),
      ]);
    const c = (count: number) => [
      header(count),
      facts('src/f.c', [definition('f0', { signature: 'int f0(void)', lineEnd: 9 })]),
      facts('src/use.c', [], { f0: 9, thing: 2 }),
    ];
    expectBefore(best(c(3)), 'src/f.c:f0', 'include/lib.h:thing');
    expectBefore(best(c(300)), 'include/lib.h:thing', 'src/f.c:f0');
  });

  it('ranks what a comment describes, and what is not in a file of utilities, above others', () => {
    expectBefore(best([...twins({ doc: 'Opens it.' }), MENTIONS_BOTH]), 'src/a.ts:Chosen', 'src/b.ts:Another');
    expectBefore(best([...twins({}, { doc: 'Opens it.' }), MENTIONS_BOTH]), 'src/b.ts:Another', 'src/a.ts:Chosen');
    const at = (path: string, name: string) => facts(path, [definition(name, { lineEnd: 20 })]);
    const use = facts('src/use.ts', [], { one: 2, two: 2 });
    expectBefore(
      best([at('src/utils/a.ts', 'one'), at('src/core/b.ts', 'two'), use]),
      'src/core/b.ts:two',
      'src/utils/a.ts:one',
    );
    expectBefore(
      best([at('src/core/a.ts', 'one'), at('src/utils/b.ts', 'two'), use]),
      'src/core/a.ts:one',
      'src/utils/b.ts:two',
    );
  });

  it('does not count mentions by a test that defines the name itself', () => {
    const own = facts('test/x.test.ts', [type('Another')], { Another: 50 });
    const using = facts('test/x.test.ts', [], { Another: 50 });
    const files = [...twins(), facts('src/use.ts', [], { Chosen: 3, Another: 2 })];
    expectBefore(best([...files, own]), 'src/a.ts:Chosen', 'src/b.ts:Another');
    expectBefore(best([...files, using]), 'src/b.ts:Another', 'src/a.ts:Chosen');
  });

  it('ranks names that the docs use above others', () => {
    const readme = facts('README.md', [], { Chosen: 2 }, { language: 'markdown' });
    const plain = facts('README.md', [], { Another: 2 }, { language: 'markdown' });
    expectBefore(best([...twins(), MENTIONS_BOTH, readme]), 'src/a.ts:Chosen', 'src/b.ts:Another');
    expectBefore(best([...twins(), MENTIONS_BOTH, plain]), 'src/b.ts:Another', 'src/a.ts:Chosen');
  });

  it('ranks a large body above a small one, methods elsewhere included', () => {
    expectBefore(best([...twins({ lineEnd: 300 }), MENTIONS_BOTH]), 'src/a.ts:Chosen', 'src/b.ts:Another');
    const go = (path: string, ...rest: Parameters<typeof facts>[1]) => facts(path, rest, {}, { language: 'go' });
    const methods = definition('Run', { kind: 'method', scope: 'Chosen', lineStart: 30, lineEnd: 300 });
    const files = [go('a.go', type('Chosen')), go('b.go', type('Another')), go('c.go', methods)];
    expectBefore(best(files), 'a.go:Chosen', 'b.go:Another');
    const others = { ...methods, scope: 'Another' };
    expectBefore(best([...files.slice(0, 2), go('c.go', others)]), 'b.go:Another', 'a.go:Chosen');
  });

  it('divides what a name is worth by how many definitions have it', () => {
    const variants = ['c', 'd', 'e'].map((name) => facts(`src/${name}.ts`, [type('Another')]));
    expectBefore(best([...twins(), MENTIONS_BOTH, ...variants]), 'src/a.ts:Chosen', 'src/b.ts:Another');
  });

  it('ranks files that the last commits touched above others', () => {
    const files = [...twins(), MENTIONS_BOTH];
    expectBefore(best(files, { churn: [['src/b.ts', 40]] }), 'src/b.ts:Another', 'src/a.ts:Chosen');
    expectBefore(best(files, { churn: [['src/a.ts', 40]] }), 'src/a.ts:Chosen', 'src/b.ts:Another');
  });

  it('ranks enums, macros, members, types in types, aliases in modules and what is private below others', () => {
    for (const [name, less] of [
      ['enum', { kind: 'enum' }],
      ['macro', { kind: 'macro' }],
      ['constant', { kind: 'constant' }],
      ['private', { signature: 'private class Another' }],
      ['local', { isLocal: true }],
      ['member', { kind: 'method', scope: 'Chosen' }],
    ] as const) {
      const order = best([...twins({}, less), MENTIONS_BOTH]);
      expect(order[0], name).toBe('src/a.ts:Chosen');
    }
    const nested = facts('src/b.ts', [type('Outer'), type('Another', { parent: 0 })]);
    expectBefore(best([twins()[0]!, nested, MENTIONS_BOTH]), 'src/a.ts:Chosen', 'src/b.ts:Another');
    const inModule = (name: string, parent: number) =>
      facts(`src/${name}.ts`, [
        definition('Module', { kind: 'module', lineEnd: 20 }),
        definition(name, { kind: 'type', signature: `@type ${name}`, lineStart: 2, lineEnd: 2, parent }),
      ]);
    const files = [inModule('Chosen', -1), inModule('Another', 0), MENTIONS_BOTH];
    expectBefore(best(files), 'src/Chosen.ts:Chosen', 'src/Another.ts:Another');
  });

  it('ranks constructors as members, whatever their kind is called', () => {
    const { files } = orient(
      indexOf([facts('a.ts', [type('A'), definition('constructor', { kind: 'constructor', parent: 0 })])]),
      NO_PROJECT,
      { focusPaths: [] },
    );
    expect([...files[0]!.scores].every((score) => score > 0)).toBe(true);
  });

  it('ranks tests, examples, generated, vendored and internal files below the product’s own', () => {
    for (const [path, more] of [
      ['test/b.ts', {}],
      ['examples/b.ts', {}],
      ['vendor/b.ts', {}],
      ['lib/internal/b.ts', {}],
      ['lib/gen.ts', { isGenerated: true }],
    ] as const) {
      const order = best([
        facts('lib/a.ts', [type('Chosen')]),
        facts(path, [type('Another')], {}, more),
        MENTIONS_BOTH,
      ]);
      expectBefore(order, 'lib/a.ts:Chosen', `${path}:Another`);
    }
  });

  it('ranks a Rust module of tests below the code beside it', () => {
    const definitions = [definition('tests', { kind: 'module' }), type('Check', { parent: 0 }), type('Chosen')];
    const use = facts('b.rs', [], { Check: 2, Chosen: 1 }, { language: 'rust' });
    expectBefore(best([facts('a.rs', definitions, {}, { language: 'rust' }), use]), 'a.rs:Chosen', 'a.rs:Check');
  });

  it('does not let a name of one language count for another', () => {
    const files = [
      facts('web.ts', [type('Store')]),
      facts('server.py', [type('Store')], {}, { language: 'python' }),
      facts('use.ts', [], { Store: 9 }),
    ];
    expectBefore(best(files), 'web.ts:Store', 'server.py:Store');
  });

  it('lifts the files in focus and what they mention, and ignores paths it does not know', () => {
    const files = [...twins(), MENTIONS_BOTH, facts('src/c.ts', [type('Third')], { Another: 1 })];
    const order = best(files, { focusPaths: ['src/c.ts', 'nowhere.ts'] });
    expectBefore(order, 'src/c.ts:Third', 'src/a.ts:Chosen');
    expectBefore(order, 'src/b.ts:Another', 'src/a.ts:Chosen');
  });

  it('does not depend on the order in which files came', () => {
    const files = [...twins(), MENTIONS_BOTH, facts('src/index.ts', [], { Another: 1 })];
    expect(best([...files].reverse())).toEqual(best(files));
  });
});

describe('orientationOrder', () => {
  const tokenizer = exactTokenizer('o200k_base');
  const mapOf = (files: readonly FileFacts[], project: Partial<Project> = {}, budgetTokens = 1000) => {
    const index = indexOf(files);
    const order = orientationOrder(orient(index, { ...NO_PROJECT, ...project }, { focusPaths: [] }));
    return selectMap(index, order, { budgetTokens }, tokenizer);
  };

  it('shows a line for each package with its job, the opened folder’s first, and gives them as data', () => {
    const packages = [
      { path: '', job: 'A shop' },
      { path: 'packages/cart', job: 'Keeps what is bought' },
      { path: 'packages/none', job: '' },
    ];
    const files = [
      facts('packages/cart/cart.ts', [type('Cart')], { Cart: 5 }),
      facts('packages/none/other.ts', [type('Other')]),
      facts('use.ts', [], { Cart: 1, Other: 1 }),
    ];
    const { text, view } = (() => {
      const map = mapOf(files, { packages });
      return map.render(map.size);
    })();
    expect(text).toBe(
      '# A shop\npackages/none/other.ts\n  1 export class Other\n# packages/cart: Keeps what is bought\npackages/cart/cart.ts\n  1 export class Cart\n',
    );
    expect(view.packages).toEqual(packages.slice(0, 2));
    expect(view.items.map(({ path }) => path)).toEqual(['packages/none/other.ts', 'packages/cart/cart.ts']);
    // One definition alone brings the line of its package alone.
    expect(mapOf(files, { packages }).render(1).view.packages).toHaveLength(1);
  });

  it('shares the room: the best of each package comes before the many of one', () => {
    const many = Array.from({ length: 60 }, (_, at) => facts(`one/f${at}.ts`, [type(`Many${at}`)]));
    const uses = Object.fromEntries(many.map((_, at) => [`Many${at}`, 4]));
    const small = facts('two/small.ts', [type('Small')]);
    const use = facts('one/use.ts', [], { ...uses, Small: 1 });
    const packages = ['one', 'two'].map((path) => ({ path, job: `Does ${path}` }));
    const map = mapOf([...many, small, use], { packages }, 600);
    expect(map.render(map.size).text).toContain('Small');
    expect(map.size).toBeLessThan(61);
  });

  it('lists names alone once signatures have had a quarter of the budget', () => {
    const many = Array.from({ length: 80 }, (_, at) => facts(`f${at}.ts`, [type(`Many${at}`)]));
    const map = mapOf(many, {}, 600);
    const lines = map.render(map.size).text.match(/^ {2}\d+ .+$/gmu) ?? [];
    expect(lines[0]).toContain('export class Many');
    expect(lines.filter((line) => line.includes('class')).length).toBeLessThan(lines.length / 3);
  });

  it('gives the definitions of a file by score, of the same score in the order of the file, those without any not at all', () => {
    const names = ['low', 'high', 'none', 'middle', 'alike'];
    const file = indexOf([facts('a.ts', names)]).fileAt('a.ts')!;
    const scores = Float64Array.from([1, 9, 0, 4, 4]);
    const orientation = {
      files: [{ file, scores, area: 0, isEntry: false }],
      areas: { list: ['a'], describedOf: () => undefined },
    } as unknown as Orientation;
    const items = [...orientationOrder(orientation).items(() => 0)];
    expect(items.map(({ index }) => names[index])).toEqual(['high', 'middle', 'alike', 'low']);
  });

  it('shows a second definition of a name after others', () => {
    const files = [
      facts('a.ts', [type('Twice')]),
      facts('b.ts', [type('Twice')]),
      facts('c.ts', [type('Once')]),
      facts('use.ts', [], { Twice: 30, Once: 4 }),
    ];
    const map = mapOf(files);
    expect(map.render(2).text).toContain('Once');
    expect(map.render(3).view.items).toHaveLength(3);
  });

  it('says why something is there', () => {
    const map = mapOf([facts('src/a.ts', [type('Chosen')]), facts('src/index.ts', [], { Chosen: 1 })], {
      churn: [['src/a.ts', 3]],
    });
    const [file] = map.explain(map.size).files;
    expect(file?.because.map(({ message, args }) => [message, ...args])).toEqual([
      ['importance: {0} of {1}', '#1', '2'],
      ['changed by {0} of the last commits', '3'],
    ]);
    expect(file?.symbols[0]?.because.map(({ message }) => message)).toEqual([
      'mentioned by {0} files in {1} parts',
      'named by an entry of its package',
    ]);
  });
});

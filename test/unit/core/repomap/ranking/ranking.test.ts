import { describe, expect, it } from 'vitest';
import { packFacts } from '../../../../../src/core/repomap/facts/factsCodec';
import { buildReferenceGraph, type ReferenceGraph } from '../../../../../src/core/repomap/index/referenceGraph';
import { RepoIndex } from '../../../../../src/core/repomap/index/repoIndex';
import { pageRank, rankFiles } from '../../../../../src/core/repomap/ranking/ranking';
import { definition, facts } from '../../../../support/repoMapBuilders';

function indexOf(files: readonly ReturnType<typeof facts>[]): RepoIndex {
  const index = new RepoIndex();
  for (const file of files) index.upsert(packFacts(file));
  return index;
}

/** The same walk over a full matrix file → file, iterated until nothing moves: slow, obvious, the reference. */
function densePageRank(graph: ReferenceGraph, teleport: readonly number[]): readonly number[] {
  const n = graph.self.length;
  const total = teleport.reduce((sum, weight) => sum + weight, 0);
  const start = teleport.map((weight) => weight / total);
  const matrix = Array.from({ length: n }, (_, from) => {
    const row = new Array<number>(n).fill(0);
    row[from]! += graph.self[from]!;
    for (let at = graph.mentions.starts[from]!; at < graph.mentions.starts[from + 1]!; at++) {
      const name = graph.mentions.columns[at]!;
      for (let to = graph.definers.starts[name]!; to < graph.definers.starts[name + 1]!; to++) {
        row[graph.definers.columns[to]!]! += graph.mentions.weights[at]! * graph.definers.weights[to]!;
      }
    }
    return row.every((weight) => weight === 0) ? start : row;
  });
  let ranks = start;
  for (let i = 0; i < 500; i++) {
    ranks = ranks.map((_, to) => {
      const walked = ranks.reduce((sum, rank, from) => sum + rank * matrix[from]![to]!, 0);
      return 0.85 * walked + 0.15 * start[to]!;
    });
  }
  return ranks;
}

const WORKSPACE = [
  facts('app.ts', ['main'], { makeStore: 3, renderPage: 1, main: 1 }),
  facts('page.ts', ['renderPage', 'helper'], { makeStore: 1, formatDate: 4, renderPage: 1, helper: 2 }),
  facts('store.ts', ['makeStore'], { formatDate: 1, makeStore: 1 }),
  facts('date.ts', ['formatDate', 'helper'], { formatDate: 1, helper: 1 }),
  facts('lonely.ts', ['unused'], { unused: 1 }),
  facts('empty.ts', []),
];

describe('pageRank', () => {
  it('equals the dense reference, personalised or not, and sums to 1', () => {
    const graph = buildReferenceGraph(indexOf(WORKSPACE));
    for (const teleport of [
      [1, 1, 1, 1, 1, 1],
      [0, 5, 0, 1, 0, 0],
      [0.05, 0.3, 1, 0.1, 1, 2],
    ]) {
      const { ranks } = pageRank(graph, Float64Array.from(teleport));
      const reference = densePageRank(graph, teleport);
      expect(ranks.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1, 10);
      ranks.forEach((rank, file) => {
        // The walk stops when less than N·1e-6 moves; what is left is at most that over 1 − α.
        expect(Math.abs(rank - reference[file]!)).toBeLessThan((6 * 1e-6) / 0.15);
      });
    }
  });

  it('spreads evenly when there is nothing to follow, also with no file at all', () => {
    expect([
      ...pageRank(buildReferenceGraph(indexOf([facts('a.ts', []), facts('b.ts', [])])), new Float64Array(2)).ranks,
    ]).toEqual([0.5, 0.5]);
    expect(pageRank(buildReferenceGraph(new RepoIndex()), new Float64Array(0)).ranks.length).toBe(0);
  });

  it('has rows that sum to 1', () => {
    const graph = buildReferenceGraph(indexOf(WORKSPACE));
    for (let file = 0; file < graph.self.length; file++) {
      const row = graph.mentions.weights.slice(graph.mentions.starts[file], graph.mentions.starts[file + 1]);
      const sum = row.reduce((total, weight) => total + weight, graph.self[file]!);
      expect(sum === 0 || Math.abs(sum - 1) < 1e-12).toBe(true);
    }
  });
});

function best(files: readonly ReturnType<typeof facts>[], focusPaths: readonly string[] = []): readonly string[] {
  const { files: ranked } = rankFiles(indexOf(files), { focusPaths });
  return ranked
    .flatMap(({ file, scores }) =>
      file.definitions.map((one, at) => ({ name: `${file.path}:${one.name}`, score: scores[at]! })),
    )
    .sort((a, b) => b.score - a.score)
    .map(({ name }) => name);
}

describe('rankFiles', () => {
  it('puts what others mention first and what nobody mentions last', () => {
    const order = best(WORKSPACE);
    expect(order.slice(0, 2).sort()).toEqual(['date.ts:formatDate', 'store.ts:makeStore']);
    expect(order.indexOf('lonely.ts:unused')).toBeGreaterThan(order.indexOf('page.ts:renderPage'));
  });

  it('does not depend on the order in which files came', () => {
    expect(best([...WORKSPACE].reverse())).toEqual(best(WORKSPACE));
  });

  it('follows the files in focus, and ignores paths it does not know', () => {
    const files = [
      facts('a.ts', ['alphaUser'], { alphaThing: 1 }),
      facts('b.ts', ['betaUser'], { betaThing: 1 }),
      facts('x.ts', ['alphaThing']),
      facts('y.ts', ['betaThing']),
    ];
    expect(best(files, ['a.ts', 'nowhere.ts'])[0]).toBe('x.ts:alphaThing');
    expect(best(files, ['b.ts'])[0]).toBe('y.ts:betaThing');
  });

  it('ranks tests, examples, generated and vendored files below the product’s own', () => {
    for (const [path, more] of [
      ['test/store.ts', {}],
      ['examples/store.ts', {}],
      ['vendor/store.ts', {}],
      ['lib/gen.ts', { isGenerated: true }],
    ] as const) {
      const files = [
        facts('a.ts', ['user'], { openStore: 2, closeStore: 2 }),
        facts('src/store.ts', ['openStore']),
        facts(path, ['closeStore'], {}, more),
      ];
      const order = best(files);
      expect(order.indexOf(`${path}:closeStore`), path).toBeGreaterThan(order.indexOf('src/store.ts:openStore'));
    }
  });

  it('ranks a Rust module of tests below the code beside it', () => {
    const definitions = [
      definition('tests', { kind: 'module' }),
      definition('checkStore', { parent: 0 }),
      definition('openStore'),
    ];
    const order = best([
      facts('a.rs', definitions, {}, { language: 'rust' }),
      facts('b.rs', ['x'], { checkStore: 1, openStore: 1 }, { language: 'rust' }),
    ]);
    expect(order.indexOf('a.rs:openStore')).toBeLessThan(order.indexOf('a.rs:checkStore'));
  });

  it('does not let a name of one language count for another', () => {
    const order = best([
      facts('a.ts', ['webUser'], { openStore: 9 }),
      facts('web.ts', ['openStore']),
      facts('server.py', ['openStore'], {}, { language: 'python' }),
    ]);
    expect(order.indexOf('web.ts:openStore')).toBeLessThan(order.indexOf('server.py:openStore'));
  });

  it('trusts a long compound name more than a common word, and an exported one more than a local one', () => {
    const order = best([
      facts('a.ts', ['someUser'], { openStore: 1, next: 1 }),
      facts('b.ts', ['openStore']),
      facts('c.ts', ['next']),
      facts('d.ts', ['otherUser'], { shareThing: 1 }),
      facts('e.ts', ['shareThing']),
      facts('f.ts', [definition('shareThing', { isLocal: true })]),
    ]);
    expect(order.indexOf('b.ts:openStore')).toBeLessThan(order.indexOf('c.ts:next'));
    expect(order.indexOf('e.ts:shareThing')).toBeLessThan(order.indexOf('f.ts:shareThing'));
  });
});

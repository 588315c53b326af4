import { describe, expect, it } from 'vitest';
import { packFacts } from '../../../../../src/core/repomap/facts/factsCodec';
import { RepoIndex } from '../../../../../src/core/repomap/index/repoIndex';
import { selectMap } from '../../../../../src/core/repomap/map/selection';
import { NO_PROJECT } from '../../../../../src/core/repomap/project/packages';
import { orient } from '../../../../../src/core/repomap/ranking/orientation';
import { orientationOrder } from '../../../../../src/core/repomap/ranking/orientationOrder';
import { exactTokenizer } from '../../../../support/exactTokenizer';
import { facts } from '../../../../support/repoMapBuilders';

const tokenizer = exactTokenizer('o200k_base');

/** `used.ts` is what everything leans on, so that it ranks first; each `f*.ts` mentions it. */
function map(budgetTokens: number) {
  const index = new RepoIndex();
  index.upsert(packFacts(facts('used.ts', ['usedEverywhere', 'neverUsed'])));
  for (let i = 0; i < 9; i++)
    index.upsert(packFacts(facts(`f${i}.ts`, [`alpha${i}`, `beta${i}`], { usedEverywhere: i + 1 })));
  index.upsert(packFacts(facts('notes.txt', [])));
  return selectMap(index, orientationOrder(orient(index, NO_PROJECT, { focusPaths: [] })), { budgetTokens }, tokenizer);
}

describe('what a map leaves out', () => {
  it('is every file that it does not show, ranked on from there', () => {
    const some = map(30);
    const { view } = some.render(some.size);
    const { filesTotal, items } = some.leftOut(some.size, { limit: 100 });
    expect(view.filesShown).toBeGreaterThan(0);
    expect(filesTotal).toBe(view.filesTotal - view.filesShown);
    expect(items).toHaveLength(filesTotal);
    expect(items[0]?.rank).toBe(view.filesShown + 1);
    const all = new Set([...view.items, ...items].map(({ path }) => path));
    expect(all.size).toBe(view.filesTotal);
    expect(items.at(-1)).toMatchObject({ path: 'notes.txt', symbols: [] });
  });

  it('goes on where the map ends: a bigger budget takes the files in this order', () => {
    const none = map(0);
    const order = none.leftOut(0, { limit: 100 }).items.map(({ path }) => path);
    const whole = map(10_000);
    const shown = whole.render(whole.size).view.items.map(({ path }) => path);
    expect(order.slice(0, shown.length)).toEqual(shown);
    expect(order[0]).toBe('used.ts');
  });

  it('is listed up to the limit, the same first ones for every limit', () => {
    const none = map(0);
    const all = none.leftOut(0, { limit: 100 });
    for (const limit of [0, 1, 3, 10]) {
      const page = none.leftOut(0, { limit });
      expect(page.filesTotal).toBe(all.filesTotal);
      expect(page.items.map(({ path }) => path)).toEqual(all.items.slice(0, limit).map(({ path }) => path));
    }
  });

  it('can be filtered by path and by symbol, in any case', () => {
    const paths = (matching: string) =>
      map(0)
        .leftOut(0, { limit: 100, matching })
        .items.map(({ path }) => path);
    expect(paths('ALPHA3')).toEqual(['f3.ts']);
    expect(paths('Notes')).toEqual(['notes.txt']);
    expect(paths('nothing like it')).toEqual([]);
  });
});

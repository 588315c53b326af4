import { describe, expect, it } from 'vitest';
import type { MapPackage } from '../../../../../src/core/model/repoMap';
import { packFacts } from '../../../../../src/core/repomap/facts/factsCodec';
import type { IndexedFile } from '../../../../../src/core/repomap/index/indexedFile';
import { RepoIndex } from '../../../../../src/core/repomap/index/repoIndex';
import { Sheet } from '../../../../../src/core/repomap/map/sheet';
import { definition, facts } from '../../../../support/repoMapBuilders';

const NAMES = ['a', 'b', 'c', 'd', 'e'] as const;

function indexed(): readonly IndexedFile[] {
  const index = new RepoIndex();
  for (const name of NAMES) {
    const lines = [1, 5, 9].map((lineStart, at) => definition(`${name}${at}`, { lineStart }));
    index.upsert(packFacts(facts(`${name}.ts`, lines)));
  }
  return index.files;
}

const packageOf = (name: string): MapPackage => ({ path: name, job: name });

describe('Sheet', () => {
  it('has files by package as these came, then by how far up they stand, then as they came', () => {
    const [a, b, c, d, e] = indexed() as readonly [IndexedFile, IndexedFile, IndexedFile, IndexedFile, IndexedFile];
    const [one, two] = [packageOf('one'), packageOf('two')];
    const packages = new Map([
      [a, one],
      [b, two],
      [c, two],
      [d, one],
    ]);
    const places = new Map([
      [a, 1],
      [c, 3],
      [d, 2],
    ]);
    const order = {
      items: () => [],
      explain: () => [],
      explainFile: () => [],
      packageOf: (file: IndexedFile) => packages.get(file),
      placeOf: (file: IndexedFile) => places.get(file) ?? 0,
    };
    const style = { isNamesOnly: false, mask: (text: string) => text };
    const chosen = (file: IndexedFile) => ({ file, index: 0, isBrief: false });
    const namesOf = (files: readonly IndexedFile[]) =>
      new Sheet(style, order, files.map(chosen)).files.map(({ path }) => path[0]).join('');
    // `e` is in no package.
    expect(namesOf([b, a, d, c, e])).toBe('ecbda');
    expect(namesOf([a, b, c, d, e])).toBe('edacb');
    const bare = new Sheet(style, { ...order, packageOf: () => undefined, placeOf: () => 0 }, [c, a, b].map(chosen));
    expect(bare.files).toEqual([c, a, b]);
  });

  it('has definitions of a file in document order, whatever order they came in', () => {
    const [a] = indexed() as readonly [IndexedFile];
    const order = { items: () => [], explain: () => [], explainFile: () => [] };
    const sheet = new Sheet({ isNamesOnly: true, mask: (text) => text }, order);
    for (const index of [2, 0, 1]) sheet.add({ file: a, index, isBrief: false });
    expect(sheet.definitionsOf(a)).toEqual([0, 1, 2]);
  });
});

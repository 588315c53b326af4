import { describe, expect, it } from 'vitest';
import { packFacts } from '../../../../../src/core/repomap/facts/factsCodec';
import { qualifiedNames, symbolHandles } from '../../../../../src/core/repomap/index/indexedFile';
import { RepoIndex } from '../../../../../src/core/repomap/index/repoIndex';
import { findWithUses } from '../../../../../src/core/repomap/ranking/uses';
import { definition, facts } from '../../../../support/repoMapBuilders';

function indexOf(...files: readonly Parameters<typeof facts>[]): RepoIndex {
  const index = new RepoIndex();
  for (const file of files) index.upsert(packFacts(facts(...file)));
  return index;
}

describe('RepoIndex', () => {
  it('raises its revision with every change and with nothing else', () => {
    const index = indexOf(['a.ts', ['one']]);
    const before = index.revision;
    index.remove('missing.ts');
    expect(index.revision).toBe(before);
    index.upsert(packFacts(facts('a.ts', ['one'])));
    index.remove('a.ts');
    expect(index.revision).toBe(before + 2);
  });

  it('lists files by path, and forgets what is replaced or removed', () => {
    const index = indexOf(['b.bin', [], {}, { outcome: 'binary' }], ['a.ts', ['one', 'two']]);
    const counts = () => index.files.map(({ path, facts }) => [path, facts.definitionCount]);
    index.upsert(packFacts(facts('a.ts', ['one'])));
    expect(counts()).toEqual([
      ['a.ts', 1],
      ['b.bin', 0],
    ]);
    index.remove('b.bin');
    expect(counts()).toEqual([['a.ts', 1]]);
  });

  it('lists the files it could not read as what they are, by path', () => {
    const index = indexOf(
      ['z.ts', [], {}, { outcome: 'deadline' }],
      ['b.png', [], {}, { outcome: 'binary' }],
      ['c.txt', [], {}, { outcome: 'noGrammar' }],
      ['d.ts', [], {}, { outcome: 'partial' }],
    );
    expect(index.troubled()).toEqual([
      { path: 'b.png', outcome: 'binary' },
      { path: 'z.ts', outcome: 'deadline' },
    ]);
  });

  it('finds a symbol by its handle and by path and qualified name', () => {
    const index = indexOf([
      'src/a.ts',
      [definition('Store', { kind: 'class' }), definition('get', { kind: 'method', parent: 0 })],
    ]);
    const [byName] = findWithUses(index, 'sym:src/a.ts:Store.get');
    expect(byName).toMatchObject({ path: 'src/a.ts', name: 'get', qualifiedName: 'Store.get', kind: 'method' });
    expect(findWithUses(index, byName!.handle)).toEqual([byName]);
    expect(findWithUses(index, 'sym:src/a.ts:Store::get')).toEqual([byName]);
  });

  it('gives a found symbol the definitions right inside of it', () => {
    const index = indexOf([
      'a.ts',
      [definition('outer'), definition('inner', { parent: 0 }), definition('deep', { parent: 1 }), definition('next')],
    ]);
    const [outer] = findWithUses(index, 'sym:a.ts:outer');
    expect(outer?.parts?.map(({ qualifiedName }) => qualifiedName)).toEqual(['outer.inner']);
    expect(findWithUses(index, 'sym:a.ts:next')[0]).not.toHaveProperty('parts');
  });

  it('finds members by their own name, as a map lists them, however many have it', () => {
    const parents = ['Store', 'Cache'].map((name) => definition(name, { kind: 'class' }));
    const gets = [0, 1].map((parent) => definition('get', { kind: 'method', parent }));
    const many = Array.from({ length: 9 }, () => definition('set', { kind: 'method', parent: 0 }));
    const index = indexOf(['src/a.ts', [...parents, ...gets, definition('other'), ...many]]);
    const names = (handle: string) => findWithUses(index, handle).map(({ qualifiedName }) => qualifiedName);
    expect(names('sym:src/a.ts:get')).toEqual(['Store.get', 'Cache.get']);
    expect(names('sym:src/a.ts:et')).toEqual([]);
    expect(names('sym:src/a.ts:set')).toEqual(many.map(() => 'Store.set'));
    expect(names('sym:src/a.ts:')).toEqual([]);
    expect(names('sym:Cache.get')).toEqual(['Cache.get']);
  });

  it('returns every symbol of an ambiguous name, and nothing for what it does not know', () => {
    const index = indexOf(['a:b.ts', ['twice', 'twice']]);
    expect(findWithUses(index, 'sym:a:b.ts:twice').map(({ lineStart }) => lineStart)).toEqual([1, 2]);
    for (const handle of ['sym:00000000', 'sym:a:b.ts:no', 'sym:', 'file:a:b.ts', '', 'sym:no.ts:twice']) {
      expect(findWithUses(index, handle)).toEqual([]);
    }
  });

  it('returns both symbols when handles collide', () => {
    // Two names whose 32 bits of hash are equal, found by search over a growing counter.
    const seen = new Map<string, string>();
    let pair: readonly [string, string] | undefined;
    for (let i = 0; !pair; i++) {
      const name = `n${i.toString(36)}`;
      const [handle] = symbolHandles('a.ts', [definition(name)]);
      const other = seen.get(handle!);
      if (other) pair = [other, name];
      seen.set(handle!, name);
    }
    const index = indexOf(['a.ts', [...pair]]);
    const [handle] = symbolHandles('a.ts', [definition(pair[0])]);
    expect(findWithUses(index, handle!).map(({ name }) => name)).toEqual([...pair]);
  });
});

describe('handles', () => {
  it('stay the same when a signature, a line or another symbol changes', () => {
    const before = symbolHandles('a.ts', [definition('one'), definition('two')]);
    const after = symbolHandles('a.ts', [
      definition('zero'),
      definition('two', { lineStart: 90, signature: 'function two(x)' }),
    ]);
    expect(after[1]).toBe(before[1]);
    expect(before[0]).toMatch(/^sym:[0-9a-f]{8}$/);
  });

  it('differ by path, kind and parent, and number symbols that share all three', () => {
    const plain = symbolHandles('a.ts', [definition('one'), definition('one'), definition('one', { kind: 'class' })]);
    expect(new Set([...plain, ...symbolHandles('b.ts', [definition('one')])]).size).toBe(4);
  });

  it('qualify by parents and by the scope of a type from elsewhere', () => {
    expect(
      qualifiedNames([
        definition('a::b', { kind: 'namespace' }),
        definition('run', { parent: 0, scope: 'Far' }),
        definition('go', { parent: 3 }),
        definition('Later', { kind: 'class' }),
      ]),
    ).toEqual(['a.b', 'a.b.Far.run', 'Later.go', 'Later']);
  });
});

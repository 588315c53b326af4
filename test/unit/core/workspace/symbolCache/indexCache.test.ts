import { describe, expect, it } from 'vitest';
import { joinContents } from '../../../../../src/core/repomap/index/fileContent';
import { IndexCache } from '../../../../../src/core/workspace/symbolCache/indexCache';
import { StampCache } from '../../../../../src/core/workspace/symbolCache/stampCache';
import { FakeEngine, MemoryCache, SILENT } from '../../../../support/workspaceFakes';

const hashOf = (seed: number): string => seed.toString(16).padStart(16, '0');
const content = (seed: number) => ({ path: `f${seed}.ts`, contentHash: hashOf(seed) });

/** A process over the cache of a folder. */
async function start(store: MemoryCache) {
  const engine = new FakeEngine();
  const cache = new IndexCache(store, engine, SILENT);
  await cache.open();
  const learn = (seed: number, outcome: 'parsed' | 'scanned' = 'parsed', sizeBytes = 1): void => {
    engine.files.set(`f${seed}.ts`, `${outcome}:${hashOf(seed)}`);
    cache.add(content(seed), outcome, sizeBytes);
  };
  return { engine, cache, learn };
}

describe('IndexCache', () => {
  it('knows what another process has saved: words, or definitions too', async () => {
    const store = new MemoryCache();
    const first = await start(store);
    first.learn(1);
    first.learn(2, 'scanned');
    await first.cache.save();
    const second = await start(store);
    expect([1, 2, 3].map((seed) => second.cache.knows(content(seed)))).toEqual(['definitions', 'words', undefined]);
    expect(await second.engine.adoptFiles(joinContents([content(1), content(3)]))).toEqual(['f3.ts']);
    second.learn(2);
    await second.cache.save();
    expect((await start(store)).cache.knows(content(2))).toBe('definitions');
  });

  it('writes while a run goes on, so that one that is killed keeps most', async () => {
    const store = new MemoryCache();
    const { learn } = await start(store);
    learn(1, 'parsed', 9 * 1024 * 1024);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect((await start(store)).cache.knows(content(1))).toBe('definitions');
  });

  it('puts segments together, and loses nothing of what several processes write at once', async () => {
    const store = new MemoryCache();
    for (let seed = 1; seed <= 12; seed++) {
      const [one, other] = [await start(store), await start(store)];
      await one.engine.adoptFiles(joinContents(Array.from({ length: seed }, (_, at) => content(at))));
      await other.engine.adoptFiles(joinContents(Array.from({ length: seed }, (_, at) => content(at + 100))));
      one.learn(seed);
      other.learn(100 + seed);
      await Promise.all([one.cache.save(), other.cache.save()]);
    }
    const { cache } = await start(store);
    for (let seed = 1; seed <= 12; seed++)
      expect([cache.knows(content(seed)), cache.knows(content(100 + seed))]).toEqual(['definitions', 'definitions']);
    expect(store.packs.size).toBeLessThan(12);
  });

  it('leaves many segments to a process that adds something: putting them together would delay a first answer', async () => {
    const store = new MemoryCache();
    const maker = await start(store);
    for (let seed = 1; seed <= 8; seed++) {
      maker.learn(seed, 'parsed', 9 * 1024 * 1024);
      await maker.cache.save();
    }
    const names = [...store.packs.keys()];
    expect(names).toHaveLength(8);
    const reader = await start(store);
    expect(await reader.cache.isEmpty()).toBe(false);
    await reader.cache.save();
    expect([...store.packs.keys()]).toEqual(names);
    await reader.engine.adoptFiles(joinContents(Array.from({ length: 8 }, (_, at) => content(at + 1))));
    reader.learn(9);
    await reader.cache.save();
    expect(store.packs.size).toBe(1);
  });

  it('passes over what is damaged, and does not keep what depends on the moment', async () => {
    const store = new MemoryCache();
    const first = await start(store);
    first.learn(1);
    first.cache.add(content(5), 'deadline', 1);
    await first.cache.save();
    for (const [name, pack] of store.packs)
      store.packs.set(name, { ...pack, head: pack.head.map((byte, at) => (at === 30 ? byte ^ 1 : byte)) });
    const second = await start(store);
    expect([1, 5].map((seed) => second.cache.knows(content(seed)))).toEqual([undefined, undefined]);
  });

  it('removes what another version left a day ago, and nothing that is of use', async () => {
    const store = new MemoryCache();
    const kept = ['counts3-secrets-a', 'stamps2-a', 'churn3-a'];
    for (const name of ['0123456789abcdef-a', ...kept]) await store.save(name, new Uint8Array(), new Uint8Array());
    const names = (): readonly string[] => [...store.packs.keys()];
    const first = await start(store);
    first.learn(1);
    await first.cache.save();
    expect(names()).toContain('0123456789abcdef-a');
    store.nowMs = 25 * 60 * 60 * 1000;
    const second = await start(store);
    second.learn(2);
    await second.cache.save();
    expect(names()).not.toContain('0123456789abcdef-a');
    expect(names()).toEqual(expect.arrayContaining(kept));
  });

  it('asks again after the engine has lost everything, or could not adopt a file', async () => {
    const store = new MemoryCache();
    const first = await start(store);
    first.learn(1);
    await first.cache.save();
    const { cache } = await start(store);
    cache.forget(content(1));
    expect(cache.knows(content(1))).toBeUndefined();
    cache.reset();
    await cache.open();
    expect(cache.knows(content(1))).toBe('definitions');
  });
});

describe('StampCache', () => {
  const stampOf = (ino: number, ctimeMs = 0.5) => ({ dev: 1, ino, sizeBytes: 1, mtimeMs: 0, ctimeMs });

  it('gives the hash of a file that looks the same, in the next process too', async () => {
    const store = new MemoryCache();
    const first = new StampCache(store);
    await first.open();
    for (const path of ['a b.ts', 'gone.ts']) first.put(path, stampOf(2), hashOf(1), 10_000);
    await first.save((path) => path !== 'gone.ts');
    const second = new StampCache(store);
    await second.open();
    expect(second.find('a b.ts', stampOf(2))).toBe(hashOf(1));
    expect(second.find('a b.ts', stampOf(3))).toBeUndefined();
    expect(second.find('gone.ts', stampOf(2))).toBeUndefined();
    second.put('a b.ts', stampOf(3), hashOf(2), 10_000);
    await second.save(() => true);
    expect(store.packs.size).toBe(1);
  });

  it('does not trust a file that changed when it was read, or later', () => {
    const stamps = new StampCache(undefined);
    stamps.put('a.ts', stampOf(1, 9_000), hashOf(1), 10_000);
    stamps.put('b.ts', stampOf(1, 11_000), hashOf(1), 10_000);
    stamps.put('c.ts', stampOf(1, 8_000), hashOf(1), 10_000);
    const found = ['a.ts', 'b.ts', 'c.ts'].map((path) => stamps.find(path, stampOf(1, 8_000)));
    expect(found).toEqual([undefined, undefined, hashOf(1)]);
  });
});

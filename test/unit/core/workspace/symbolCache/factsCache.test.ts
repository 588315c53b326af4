import { describe, expect, it } from 'vitest';
import type { FileOutcome } from '../../../../../src/core/model/repoMap';
import type { CacheStore, StoredPack } from '../../../../../src/core/ports/ports';
import { encodeFacts } from '../../../../../src/core/repomap/facts/factsCodec';
import type { FileFacts } from '../../../../../src/core/repomap/facts/types';
import { FactsCache } from '../../../../../src/core/workspace/symbolCache/factsCache';
import type { PackEntry } from '../../../../../src/core/workspace/symbolCache/factsPack';
import { MAX_CAP_BYTES, PACK_BYTES } from '../../../../../src/core/workspace/symbolCache/packShelf';
import { decodeFacts } from '../../../../support/repoMapBuilders';
import { until } from '../../../../support/until.mjs';
import { MemoryCache, SILENT } from '../../../../support/workspaceFakes';

function entry(path: string, contentHash: string, sizeBytes = 0, outcome: FileOutcome = 'parsed'): PackEntry {
  const facts: FileFacts = {
    path,
    contentHash,
    language: 'typescript',
    outcome,
    lineCount: 1,
    definitions: [],
    references: [],
    words: { others: [contentHash], postings: new Uint8Array(sizeBytes).fill(1) },
  };
  return { path, contentHash, encoded: encodeFacts(facts) };
}

const open = (store: CacheStore | undefined) => new FactsCache(store, SILENT);

/** What `find` gives, decoded. */
async function found(cache: FactsCache, path: string, contentHash: string) {
  const encoded = await cache.find(path, contentHash);
  if (!encoded) return undefined;
  expect(encoded.byteLength).toBe(encoded.buffer.byteLength);
  const facts = decodeFacts(encoded);
  expect(facts.words?.others).toEqual([contentHash]);
  return facts.path;
}

/** A process that adds and saves. */
async function save(store: CacheStore, hashes: readonly string[], sizeBytes = 0): Promise<void> {
  const cache = open(store);
  for (const hash of hashes) cache.add(entry('a.ts', hash, sizeBytes));
  await cache.save();
}

/** The same, some time after the last one. */
async function packsOf(store: MemoryCache, hashes: readonly string[], sizeBytes: number): Promise<void> {
  store.nowMs += 60_000;
  await save(store, hashes, sizeBytes);
}

/** The hashes as their packs of one come, which is how they are put together. */
async function inOrderOfNames(hashes: readonly string[]): Promise<readonly string[]> {
  const named: (readonly [string, string])[] = [];
  for (const hash of hashes) {
    const store = new MemoryCache();
    await save(store, [hash]);
    named.push([[...store.packs.keys()].join(), hash]);
  }
  return named.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, hash]) => hash);
}

/** The cache as a process has it that is held up when it comes to remove packs. */
class SlowRemoval implements CacheStore {
  goOn: () => void = () => undefined;
  #tellRemoving: () => void = () => undefined;
  /** Resolves when it is held up. */
  readonly removing = new Promise<void>((resolve) => {
    this.#tellRemoving = resolve;
  });
  readonly #store: CacheStore;

  constructor(store: CacheStore) {
    this.#store = store;
  }

  makeId = (): string => this.#store.makeId();
  list = (): Promise<readonly StoredPack[]> => this.#store.list();
  readHead = (name: string): Promise<Uint8Array | undefined> => this.#store.readHead(name);
  readBody = (name: string): Promise<Uint8Array | undefined> => this.#store.readBody(name);
  save = (...args: Parameters<CacheStore['save']>): Promise<number | undefined> => this.#store.save(...args);

  async remove(names: readonly string[]): Promise<void> {
    const mayGoOn = new Promise<void>((resolve) => {
      this.goOn = resolve;
    });
    this.#tellRemoving();
    await mayGoOn;
    await this.#store.remove(names);
  }
}

/** Bytes that fill one pack with one entry. */
const FULL = PACK_BYTES;

describe('FactsCache', () => {
  it('finds what was added, before and after it is saved, in this process and the next', async () => {
    const store = new MemoryCache();
    const cache = open(store);
    expect(cache.isDirty).toBe(false);
    cache.add(entry('a.ts', 'h1'));
    expect(cache.isDirty).toBe(true);
    expect(await found(cache, 'a.ts', 'h1')).toBe('a.ts');
    await cache.save();
    expect(cache.isDirty).toBe(false);
    expect(await found(cache, 'a.ts', 'h1')).toBe('a.ts');
    expect(await found(open(store), 'a.ts', 'h1')).toBe('a.ts');
    expect(await found(open(store), 'a.ts', 'h2')).toBeUndefined();
  });

  it('serves another path of the same content', async () => {
    const store = new MemoryCache();
    const cache = open(store);
    cache.add(entry('a.ts', 'h1'));
    expect(await found(cache, 'b/"c".ts', 'h1')).toBe('b/"c".ts');
    await cache.save();
    expect(await found(open(store), 'b/größe.ts', 'h1')).toBe('b/größe.ts');
    expect(await found(open(store), 'a.js', 'h1')).toBeUndefined();
  });

  it('keeps nothing that depends on the moment', async () => {
    const store = new MemoryCache();
    const cache = open(store);
    cache.add(entry('a.ts', 'h1', 0, 'deadline'));
    cache.add(entry('b.ts', 'h2', 0, 'failed'));
    cache.add(entry('c.ts', 'h3', 0, 'tooLarge'));
    await cache.save();
    expect(await found(open(store), 'a.ts', 'h1')).toBeUndefined();
    expect(await found(open(store), 'b.ts', 'h2')).toBeUndefined();
    expect(await found(open(store), 'c.ts', 'h3')).toBe('c.ts');
  });

  it('works without a store', async () => {
    const cache = open(undefined);
    cache.add(entry('a.ts', 'h1'));
    await cache.save();
    expect(cache.isDirty).toBe(false);
    expect(await found(cache, 'a.ts', 'h1')).toBeUndefined();
  });

  it('writes full packs without being asked to save, so that a killed process loses little', async () => {
    const store = new MemoryCache();
    const cache = open(store);
    cache.add(entry('a.ts', 'h1', FULL));
    cache.add(entry('b.ts', 'h2'));
    await until('a pack is written', () => store.packs.size === 1);
    expect(await found(open(store), 'a.ts', 'h1')).toBe('a.ts');
    expect(await found(open(store), 'b.ts', 'h2')).toBeUndefined();
  });

  it('writes a small pack for a small change, and puts many small ones together', async () => {
    const store = new MemoryCache();
    await packsOf(store, ['big'], FULL);
    const hashes = Array.from({ length: 30 }, (_, i) => `h${i}`);
    const counts: number[] = [];
    for (const hash of hashes) {
      const before = [...store.packs.values()].reduce((sum, { body }) => sum + body.length, 0);
      await packsOf(store, [hash], 100);
      const after = [...store.packs.values()].reduce((sum, { body }) => sum + body.length, 0);
      expect(after - before).toBeLessThan(400);
      counts.push(store.packs.size);
    }
    // The big one, eight small ones at most, and the one just written.
    expect(Math.max(...counts)).toBeLessThanOrEqual(10);
    for (const hash of ['big', ...hashes]) expect(await found(open(store), 'a.ts', hash)).toBe('a.ts');
  });

  it('keeps one of two when two processes wrote the same, whichever tidies up', async () => {
    const store = new MemoryCache();
    const [a, b] = [open(store), open(store)];
    const hashes = Array.from({ length: 12 }, (_, i) => `h${i}`);
    // Other boundaries, as two processes have them.
    for (const [i, hash] of hashes.entries()) {
      a.add(entry('a.ts', hash, FULL / 3 + i));
      b.add(entry('a.ts', hash, FULL / 4 + i));
    }
    await Promise.all([a.save(), b.save()]);
    await packsOf(store, ['one more'], 10);
    const bytes = [...store.packs.values()].reduce((sum, { body }) => sum + body.length, 0);
    expect(bytes).toBeLessThan(1.3 * 12 * (FULL / 3 + 200));
    for (const hash of hashes) expect(await found(open(store), 'a.ts', hash)).toBe('a.ts');
  });

  // Found by a property, and true of some orders of names: what was left of `one` and `two` was packed as `one` alone,
  // and `one` alone went as a double.
  it('keeps what it puts together when a pack of the same contents goes', async () => {
    for (let round = 0; round < 60; round++) {
      const store = new MemoryCache();
      const [one, two, other] = [`${round}-1`, `${round}-2`, `${round}-3`];
      for (const hashes of [[other, two], [one, two], [one]]) await save(store, hashes);
      await packsOf(store, ['more'], 10);
      for (const hash of [one, two, other, 'more']) {
        expect(await found(open(store), 'a.ts', hash), `${hash}, round ${round}`).toBe('a.ts');
      }
    }
  });

  // The first lists a full double of eight small packs, of which one is too young to be put together with the others;
  // the second puts all eight together, which makes the same contents as the double's; then the first removes it.
  it('keeps what one process puts together while another still removes a double of it', async () => {
    for (let round = 0; round < 60; round++) {
      const hashes = await inOrderOfNames(Array.from({ length: 8 }, (_, i) => `${round}-${i}`));
      const store = new MemoryCache();
      for (const hash of hashes.slice(1)) await save(store, [hash]);
      await save(store, hashes);
      store.nowMs += 1000;
      await save(store, hashes.slice(0, 1));
      store.nowMs += 59_000;
      const slow = new SlowRemoval(store);
      const saved = save(slow, ['first']);
      await slow.removing;
      store.nowMs += 1000;
      await save(store, ['second']);
      slow.goOn();
      await saved;
      for (const hash of [...hashes, 'first', 'second']) {
        expect(await found(open(store), 'a.ts', hash), `${hash}, round ${round}`).toBe('a.ts');
      }
    }
  });

  it('sees what another process wrote once it saves itself', async () => {
    const store = new MemoryCache();
    const cache = open(store);
    expect(await found(cache, 'a.ts', 'h1')).toBeUndefined();
    await packsOf(store, ['h1'], 10);
    expect(await found(cache, 'a.ts', 'h1')).toBeUndefined();
    cache.add(entry('a.ts', 'h2'));
    await cache.save();
    expect(await found(cache, 'a.ts', 'h1')).toBe('a.ts');
  });

  it('takes packs that vanished for what they are', async () => {
    const store = new MemoryCache();
    await packsOf(store, ['h1'], 10);
    const cache = open(store);
    expect(await found(cache, 'a.ts', 'none')).toBeUndefined();
    store.packs.clear();
    expect(await found(cache, 'a.ts', 'h1')).toBeUndefined();
    cache.add(entry('a.ts', 'h1'));
    await cache.save();
    expect(await found(cache, 'a.ts', 'h1')).toBe('a.ts');
  });

  it('goes on when nothing can be written', async () => {
    class Full extends MemoryCache {
      override async save(): Promise<number | undefined> {
        return undefined;
      }
    }
    const cache = open(new Full());
    cache.add(entry('a.ts', 'h1'));
    await cache.save();
    expect(cache.isDirty).toBe(false);
    expect(await found(cache, 'a.ts', 'h1')).toBeUndefined();
  });

  it('keeps the old packs when their rewriting fails', async () => {
    class Filling extends MemoryCache {
      left = Number.POSITIVE_INFINITY;
      override async save(...args: Parameters<MemoryCache['save']>): Promise<number | undefined> {
        return this.left-- > 0 ? super.save(...args) : undefined;
      }
    }
    const store = new Filling();
    const hashes = Array.from({ length: 7 }, (_, i) => `h${i}`);
    for (const hash of hashes) await packsOf(store, [hash], 10);
    expect(store.packs.size).toBe(7);
    store.left = 1;
    await packsOf(store, ['h7'], 10);
    expect(store.packs.size).toBe(8);
    for (const hash of [...hashes, 'h7']) expect(await found(open(store), 'a.ts', hash)).toBe('a.ts');
  });

  it('drops other branches first when the cap is reached', async () => {
    const store = new MemoryCache();
    // Space that would take gigabytes to fill in truth.
    store.ratio = 10;
    const hashes = Array.from({ length: 8 }, (_, i) => `h${i}`);
    for (const hash of hashes) await packsOf(store, [hash], FULL);
    expect(store.packs.size).toBeLessThanOrEqual(4);
    expect(await found(open(store), 'a.ts', 'h0')).toBeUndefined();
    expect(await found(open(store), 'a.ts', 'h7')).toBe('a.ts');
  });

  it('takes no more when what is in use fills the cap', async () => {
    const store = new MemoryCache();
    store.ratio = (0.6 * MAX_CAP_BYTES) / FULL;
    const cache = open(store);
    for (const hash of ['h1', 'h2']) cache.add(entry('a.ts', hash, FULL));
    await until('two packs are written', () => store.packs.size === 2);
    cache.add(entry('a.ts', 'h3', FULL));
    expect(await found(cache, 'a.ts', 'h3')).toBeUndefined();
    expect(await found(cache, 'a.ts', 'h1')).toBe('a.ts');
    await cache.save();
    expect(store.packs.size).toBe(1);
  });

  it('removes packs of other versions that nobody used for a day', async () => {
    const store = new MemoryCache();
    const bytes = new Uint8Array(10);
    store.packs.set('0000000000000000-0000000000000001', { head: bytes, body: bytes, usedMs: -25 * 3_600_000 });
    store.packs.set('0000000000000000-0000000000000002', { head: bytes, body: bytes, usedMs: -23 * 3_600_000 });
    await packsOf(store, ['h1'], 10);
    expect([...store.packs.keys()].filter((name) => name.startsWith('0000'))).toEqual([
      '0000000000000000-0000000000000002',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import type { CountsRequest, StoredCounts } from '../../../../../src/core/engine/report';
import { KnownCounts } from '../../../../../src/core/tokens/knownCounts';
import { CountCache } from '../../../../../src/core/workspace/symbolCache/countCache';
import { IndexCache } from '../../../../../src/core/workspace/symbolCache/indexCache';
import { FakeEngine, MemoryCache, SILENT } from '../../../../support/workspaceFakes';

const O200K = 'o200k_base';

/** A process: an engine's counts over the cache of its folder. */
class Process {
  readonly counts = new KnownCounts(Math.floor(Math.random() * 2 ** 32));
  readonly calls: string[] = [];
  readonly cache: CountCache;

  constructor(store: MemoryCache) {
    const engine = {
      loadCounts: async (packs: readonly StoredCounts[]) => {
        for (const { bytes } of packs)
          this.counts.load(structuredClone(bytes, { transfer: [bytes.buffer as ArrayBuffer] }));
      },
      saveCounts: async ({ what }: CountsRequest) => this.counts.save(what),
    };
    this.cache = new CountCache(store, engine, SILENT);
  }

  count(...parts: readonly string[]): void {
    for (const part of parts) {
      this.counts.countOf(part, (text) => {
        this.calls.push(text);
        return text.length;
      });
    }
  }

  /** One round of reports. */
  async report(...parts: readonly string[]): Promise<readonly string[]> {
    await this.cache.load(O200K);
    this.calls.length = 0;
    this.count(...parts);
    await this.cache.save(O200K);
    return this.calls;
  }
}

describe('CountCache', () => {
  it('gives the next process what the one before counted', async () => {
    const store = new MemoryCache();
    expect(await new Process(store).report('a', 'b')).toEqual(['a', 'b']);
    expect(await new Process(store).report('a', 'b')).toEqual([]);
    expect(await new Process(store).report('a', 'c')).toEqual(['c']);
    expect(await new Process(store).report('a', 'b', 'c')).toEqual([]);
  });

  it('writes nothing when nothing was counted', async () => {
    const store = new MemoryCache();
    await new Process(store).report('a');
    const before = [...store.packs.keys()];
    await new Process(store).report('a');
    expect([...store.packs.keys()]).toEqual(before);
  });

  it('puts packs together before there are many, whoever wrote them', async () => {
    const store = new MemoryCache();
    const parts: string[] = [];
    let most = 0;
    for (let i = 0; i < 40; i++) {
      parts.push(`part ${i}`);
      const process = new Process(store);
      expect(await process.report(...parts)).toEqual([`part ${i}`]);
      await process.report(`other ${i}`);
      most = Math.max(most, store.packs.size);
    }
    expect(most).toBeLessThanOrEqual(9);
    expect(await new Process(store).report(...parts, 'other 0', 'other 39')).toEqual([]);
  });

  it('keeps what two processes that began with nothing count from then on', async () => {
    const store = new MemoryCache();
    const [one, two] = [new Process(store), new Process(store)];
    await Promise.all([one.cache.load(O200K), two.cache.load(O200K)]);
    await one.report('a');
    await two.report('a', 'b', 'c');
    await new Process(store).report('a', 'b', 'c');
    expect(await new Process(store).report('a', 'b', 'c')).toEqual([]);
  });

  it('keeps tokenizers apart', async () => {
    const store = new MemoryCache();
    await new Process(store).report('a');
    const other = new Process(store);
    await other.cache.load('cl100k_base');
    other.count('a');
    expect(other.calls).toEqual(['a']);
  });

  it('survives packs that are gone or not its own', async () => {
    const store = new MemoryCache();
    await new Process(store).report('a');
    await new Process(store).report('b');
    const [first, second] = [...store.packs.keys()];
    const pack = store.packs.get(second ?? '');
    store.packs.set(second ?? '', { ...pack!, body: new Uint8Array([1, 2, 3]) });
    expect(await new Process(store).report('a', 'b')).toEqual(['b']);
    store.readBody = async (name) => (name === first ? undefined : store.packs.get(name)?.body);
    expect(await new Process(store).report('a', 'b')).toEqual(['a']);
  });

  it('loads again for an engine that was started again', async () => {
    const store = new MemoryCache();
    await new Process(store).report('a');
    const process = new Process(store);
    await process.cache.load(O200K);
    await process.cache.load(O200K);
    expect(store.bodyReads).toBe(1);
    process.cache.reset();
    await process.cache.load(O200K);
    expect(store.bodyReads).toBe(2);
  });

  it('tells nobody of an engine that ended', async () => {
    const store = new MemoryCache();
    await new Process(store).report('a');
    const fail = async () => Promise.reject(new Error('crashed'));
    const cache = new CountCache(store, { loadCounts: fail, saveCounts: fail }, SILENT);
    await expect(cache.load(O200K)).resolves.toBeUndefined();
    await expect(cache.save(O200K)).resolves.toBeUndefined();
  });

  it('does nothing without a store', async () => {
    const never = () => Promise.reject(new Error('asked'));
    const cache = new CountCache(undefined, { loadCounts: never, saveCounts: never }, SILENT);
    await cache.load(O200K);
    await cache.save(O200K);
  });

  it('is not tidied away with packs of other versions of the symbol cache', async () => {
    const store = new MemoryCache();
    await new Process(store).report('a');
    await store.save('0123456789abcdef-1', new Uint8Array(), new Uint8Array());
    store.nowMs = 7 * 24 * 60 * 60 * 1000;
    const engine = new FakeEngine();
    const contentHash = 'f'.repeat(16);
    engine.files.set('a.ts', `parsed:${contentHash}`);
    const index = new IndexCache(store, engine, SILENT);
    index.add({ path: 'a.ts', contentHash }, 'parsed', 1);
    await index.save();
    expect(store.packs.has('0123456789abcdef-1')).toBe(false);
    expect(await new Process(store).report('a')).toEqual([]);
  });
});

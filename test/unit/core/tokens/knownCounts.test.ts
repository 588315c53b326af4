import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KnownCounts } from '../../../../src/core/tokens/knownCounts';
import { anyText } from '../../../support/anyText';
import { runs } from '../../../support/runs';

/** Counts whose tokenizer says how often it was called. */
class Asked {
  readonly calls: string[] = [];

  constructor(readonly counts: KnownCounts) {}

  of(part: string): number {
    return this.counts.countOf(part, (text) => {
      this.calls.push(text);
      return text.length;
    });
  }
}

function saved(counts: KnownCounts, what: 'new' | 'all' = 'all'): Uint8Array {
  const bytes = counts.save(what);
  if (!bytes) throw new Error('nothing is saved');
  return bytes;
}

describe('KnownCounts', () => {
  it('keeps kinds of counts apart', () => {
    const tokens = new Asked(new KnownCounts(7, undefined, 'tokens'));
    tokens.of('a');
    const bytes = saved(tokens.counts);
    const other = new KnownCounts(7, undefined, 'secrets by 1');
    other.load(bytes);
    expect(other.has('a')).toBe(false);
    const same = new KnownCounts(8, undefined, 'tokens');
    same.load(bytes);
    expect([same.has('a'), same.has('b')]).toEqual([true, false]);
  });

  it('asks once for each text, whatever its length', () => {
    const asked = new Asked(new KnownCounts());
    const long = 'x'.repeat(100_000);
    for (const part of ['a', long, 'a', `${long}y`, long]) expect(asked.of(part)).toBe(part.length);
    expect(asked.calls).toEqual(['a', long, `${long}y`]);
  });

  it('remembers counts of 0 and of many', () => {
    const counts = new KnownCounts();
    for (const tokens of [0, 1, 2 ** 31 - 2]) {
      expect(counts.countOf(String(tokens), () => tokens)).toBe(tokens);
      expect(counts.countOf(String(tokens), () => -1)).toBe(tokens);
    }
  });

  it('forgets what was not asked for since two generations, and keeps what was', () => {
    const asked = new Asked(new KnownCounts(0, 10));
    for (let i = 0; i < 100; i++) {
      asked.of('kept');
      asked.of(`line ${i}`);
    }
    asked.calls.length = 0;
    asked.of('kept');
    asked.of('line 99');
    expect(asked.calls).toEqual([]);
    asked.of('line 0');
    expect(asked.calls).toEqual(['line 0']);
  });

  it('knows in another process what was saved, and has nothing new to save then', () => {
    fc.assert(
      fc.property(fc.array(anyText(), { minLength: 1, maxLength: 2000 }), (parts) => {
        const first = new Asked(new KnownCounts(7));
        const counted = parts.map((part) => first.of(part));
        const second = new Asked(new KnownCounts(8));
        second.counts.load(saved(first.counts));
        expect(parts.map((part) => second.of(part))).toEqual(counted);
        expect(second.calls).toEqual([]);
        expect(second.counts.save('new')).toBeUndefined();
        expect(second.counts.save('all')).toBeUndefined();
      }),
      runs(50, 1000),
    );
  });

  it('saves what is new apart from the rest, and all of it when asked', () => {
    const first = new Asked(new KnownCounts());
    for (let i = 0; i < 50; i++) first.of(`old ${i}`);
    const old = saved(first.counts, 'new');
    first.of('new');
    const news = saved(first.counts, 'new');
    expect(news.length).toBeLessThan(old.length / 10);
    first.of('newest');
    const all = saved(first.counts, 'all');

    for (const packs of [[old, news], [all]]) {
      const second = new Asked(new KnownCounts(3));
      for (const pack of packs) second.counts.load(pack);
      for (const part of ['old 0', 'old 49', 'new']) second.of(part);
      expect(second.calls).toEqual([]);
    }
  });

  it('saves no more than its bound, what was asked for last before the rest', () => {
    const first = new Asked(new KnownCounts(0, 100));
    for (let i = 0; i < 199; i++) first.of(`line ${i}`);
    const bytes = saved(first.counts);
    expect(bytes.length).toBe(16 + 100 * 12);
    const second = new Asked(new KnownCounts());
    second.counts.load(bytes);
    for (let i = 100; i < 199; i++) second.of(`line ${i}`);
    expect(second.calls).toEqual([]);
  });

  it('takes in no more than its bound', () => {
    const first = new Asked(new KnownCounts());
    for (let i = 0; i < 1000; i++) first.of(`line ${i}`);
    const bytes = saved(first.counts);
    const second = new Asked(new KnownCounts(0, 100));
    second.counts.load(bytes);
    second.of('something new');
    expect(saved(second.counts).length).toBe(16 + 100 * 12);
  });

  it('passes over bytes that are not its own', () => {
    const first = new Asked(new KnownCounts(1));
    for (let i = 0; i < 100; i++) first.of(`line ${i}`);
    const good = saved(first.counts);
    const foreign = [
      new Uint8Array(),
      good.subarray(0, good.length - 5),
      good.subarray(0, good.length - 4),
      good.map((byte, at) => (at === 0 ? byte + 1 : byte)),
      new TextEncoder().encode('{ "version": 1 }'.repeat(3)),
    ];
    for (const bytes of foreign) {
      const second = new Asked(new KnownCounts(1));
      second.counts.load(bytes);
      expect(second.of('line 1')).toBe(6);
      expect(second.calls).toEqual(['line 1']);
    }
  });

  it('takes the seed of what it loads first, and nothing of another one', () => {
    const packs = [1, 2].map((seed) => {
      const asked = new Asked(new KnownCounts(seed));
      asked.of(`by ${seed}`);
      return saved(asked.counts);
    });
    const asked = new Asked(new KnownCounts(3));
    asked.of('before');
    for (const pack of packs) asked.counts.load(pack);
    for (const part of ['by 1', 'by 2', 'before']) expect(asked.of(part)).toBe(part.length);
    expect(asked.calls).toEqual(['before', 'by 2', 'before']);
  });

  it('reads bytes that begin anywhere in their buffer', () => {
    const first = new Asked(new KnownCounts());
    first.of('line');
    const bytes = saved(first.counts);
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    const second = new Asked(new KnownCounts());
    second.counts.load(shifted.subarray(3));
    second.of('line');
    expect(second.calls).toEqual([]);
  });
});

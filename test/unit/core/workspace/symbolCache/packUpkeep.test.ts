import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PackState, planUpkeep } from '../../../../../src/core/workspace/symbolCache/packUpkeep';

const LIMITS = { packBytes: 1000, maxSmallPacks: 3, maxBytes: 10_000, settledMs: 50 };

const pack = (name: string, more: Partial<PackState> = {}): PackState => ({
  name,
  sizeBytes: 400,
  rawBytes: 1000,
  usedBytes: 1000,
  doubleBytes: 0,
  idleMs: 99,
  ...more,
});

describe('planUpkeep', () => {
  it('leaves a cache in order alone', () => {
    const packs = [pack('a'), pack('b', { usedBytes: 0, idleMs: 99 }), pack('c', { rawBytes: 10 }), pack('d')];
    expect(planUpkeep(packs, LIMITS)).toEqual({ drop: new Set(), rewrite: new Set(), keepsOnlyUsed: false });
  });

  it('drops what other packs have, and writes anew what they have a good part of', () => {
    const packs = [pack('a', { doubleBytes: 1000 }), pack('b', { doubleBytes: 250 }), pack('c', { doubleBytes: 249 })];
    expect(planUpkeep(packs, LIMITS)).toMatchObject({ drop: new Set(['a']), rewrite: new Set(['b']) });
  });

  it('puts small packs together when there are many', () => {
    const small = ['a', 'b', 'c'].map((name) => pack(name, { rawBytes: 499, usedBytes: 0 }));
    expect(planUpkeep([...small, pack('d')], LIMITS).rewrite).toEqual(new Set(['a', 'b', 'c']));
    expect(planUpkeep([...small.slice(1), pack('d')], LIMITS).rewrite).toEqual(new Set());
  });

  it('leaves young doubles and young small packs to the process that is at them', () => {
    const small = ['a', 'b', 'c'].map((name) => pack(name, { rawBytes: 499, idleMs: 49 }));
    const packs = [...small, pack('d', { doubleBytes: 1000, idleMs: 49 }), pack('e', { doubleBytes: 300, idleMs: 49 })];
    expect(planUpkeep(packs, LIMITS)).toMatchObject({ drop: new Set(), rewrite: new Set() });
  });

  it('drops the least recently used first, and what is in use last', () => {
    const packs = [
      pack('used', { sizeBytes: 6000, idleMs: 900 }),
      pack('old', { sizeBytes: 3000, usedBytes: 0, idleMs: 500 }),
      pack('young', { sizeBytes: 3000, usedBytes: 0, idleMs: 100 }),
    ];
    expect(planUpkeep(packs, LIMITS)).toEqual({ drop: new Set(['old']), rewrite: new Set(), keepsOnlyUsed: false });
  });

  it('takes out what is not in use before it drops what is', () => {
    const packs = [pack('half', { sizeBytes: 8000, usedBytes: 500 }), pack('used', { sizeBytes: 5000, idleMs: 900 })];
    expect(planUpkeep(packs, LIMITS)).toEqual({ drop: new Set(), rewrite: new Set(['half']), keepsOnlyUsed: true });
    const full = [pack('a', { sizeBytes: 8000 }), pack('b', { sizeBytes: 5000, idleMs: 900 })];
    expect(planUpkeep(full, LIMITS).drop).toEqual(new Set(['b']));
  });

  it('gives every process the same plan, under the cap, for any packs', () => {
    const states = fc.uniqueArray(
      fc
        .record({
          name: fc.string({ minLength: 1, maxLength: 3 }),
          sizeBytes: fc.nat(5000),
          rawBytes: fc.nat(5000),
          used: fc.double({ min: 0, max: 1, noNaN: true }),
          doubled: fc.double({ min: 0, max: 1, noNaN: true }),
          idleMs: fc.integer({ min: 48, max: 52 }),
        })
        .map(({ used, doubled, ...rest }) => ({
          ...rest,
          usedBytes: Math.round(rest.rawBytes * used),
          doubleBytes: Math.round(rest.rawBytes * doubled),
        })),
      { selector: ({ name }) => name, maxLength: 12 },
    );
    fc.assert(
      fc.property(states, (packs) => {
        const plan = planUpkeep(packs, LIMITS);
        expect(planUpkeep([...packs].reverse(), LIMITS)).toEqual(plan);
        expect([...plan.drop].filter((name) => plan.rewrite.has(name))).toEqual([]);
        const left = packs.filter(({ name }) => !plan.drop.has(name));
        const sizeBytes = left.reduce((sum, { name, sizeBytes: size, usedBytes, rawBytes }) => {
          const isCut = plan.keepsOnlyUsed && plan.rewrite.has(name);
          return sum + (isCut && rawBytes > 0 ? (size * usedBytes) / rawBytes : size);
        }, 0);
        expect(sizeBytes).toBeLessThanOrEqual(LIMITS.maxBytes + 0.01);
      }),
    );
  });
});

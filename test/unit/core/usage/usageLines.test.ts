import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  additionLine,
  decodeUsage,
  encodeUsage,
  originOf,
  unrecorded,
  usageLine,
} from '../../../../src/core/usage/usageCodec';
import type { UsageDraft } from '../../../../src/core/usage/usageRecord';

const DRAFT: UsageDraft = { ts: '2026-02-03 21:23:34', trigger: 'copy', profile: 'default', sections: [], cited: [] };

const withOrigins = (...origins: readonly (string | undefined)[]): readonly UsageDraft[] =>
  origins.map((origin) => (origin === undefined ? DRAFT : { ...DRAFT, origin }));

describe('usageLine', () => {
  it('makes a line of a draft, as the codec writes it with the number given', () => {
    const line = usageLine(DRAFT);
    expect(line.addsTo).toBeUndefined();
    expect(line.make(7)).toBe(encodeUsage(7, DRAFT));
  });
});

describe('unrecorded', () => {
  it('leaves out what is known, and what comes twice in one call; what has no origin is always new', () => {
    const lines = withOrigins('a', undefined, 'b', 'b', undefined, 'c');
    const kept = unrecorded(lines, ['a', 'x']);
    expect(kept.map(({ origin }) => origin)).toEqual([undefined, 'b', undefined, 'c']);
  });

  it('gives each unknown origin exactly once, in order, and does not touch the known ones', () => {
    const origin = fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { nil: undefined });
    fc.assert(
      fc.property(fc.array(origin), fc.uniqueArray(fc.constantFrom('a', 'b', 'c')), (origins, known) => {
        const before = new Set<string>(known);
        const kept = unrecorded(withOrigins(...origins), before).map((line) => line.origin);
        expect([...before]).toEqual(known);
        const fresh = kept.filter((each) => each !== undefined);
        expect(fresh).toEqual([...new Set(origins)].filter((each) => each !== undefined && !before.has(each)));
        expect(kept.length - fresh.length).toBe(origins.filter((each) => each === undefined).length);
      }),
    );
  });
});

describe('additionLine', () => {
  it('adds citations to the cycle and records nothing else', () => {
    const cited = [{ id: 'soul', evidence: 'id', what: 'soul' }] as const;
    const line = additionLine(5, { profile: 'planner', ts: DRAFT.ts, cited });
    expect(line.addsTo).toBe(5);
    const decoded = decodeUsage(line.make(5));
    expect(decoded).toMatchObject({ kind: 'ok', record: { cycle: 5, trigger: 'cite', profile: 'planner', cited } });
  });
});

describe('originOf', () => {
  it('reads the origin of a record, and of nothing else', () => {
    expect(originOf(encodeUsage(3, { ...DRAFT, origin: 'codex:a:1' }))).toBe('codex:a:1');
    expect(originOf(encodeUsage(3, DRAFT))).toBeUndefined();
    expect(originOf(encodeUsage(3, { ...DRAFT, trigger: 'says "origin"' }))).toBeUndefined();
    expect(originOf('{"origin":"codex:a:1"')).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../../../src/core/config/config';
import { simulatedSections, simulateThresholds } from '../../../../../src/core/pipeline/score/simulate';
import type { SimulatedSection } from '../../../../../src/core/pipeline/score/simulatedScores';
import type { Citation, UsageRecord, UsedSection } from '../../../../../src/core/usage/usageRecord';
import { payloadOf, sectionOf } from '../../../../support/panelSnapshots';
import { scoring, simulate } from '../../../../support/usageBuilder';

const DYNAMIC = { scoring: scoring('dynamic') };

function used(id: string, chars: number, over: Partial<UsedSection> = {}): UsedSection {
  return { id, chars, tokens: chars / 4, disclosure: 'full', ...over };
}

function record(cycle: number, sections: readonly UsedSection[], cited: readonly Citation[] = []): UsageRecord {
  return { cycle, ts: '2026-03-01 10:00:00', trigger: 'copy', profile: 'default', sections, cited };
}

function cite(id: string, evidence: Citation['evidence'] = 'path'): Citation {
  return { id, evidence, what: id };
}

/** `count` cycles with a section of 4,000 characters, cited in those that are named, from 1; all cite something else. */
function log(count: number, citedAt: readonly number[] = [], evidence: Citation['evidence'] = 'path') {
  return Array.from({ length: count }, (_, at) =>
    record(at + 1, [used('a', 4000)], [cite('else'), ...(citedAt.includes(at + 1) ? [cite('a', evidence)] : [])]),
  );
}

const A: SimulatedSection = { id: 'a', priority: 'P3', isPinned: false };

describe('simulated sections', () => {
  it('are those of the report that are not excluded, on demand by the list or their own rule', () => {
    const own = [{ id: 'ruled', file: 'a.md', on_demand: true }];
    const { config } = parseConfig(JSON.stringify({ version: 1, on_demand: ['listed'], sections: own }));
    const sections = ['alarm', 'listed', 'ruled'].map((id) =>
      sectionOf({ id, status: id === 'alarm' ? 'ALERT' : 'OK' }),
    );
    const expanded = payloadOf([...sections, sectionOf({ id: 'gone', isExcluded: true })]);
    const report = { profile: 'default', payloads: { index: expanded, expanded }, problems: [] };
    const told = simulatedSections(report, config!);
    expect(told.map(({ id, isAlarm, isOnDemand }) => [id, isAlarm, isOnDemand])).toEqual([
      ['alarm', true, false],
      ['listed', false, true],
      ['ruled', false, true],
    ]);
  });
});

describe('simulate', () => {
  it('judges each cycle by those before it: the first ten hide nothing', () => {
    const result = simulate(log(30), [A], DYNAMIC);
    expect(result).toMatchObject({ cycles: 30, judgedCycles: 20, stubbed: [{ id: 'a', cycles: 20 }] });
    expect(result.charsBefore).toBe(30 * 4000);
    expect(result.charsAfter).toBe(10 * 4000 + 20 * '<a>~1000 tok | section:a</a>\n'.length);
    expect(result.tokensAfter).toBeGreaterThan(10 * 1000);
    expect(result.tokensAfter).toBeLessThan(10 * 1000 + 20 * 15);
  });

  it('names first what is hidden most often, then by id', () => {
    const [b, c, d] = ['b', 'c', 'd'].map((id): SimulatedSection => ({ ...A, id }));
    const wide = log(30).map((each) =>
      record(each.cycle, [used('d', 4000), used('c', 4000), ...(each.cycle > 25 ? [] : [used('b', 4000)])], each.cited),
    );
    const { stubbed } = simulate(wide, [b!, d!, c!], DYNAMIC);
    expect(stubbed.map(({ id }) => id)).toEqual(['c', 'd', 'b']);
    const few = simulate(
      wide.toReversed().map((each, at) => ({ ...each, cycle: at + 1 })),
      [b!, d!, c!],
      DYNAMIC,
    ).stubbed;
    expect(few.map(({ id }) => id)).toEqual(['c', 'd', 'b']);
  });

  it('hides nothing where nobody recorded what agents used', () => {
    const silent = log(30).map((each) => ({ ...each, cited: [] }));
    expect(simulate(silent, [A], DYNAMIC).stubbed).toEqual([]);
    // Nine cycles with a citation are not enough, ten are.
    const some = (count: number) => log(30).map((each) => (each.cycle <= count ? each : { ...each, cited: [] }));
    expect(simulate(some(9), [A], DYNAMIC).stubbed).toEqual([]);
    expect(simulate(some(10), [A], DYNAMIC).stubbed).toEqual([{ id: 'a', cycles: 20 }]);
  });

  it('counts a stub’s citations as lost, and shows the section after them', () => {
    const result = simulate(log(30, [20]), [A], DYNAMIC);
    expect(result).toMatchObject({ citations: 31, citationsKept: 30, lost: [{ id: 'a', citations: 1 }] });
    // 11 to 20; then it is cited, and later its score holds.
    expect(result.stubbed[0]?.cycles).toBe(10);
  });

  it('counts a citation that was asked for as kept', () => {
    const result = simulate(log(30, [20], 'handle'), [A], DYNAMIC);
    expect(result).toMatchObject({ citations: 31, citationsKept: 31, lost: [] });
  });

  it('in the worst case a lost citation is not even noticed', () => {
    const result = simulate(log(30, [20, 21]), [A], { ...DYNAMIC, lostCitations: 'unseen' });
    expect(result).toMatchObject({ citations: 32, citationsKept: 30, stubbed: [{ id: 'a', cycles: 20 }] });
  });

  it('simulates the newest cycles and takes those before as history', () => {
    const result = simulate(log(60, [1]), [A], { ...DYNAMIC, cycles: 5 });
    expect(result).toMatchObject({ cycles: 5, judgedCycles: 5, citations: 5, stubbed: [{ id: 'a', cycles: 5 }] });
  });

  it('never makes a stub of P0 or P1, pinned sections or alarms, nor in modes that make none', () => {
    const strict = { scoring: scoring('dynamic', { threshold: 1 }) };
    for (const each of [
      { priority: 'P0' as const },
      { priority: 'P1' as const },
      { isPinned: true },
      { isAlarm: true },
    ])
      expect(simulate(log(30), [{ ...A, ...each }], strict).stubbed).toEqual([]);
    for (const mode of ['off', 'baseline'] as const)
      expect(simulate(log(30), [A], { scoring: scoring(mode, { threshold: 1 }) })).toMatchObject({
        stubbed: [],
        charsAfter: 30 * 4000,
      });
  });

  it('makes stubs by priority in mode static, from the first cycle on', () => {
    const settings = { scoring: scoring('static') };
    expect(simulate(log(30, [20]), [{ ...A, priority: 'P4' }], settings)).toMatchObject({
      citationsKept: 30,
      stubbed: [{ id: 'a', cycles: 30 }],
    });
    expect(simulate(log(30), [A], settings).stubbed).toEqual([]);
  });

  it('takes the size of what a mode hid from when it was shown last, else from charsFull', () => {
    const stub = (cycle: number, over: Partial<UsedSection>) => {
      const sections = [used('a', 40, { disclosure: 'stub', ...over })];
      return { ...record(cycle, sections), mode: 'dynamic' as const };
    };
    const full = { charsFull: 900, tokensFull: 220 };
    expect(simulate([stub(1, full)], [A], DYNAMIC)).toMatchObject({ charsBefore: 900, tokensBefore: 220 });
    const shown = [record(1, [used('a', 700)]), stub(2, full)];
    expect(simulate(shown, [A], { ...DYNAMIC, cycles: 1 })).toMatchObject({ charsBefore: 700, tokensBefore: 175 });
    expect(simulate([stub(1, {})], [A], DYNAMIC)).toMatchObject({ charsBefore: 40 });
  });

  it('takes what the budget left out as it was: a mode that hides nothing would not have shown it', () => {
    const large = { disclosure: 'stub', charsFull: 400_000, tokensFull: 100_000 } as const;
    for (const mode of ['baseline', 'off', undefined] as const) {
      const records = [record(1, [used('a', 700)]), { ...record(2, [used('a', 40, large)]), mode }];
      expect(simulate(records, [A], { ...DYNAMIC, cycles: 1 })).toMatchObject({ charsBefore: 40, tokensBefore: 10 });
    }
  });

  it('leaves on-demand sections and index-only payloads as they were', () => {
    const stub = used('a', 40, { disclosure: 'stub', charsFull: 900 });
    expect(simulate([record(1, [stub])], [{ ...A, isOnDemand: true }], DYNAMIC).charsBefore).toBe(40);
    const index = { ...record(1, [stub]), payload: 'index' as const };
    expect(simulate([index], [A], DYNAMIC)).toMatchObject({ charsBefore: 40, charsAfter: 40 });
  });

  it('counts sections that are no more as they were, with their citations', () => {
    const records = log(30).map((each) => ({
      ...each,
      overheadTokens: 5,
      overheadChars: 20,
      sections: [...each.sections, used('gone', 100)],
      cited: [cite('gone')],
    }));
    const result = simulate(records, [A], DYNAMIC);
    expect(result).toMatchObject({
      charsBefore: 30 * (4100 + 20),
      tokensBefore: 30 * (1000 + 25 + 5),
      citations: 30,
      lost: [],
    });
  });

  describe('under caps', () => {
    const sections: readonly SimulatedSection[] = [
      { id: 'a', priority: 'P1', isPinned: false },
      { id: 'b', priority: 'P4', isPinned: false },
      { id: 'c', priority: 'P4', isPinned: false },
    ];
    const records = Array.from({ length: 30 }, (_, at) =>
      record(at + 1, [used('a', 4000), used('b', 4000), used('c', 400)], [cite('b'), cite('c')]),
    );
    const settings = { scoring: scoring('baseline'), cycles: 10 };
    const under = (budgetTokens: number, hardCapChars = 100_000, given = sections, log = records) =>
      simulate(log, given, { ...settings, caps: { budgetTokens, hardCapChars } });
    /** Stubs of sections that were never cited are the shortest. */
    const uncited = records.map((each) => ({ ...each, cited: [] }));

    it('takes from the largest first, and fills the cap', () => {
      const result = under(1500);
      expect(result).toMatchObject({ stubbed: [], lost: [], citationsKept: 20 });
      expect(result.tokensAfter).toBeLessThanOrEqual(10 * 1500);
      // What is left is less than one step of the section that was cut.
      expect(result.tokensAfter).toBeGreaterThan(10 * (1500 - 1000 / 64 - 1));
      expect(under(2100)).toMatchObject({ tokensAfter: 10 * 2100, charsAfter: 10 * 8400 });
      const byChars = under(9999, 6000);
      expect(byChars.charsAfter).toBeLessThanOrEqual(10 * 6000);
      expect(byChars.charsAfter).toBeGreaterThan(10 * (6000 - 4000 / 64 - 1));
    });

    it('leaves stubs where nothing else has room, and takes them away where they have none', () => {
      const stub = (id: string, tokens: number) => `<${id}>~${tokens} tok | section:${id}</${id}>\n`.length;
      const stubs = [stub('b', 1000), stub('c', 100)];
      const floors = under(1000 + stubs.reduce((sum, chars) => sum + Math.ceil(chars / 4), 0), 1e6, sections, uncited);
      expect(floors).toMatchObject({ stubbed: [{ id: 'b' }, { id: 'c' }] });
      expect(floors.charsAfter).toBe(10 * stubs.reduce((sum, chars) => sum + chars, 4000));
      expect(under(1020)).toMatchObject({ stubbed: [{ id: 'b' }, { id: 'c' }], citationsKept: 0 });
      expect(under(1001)).toMatchObject({ lost: [{ id: 'b' }, { id: 'c' }], charsAfter: 40_000, tokensAfter: 10_000 });
    });

    it('never takes from P0, P1 and alarms what fits, and grants higher priorities first', () => {
      expect(under(500)).toMatchObject({ tokensAfter: 10_000 });
      const alarm = sections.map((each) => (each.id === 'b' ? { ...each, isAlarm: true } : each));
      expect(under(2007, 1e6, alarm, uncited)).toMatchObject({ stubbed: [{ id: 'c' }] });
      expect(under(2007, 1e6, sections, uncited)).toMatchObject({ stubbed: [] });
      const higher = sections.map((each) => (each.id === 'b' ? { ...each, priority: 'P2' as const } : each));
      expect(under(2007, 1e6, higher, uncited)).toMatchObject({ stubbed: [{ id: 'c' }] });
    });

    it('keeps within both caps what fits without the essential sections, over any caps', () => {
      for (let cap = 1010; cap < 2200; cap += 7) {
        const result = under(cap, 4 * cap + 40);
        expect(result.tokensAfter).toBeLessThanOrEqual(10 * cap);
        expect(result.charsAfter).toBeLessThanOrEqual(10 * (4 * cap + 40));
      }
    });

    it('loses the citations of what is shown as a stub by its score once', () => {
      const dynamic = { scoring: scoring('dynamic', { threshold: 1 }), cycles: 10 };
      const caps = { budgetTokens: 1001, hardCapChars: 100_000 };
      const silent = records.map((each) => ({
        ...each,
        cited: [cite('else'), ...(each.cycle === 25 ? [cite('b')] : [])],
      }));
      const result = simulate(silent, sections, { ...dynamic, caps });
      expect(result.lost).toEqual([{ id: 'b', citations: 1 }]);
    });
  });

  it('gives nothing for an empty log', () => {
    expect(simulate([], [A], DYNAMIC)).toMatchObject({ cycles: 0, charsBefore: 0, citations: 0 });
  });
});

describe('simulateThresholds', () => {
  it('says the same as one simulation each, and cuts never less under a higher threshold', () => {
    const records = log(80, [3, 9, 14, 40, 60]);
    const thresholds = Array.from({ length: 21 }, (_, at) => at / 20);
    for (const lostCitations of ['seen', 'unseen'] as const) {
      const all = simulateThresholds(records, [A], { ...DYNAMIC, lostCitations }, thresholds);
      thresholds.forEach((threshold, at) => {
        const one = simulate(records, [A], { scoring: scoring('dynamic', { threshold }), lostCitations });
        expect(all[at]).toEqual(one);
      });
      expect(all[0]?.stubbed).toEqual([]);
      all.slice(1).forEach((each, at) => {
        expect(each.charsAfter).toBeLessThanOrEqual(all[at]?.charsAfter ?? 0);
      });
    }
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeUsage, usageHistory } from '../../../../src/core/usage/usageHistory';
import type { Citation, UsageRecord, UsedSection } from '../../../../src/core/usage/usageRecord';
import { english } from '../../../support/english';

const shown = (id: string, chars = 1000, more: Partial<UsedSection> = {}): UsedSection => ({
  id,
  chars,
  tokens: chars / 4,
  disclosure: 'full',
  ...more,
});
const cited = (id: string, what = id): Citation => ({ id, evidence: 'handle', what });
const cycle = (number: number, sections: readonly UsedSection[], more: Partial<UsageRecord> = {}): UsageRecord => ({
  cycle: number,
  ts: `2026-02-03 10:00:${String(number % 60).padStart(2, '0')}`,
  trigger: 'copy',
  profile: 'default',
  payload: 'expanded',
  sections,
  cited: [],
  ...more,
});
const range = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const find = (id: string, records: readonly UsageRecord[], size = 50) =>
  usageHistory(records, size).window.sections.find((section) => section.id === id);

describe('mergeUsage', () => {
  it('makes one record of the lines of a cycle, each distinct citation once', () => {
    const added = cycle(1, [], { ts: '2026-02-03 11:00:00', trigger: 'cite', cited: [cited('a'), cited('b')] });
    const [record, ...others] = mergeUsage([cycle(1, [shown('a')], { cited: [cited('a')] }), added, added]);
    expect(others).toEqual([]);
    expect(record).toEqual(cycle(1, [shown('a')], { cited: [cited('a'), cited('b')] }));
  });

  it('orders by cycle, wherever the lines stood', () => {
    const records = mergeUsage([cycle(2, []), cycle(1, [], { cited: [cited('a')] }), cycle(1, [shown('a')])]);
    expect(records.map((record) => record.cycle)).toEqual([1, 2]);
    expect(records[0]?.sections.map(({ id }) => id)).toEqual(['a']);
  });

  it('gives the same for any order of lines that add citations', () => {
    const lines = [
      cycle(1, [shown('a')]),
      cycle(1, [], { cited: [cited('a')] }),
      cycle(1, [], { cited: [cited('b')] }),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(lines, { minLength: 3 }), (shuffled) => {
        const [record] = mergeUsage(shuffled);
        expect(record?.sections).toEqual([shown('a')]);
        expect(new Set(record?.cited.map(({ id }) => id))).toEqual(new Set(['a', 'b']));
      }),
    );
  });
});

describe('usageHistory', () => {
  it('counts what was loaded and cited, and gives 12 citations of 720 cycles over 15,504 characters as 0.77', () => {
    const records = range(800).map((number) =>
      cycle(number, [shown('a', 15_504)], { cited: number % 60 === 20 ? [cited('a')] : [] }),
    );
    const usage = find('a', records);
    expect(usage).toMatchObject({ loaded: 50, citedCycles: 1, citations: 1, charsMean: 15_504 });
    expect(usage?.return).toMatchObject({ judged: 720, citations: 12, roiClass: 'LOW', isUncertain: false });
    expect(usage?.return.roi?.toFixed(2)).toBe('0.77');
    expect(usage?.return.interval?.map((end) => end.toFixed(2))).toEqual(['0.50', '1.15']);
    expect(usage?.lastCitedCycle).toBe(800);
    expect(usage?.cyclesSinceCited).toBe(0);
  });

  it('has a number for every cycle of the window, oldest first', () => {
    const records = range(12).map((number) => {
      const sections = number % 2 ? [shown('a', number * 100), shown('b')] : [shown('b')];
      return cycle(number, sections, { cited: number === 3 ? [cited('a'), cited('a', 'src/a.ts')] : [] });
    });
    const { window } = usageHistory(records, 4);
    expect(window.cycles.map((total) => total.cycle)).toEqual([9, 10, 11, 12]);
    expect(window.sections.find(({ id }) => id === 'a')?.charsPerCycle).toEqual([900, 0, 1100, 0]);
    expect(window.cycles[0]).toEqual({ cycle: 9, chars: 1900, tokens: 475 });
    const whole = find('a', records);
    expect(whole?.charsPerCycle).toHaveLength(12);
    expect(whole?.citationsPerCycle[2]).toBe(2);
    expect(whole).toMatchObject({ loaded: 6, citedCycles: 1, citations: 2, lastCitedCycle: 3, cyclesSinceCited: 9 });
    expect(whole?.charsMean).toBe((100 + 300 + 500 + 700 + 900 + 1100) / 6);
  });

  it('says no data before 50 judged cycles or five citations', () => {
    const records = range(50).map((number) =>
      cycle(number, [shown('a'), shown('b')], { cited: number > 4 ? [] : [cited('a')] }),
    );
    const returnOf = (id: string, cycles: readonly UsageRecord[]) => find(id, cycles)?.return;
    expect(returnOf('b', records.slice(1))).toMatchObject({
      roi: null,
      interval: null,
      roiClass: 'no data',
      judged: 49,
    });
    expect(returnOf('b', records)).toMatchObject({ roi: 0, roiClass: 'WASTE', judged: 50 });
    expect(returnOf('a', records.slice(1))).toMatchObject({ roiClass: 'no data', citations: 3 });
    const fifth = [...records.slice(1, 49), cycle(51, [shown('a')], { cited: [cited('a', 'x'), cited('a', 'y')] })];
    expect(returnOf('a', fifth)).toMatchObject({ roiClass: 'MED+', citations: 5, judged: 49 });
  });

  it('says no data of a section that few cycles loaded, however long the log is', () => {
    const records = range(90).map((number) => cycle(number, number > 41 ? [shown('a'), shown('b')] : [shown('b')]));
    expect(find('a', records)?.return).toMatchObject({ judged: 49, roi: null, roiClass: 'no data' });
    expect(find('b', records)?.return).toMatchObject({ judged: 90, roi: 0, roiClass: 'WASTE' });
  });

  it('makes returns of judged cycles that loaded the section, citations of others aside', () => {
    const open = range(60).map((number) => cycle(number, [shown('a')], { judged: false }));
    const joined = { ...cycle(7, []), trigger: 'cite', cited: [] };
    expect(find('a', open)?.return).toMatchObject({ judged: 0, roi: null });
    expect(find('a', mergeUsage([...open, joined]))?.return).toMatchObject({ judged: 1 });
    const elsewhere = range(60).map((number) =>
      cycle(number, [shown(number > 50 ? 'a' : 'b')], { cited: [cited('a')] }),
    );
    expect(find('a', elsewhere)?.return).toMatchObject({ judged: 10, citations: 10 });
  });

  it('knows the entries that were cited, the newest first', () => {
    const records = ['x', 'y', 'x'].map((entry, at) =>
      cycle(at + 1, [shown('a')], { cited: [{ ...cited('a'), entry }] }),
    );
    expect(find('a', records)?.citedEntries).toEqual(['x', 'y']);
  });

  it('does not count what was left out as loaded', () => {
    const left = shown('a', 0, { disclosure: 'omitted' });
    const records = range(12).map((number) => cycle(number, number < 12 ? [left] : [left, shown('b')]));
    expect(find('a', records)).toBeUndefined();
    expect(find('b', records)?.loaded).toBe(1);
  });

  it('counts what stands around the sections into the whole', () => {
    const { window } = usageHistory([cycle(1, [shown('a')], { overheadTokens: 12, overheadChars: 48 })], 50);
    expect(window.cycles).toEqual([{ cycle: 1, chars: 1048, tokens: 262 }]);
  });

  describe('a section that is renamed', () => {
    const hash = { hash: 'abc' };
    const before = range(10).map((number) =>
      cycle(number, [shown('soul', 1000, hash), shown('x')], { cited: [cited('soul')] }),
    );

    it('keeps its history under the new id, and is told once', () => {
      const records = [...before, ...[11, 12].map((n) => cycle(n, [shown('spirit', 1000, hash), shown('x')]))];
      const { window, facts } = usageHistory(records, 50);
      expect(window.sections.map(({ id }) => id)).toEqual(['spirit', 'x']);
      expect(find('spirit', records)).toMatchObject({ loaded: 12, citations: 10, lastCitedCycle: 10 });
      expect(english(facts)).toEqual(['the section soul became spirit in cycle 11: same content']);
    });

    it('is still meant by its old id when somebody cites that', () => {
      const records = [...before, cycle(11, [shown('spirit', 1000, hash)], { cited: [cited('soul')] })];
      expect(find('spirit', records)?.citations).toBe(11);
    });

    it('is recognised by what the same kind of payload had of it', () => {
      const row = cycle(11, [shown('soul', 40, { hash: 'row' }), shown('x')], { payload: 'index' });
      const records = [...before, row, cycle(12, [shown('spirit', 1000, hash), shown('x')])];
      expect(find('spirit', records)?.citations).toBe(10);
    });

    it.each([
      ['its content is another', [shown('spirit', 1000, { hash: 'def' })]],
      ['the old one is still there', [shown('soul', 1000, hash), shown('spirit', 1000, hash)]],
      ['two come with its content', [shown('spirit', 1000, hash), shown('ghost', 1000, hash)]],
      ['it is only a stub', [shown('spirit', 30, { ...hash, disclosure: 'stub' })]],
    ])('is another section when %s', (_why, sections) => {
      const records = [...before, cycle(11, [...sections, shown('x')])];
      expect(usageHistory(records, 50).facts).toEqual([]);
      expect(find('spirit', records)?.citations ?? 0).toBe(0);
      expect(find('soul', records)?.citations).toBe(10);
    });

    it('may get its name back', () => {
      const there = cycle(11, [shown('spirit', 1000, hash), shown('x')]);
      const back = cycle(12, [shown('soul', 1000, { hash: 'new' }), shown('x')], { cited: [cited('soul')] });
      const records = [...before, there, back];
      expect(find('spirit', records)?.citations).toBe(10);
      expect(find('soul', records)?.citations).toBe(1);
    });
  });

  it('keeps an id that vanished', () => {
    const records = range(12).map((number) => cycle(number, number < 6 ? [shown('a'), shown('b')] : [shown('b')]));
    expect(find('a', records)).toMatchObject({ loaded: 5 });
  });

  it('does not take the time of a transcript’s turn for the clock', () => {
    const read = { ts: '2026-02-03 09:00:00', origin: 'codex:s:0' };
    const records = [cycle(1, [shown('a')], { ts: '2026-02-03 10:00:00' }), cycle(2, [shown('a')], read)];
    expect(usageHistory(records, 50).facts).toEqual([]);
  });

  it('orders by cycle when the clock goes back, and says so once', () => {
    const times = ['10:00:00', '11:00:00', '10:30:00', '10:10:00', '12:00:00'];
    const records = times.map((time, at) => cycle(at + 1, [shown('a', at + 1)], { ts: `2026-02-03 ${time}` }));
    const { window, facts } = usageHistory(records, 50);
    expect(window.cycles.map((total) => total.chars)).toEqual([1, 2, 3, 4, 5]);
    expect(english(facts)).toEqual([
      'the clock went back by 1,800 s at cycle 3, and 1 more time since; cycles keep the order in which they were recorded',
    ]);
  });

  it('counts how often the clock went back after the first time', () => {
    const times = ['10:00:00', '09:00:00', '08:00:00', '07:00:00'];
    const records = times.map((time, at) => cycle(at + 1, [shown('a')], { ts: `2026-02-03 ${time}` }));
    expect(english(usageHistory(records, 50).facts)).toEqual([
      expect.stringMatching(/^the clock went back by 3,600 s at cycle 2, and 2 more times since; /),
    ]);
  });

  it('never cites a section in more cycles than there are, and adds up', () => {
    const ids = ['a', 'b', 'c', 'd'];
    const record = fc.record({
      sections: fc.subarray(ids).map((loaded) => loaded.map((id) => shown(id, 10, { hash: `${id}${loaded.length}` }))),
      cited: fc.array(fc.tuple(fc.constantFrom(...ids), fc.constantFrom('x', 'y')), { maxLength: 6 }),
    });
    fc.assert(
      fc.property(fc.array(record, { maxLength: 40 }), fc.integer({ min: 1, max: 30 }), (made, size) => {
        const lines = made.map(({ sections, cited: found }, at) =>
          cycle(at + 1, sections, { cited: found.map(([id, what]) => cited(id, what)) }),
        );
        const records = mergeUsage(lines);
        const { window } = usageHistory(records, size);
        const newest = records.slice(-size);
        expect(window.cycles).toHaveLength(Math.min(size, made.length));
        const sum = (pick: (section: (typeof window.sections)[number]) => number) =>
          window.sections.reduce((total, section) => total + pick(section), 0);
        expect(sum(({ citations }) => citations)).toBe(newest.flatMap((one) => one.cited).length);
        expect(sum(({ loaded }) => loaded)).toBe(newest.flatMap((one) => one.sections).length);
        for (const { citedCycles, cyclesSinceCited } of window.sections) {
          expect(citedCycles).toBeLessThanOrEqual(window.cycles.length);
          expect((cyclesSinceCited === undefined) === (citedCycles === 0)).toBe(true);
        }
      }),
    );
  });
});

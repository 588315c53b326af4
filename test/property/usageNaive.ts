/** The report in the plainest way: all records in memory, one question after another. What the streaming one must equal. */

import type { Priority } from '../../src/core/model/section';
import type { SectionRoi } from '../../src/core/model/usage';
import type { SectionReturn, UsageReport } from '../../src/core/usage/report/usageReport';
import { roiOf, sectionRoi } from '../../src/core/usage/roi';
import { decodeUsage } from '../../src/core/usage/usageCodec';
import type { UsageRecord } from '../../src/core/usage/usageRecord';

type Comparable = Pick<UsageReport, 'cycles' | 'firstCycle' | 'lastCycle' | 'sections' | 'phases' | 'history'> & {
  readonly counts: Readonly<Record<string, number>>;
};

const MODES = ['baseline', 'static', 'dynamic', 'off'] as const;
const REMEMBERED = 1024;
const TRILLION = 1e12;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number | null => (values.length === 0 ? null : sum(values) / values.length);

function isTooLarge(record: UsageRecord): boolean {
  const { sections, overheadTokens = 0, overheadChars = 0, responseMs = 0, observabilityScore = 0 } = record;
  return [
    overheadTokens,
    overheadChars,
    responseMs,
    observabilityScore,
    ...sections.flatMap((s) => [s.chars, s.tokens]),
  ].some((amount) => amount > TRILLION);
}

interface Cited {
  readonly cycle: number;
  readonly id: string;
}

/** Distinct citations, as long as the cycle is remembered. */
function citationsOf(records: readonly UsageRecord[]): readonly Cited[] {
  const remembered = new Map<number, { cycle: number; keys: Set<string> }>();
  return records.flatMap(({ cycle, cited }) => {
    let slot = remembered.get(cycle % REMEMBERED);
    if (slot?.cycle !== cycle) {
      slot = { cycle, keys: new Set() };
      remembered.set(cycle % REMEMBERED, slot);
    }
    const { keys } = slot;
    return cited.flatMap(({ id, evidence, what }) => {
      const key = JSON.stringify([id, evidence, what]);
      if (keys.has(key)) return [];
      keys.add(key);
      return [{ cycle, id }];
    });
  });
}

/** First and last cycle of each column of a trend, and the width of a stretch. */
function columnsOf(records: readonly UsageRecord[], bases: ReadonlySet<number>) {
  const cycles = [...new Set(records.map(({ cycle }) => cycle))];
  let width = 1;
  const keysAt = (w: number): number[] => [...new Set(cycles.map((cycle) => Math.floor((cycle - 1) / w)))];
  while (keysAt(width).length > 20) width *= 2;
  const columns: { keys: number[]; cycles: number }[] = [];
  for (const key of keysAt(width).sort((a, b) => a - b)) {
    const count = [...bases].filter((cycle) => Math.floor((cycle - 1) / width) === key).length;
    const last = columns.at(-1);
    if (last && (last.cycles < width / 2 || count < width / 2)) {
      last.keys.push(key);
      last.cycles += count;
    } else columns.push({ keys: [key], cycles: count });
  }
  return { width, columns };
}

function adviceOf(priority: Priority | undefined, { roi, isUncertain }: SectionRoi): SectionReturn['advice'] {
  if (priority === 'P0' || priority === 'P1') return 'followed';
  return roi === null ? 'noData' : isUncertain ? 'uncertain' : 'given';
}

/** Every line without its `\n`. */
export function naiveReport(lines: readonly string[]): Comparable {
  const decoded = lines.map((line) => decodeUsage(line));
  const records = decoded.flatMap((each) => (each.kind === 'ok' && !isTooLarge(each.record) ? [each.record] : []));
  const blank = lines.filter((line) => line.trim() === '').length;
  const baseOf = new Map<number, UsageRecord>();
  let repeated = 0;
  for (const record of records) {
    if (record.sections.length === 0) continue;
    if (baseOf.has(record.cycle)) repeated++;
    else baseOf.set(record.cycle, record);
  }
  const bases = [...baseOf.values()];
  const citations = citationsOf(records);
  // Any line that does not say otherwise joins its cycle.
  const isJudged = (cycle: number): boolean => records.some((each) => each.cycle === cycle && each.judged !== false);
  const judged = bases
    .filter(({ cycle }) => isJudged(cycle))
    .sort((a, b) => a.cycle - b.cycle)
    .slice(-720);
  const measureOf = (cycle: number, of: (record: UsageRecord) => number | undefined): number | undefined =>
    records.filter((each) => each.cycle === cycle && of(each) !== undefined).map(of)[0];
  const { width, columns } = columnsOf(records, new Set(baseOf.keys()));
  const inColumn = (cycle: number, keys: readonly number[]): boolean => keys.includes(Math.floor((cycle - 1) / width));
  const shown = (record: UsageRecord) => record.sections.filter(({ disclosure }) => disclosure !== 'omitted');
  const charsOf = (record: UsageRecord): number =>
    sum(shown(record).map(({ chars }) => Math.round(chars))) + Math.round(record.overheadChars ?? 0);
  const tokensOf = (record: UsageRecord): number =>
    sum(shown(record).map(({ tokens }) => Math.round(tokens))) + Math.round(record.overheadTokens ?? 0);
  const ids = [
    ...new Set([...bases.flatMap((base) => shown(base).map(({ id }) => id)), ...citations.map(({ id }) => id)]),
  ];
  const own = ids.map((id) => {
    const loading = bases.filter((base) => shown(base).some((section) => section.id === id));
    const charsIn = (some: readonly UsageRecord[]): number =>
      sum(
        some.flatMap((base) =>
          shown(base)
            .filter((section) => section.id === id)
            .map(({ chars }) => Math.round(chars)),
        ),
      );
    const tokensIn = loading.flatMap((base) => shown(base).filter((section) => section.id === id));
    const cited = citations.filter((citation) => citation.id === id);
    const charsMean = loading.length === 0 ? 0 : charsIn(loading) / loading.length;
    const judgedLoading = judged.filter((base) => loading.includes(base));
    const numbers = new Set(judgedLoading.map(({ cycle }) => cycle));
    const figures = sectionRoi({
      cycles: judgedLoading.length,
      citations: cited.filter(({ cycle }) => numbers.has(cycle)).length,
      chars: charsIn(judgedLoading),
    });
    const newest = loading.toSorted((a, b) => a.cycle - b.cycle).at(-1);
    const priority = newest && shown(newest).find((section) => section.id === id)?.priority;
    return {
      id,
      loaded: loading.length,
      cited: cited.length,
      charsMean,
      tokensMean:
        mean(loading.length === 0 ? [] : [sum(tokensIn.map(({ tokens }) => Math.round(tokens))) / loading.length]) ?? 0,
      judged: figures.judged,
      judgedCitations: figures.citations,
      roi: figures.roi,
      roiInterval: figures.interval,
      roiClass: figures.roiClass,
      advice: adviceOf(priority, figures),
      lastCitedCycle: cited.length === 0 ? null : Math.max(...cited.map(({ cycle }) => cycle)),
      trend: columns.map(({ keys }) => {
        const there = loading.filter(({ cycle }) => inColumn(cycle, keys));
        const count = cited.filter(({ cycle }) => inColumn(cycle, keys)).length;
        return roiOf({ cycles: there.length, citations: count, chars: charsIn(there) });
      }),
    };
  });
  own.sort((a, b) => b.charsMean - a.charsMean || (a.id < b.id ? -1 : 1));
  const total = sum(own.map(({ charsMean }) => charsMean));
  const sections = own.map((section) => ({ ...section, share: total === 0 ? 0 : section.charsMean / total }));
  const phases = MODES.flatMap((mode) => {
    const some = bases.filter((base) => (base.mode ?? 'baseline') === mode);
    const logged = (values: readonly (number | undefined)[], unit: number): number | null => {
      const there = values.flatMap((value) => (value === undefined ? [] : [Math.round(value * unit)]));
      return there.length === 0 ? null : sum(there) / there.length / unit;
    };
    return some.length === 0
      ? []
      : [
          {
            mode,
            cycles: some.length,
            charsMean: mean(some.map(charsOf)) ?? 0,
            tokensMean: mean(some.map(tokensOf)) ?? 0,
            observabilityMean: logged(
              some.map(({ cycle }) => measureOf(cycle, ({ observabilityScore }) => observabilityScore)),
              1e6,
            ),
            responseMsMean: logged(
              some.map(({ cycle }) => measureOf(cycle, ({ responseMs }) => responseMs)),
              1e3,
            ),
          },
        ];
  });
  const history = columns.flatMap(({ keys, cycles }) => {
    const some = bases.filter(({ cycle }) => inColumn(cycle, keys));
    return some.length === 0
      ? []
      : [{ cycles, charsMean: sum(some.map(charsOf)) / cycles, tokensMean: sum(some.map(tokensOf)) / cycles }];
  });
  const written = records.filter(({ origin }) => origin === undefined);
  const backwards = written.filter((record, at) => at > 0 && record.ts < (written[at - 1]?.ts ?? '')).length;
  const orphaned = new Set(records.map(({ cycle }) => cycle).filter((cycle) => !baseOf.has(cycle))).size;
  const numbers = bases.map(({ cycle }) => cycle);
  return {
    cycles: bases.length,
    firstCycle: numbers.length === 0 ? undefined : Math.min(...numbers),
    lastCycle: numbers.length === 0 ? undefined : Math.max(...numbers),
    sections,
    phases,
    history: history as never,
    counts: { unreadable: lines.length - records.length - blank, repeated, clock: backwards, orphaned },
  };
}

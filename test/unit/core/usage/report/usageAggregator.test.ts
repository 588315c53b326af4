import { describe, expect, it } from 'vitest';
import { inEnglish, phrase } from '../../../../../src/core/text/phrase';
import { UsageAggregator } from '../../../../../src/core/usage/report/usageAggregator';
import type { LogFinding, UsageReport } from '../../../../../src/core/usage/report/usageReport';
import { encodeUsage } from '../../../../../src/core/usage/usageCodec';
import type { UsageDraft, UsedSection } from '../../../../../src/core/usage/usageRecord';
import { STUDY_CYCLES, studyDraft, studyLog } from '../../../../support/studyLog';

function reportOf(text: string | Uint8Array): UsageReport {
  const aggregator = new UsageAggregator();
  aggregator.add(typeof text === 'string' ? new TextEncoder().encode(text) : text);
  return aggregator.finish();
}

const SOUL: UsedSection = { id: 'soul', chars: 1000, tokens: 250, disclosure: 'full' };

function draft(over: Partial<UsageDraft> = {}): UsageDraft {
  return { ts: '2026-02-03 10:00:00', trigger: 'copy', profile: 'default', sections: [SOUL], cited: [], ...over };
}

/** Cycles `from` to `to`, each with the draft of its number. */
function log(from: number, to: number, of: (cycle: number) => Partial<UsageDraft> = () => ({})): string {
  const cycles = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  return cycles.map((cycle) => encodeUsage(cycle, draft(of(cycle)))).join('');
}

function finding(report: UsageReport, kind: LogFinding['kind']): LogFinding | undefined {
  return report.findings.find((each) => each.kind === kind);
}

describe('the numbers of the study', () => {
  const report = reportOf(studyLog());

  it('classes a log of 720 cycles as the study does: sizes, shares and citations', () => {
    const [waste, low, med] = report.classes;
    expect(report.classes).toHaveLength(3);
    expect(waste).toMatchObject({ roiClass: 'WASTE', sections: 3, chars: 6_200, citations: 1 });
    expect(waste!.share).toBeCloseTo(0.2, 2);
    expect(low).toMatchObject({ roiClass: 'LOW', sections: 3, chars: 15_504, citations: 12 });
    expect(low!.share).toBeCloseTo(0.5, 2);
    expect(med).toMatchObject({ roiClass: 'MED+', sections: 3, chars: 9_296, citations: 92 });
    expect(med!.share).toBeCloseTo(0.3, 2);
  });

  it('gives 0.77 for 12 citations over 15,504 characters, which is LOW', () => {
    expect(report.classes[1]!.roi!.toFixed(2)).toBe('0.77');
    expect(report.sections.filter(({ roiClass }) => roiClass === 'LOW').map(({ id }) => id)).toEqual([
      'AGENTS.md',
      'memory',
      'soul',
    ]);
  });

  it('counts the whole log: cycles, mean sizes, shares that add up, the last citation', () => {
    expect(report).toMatchObject({ cycles: STUDY_CYCLES, firstCycle: 1, lastCycle: STUDY_CYCLES, findings: [] });
    expect(report.phases).toMatchObject([{ mode: 'baseline', cycles: STUDY_CYCLES, charsMean: 31_000 }]);
    expect(report.sections.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 10);
    const heartbeat = report.sections.find(({ id }) => id === 'heartbeat');
    expect(heartbeat).toMatchObject({ loaded: 720, cited: 0, charsMean: 2_480, roi: 0, lastCitedCycle: null });
    const map = report.sections.find(({ id }) => id === 'repo-map');
    expect(map).toMatchObject({ cited: 42, lastCitedCycle: Math.floor((41.5 * 720) / 42) + 1 });
  });

  it('cuts the log into at most 20 stretches of which none is nearly empty', () => {
    expect(report.history.map(({ cycles }) => cycles)).toEqual([64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 80]);
    expect(report.history.at(0)).toMatchObject({ firstCycle: 1, lastCycle: 64, charsMean: 31_000 });
    expect(report.history.at(-1)).toMatchObject({ firstCycle: 641, lastCycle: 720 });
    for (const { trend } of report.sections) expect(trend).toHaveLength(report.history.length);
  });

  it('does not take a shorter last stretch for a decline', () => {
    // 42 citations evenly over the log are 3.7 in 64 cycles; each stretch counts as if it had 720.
    const { trend } = report.sections.find(({ id }) => id === 'repo-map')!;
    expect(Math.min(...trend.map(Number))).toBeGreaterThan(6);
    expect(Math.max(...trend.map(Number))).toBeLessThan(10);
  });
});

describe('what a cycle is', () => {
  it('says nothing about the return below 50 judged cycles and five citations', () => {
    const cited = [{ id: 'soul', evidence: 'id', what: 'soul' } as const];
    expect(reportOf(log(1, 4, () => ({ cited }))).sections[0]).toMatchObject({
      cited: 4,
      judged: 4,
      roi: null,
      roiInterval: null,
      roiClass: 'no data',
    });
    expect(reportOf(log(1, 49)).classes.map(({ roiClass }) => roiClass)).toEqual(['WASTE', 'LOW', 'MED+', 'no data']);
    expect(reportOf(log(1, 10, () => ({ cited }))).sections[0]).toMatchObject({ roi: 720, roiClass: 'MED+' });
  });

  it('says nothing about the return of a section that few cycles loaded, however long the log is', () => {
    const sections = [SOUL, { ...SOUL, id: 'late' }];
    const report = reportOf(log(1, 90, (cycle) => (cycle > 41 ? { sections } : {})));
    const late = report.sections.find(({ id }) => id === 'late');
    expect(late).toMatchObject({ loaded: 49, roi: null, roiClass: 'no data', advice: 'noData' });
    expect(report.sections.find(({ id }) => id === 'soul')).toMatchObject({ roi: 0, roiClass: 'WASTE' });
  });

  it('makes returns of the newest 720 judged cycles: those that a reply joined, in whatever line', () => {
    const cited = [{ id: 'soul', evidence: 'id', what: 'soul' } as const];
    const open = log(1, 60, () => ({ judged: false }));
    expect(reportOf(open).sections[0]).toMatchObject({ loaded: 60, judged: 0, roi: null });
    const joins = log(1, 60, (cycle) => ({ trigger: 'cite', sections: [], cited: cycle % 10 === 0 ? cited : [] }));
    for (const text of [open + joins, joins + open])
      expect(reportOf(text).sections[0]).toMatchObject({ cited: 6, judged: 60, judgedCitations: 6 });
    const long = reportOf(log(1, 100, () => ({ cited })) + log(101, 820));
    expect(long.sections[0]).toMatchObject({ loaded: 820, cited: 100, judged: 720, judgedCitations: 0, roi: 0 });
  });

  it('gives no advice on what is followed, and none while the interval reaches over both borders', () => {
    const sections = [
      { ...SOUL, id: 'agents-md', priority: 'P0' as const },
      { ...SOUL, id: 'small', chars: 200 },
      { ...SOUL, id: 'large', chars: 9000 },
    ];
    const report = reportOf(log(1, 120, () => ({ sections })));
    expect(report.sections.map(({ id, advice, roiClass }) => [id, advice, roiClass])).toEqual([
      ['large', 'given', 'WASTE'],
      ['agents-md', 'followed', 'WASTE'],
      ['small', 'uncertain', 'WASTE'],
    ]);
    expect(report.classes[0]).toMatchObject({ sections: 3, advised: 1 });
  });

  it('adds citations of later lines to their cycle, each distinct one once', () => {
    const path = { id: 'soul', evidence: 'path', what: 'soul.md' } as const;
    const text =
      log(1, 12, (cycle) => (cycle === 3 ? { cited: [path] } : {})) +
      encodeUsage(3, draft({ sections: [], cited: [path, { ...path, what: 'other.md' }] }));
    const report = reportOf(text);
    expect(report).toMatchObject({ cycles: 12, findings: [] });
    expect(report.sections[0]).toMatchObject({ cited: 2, lastCitedCycle: 3, loaded: 12 });
  });

  it('does not take the own times of transcripts for a clock that went back', () => {
    const turn = { ts: '2020-01-01 00:00:00', origin: 'claude-code:s1:u1' };
    expect(finding(reportOf(log(1, 4, (cycle) => (cycle === 3 ? turn : {}))), 'clock')).toBeUndefined();
    const spelled = log(1, 4, (cycle) => (cycle === 3 ? { ...turn, trigger: 'a "quoted" one' } : {}));
    expect(finding(reportOf(spelled.replaceAll('{"schema_version"', '{ "schema_version"')), 'clock')).toBeUndefined();
    const without = log(1, 4, (cycle) => (cycle === 3 ? { ts: turn.ts } : {}));
    expect(finding(reportOf(without), 'clock')).toMatchObject({ count: 1, line: 3 });
  });

  it('keeps the first sections of a cycle that is told twice, counts the citations of both, and says so', () => {
    const cited = [{ id: 'soul', evidence: 'id', what: 'soul' } as const];
    const report = reportOf(log(1, 10) + encodeUsage(4, draft({ sections: [{ ...SOUL, chars: 9_000 }], cited })));
    expect(report.sections[0]).toMatchObject({ loaded: 10, charsMean: 1000, cited: 1 });
    expect(finding(report, 'repeated')).toMatchObject({ count: 1, line: 11 });
    expect(inEnglish(finding(report, 'repeated')!.words)).toMatch(/^1 line repeats /);
    const twice = reportOf(log(1, 10) + encodeUsage(4, draft({})) + encodeUsage(5, draft({})));
    expect(inEnglish(finding(twice, 'repeated')!.words)).toMatch(/^2 lines repeat /);
  });

  it('counts citations of a cycle whose sections are not there, but not the cycle', () => {
    const cited = [{ id: 'soul', evidence: 'id', what: 'soul' } as const];
    const report = reportOf(log(5, 14) + encodeUsage(2, draft({ sections: [], cited })));
    expect(report).toMatchObject({ cycles: 10, firstCycle: 5 });
    expect(report.sections[0]!.cited).toBe(1);
    expect(finding(report, 'orphaned')).toMatchObject({ count: 1 });
  });

  it('takes an omitted section for not loaded, and one that is there twice for loaded once', () => {
    const sections = [SOUL, SOUL, { ...SOUL, id: 'git', disclosure: 'omitted' } as const];
    const report = reportOf(log(1, 10, () => ({ sections })));
    expect(report.sections).toMatchObject([{ id: 'soul', loaded: 10, charsMean: 2000, tokensMean: 2 * SOUL.tokens }]);
  });
});

describe('what is wrong with a log', () => {
  it('leaves out lines that are no records, and names the first of them', () => {
    const bad = ['{"schema_version":"usage.v1","cycle":', '[]', '{"schema_version":"usage.v2","cycle":1}'];
    const wrong = encodeUsage(11, draft()).replace('"chars":1000', '"chars":"many"');
    const report = reportOf(`${log(1, 10)}${bad.join('\n')}\n\n${wrong}${log(12, 12)}`);
    expect(report.cycles).toBe(11);
    expect(report.findings.map(({ kind, line }) => [kind, line])).toEqual([
      ['unreadable', 11],
      ['unreadable', 12],
      ['unreadable', 13],
      ['unreadable', 15],
    ]);
    expect(inEnglish(report.findings.at(-1)!.words)).toBe(
      'Line 15 is skipped: sections[0].chars must be a number of at least 0',
    );
  });

  it('counts bad lines beyond the fifth instead of naming them', () => {
    const report = reportOf('x\n'.repeat(8));
    expect(report.findings).toHaveLength(6);
    expect(report.findings.at(-1)).toMatchObject({
      count: 3,
      words: phrase('{0} more lines are not usage records and are skipped', 3),
    });
  });

  it('reads no further where nearly all is something else, and says so', () => {
    const aggregator = new UsageAggregator(7);
    const add = (text: string) => aggregator.add(new TextEncoder().encode(text));
    add(`${log(1, 2)}${'x\n'.repeat(5)}`);
    expect(aggregator.isFull).toBe(false);
    add(`${'x\n'.repeat(100)}${log(3, 4)}`);
    expect(aggregator.isFull).toBe(true);
    add(log(5, 6));
    const report = aggregator.finish();
    expect(report.cycles).toBe(2);
    expect(report.findings.at(-1)).toMatchObject({
      count: 2,
      words: phrase('{0} more lines are not usage records, and the rest was not read', 2),
    });
  });

  it('tells of a clock that went back, by how much and where', () => {
    const times = ['2026-03-01 00:00:10', '2026-02-28 23:59:50', '2026-03-01 00:00:00'];
    const report = reportOf(times.map((ts, at) => encodeUsage(at + 1, draft({ ts }))).join(''));
    expect(finding(report, 'clock')).toMatchObject({ count: 1, line: 2 });
    expect(inEnglish(finding(report, 'clock')!.words)).toContain('by 20 s at line 2');
  });

  it('gives a renamed section the past of its old name, and says so', () => {
    const hash = '0011223344556677';
    const report = reportOf(
      log(1, 20, (cycle) => ({
        sections: [{ ...SOUL, id: cycle < 8 ? 'soul' : 'spirit', hash }],
        cited: cycle === 2 ? [{ id: 'soul', evidence: 'id', what: 'soul' }] : [],
      })),
    );
    expect(report.sections).toMatchObject([{ id: 'spirit', loaded: 20, cited: 1, lastCitedCycle: 2 }]);
    expect(report.findings.map(({ kind, words }) => [kind, inEnglish(words)])).toEqual([
      ['renamed', 'soul became spirit in cycle 8: same content'],
    ]);
  });

  it('guesses no rename from a stub, nor where two could be meant', () => {
    const hash = '0011223344556677';
    const stub = { ...SOUL, disclosure: 'stub', hash } as const;
    const stubs = reportOf(log(1, 20, (cycle) => ({ sections: [{ ...stub, id: cycle < 8 ? 'soul' : 'spirit' }] })));
    expect(stubs.sections.map(({ id }) => id)).toEqual(['spirit', 'soul'].sort());
    const twins = reportOf(
      log(1, 20, (cycle) => ({
        sections: cycle < 8 ? [{ ...SOUL, hash }] : ['a', 'b'].map((id) => ({ ...SOUL, id, hash })),
      })),
    );
    expect(finding(twins, 'renamed')).toBeUndefined();
    expect(finding(twins, 'vanished')).toMatchObject({
      words: phrase('{0} was last loaded in cycle {1}; earlier cycles still count', 'soul', 7),
    });
  });

  it('names a section that is gone since the first cycle', () => {
    const git = { ...SOUL, id: 'git' };
    const report = reportOf(log(1, 30, (cycle) => ({ sections: cycle === 1 ? [SOUL, git] : [SOUL] })));
    expect(finding(report, 'vanished')).toMatchObject({
      words: phrase('{0} was last loaded in cycle {1}; earlier cycles still count', 'git', 1),
    });
  });

  it('names sections that are gone and those that are cited without being there', () => {
    const git = { ...SOUL, id: 'git' };
    const report = reportOf(
      log(1, 30, (cycle) => ({
        sections: cycle <= 20 ? [SOUL, git] : [SOUL],
        cited: cycle === 1 ? [{ id: 'ghost', evidence: 'id', what: 'ghost' }] : [],
      })),
    );
    expect(inEnglish(finding(report, 'vanished')!.words)).toBe(
      'git was last loaded in cycle 20; earlier cycles still count',
    );
    expect(inEnglish(finding(report, 'unloaded')!.words)).toBe('ghost is cited, but no cycle loaded it');
    expect(report.sections.at(-1)).toMatchObject({ id: 'ghost', loaded: 0, cited: 1, roi: null });
  });

  it('reads a mark at the beginning, CRLF, and a whole last line without its end', () => {
    const text = `\ufeff${log(1, 11).replaceAll('\n', '\r\n')}`.trimEnd();
    expect(reportOf(text)).toMatchObject({ cycles: 11, findings: [] });
  });

  it('says that the last line is torn', () => {
    const report = reportOf(log(1, 11).slice(0, -20));
    expect(report.cycles).toBe(10);
    expect(report.findings).toMatchObject([{ kind: 'unreadable', line: 11 }]);
  });

  it('holds no line that is longer than any record', () => {
    const aggregator = new UsageAggregator();
    const piece = new Uint8Array(1 << 20).fill(0x20);
    for (let at = 0; at < 40; at++) aggregator.add(piece);
    aggregator.add(new TextEncoder().encode(`\n${log(1, 1)}`));
    const report = aggregator.finish();
    expect(report.cycles).toBe(1);
    expect(report.findings).toMatchObject([{ kind: 'unreadable', line: 1 }]);
  });

  it('is not led astray by a cycle number far away', () => {
    const report = reportOf(log(1, 40) + encodeUsage(9e15, draft()) + log(41, 60));
    expect(report.history.slice(0, -1).every(({ cycles }) => cycles >= 2)).toBe(true);
    expect(report.history.length).toBeGreaterThan(10);
  });

  it('says nothing of an empty log', () => {
    expect(reportOf('')).toEqual({
      cycles: 0,
      firstCycle: undefined,
      lastCycle: undefined,
      sections: [],
      classes: [
        { roiClass: 'WASTE', sections: 0, advised: 0, chars: 0, share: 0, citations: 0, roi: null },
        { roiClass: 'LOW', sections: 0, advised: 0, chars: 0, share: 0, citations: 0, roi: null },
        { roiClass: 'MED+', sections: 0, advised: 0, chars: 0, share: 0, citations: 0, roi: null },
      ],
      phases: [],
      targets: [],
      history: [],
      findings: [],
    });
  });
});

describe('phases and targets', () => {
  const dynamic = { ...SOUL, chars: 600, tokens: 200 };
  const text =
    log(1, 10, () => ({ responseMs: 3000, observabilityScore: 80 })) +
    log(11, 20, () => ({ mode: 'static', sections: [{ ...SOUL, chars: 900 }] })) +
    log(21, 30, () => ({
      mode: 'dynamic',
      sections: [dynamic],
      overheadTokens: 10,
      overheadChars: 40,
      responseMs: 3100.5,
    }));
  const report = reportOf(text);

  it('puts the modes side by side, with what was not logged left open', () => {
    expect(report.phases).toEqual([
      { mode: 'baseline', cycles: 10, charsMean: 1000, tokensMean: 250, observabilityMean: 80, responseMsMean: 3000 },
      { mode: 'static', cycles: 10, charsMean: 900, tokensMean: 250, observabilityMean: null, responseMsMean: null },
      { mode: 'dynamic', cycles: 10, charsMean: 640, tokensMean: 210, observabilityMean: null, responseMsMean: 3100.5 },
    ]);
  });

  it('measures the dynamic phase by the numbers of the study, and says whether it is better than the baseline', () => {
    expect(report.targets).toEqual([
      { metric: 'chars_mean', baseline: 1000, target: 650, actual: 640, met: true, better: true },
      { metric: 'tokens_mean', baseline: 250, target: 5000, actual: 210, met: true, better: true },
      { metric: 'observability_mean', baseline: 80, target: 3, actual: null, met: null, better: null },
      { metric: 'response_ms_mean', baseline: 3000, target: 150_000, actual: 3100.5, met: true, better: false },
    ]);
  });

  it('takes measures of the line that joins a cycle, in whatever order', () => {
    const uses = log(1, 3, () => ({ mode: 'static', judged: false }));
    const replies = log(1, 2, (cycle) => ({
      trigger: 'cite',
      sections: [],
      responseMs: 1000 * cycle,
      observabilityScore: 4,
    }));
    for (const text of [uses + replies, replies + uses])
      expect(reportOf(text).phases).toMatchObject([
        { mode: 'static', cycles: 3, observabilityMean: 4, responseMsMean: 1500 },
      ]);
  });

  it('measures the static phase where there is no dynamic one, and nothing without either', () => {
    const withStatic = reportOf(text.split('\n').slice(0, 20).join('\n'));
    expect(withStatic.targets[0]).toMatchObject({ actual: 900, met: false });
    expect(reportOf(studyLog()).targets[0]).toMatchObject({ baseline: 31_000, actual: null, met: null });
    expect(reportOf(encodeUsage(1, studyDraft(1, { mode: 'dynamic' }))).targets[0]).toMatchObject({
      target: null,
      met: null,
    });
  });
});

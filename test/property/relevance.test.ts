import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../src/core/config/config';
import type { ScoringConfig, ScoringMode } from '../../src/core/model/relevance';
import type { ContextReport, ReportRequest } from '../../src/core/model/report';
import type { PayloadMode } from '../../src/core/model/section';
import type { UsageWindow } from '../../src/core/model/usage';
import { buildReport } from '../../src/core/pipeline/report/buildReport';
import { citationFactor, recencyFactor } from '../../src/core/pipeline/score/factors';
import { PAYLOAD_FORMATS, renderPayload } from '../../src/core/render/renderPayload';
import { runs } from '../support/runs';
import { history, usageWindow } from '../support/usageBuilder';
import {
  capsArbitrary,
  FAKE_TOKENIZER,
  fakeMap,
  IDS,
  mapArbitrary,
  requestOf,
  sectionsArbitrary,
} from './payloadArbitraries';

const PAYLOADS: readonly PayloadMode[] = ['index', 'expanded'];
const RUNS = runs(15, 300);

/** Which cycles of a window cited each section, whatever its id. */
const usageArbitrary = fc
  .tuple(
    fc.constantFrom(0, 5, 9, 10, 30, 50),
    fc.array(fc.array(fc.nat(49), { maxLength: 12 }), { minLength: IDS.length, maxLength: IDS.length }),
  )
  .map(
    ([cycles, cited]): UsageWindow =>
      usageWindow(
        cycles,
        cycles === 0
          ? []
          : IDS.map((id, at) =>
              history(
                id,
                cycles,
                (cited[at] ?? []).filter((each) => each < cycles),
              ),
            ),
      ),
  );

const share = fc.integer({ min: 0, max: 20 }).map((each) => each / 20);

const scoringArbitrary = fc.record({
  threshold: share,
  weights: fc.record({ citation: share, trigger: share, recency: share, size: share }),
  staticRules: fc.record({
    onDemand: fc.subarray(['P1', 'P2', 'P3', 'P4'] as const),
    keepRecent: fc.integer({ min: 1, max: 6 }),
    conversations: fc.integer({ min: 1, max: 6 }),
  }),
});

const saidArbitrary = fc.constantFrom(
  undefined,
  '',
  'soul',
  'fix the memory of ports',
  '修复 git',
  'step 3 你好，世界',
);

const input = fc.record({
  sections: sectionsArbitrary,
  caps: capsArbitrary,
  map: mapArbitrary,
  usage: usageArbitrary,
  scoring: scoringArbitrary,
  query: saidArbitrary,
});

type Drawn = typeof input extends fc.Arbitrary<infer T> ? T : never;
type Input = Omit<Drawn, 'scoring'> & { readonly scoring: Partial<ScoringConfig> };

function requestIn(each: Input, mode: ScoringMode | undefined, usage = each.usage): ReportRequest {
  const scoring: ScoringConfig = { ...DEFAULT_CONFIG.scoring, ...each.scoring, mode: mode ?? 'off' };
  return {
    ...requestOf(each.sections, each.caps),
    ...(mode ? { scoring } : {}),
    usage,
    ...(each.query === undefined ? {} : { query: each.query }),
  };
}

function build(each: Input, mode: ScoringMode | undefined, usage = each.usage): ContextReport {
  return buildReport(requestIn(each, mode, usage), fakeMap(each.map.files, each.map.signature), FAKE_TOKENIZER);
}

describe('scoring', () => {
  it('off is the pipeline without scoring, byte for byte, in every format', () => {
    fc.assert(
      fc.property(input, (each) => {
        const [off, unscored] = [build(each, 'off'), build(each, undefined)];
        expect(off).toEqual(unscored);
        for (const mode of PAYLOADS)
          for (const format of PAYLOAD_FORMATS)
            expect(renderPayload(off, mode, format)).toBe(renderPayload(unscored, mode, format));
        const fresh = build({ ...each, usage: usageWindow(0, []) }, undefined);
        for (const mode of PAYLOADS) expect(off.payloads[mode].text).toBe(fresh.payloads[mode].text);
      }),
      RUNS,
    );
  });

  it('baseline changes no byte of a payload, no reason and no cut', () => {
    fc.assert(
      fc.property(input, (each) => {
        const [off, baseline] = [build(each, 'off'), build(each, 'baseline')];
        for (const mode of PAYLOADS) {
          expect(baseline.payloads[mode].text).toBe(off.payloads[mode].text);
          expect(baseline.payloads[mode].cuts).toEqual(off.payloads[mode].cuts);
          expect(baseline.payloads[mode].sections.map(({ reason, explanation }) => [reason, explanation])).toEqual(
            off.payloads[mode].sections.map(({ reason, explanation }) => [reason, explanation]),
          );
        }
      }),
      RUNS,
    );
  });

  it('gives no section more than where the mode hides nothing: what a stub frees stays free', () => {
    const isEven = (each: Input, hiding: Partial<ScoringConfig>, mode: 'static' | 'dynamic'): void => {
      const of = (over: Partial<ScoringConfig>) => build({ ...each, scoring: { ...each.scoring, ...over } }, mode);
      const open = { threshold: 0, staticRules: { onDemand: [], keepRecent: 1000, conversations: 1000 } };
      const [before, after] = [of(open), of(hiding)];
      for (const payload of PAYLOADS) {
        const { sections } = before.payloads[payload];
        const whole = new Map(sections.map((section) => [section.id, section]));
        for (const { id, tokens, disclosure } of after.payloads[payload].sections) {
          const most = whole.get(id);
          // Where not even all floors fit, a stub makes room for another's one line.
          if (disclosure !== 'stub' && most?.disclosure !== 'omitted')
            expect(tokens).toBeLessThanOrEqual(most?.tokens ?? 0);
        }
      }
    };
    fc.assert(
      fc.property(input, (each) => {
        isEven(each, { threshold: 0.9 }, 'dynamic');
        isEven(each, { staticRules: { onDemand: ['P3', 'P4'], keepRecent: 2, conversations: 1 } }, 'static');
      }),
      RUNS,
    );
  });

  it('gives scores in 0…1 that are the same bits again, in whatever order sections come', () => {
    fc.assert(
      fc.property(input, fc.constantFrom('baseline', 'static', 'dynamic'), (each, mode) => {
        const first = build(each, mode);
        const again = build({ ...each, sections: [...each.sections].reverse() }, mode);
        expect(JSON.stringify(again.payloads)).toBe(JSON.stringify(first.payloads));
        for (const { score, relevance } of first.payloads.expanded.sections) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
          expect(relevance?.factors.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 9);
          for (const { value } of relevance?.factors ?? []) expect(value >= 0 && value <= 1).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it('never makes a stub of P0, a pinned section, an alarm, a section just cited, or one without history', () => {
    fc.assert(
      fc.property(input, (each) => {
        const strict = { ...each, scoring: { ...each.scoring, threshold: 1 } };
        const { sections, cuts } = build(strict, 'dynamic').payloads.expanded;
        for (const { id, priority, isPinned, status, relevance, usage } of sections) {
          const isRecent = usage?.cyclesSinceCited !== undefined && usage.cyclesSinceCited < 3;
          const isKept = relevance?.exemption !== undefined || each.usage.cycles.length < 10;
          if (priority === 'P0' || isPinned || status !== 'OK' || isRecent) expect(relevance?.exemption).toBeDefined();
          if (!isKept) continue;
          expect(relevance?.verdict).toBe('kept');
          const byScore = cuts.filter((cut) => cut.id === id && cut.reason.startsWith('score'));
          expect(byScore).toEqual([]);
        }
      }),
      RUNS,
    );
  });

  it('lets no section go that a further citation was added to', () => {
    fc.assert(
      fc.property(input, fc.constantFrom(...IDS), fc.nat(49), (each, id, cycle) => {
        const cycles = each.usage.cycles.length;
        if (cycles === 0) return;
        const more = usageWindow(
          cycles,
          each.usage.sections.map((usage) => {
            if (usage.id !== id) return usage;
            const citedAt = usage.citationsPerCycle.flatMap((count, at) => Array.from({ length: count }, () => at));
            return history(id, cycles, [...citedAt, cycle % cycles]);
          }),
        );
        const find = (usage: UsageWindow) =>
          build(each, 'dynamic', usage).payloads.expanded.sections.find((section) => section.id === id);
        const [before, after] = [find(each.usage), find(more)];
        expect(after?.score ?? 0).toBeGreaterThanOrEqual(before?.score ?? 0);
        if (before?.relevance?.verdict === 'kept') expect(after?.relevance?.verdict).toBe('kept');
      }),
      RUNS,
    );
  });

  it('a higher citation rate, or a later citation, never lowers a factor', () => {
    const count = fc.nat(60);
    fc.assert(
      fc.property(count, count, count, count, fc.boolean(), (othersCited, citedCycles, own, more, isEnough) => {
        const facts = { loaded: othersCited + own, othersCited, citedCycles };
        // One more citing cycle, among those that cited something anyway or not.
        for (const added of [0, more])
          expect(
            citationFactor({ ...facts, loaded: facts.loaded + added, citedCycles: citedCycles + more }),
          ).toBeGreaterThanOrEqual(citationFactor(facts));
        const at = (cyclesSinceCited: number | undefined) => recencyFactor(cyclesSinceCited, isEnough);
        expect(at(more)).toBeGreaterThanOrEqual(at(more + 1));
        expect(at(more)).toBeGreaterThanOrEqual(at(undefined));
      }),
      runs(50, 1000),
    );
  });

  it('keeps both caps in every mode, unless P0 and P1 alone exceed one', () => {
    fc.assert(
      fc.property(input, fc.constantFrom('baseline', 'static', 'dynamic'), (each, mode) => {
        for (const kind of PAYLOADS) {
          const { budget, sections, text } = build(each, mode).payloads[kind];
          expect(budget.tokens).toBe(FAKE_TOKENIZER.count(text));
          const isOver = budget.tokens > each.caps.budgetTokens || budget.chars > each.caps.hardCapChars;
          // Up to 200 tokens of alarms go with P0 and P1.
          if (isOver)
            for (const { priority, disclosure, status } of sections)
              expect(priority < 'P2' || disclosure === 'omitted' || status !== 'OK').toBe(true);
        }
      }),
      RUNS,
    );
  });

  it('makes no section larger than it would be unscored, but for what the budget gives back', () => {
    fc.assert(
      fc.property(input, fc.constantFrom('static', 'dynamic'), (each, mode) => {
        const roomy = { ...each, caps: { ...each.caps, budgetTokens: 1e6, hardCapChars: 1e7, maxPerSourceTokens: {} } };
        const [scored, unscored] = [build(roomy, mode).payloads.expanded, build(roomy, 'off').payloads.expanded];
        scored.sections.forEach((section, at) => {
          const off = unscored.sections[at];
          // An on-demand stub of the config also says when it was cited last.
          if (off?.disclosure === 'stub') return;
          expect(section.tokens).toBeLessThanOrEqual(off?.tokens ?? 0);
        });
      }),
      RUNS,
    );
  });
});

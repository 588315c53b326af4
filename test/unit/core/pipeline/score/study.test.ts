import { describe, expect, it } from 'vitest';
import type { CollectedSection } from '../../../../../src/core/model/section';
import { buildReport } from '../../../../../src/core/pipeline/report/buildReport';
import { roiClassOf, roiOf } from '../../../../../src/core/usage/roi';
import type { UsageRecord } from '../../../../../src/core/usage/usageRecord';
import { sharesOf, simulateStudy } from '../../../../bench/relevanceTable';
import {
  HELD_OUT_SEEDS,
  STUDY_CYCLES,
  STUDY_PATTERNS,
  STUDY_SECTIONS,
  type StudyPattern,
  type StudyUse,
  studyLog,
  TUNING_SEEDS,
} from '../../../../fixtures/usageStudy';
import { FAKE_TOKENIZER } from '../../../../property/payloadArbitraries';
import { IS_LONG } from '../../../../support/extent.mjs';
import { some } from '../../../../support/runs';
import { request, section } from '../../../../support/sectionBuilder';
import { history, scoring, usageWindow } from '../../../../support/usageBuilder';

const TOTAL = STUDY_SECTIONS.reduce((sum, { chars }) => sum + chars, 0);

function charsOf(use: StudyUse): number {
  return STUDY_SECTIONS.reduce((sum, each) => sum + (each.use === use ? each.chars : 0), 0);
}

/** Real texts of the study's sizes: sentences on lines of their own. */
const TEXTS: readonly CollectedSection[] = STUDY_SECTIONS.map(({ id, priority, chars }) => {
  const line = `What is known of ${id}, in a sentence of some length that an agent may need.\n`;
  return section(id, line.repeat(Math.ceil(chars / line.length)).slice(0, chars - 1), { priority });
});

/** The payload that would follow on `before`, scored by its newest 50 cycles, under caps that cut nothing. */
function payloadAfter(before: readonly UsageRecord[], mode: 'off' | 'dynamic') {
  const newest = before.slice(-50);
  const usage = usageWindow(
    newest.length,
    STUDY_SECTIONS.map(({ id, chars }) => {
      const citedAt = newest.flatMap(({ cited }, at) => cited.filter((each) => each.id === id).map(() => at));
      return history(id, newest.length, citedAt, chars);
    }),
  );
  const each = request(TEXTS, { budgetTokens: 100_000, hardCapChars: 1_000_000 });
  return buildReport({ ...each, scoring: scoring(mode), usage }, undefined, FAKE_TOKENIZER).payloads.expanded;
}

describe("the study's payload", () => {
  it('has its sizes, shares and classes', () => {
    expect(TOTAL).toBeGreaterThan(30_500);
    expect(TOTAL).toBeLessThan(31_500);
    expect(charsOf('rarely')).toBe(15_504);
    expect(charsOf('never') / TOTAL).toBeCloseTo(0.2, 2);
    const log = studyLog(HELD_OUT_SEEDS[0]!, 'steady');
    expect(log).toHaveLength(STUDY_CYCLES);
    const roi = (use: StudyUse) => {
      const ids = new Set(STUDY_SECTIONS.filter((each) => each.use === use).map(({ id }) => id));
      const citations = log.flatMap(({ cited }) => cited.filter(({ id }) => ids.has(id))).length;
      // The fixture cites in 50 cycles what the study counted in its 720.
      return roiOf({
        cycles: STUDY_CYCLES,
        citations: (citations * 50) / STUDY_CYCLES,
        chars: STUDY_CYCLES * charsOf(use),
      });
    };
    expect(roi('rarely')).toBeCloseTo(0.77, 1);
    expect((['never', 'rarely', 'often'] as const).map((use) => roiClassOf(roi(use)))).toEqual([
      'WASTE',
      'LOW',
      'MED+',
    ]);
    expect(TUNING_SEEDS.filter((seed) => HELD_OUT_SEEDS.includes(seed))).toEqual([]);
  });

  for (const pattern of STUDY_PATTERNS)
    it(`shrinks by 35 % and keeps 95 % of the citations of the cycles after: ${pattern}, seeds that nothing was tuned on`, () => {
      for (const seed of some(HELD_OUT_SEEDS, HELD_OUT_SEEDS.length / 2)) {
        const result = simulateStudy(seed, pattern);
        expect(result.judgedCycles).toBe(STUDY_CYCLES - 50);
        const { cut, kept } = sharesOf(result);
        expect({ seed, isCut: cut >= 0.35, isKept: kept >= 0.95 }).toEqual({ seed, isCut: true, isKept: true });
      }
    });

  it('shrinks so as a real payload too', () => {
    for (const pattern of STUDY_PATTERNS) {
      let [before, after] = [0, 0];
      for (const seed of some(HELD_OUT_SEEDS.slice(0, 4), 1)) {
        const log = studyLog(seed, pattern);
        for (let cycle = 60; cycle < STUDY_CYCLES; cycle += IS_LONG ? 60 : 180) {
          before += payloadAfter(log.slice(0, cycle), 'off').budget.chars;
          after += payloadAfter(log.slice(0, cycle), 'dynamic').budget.chars;
        }
      }
      expect(1 - after / before).toBeGreaterThanOrEqual(0.35);
    }
  });
});

describe('the simulation', () => {
  const cases: readonly (readonly [StudyPattern, number])[] = STUDY_PATTERNS.map((each, at) => [each, 60 + 97 * at]);

  it.each(cases)('makes the stubs that the scorer makes: %s, cycle %d', (pattern, cycle) => {
    for (const seed of some(HELD_OUT_SEEDS.slice(0, 6), 2)) {
      const log = studyLog(seed, pattern).slice(0, cycle + 1);
      const { stubbed } = simulateStudy(seed, pattern, { records: log, cycles: 1 });
      const { sections } = payloadAfter(log.slice(0, -1), 'dynamic');
      const stubs = sections.filter(({ disclosure }) => disclosure === 'stub').map(({ id }) => id);
      expect(stubbed.map(({ id }) => id).sort()).toEqual(stubs.sort());
      expect(stubs.length).toBeGreaterThan(0);
    }
  });
});

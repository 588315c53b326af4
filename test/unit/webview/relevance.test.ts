import { describe, expect, it } from 'vitest';
import type { SectionRelevance } from '../../../src/core/model/relevance';
import { asGiven } from '../../../src/core/text/phrase';
import type { PrefixMatch } from '../../../src/core/usage/usageService';
import {
  effectView,
  exemptionSentence,
  keptWords,
  pointAt,
  prefixSentence,
  relevanceSummary,
  scoreCaption,
  sectionNames,
} from '../../../webview/relevance';
import { effectOf, payloadOf, sectionOf, snapshotOf, usageOf } from '../../support/panelSnapshots';

const RELEVANCE: SectionRelevance = {
  score: 0.614,
  threshold: 0.3,
  factors: [],
  hasEnoughData: true,
  exemption: undefined,
  verdict: 'kept',
};
const byId = (id: string): string => id;

describe('the caption of a score', () => {
  it('names score and threshold', () => {
    expect(scoreCaption(sectionOf({ id: 'a', relevance: RELEVANCE }))).toBe('0.61 (one line if below 0.30)');
  });

  it('never looks as if a score reached a threshold that it is below, as on the command line', () => {
    const relevance = { ...RELEVANCE, score: 0.2977, threshold: 0.3 };
    expect(scoreCaption(sectionOf({ id: 'a', relevance }))).toBe('0.29 (one line if below 0.30)');
    expect(scoreCaption(sectionOf({ id: 'a', relevance: { ...relevance, threshold: 0.335 } }))).toContain('0.335');
  });

  it('says what is missing in the words of the citation factor, which counts what matters', () => {
    const caption = (why: string | undefined) => {
      const factors =
        why === undefined ? [] : [{ name: 'citation' as const, value: 0.5, weight: 0.4, why: asGiven(why) }];
      const relevance = { ...RELEVANCE, score: 0.41, hasEnoughData: false, factors };
      return scoreCaption(sectionOf({ id: 'a', relevance, usage: usageOf() }));
    };
    expect(caption('not enough data: 6 of 10 cycles')).toBe('0.41, not enough data: 6 of 10 cycles');
    expect(caption(undefined)).toBe('0.41, not enough data');
  });

  it('gives exemptions in words, and none where the score decides', () => {
    const of = (exemption: SectionRelevance['exemption']) =>
      exemptionSentence(sectionOf({ id: 'a', relevance: { ...RELEVANCE, exemption } }));
    expect(of('P0')).toBe('Always full, because it is P0.');
    expect(of('pinned')).toBe('Always included, because it is pinned.');
    expect(of('alarm')).toBe('Kept while its status is WARN or ALERT.');
    expect(of('cited')).toBe('Kept, because it was cited recently.');
    expect(of('triggered')).toBe('Kept, because it matches the task.');
    expect(of(undefined)).toBeUndefined();
    expect(exemptionSentence(sectionOf({ id: 'a' }))).toBeUndefined();
  });
});

describe('the part’s header', () => {
  it('names the threshold only where it cuts', () => {
    const of = (mode: 'off' | 'baseline' | 'static' | 'dynamic') =>
      relevanceSummary(
        snapshotOf(undefined, {
          scoring: { mode, threshold: 0.35, window: 50, roiThresholds: { waste: 0.5, med: 2 } },
        }),
      );
    expect([of('off'), of('baseline'), of('static')]).toEqual(['Off', 'Measure', 'Rules']);
    expect(of('dynamic')).toBe('Automatic, threshold 0.35');
  });
});

describe('a simulated threshold', () => {
  it('says cost and citations as one reads them', () => {
    const effect = effectOf({
      lost: [
        { id: 'topic-memory', citations: 3 },
        { id: 'git', citations: 2 },
      ],
      stubbed: ['topic-memory', 'git'],
    });
    expect(effectView(effect, 50, byId)).toEqual({
      cost: `Last 50 cycles: 6,120 → 3,870 tokens per cycle (−37%)`,
      citations: '142 of 147 citations kept; lost: topic-memory 3, git 2',
      stubs: 'One line: topic-memory, git',
      stubsTitle: 'One line: topic-memory, git',
    });
  });

  it('says that nothing changes, and that there was nothing to lose', () => {
    const effect = effectOf({ tokensAfter: 6120, citationsTotal: 0, citationsKept: 0 });
    const view = effectView(effect, 12, byId);
    expect(view.cost).toBe(`Last 12 cycles: 6,120 → 6,120 tokens per cycle (±0%)`);
    expect(view.citations).toBe('no citation to lose');
    expect(view.stubs).toBe('No section is reduced to one line');
    expect(keptWords(effectOf({ citationsTotal: 1, citationsKept: 1 }))).toBe('1 of 1 citation kept');
  });

  it('counts names that do not fit, and has them all in the title', () => {
    const stubbed = ['a', 'b', 'c', 'd', 'e'];
    const view = effectView(effectOf({ stubbed, lost: stubbed.map((id) => ({ id, citations: 1 })) }), 50, byId);
    expect(view.stubs).toBe('One line: a, b, c, 2 more');
    expect(view.stubsTitle).toBe('One line: a, b, c, d, e');
    expect(view.citations).toBe('142 of 147 citations kept; lost: a 1, b 1, c 1, 2 more');
  });

  it('is the nearest one', () => {
    const points = [0, 0.3, 0.33, 1].map((threshold) => ({ ...effectOf(), threshold }));
    expect(pointAt({ cycles: 50, points }, 0.33)?.threshold).toBe(0.33);
    expect(pointAt({ cycles: 50, points }, 0.8)?.threshold).toBe(1);
    expect(pointAt({ cycles: 50, points: [] }, 0.8)).toBeUndefined();
  });
});

describe('the prompt-cache line', () => {
  const prefix: PrefixMatch = { cycle: 512, tokens: 1840, totalTokens: 6120, brokenBy: 'git', how: 'changed' };

  it('says how much is as it was, and what broke it', () => {
    const of = (patch: Partial<PrefixMatch>) => prefixSentence({ ...prefix, ...patch }, byId);
    expect(of({})).toBe('Cache: 1,840 of 6,120 tokens reusable, as in cycle 512 (git changed)');
    expect(of({ how: 'added' })).toMatch(/ \(git is new\)$/);
    expect(of({ how: 'removed' })).toMatch(/ \(git was removed\)$/);
    expect(of({ tokens: 0 })).toBe('Cache: nothing reusable (git changed)');
    expect(of({ how: 'equal', brokenBy: undefined, tokens: 6120 })).toBe(
      'Cache: all 6,120 tokens reusable, as in cycle 512',
    );
  });

  it('names sections by their titles, and gone ones by their ids', () => {
    const nameOf = sectionNames(snapshotOf(payloadOf([sectionOf({ id: 'memory', title: 'memory/MEMORY.md' })])));
    expect([nameOf('memory'), nameOf('gone')]).toEqual(['memory/MEMORY.md', 'gone']);
  });
});

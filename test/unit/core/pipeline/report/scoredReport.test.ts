import { describe, expect, it } from 'vitest';
import type { ReportRequest, ReportSection } from '../../../../../src/core/model/report';
import type { CollectedSection } from '../../../../../src/core/model/section';
import { buildReport } from '../../../../../src/core/pipeline/report/buildReport';
import { FAKE_TOKENIZER, fakeMap } from '../../../../property/payloadArbitraries';
import { factsOf } from '../../../../support/english';
import { request, section } from '../../../../support/sectionBuilder';
import { history, scoring, usageWindow } from '../../../../support/usageBuilder';

const MAP = fakeMap(20, 'f(a: number): void');
const LONG = 'Some reference text about deployments. '.repeat(60);

function build(each: ReportRequest, mode: 'index' | 'expanded' = 'expanded') {
  const payload = buildReport(each, MAP, FAKE_TOKENIZER).payloads[mode];
  const get = (id: string): ReportSection => {
    const found = payload.sections.find((candidate) => candidate.id === id);
    if (!found) throw new Error(`no section ${id}`);
    return found;
  };
  return { payload, get };
}

const topics = (over: Partial<CollectedSection> = {}, text = LONG) =>
  section('topic-memory', text, { title: 'memory/topics.md', priority: 'P4', ...over });

/** 50 cycles, of which the named ones cited the topics. */
function usage(...citedAt: readonly number[]) {
  return usageWindow(50, [history('topic-memory', 50, citedAt, LONG.length)]);
}

describe('a report in mode dynamic', () => {
  const dynamic = { scoring: scoring('dynamic') };

  it('shows a section of a low score as one line with its name, size, last citation and handle', () => {
    const { payload, get } = build({ ...request([topics()]), ...dynamic, usage: usage(11) });
    const tokens = get('topic-memory').tokensFull;
    expect(payload.text).toContain(
      `<topic-memory>memory/topics.md | ~${tokens} tok | last cited in cycle 12 | section:topic-memory</topic-memory>\n`,
    );
    const { disclosure, reason, words } = get('topic-memory');
    expect(disclosure).toBe('stub');
    expect(factsOf(words.reason)).toEqual(['0.26', '0.30']);
    expect(factsOf(words.explanation)).toEqual(['0.26', '0.30', '12', 'section:topic-memory', tokens]);
    expect(payload.cuts).toMatchObject([{ id: 'topic-memory', by: 'rule', reason }]);
  });

  it('says of what was never cited that it was not', () => {
    const { payload, get } = build({ ...request([topics()]), ...dynamic, usage: usage() });
    expect(payload.text).not.toContain('last cited');
    expect(factsOf(get('topic-memory').words.explanation).slice(0, 3)).toEqual(['0.23', '0.30', '50']);
  });

  it('says why a section is shown', () => {
    const of = (each: CollectedSection, citedAt: readonly number[], more: Partial<ReportRequest> = {}) => {
      const { reason, explanation } = build({
        ...request([each, section('b', 'Colours.'), section('c', 'Names.'), section('d', 'Dates.')]),
        ...dynamic,
        usage: usage(...citedAt),
        ...more,
      }).get('topic-memory');
      return [reason, explanation];
    };
    expect(of(topics(), [1, 9, 17, 25, 33, 40])).toEqual([
      'score 0.41',
      'Full text: its score of 0.41 reaches the threshold of 0.30.',
    ]);
    const strict = { scoring: scoring('dynamic', { threshold: 0.905 }) };
    expect(of(topics(), [48], strict)).toEqual([
      'cited in cycle 49',
      'Full text because it was cited in cycle 49, although its score of 0.44 is below the threshold of 0.905.',
    ]);
    expect(of(topics({ isPinned: true }), [])).toEqual([
      'pinned',
      'Full text because it is pinned, although its score of 0.23 is below the threshold of 0.30.',
    ]);
    expect(of(topics(), [], { query: 'topics: reference text about deployments', ...strict })).toEqual([
      'matches the task',
      'Full text because it matches the task, although its score of 0.37 is below the threshold of 0.905.',
    ]);
    const young = { usage: usageWindow(6, [history('topic-memory', 6, [])]), ...strict };
    expect(of(topics(), [], young)).toEqual([
      'in full',
      'Full text although its score of 0.49 is below the threshold of 0.905, because it has fewer than 10 cycles of data.',
    ]);
    expect(of(topics({ priority: 'P0' }), [])[0]).toBe('always full');
  });

  it('shows a text that is shorter than its stub', () => {
    const short = build({
      ...request([topics({}, 'Short.')]),
      scoring: scoring('dynamic', { threshold: 1 }),
      usage: usage(),
    });
    expect(short.get('topic-memory')).toMatchObject({ disclosure: 'full', relevance: { verdict: 'stub' } });
    const ok = topics({}, `SUMMARY:OK:All topics are up to date\n---\n${LONG}`);
    const sentence = build({ ...request([ok]), scoring: scoring('dynamic', { threshold: 1 }), usage: usage() });
    expect(sentence.get('topic-memory')).toMatchObject({ disclosure: 'summary', reason: 'status OK' });
  });

  it('lets a stub of a built-in source say how it stands now', () => {
    const rows = Array.from({ length: 30 }, (_, at) => `M src/file${at}.ts`).join('\n');
    const git = section('git', `SUMMARY:OK:On main, 30 files changed and a sentence that is long\n${rows}`, {
      source: { kind: 'builtin', builtin: 'git' },
    });
    const editors = section('open-editors', `src/a.ts (active)\n${rows}`, {
      source: { kind: 'builtin', builtin: 'open-editors' },
    });
    const map = section('repo-map', '', {
      source: { kind: 'builtin', builtin: 'repo-map' },
      body: { kind: 'repoMap' },
    });
    const all = ['git', 'open-editors', 'repo-map'].map((id) => history(id, 50, []));
    const { payload, get } = build({
      ...request([git, editors, map]),
      scoring: scoring('dynamic', { threshold: 0.5 }),
      usage: usageWindow(50, all),
    });
    expect(payload.text).toMatch(
      /<open-editors>src\/a\.ts \(active\) \| ~\d+ tok \| section:open-editors<\/open-editors>/,
    );
    expect(get('repo-map')).toMatchObject({ disclosure: 'stub' });
    expect(payload.text).toMatch(/<repo-map>20 of 60 files[^|]* \| ~\d+ tok \| section:repo-map<\/repo-map>/);
    // What is one sentence already is not made longer.
    expect(get('git').disclosure).toBe('summary');
  });

  it('gives what remains to the best score of a priority first; in other modes by id', () => {
    const [first, later] = ['first', 'later'].map((id) => section(id, LONG, { priority: 'P4' }));
    const window = usageWindow(50, [history('first', 50, []), history('later', 50, [10, 20, 30, 40, 47])]);
    const sectionsOf = (mode: 'baseline' | 'dynamic', budgetTokens: number, kind: 'index' | 'expanded') =>
      build(
        { ...request([first!, later!], { budgetTokens }), scoring: scoring(mode, { threshold: 0 }), usage: window },
        kind,
      ).payload.sections;
    const ahead = (mode: 'baseline' | 'dynamic') =>
      Array.from({ length: 40 }, (_, step) => sectionsOf(mode, 1000 + 10 * step, 'expanded')).flatMap(([one, other]) =>
        one?.tokens === other?.tokens ? [] : [one!.tokens > other!.tokens ? one!.id : other!.id],
      );
    expect(new Set(ahead('baseline'))).toEqual(new Set(['first']));
    expect(new Set(ahead('dynamic'))).toEqual(new Set(['later']));
    // Of rows, the worst score goes first.
    const gone = sectionsOf('dynamic', 95, 'index').filter(({ disclosure }) => disclosure === 'omitted');
    expect(gone.map(({ id }) => id)).toEqual(['first']);
  });

  it('leaves the room of a stub free instead of giving it to other sections', () => {
    const list = Array.from({ length: 60 }, (_, at) => `- Lesson ${at + 1}: ports above ${at + 1} are taken`).join(
      '\n',
    );
    const of = (threshold: number) =>
      build({
        ...request([topics(), section('lessons', list, { priority: 'P4' })], { budgetTokens: 900 }),
        scoring: scoring('dynamic', { threshold }),
        usage: usageWindow(50, [
          history('topic-memory', 50, [], LONG.length),
          history('lessons', 50, [10, 20, 30, 40, 47], list.length),
        ]),
      });
    const [open, hiding] = [of(0), of(0.3)];
    expect(open.get('lessons')).toMatchObject({ disclosure: 'summary' });
    expect(hiding.get('topic-memory').disclosure).toBe('stub');
    const { tokens, entries } = open.get('lessons');
    expect(hiding.get('lessons')).toMatchObject({ tokens, entries });
    for (const { get, payload } of [open, hiding]) {
      const used = payload.budget.grants?.find(({ priority }) => priority === 'P4')?.used;
      expect(get('lessons').reason).toBe(`first ${entries?.shown} of 60: P4 got ${used} of 900 tokens`);
    }
    const freed = open.get('topic-memory').tokens - hiding.get('topic-memory').tokens;
    expect(freed).toBeGreaterThan(100);
    expect(open.payload.budget.tokens - hiding.payload.budget.tokens).toBeGreaterThanOrEqual(freed - 5);
  });

  it('leaves rows of the index as they are', () => {
    const of = (mode: 'off' | 'dynamic') =>
      build({ ...request([topics()]), scoring: scoring(mode), usage: usage() }, 'index').payload;
    expect(of('dynamic').text).toBe(of('off').text);
  });
});

describe('a report in mode static', () => {
  const dated = Array.from(
    { length: 30 },
    (_, at) => `- 2026-02-${String(at + 1).padStart(2, '0')} finished step`,
  ).join('\n');
  const rules = Array.from({ length: 30 }, (_, at) => `- Rule ${at + 1}: be kind`).join('\n');

  it('shows P4 on demand, and the newest entries of lists by age', () => {
    const { payload, get } = build({
      ...request([
        topics(),
        section('progress', dated, { priority: 'P3' }),
        section('rules', rules, { priority: 'P1' }),
        section('own', dated, { priority: 'P3', keepRecent: 25 }),
      ]),
      scoring: scoring('static'),
      usage: usage(11, 49),
    });
    expect(get('topic-memory').disclosure).toBe('stub');
    expect(factsOf(get('topic-memory').words.explanation).slice(0, 2)).toEqual(['P4', 'section:topic-memory']);
    expect(payload.text).toContain('| last cited in cycle 50 | section:topic-memory');
    expect(get('progress').entries).toMatchObject({ shown: 20, total: 30 });
    expect(factsOf(get('progress').words.reason)).toEqual([20, 30]);
    // A list of rules has no age: the last twelve are not the ones that matter.
    expect(get('rules')).toMatchObject({ disclosure: 'full', entries: { shown: 30, total: 30 } });
    expect(factsOf(get('own').words.reason)).toEqual([25, 30]);
  });

  it('shows a list whole where the line about one entry less would cost more than the entry', () => {
    const short = Array.from({ length: 13 }, (_, at) => `- 2026-02-${at + 10}`).join('\n');
    const { get } = build({ ...request([section('progress', short, { priority: 'P3' })]), scoring: scoring('static') });
    expect(get('progress')).toMatchObject({ disclosure: 'full', entries: { shown: 13, total: 13 } });
  });
});

describe('the history of a section', () => {
  it('is in the report in every mode, scores only when they are made', () => {
    for (const mode of ['off', 'baseline'] as const) {
      const window = usage(1, 2, 3);
      const found = build({ ...request([topics()]), scoring: scoring(mode), usage: window }).get('topic-memory');
      expect(found).toMatchObject({ citations: 3, roiClass: 'MED+', usage: window.sections[0] });
      expect(found.roi).toBeCloseTo(18.4, 0);
      expect(found.score === null).toBe(mode === 'off');
      expect(found.relevance === undefined).toBe(mode === 'off');
      expect(found.disclosure).toBe('full');
    }
  });

  it('is absent where no cycle had the section', () => {
    const found = build({ ...request([section('new', 'x')]), scoring: scoring('baseline'), usage: usage() }).get('new');
    expect(found).toMatchObject({ citations: 0, roi: null, roiClass: 'no data', usage: undefined });
    expect(found.relevance?.hasEnoughData).toBe(false);
  });
});

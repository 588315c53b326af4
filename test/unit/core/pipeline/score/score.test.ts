import { describe, expect, it } from 'vitest';
import type { CollectedSection } from '../../../../../src/core/model/section';
import { routeSection } from '../../../../../src/core/pipeline/route/route';
import { type ScoreInputs, scoreSections } from '../../../../../src/core/pipeline/score/score';
import { english } from '../../../../support/english';
import { section } from '../../../../support/sectionBuilder';
import { history, scoring, usageWindow } from '../../../../support/usageBuilder';

function score(over: Partial<CollectedSection>, text = 'text', inputs: ScoreInputs = {}) {
  const [scored] = scoreSections([routeSection(section('a', text, over))], inputs);
  if (!scored) throw new Error('a section was lost');
  return scored;
}

const UNCITED = usageWindow(50, [history('a', 50, [])]);
const DYNAMIC: ScoreInputs = { scoring: scoring('dynamic'), usage: UNCITED };

describe('scoreSections', () => {
  it('scores nothing without a config, and in mode off, but keeps the history', () => {
    expect(score({})).toMatchObject({ mode: 'off', relevance: undefined, rule: undefined, stub: undefined });
    const off = score({}, 'text', { scoring: scoring('off'), usage: UNCITED });
    expect(off).toMatchObject({ mode: 'off', relevance: undefined, usage: { id: 'a' }, stub: undefined });
  });

  it('makes on-demand sections stubs in every mode, but never P0, pinned ones or alarms', () => {
    for (const mode of ['off', 'baseline', 'static', 'dynamic'] as const) {
      const inputs = { scoring: scoring(mode) };
      const stub = (over: Partial<CollectedSection>, text = 'text') =>
        score({ onDemand: true, ...over }, text, inputs).stub;
      expect(stub({})).toEqual({ kind: 'config' });
      expect(stub({}, 'SUMMARY:OK:x')).toEqual({ kind: 'config' });
      expect(stub({ priority: 'P0' })).toBeUndefined();
      expect(stub({ isPinned: true })).toBeUndefined();
      expect(stub({}, 'SUMMARY:WARN:x')).toBeUndefined();
      expect(stub({}, 'SUMMARY:ALERT:x')).toBeUndefined();
    }
  });

  it('keeps the newest N, of a folder in each file', () => {
    expect(score({ keepRecent: 5 }).rule).toEqual({ kind: 'keepNewest', count: 5 });
    expect(score({ keepRecent: 5, source: { kind: 'files', pattern: 'm/*.md' } }).rule).toEqual({
      kind: 'keepNewest',
      count: 5,
    });
  });

  it('lets the user exclude anything', () => {
    const all = { isExcluded: true, priority: 'P0', isPinned: true, onDemand: true } as const;
    expect(score(all, 'text', DYNAMIC)).toMatchObject({ rule: { kind: 'excluded' }, stub: undefined });
  });

  it('explains a score factor by factor', () => {
    const usage = usageWindow(50, [history('a', 50, [3, 20, 41])]);
    const { relevance } = score({}, 'x'.repeat(2000), { scoring: scoring('baseline'), usage });
    expect(english(relevance)).toEqual({
      score: 0.3966,
      threshold: 0.3,
      hasEnoughData: true,
      exemption: undefined,
      verdict: 'kept',
      factors: [
        { name: 'citation', value: 0.2415, weight: 0.4, why: 'cited in 3 of 50 cycles' },
        { name: 'trigger', value: 0.5, weight: 0.3, why: 'no task to match' },
        { name: 'recency', value: 0.5, weight: 0.2, why: 'last cited in cycle 42, 8 cycles ago' },
        { name: 'size', value: 0.5, weight: 0.1, why: '2,000 characters' },
      ],
    });
  });

  it('says what mode dynamic would do in baseline already, and does nothing', () => {
    const measured = score({ priority: 'P4' }, 'x'.repeat(3000), { ...DYNAMIC, scoring: scoring('baseline') });
    expect(measured.relevance?.verdict).toBe('stub');
    expect(measured.stub).toBeUndefined();
  });

  it('makes a stub of what nobody cites in mode dynamic, unless something exempts it', () => {
    const text = 'x'.repeat(3000);
    expect(score({}, text, DYNAMIC).stub).toEqual({ kind: 'score', score: 0.2265, threshold: 0.3 });
    expect(score({ priority: 'P1' }, text, DYNAMIC)).toMatchObject({
      stub: undefined,
      relevance: { exemption: 'P1', verdict: 'kept' },
    });
    expect(score({ priority: 'P0' }, text, DYNAMIC)).toMatchObject({
      stub: undefined,
      relevance: { exemption: 'P0', verdict: 'kept' },
    });
    expect(score({ isPinned: true }, text, DYNAMIC).relevance?.exemption).toBe('pinned');
    expect(score({}, `SUMMARY:WARN:x\n${text}`, DYNAMIC)).toMatchObject({
      stub: undefined,
      relevance: { exemption: 'alarm' },
    });
  });

  it('hides what a recorded payload hid, whatever the score is now', () => {
    const text = 'x'.repeat(3000);
    const given = (
      disclosures: { shown?: readonly string[]; stubs?: readonly string[] },
      over = {},
      mode = 'dynamic',
    ) =>
      score(over, text, {
        ...DYNAMIC,
        given: { mode: mode === 'static' ? 'static' : 'dynamic', shown: [], stubs: [], ...disclosures },
      });
    const cited = { usage: usageWindow(50, [history('a', 50, [49])]) };
    expect(given({ shown: ['a'] }).stub).toBeUndefined();
    expect(given({}).stub).toMatchObject({ kind: 'score' });
    const inputs = { ...DYNAMIC, ...cited, given: { mode: 'dynamic', shown: [], stubs: ['a'] } as const };
    expect(score({}, text, inputs).stub).toMatchObject({ kind: 'score' });
    expect(score({ priority: 'P0' }, text, inputs).stub).toBeUndefined();
    expect(score({ isPinned: true }, text, inputs).stub).toBeUndefined();
    // The mode may be another since.
    expect(given({ stubs: ['a'] }, { priority: 'P4' }, 'static')).toMatchObject({
      mode: 'static',
      stub: { kind: 'static' },
    });
    expect(given({ stubs: ['a'] }, { priority: 'P2' }, 'static').stub).toBeUndefined();
  });

  it('shows a section again for three cycles after it was cited, whatever its score', () => {
    const strict = scoring('dynamic', { threshold: 0.9 });
    const at = (cycle: number) =>
      score({}, 'x'.repeat(3000), { scoring: strict, usage: usageWindow(50, [history('a', 50, [cycle])]) });
    expect(at(47)).toMatchObject({ stub: undefined, relevance: { exemption: 'cited' } });
    expect(at(46)).toMatchObject({ stub: { kind: 'score' }, relevance: { exemption: undefined } });
  });

  it('shows a section again when the task or the trigger matches it strongly', () => {
    const inputs = { ...DYNAMIC, scoring: scoring('dynamic', { threshold: 0.9 }) };
    const text = 'Deploying: run the canary, watch the dashboards, roll back.';
    const routed = [section('a', text), section('b', 'Colours.'), section('c', 'Names.'), section('d', 'Dates.')].map(
      routeSection,
    );
    const said = 'canary dashboard shows errors, roll back';
    expect(scoreSections(routed, { ...inputs, query: said })[0]?.relevance?.exemption).toBe('triggered');
    expect(scoreSections(routed, { ...inputs, trigger: said })[0]?.relevance?.exemption).toBe('triggered');
    expect(scoreSections(routed, inputs)[0]?.relevance?.exemption).toBeUndefined();
  });

  it('names up to four words of the task, and counts the others', () => {
    const whyOf = (query: string) => {
      const texts = ['canary dashboards watch deploying migrate rollback', 'Colours.', 'Names.', 'Dates.'];
      const routed = texts.map((text, at) => routeSection(section('abcd'.charAt(at), text)));
      const factors = scoreSections(routed, { ...DYNAMIC, query })[0]?.relevance?.factors ?? [];
      return factors.map(({ why }) => english(why)).find((why) => String(why).startsWith('matches'));
    };
    expect(whyOf('canary dashboards watch deploying')).toMatch(/^matches \w+, \w+, \w+, \w+$/);
    expect(whyOf('canary dashboards watch deploying migrate')).toMatch(/ and 1 other word$/);
    expect(whyOf('canary dashboards watch deploying migrate rollback')).toMatch(/ and 2 other words$/);
  });

  it('hides nothing in a fresh folder, whatever the task and the threshold are', () => {
    const strict = scoring('dynamic', { threshold: 1 });
    for (const cycles of [0, 9]) {
      const usage = usageWindow(cycles, cycles === 0 ? [] : [history('a', cycles, [])]);
      const fresh = score({}, 'x'.repeat(9000), { scoring: strict, usage, query: 'something else' });
      expect(fresh.stub).toBeUndefined();
      expect(fresh.relevance).toMatchObject({ hasEnoughData: false, verdict: 'kept' });
      expect(english(fresh.relevance?.factors[0])).toMatchObject({
        value: 0.5,
        why: `not enough data: ${cycles} of 10 cycles${cycles > 0 ? ' that cited other sections' : ''}`,
      });
    }
  });

  it('hides nothing where nobody recorded what agents used, however long the log is', () => {
    const usage = { ...usageWindow(50, []), sections: [history('a', 50, [])] };
    const silent = score({}, 'x'.repeat(9000), { scoring: scoring('dynamic', { threshold: 1 }), usage });
    expect(silent).toMatchObject({ stub: undefined, relevance: { hasEnoughData: false, verdict: 'kept' } });
  });

  it('says when cycles without any citation were left out', () => {
    const usage = {
      ...usageWindow(50, []),
      sections: [history('a', 50, [3, 7]), history('b', 50, [...Array(20).keys()])],
    };
    const { relevance } = score({}, 'text', { scoring: scoring('baseline'), usage });
    expect(english(relevance?.factors[0]?.why)).toBe('cited in 2 of 20 cycles with citations');
  });

  it('hides nothing that ten cycles did not load', () => {
    const usage = usageWindow(50, [history('a', 9, [])]);
    expect(score({}, 'x'.repeat(9000), { ...DYNAMIC, usage }).stub).toBeUndefined();
  });

  it('takes no notice of the words that a caller puts for itself', () => {
    const routed = [section('copy', 'x'), section('b', 'y')].map(routeSection);
    const trigger = (said: string) =>
      scoreSections(routed, { ...DYNAMIC, trigger: said })[0]?.relevance?.factors[1]?.value;
    expect(trigger('copy')).toBe(0.5);
    expect(trigger('copy the files')).not.toBe(0.5);
  });

  it('makes stubs of the static rules’ priorities, whatever their scores', () => {
    const usage = usageWindow(50, [history('a', 50, [48, 49])]);
    const inputs = { scoring: scoring('static'), usage };
    expect(score({ priority: 'P4' }, 'text', inputs).stub).toEqual({ kind: 'static' });
    expect(score({ priority: 'P3' }, 'text', inputs)).toMatchObject({
      stub: undefined,
      rule: { kind: 'keepNewestByAge', count: 20 },
    });
    const chats = { source: { kind: 'files', pattern: 'memory/chats/*.md' }, priority: 'P3' } as const;
    expect(score(chats, 'text', inputs).rule).toEqual({ kind: 'keepNewestByAge', count: 3 });
    expect(score({ id: 'recent_conversations' }, 'text', inputs).rule).toEqual({ kind: 'keepNewestByAge', count: 3 });
    expect(score({ id: 'chatbot' }, 'text', inputs).rule).toEqual({ kind: 'keepNewestByAge', count: 20 });
    expect(score({ priority: 'P4', isPinned: true }, 'text', inputs)).toMatchObject({
      stub: undefined,
      rule: undefined,
    });
    expect(score({ priority: 'P4' }, 'SUMMARY:WARN:x', inputs).stub).toBeUndefined();
    expect(score({ priority: 'P3', keepRecent: 3 }, 'text', inputs).rule).toEqual({ kind: 'keepNewest', count: 3 });
    const all = {
      ...inputs,
      scoring: scoring('static', { staticRules: { onDemand: ['P0', 'P1'], keepRecent: 1, conversations: 1 } }),
    };
    expect(score({ priority: 'P0' }, 'text', all)).toMatchObject({ stub: undefined, rule: undefined });
    // Of `P1` the newest entries may be kept, but it is no stub.
    expect(score({ priority: 'P1' }, 'text', all)).toMatchObject({
      stub: undefined,
      rule: { kind: 'keepNewestByAge' },
    });
  });

  it('makes no stub of what is not there', () => {
    const pending = score({ body: { kind: 'pending' } }, '', DYNAMIC);
    expect(pending).toMatchObject({ stub: undefined, relevance: { verdict: 'kept' } });
    const notRun = score({ body: { kind: 'failed', failure: { kind: 'notTrusted' } } }, '', DYNAMIC);
    expect(notRun.stub).toBeUndefined();
  });

  it('does not match the map against the task that it is ranked for', () => {
    const map = score({ body: { kind: 'repoMap' } }, '', { ...DYNAMIC, query: 'text' });
    expect(english(map.relevance?.factors[1])).toMatchObject({ value: 0.5, why: 'already ranked for the task' });
  });
});

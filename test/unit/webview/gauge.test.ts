import { describe, expect, it } from 'vitest';
import { bindingCharacters, gaugeView, headlineView } from '../../../webview/gauge';
import { payloadOf, sectionOf, snapshotOf } from '../../support/panelSnapshots';

const near = (value: number) => expect.closeTo(value, 6);

describe('gauge', () => {
  it('splits the used part by section in the order of priority, largest first', () => {
    const payload = payloadOf([
      sectionOf({ id: 'late', priority: 'P3', tokens: 750 }),
      sectionOf({ id: 'small', priority: 'P0', tokens: 750 }),
      sectionOf({ id: 'large', priority: 'P0', tokens: 1500 }),
    ]);
    const view = gaugeView(payload);
    expect(view.segments.map(({ key, share }) => [key, share])).toEqual([
      ['large', near(0.2)],
      ['small', near(0.1)],
      ['late', near(0.1)],
    ]);
    expect(view.segments[0]?.title).toBe('large: 1,500 tokens, 50% of the payload');
    expect(view.warnAt).toBe(0.8);
    expect(view.limitAt).toBeUndefined();
  });

  it('is drawn as long as its tokens, notes included', () => {
    const payload = payloadOf([sectionOf({ id: 'a', tokens: 1000 })], {}, { overheadTokens: 500 });
    const view = gaugeView(payload);
    expect(view.segments.at(-1)).toMatchObject({ key: 'notes', priority: undefined, share: near(500 / 7500) });
    expect(view.segments.reduce((total, segment) => total + segment.share, 0)).toBeCloseTo(1500 / 7500, 10);
  });

  it('ends at what is used once that exceeds the limit, and hatches what is beyond', () => {
    const payload = payloadOf([
      sectionOf({ id: 'a', priority: 'P0', tokens: 6000 }),
      sectionOf({ id: 'b', priority: 'P1', tokens: 4000 }),
    ]);
    const view = gaugeView(payload);
    expect(view.segments.map(({ key, isBeyond, share }) => [key, isBeyond, share])).toEqual([
      ['a', false, near(0.6)],
      ['b', false, near(0.15)],
      ['b beyond', true, near(0.25)],
    ]);
    expect(view.limitAt).toBe(0.75);
    expect([view.valueNow, view.valueMax]).toEqual([7500, 7500]);
    expect(view.valueText).toBe(
      '10,000 of 7,500 tokens, 133%, 2,500 tokens over the limit; 800 of 30,000 characters, 3%',
    );
  });

  it('says past the mark from exactly 80% on, as the report warns', () => {
    const levelAt = (tokens: number) => gaugeView(payloadOf([sectionOf({ id: 'a', tokens })])).valueText;
    expect(levelAt(5999)).toContain('under the 80% mark');
    expect(levelAt(6000)).toContain('past the 80% mark');
  });

  it('draws very small sections of one priority as one piece, without losing a token', () => {
    const many = Array.from({ length: 200 }, (_, index) => sectionOf({ id: `s${index}`, priority: 'P4', tokens: 10 }));
    const view = gaugeView(payloadOf([sectionOf({ id: 'big', priority: 'P4', tokens: 1000 }), ...many]));
    expect(view.segments.map((segment) => segment.key)).toEqual(['big', 'small P4']);
    expect(view.segments[1]?.title).toBe('200 small sections: 2,000 tokens, 67% of the payload');
  });

  it('has no split while it is an estimate', () => {
    const view = gaugeView(payloadOf([sectionOf({ id: 'a' }), sectionOf({ id: 'b' })], { isExact: false }));
    expect(view.isEstimate).toBe(true);
    expect(view.segments.map((segment) => segment.key)).toEqual(['estimate']);
    expect(view.used).toBe('≈3% used');
  });

  it('survives an empty payload and a limit of zero', () => {
    const view = gaugeView(payloadOf([], { budgetTokens: 0 }));
    expect(view.segments).toEqual([]);
    expect(view.used).toBe('0% used');
  });
});

describe('characters', () => {
  const budget = { chars: 23_921, tokens: 6919 };

  it('stand in the title and in the words of the gauge', () => {
    const view = gaugeView(payloadOf([], budget));
    expect(view.title).toBe('23,921 of 30,000 characters (80%)');
    expect(view.valueText).toBe('6,919 of 7,500 tokens, 92%, past the 80% mark; 23,921 of 30,000 characters, 80%');
    expect(gaugeView(payloadOf([], { ...budget, isExact: false })).title).toBe('≈24,000 of 30,000 characters (80%)');
  });

  it('have a line of their own where they bind alone: over their limit, or nearer to it than the tokens', () => {
    const line = (patch: Parameters<typeof payloadOf>[1]) => bindingCharacters(payloadOf([], { ...budget, ...patch }));
    expect(line({})).toBeUndefined();
    expect(line({ chars: 27_000 })).toBeUndefined();
    expect(line({ chars: 29_100 })).toEqual({ text: '29,100 of 30,000 characters (97%)', isOver: false });
    expect(line({ chars: 23_999, tokens: 100 })).toBeUndefined();
    expect(line({ chars: 24_000, tokens: 100 })?.isOver).toBe(false);
    expect(line({ chars: 32_179, tokens: 8276 })).toEqual({
      text: '32,179 of 30,000 characters, 2,179 over',
      isOver: true,
    });
    expect(line({ chars: 32_179, isExact: false })).toBeUndefined();
  });
});

describe('headline', () => {
  const of = (...[payload, patch]: Parameters<typeof snapshotOf>) => headlineView(snapshotOf(payload, patch));

  it('leaves out what says nothing', () => {
    expect(of(payloadOf([sectionOf({ id: 'git', tokens: 6120 })]))).toEqual({
      total: { before: '', used: '6,120', after: ' of 7,500 tokens' },
      over: undefined,
      counting: undefined,
      flags: [],
    });
  });

  it('counts alerts, but not of sections that were not run', () => {
    const sections = [
      sectionOf({ id: 'a', status: 'ALERT' }),
      sectionOf({ id: 'b', status: 'ALERT', isNotRun: true }),
      sectionOf({ id: 'c', status: 'WARN' }),
    ];
    expect(of(payloadOf(sections)).flags).toEqual([
      {
        kind: 'alerts',
        tone: 'alert',
        text: '1 alert',
        short: '1 alert',
        title: 'Show only sections with an alert',
      },
    ]);
    const two = [...sections, sectionOf({ id: 'd', status: 'ALERT' })];
    expect(of(payloadOf(two)).flags[0]?.text).toBe('2 alerts');
  });

  it('says how many sections are left out, in short too, once the count is exact', () => {
    const sections = ['a', 'b'].map((id) => sectionOf({ id, isLeftOut: true, tokensFull: 156_000 }));
    expect(of(payloadOf(sections)).flags).toEqual([
      {
        kind: 'leftOut',
        tone: 'warn',
        text: '2 sections left out (312k tokens)',
        short: '2 left out (312k)',
        title: 'Show only sections that are left out (312,000 tokens)',
      },
    ]);
    expect(of(payloadOf(sections.slice(1))).flags[0]?.text).toBe('1 section left out (156k tokens)');
    expect(of(payloadOf(sections, { isExact: false })).flags).toEqual([]);
  });

  it('says how many are cut, with the tokens that are not shown', () => {
    const sections = [300, 150].map((tokensFull) => sectionOf({ id: `${tokensFull}`, isCut: true, tokensFull }));
    expect(of(payloadOf(sections)).flags).toEqual([
      {
        kind: 'cut',
        tone: 'plain',
        text: '2 sections cut (250 tokens)',
        short: '2 cut (250)',
        title: 'Show only sections that are cut (250 tokens are not shown)',
      },
    ]);
    expect(of(payloadOf(sections.slice(1))).flags[0]?.text).toBe('1 section cut (50 tokens)');
    expect(of(payloadOf(sections, { isExact: false })).flags).toEqual([]);
  });

  it('says by how much the limit is exceeded, once the count is exact', () => {
    const over = payloadOf([sectionOf({ id: 'a', tokens: 8276 })]);
    expect(of(over).over).toBe('776 over');
    expect(of(payloadOf(over.sections, { isExact: false })).over).toBeUndefined();
  });

  it('shows estimates and progress while counting', () => {
    const payload = payloadOf([sectionOf({ id: 'a', tokens: 6120 })], { isExact: false });
    const view = of(payload, { progress: { done: 9, total: 16 } });
    expect(view.total?.used).toBe('≈6,100');
    expect(view.counting).toEqual({
      text: 'counting, 9 of 16',
      short: '9 of 16',
      title: 'counting, 9 of 16 sections',
    });
    expect(of(undefined).counting?.text).toBe('counting');
  });
});

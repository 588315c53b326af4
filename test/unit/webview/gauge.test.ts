import { describe, expect, it } from 'vitest';
import { charactersView, gaugeView } from '../../../webview/gauge';
import { payloadOf, sectionOf } from '../../support/panelSnapshots';

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
    expect(view.segments[0]?.title).toBe('large, P0: 1,500 tokens, 50\u00a0% of the payload');
    expect(view.warnAt).toBe(0.8);
    expect(view.capAt).toBeUndefined();
  });

  it('is drawn as long as its tokens, notes included', () => {
    const payload = payloadOf([sectionOf({ id: 'a', tokens: 1000 })], {}, { overheadTokens: 500 });
    const view = gaugeView(payload);
    expect(view.segments.at(-1)).toMatchObject({ key: 'notes', priority: undefined, share: near(500 / 7500) });
    expect(view.segments.reduce((total, segment) => total + segment.share, 0)).toBeCloseTo(1500 / 7500, 10);
  });

  it('ends at what is used once that exceeds the cap, and hatches what is beyond', () => {
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
    expect(view.capAt).toBe(0.75);
    expect([view.valueNow, view.valueMax]).toEqual([7500, 7500]);
    expect(view.valueText).toBe('10,000 of 7,500 tokens, 133\u00a0%, 2,500 tokens over the cap');
  });

  it('says past the mark from exactly 80 % on, as the report warns', () => {
    const levelAt = (tokens: number) => gaugeView(payloadOf([sectionOf({ id: 'a', tokens })])).valueText;
    expect(levelAt(5999)).toContain('under the 80\u00a0% warning mark');
    expect(levelAt(6000)).toContain('past the 80\u00a0% warning mark');
  });

  it('draws very small sections of one priority as one piece, without losing a token', () => {
    const many = Array.from({ length: 200 }, (_, index) => sectionOf({ id: `s${index}`, priority: 'P4', tokens: 10 }));
    const view = gaugeView(payloadOf([sectionOf({ id: 'big', priority: 'P4', tokens: 1000 }), ...many]));
    expect(view.segments.map((segment) => segment.key)).toEqual(['big', 'small P4']);
    expect(view.segments[1]?.title).toBe('200 small sections, P4: 2,000 tokens, 67\u00a0% of the payload');
  });

  it('has no split while it is an estimate', () => {
    const view = gaugeView(payloadOf([sectionOf({ id: 'a' }), sectionOf({ id: 'b' })], { isExact: false }));
    expect(view.isEstimate).toBe(true);
    expect(view.segments.map((segment) => segment.key)).toEqual(['estimate']);
    expect(view.used).toBe('≈3\u00a0% used');
  });

  it('survives an empty payload and a cap of zero', () => {
    const view = gaugeView(payloadOf([], { budgetTokens: 0 }));
    expect(view.segments).toEqual([]);
    expect(view.used).toBe('0\u00a0% used');
  });
});

describe('characters', () => {
  it('say how much they exceed the cap', () => {
    const view = charactersView(payloadOf([], { chars: 32_055 }));
    expect(view.label).toBe('32,055 of 30,000 characters, 2,055 over');
    expect(view.capAt).toBeCloseTo(30_000 / 32_055, 10);
    expect(view.valueNow).toBe(30_000);
  });

  it('are an estimate while the payload is one', () => {
    const view = charactersView(payloadOf([], { chars: 32_055, isExact: false }));
    expect(view.label).toBe('≈32,000 of 30,000 characters');
    expect(view.isOver).toBe(false);
  });
});

describe('the character rail', () => {
  const at = (chars: number) => charactersView(payloadOf([], { chars }));

  it('warns from 80 % of the cap, in words too, since the cap alone may decide the status', () => {
    expect(at(23_999)).toMatchObject({ isNear: false, isOver: false, label: '23,999 of 30,000 characters' });
    expect(at(24_000)).toMatchObject({ isNear: true, isOver: false });
    expect(at(29_100).valueText).toContain('past the 80');
    expect(at(30_001)).toMatchObject({ isNear: false, isOver: true });
  });
});

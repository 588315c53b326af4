import { describe, expect, it } from 'vitest';
import { earnsNothing } from '../../../src/core/print/budgetTable';
import {
  formatRowTokens,
  groupSections,
  headlineView,
  isRowExact,
  matchesFilter,
  previewText,
} from '../../../webview/model';
import { payloadOf, sectionOf, snapshotOf, usageOf } from '../../support/panelSnapshots';

describe('headline', () => {
  it('leaves out what says nothing', () => {
    const view = headlineView(snapshotOf(payloadOf([sectionOf({ id: 'git', tokens: 6120 })])));
    expect(view).toEqual({
      total: '6,120 of 7,500 tokens',
      over: undefined,
      alerts: undefined,
      counting: undefined,
      countingShort: undefined,
    });
  });

  it('counts alerts, but not of sections that were not run', () => {
    const sections = [
      sectionOf({ id: 'a', status: 'ALERT' }),
      sectionOf({ id: 'b', status: 'ALERT', isNotRun: true }),
      sectionOf({ id: 'c', status: 'WARN' }),
    ];
    expect(headlineView(snapshotOf(payloadOf(sections))).alerts).toBe('1 alert');
    const two = [...sections, sectionOf({ id: 'd', status: 'ALERT' })];
    expect(headlineView(snapshotOf(payloadOf(two))).alerts).toBe('2 alerts');
  });

  it('says by how much the budget is exceeded, once the count is exact', () => {
    const over = payloadOf([sectionOf({ id: 'a', tokens: 8246 })]);
    expect(headlineView(snapshotOf(over)).over).toBe('746 over budget');
    const estimate = payloadOf(over.sections, { isExact: false });
    expect(headlineView(snapshotOf(estimate)).over).toBeUndefined();
  });

  it('shows estimates and progress while counting', () => {
    const payload = payloadOf([sectionOf({ id: 'a', tokens: 6120 })], { isExact: false });
    const view = headlineView(snapshotOf(payload, { progress: { done: 9, total: 16 } }));
    expect(view.total).toBe('≈6,100 of 7,500 tokens');
    expect(view.counting).toBe('counting, 9 of 16 sections');
    expect(view.countingShort).toBe('counting, 9 of 16');
    expect(headlineView(snapshotOf(undefined)).counting).toBe('counting');
  });
});

describe('filter', () => {
  const alert = sectionOf({ id: 'ci', title: 'CI status', status: 'ALERT', reason: 'stopped after 5 s' });
  const warn = sectionOf({ id: 'git', status: 'WARN' });
  const omitted = sectionOf({ id: 'logs', disclosure: 'omitted' });
  const notRun = sectionOf({ id: 'ports', status: 'ALERT', disclosure: 'omitted', isNotRun: true });
  const all = [alert, warn, omitted, notRun];
  const ids = (text: string, show: Parameters<typeof matchesFilter>[2]) =>
    all.filter((section) => matchesFilter(section, text, show)).map((section) => section.id);

  it('lets everything through when nothing is chosen', () => {
    expect(ids('', [])).toEqual(['ci', 'git', 'logs', 'ports']);
  });

  it('matches any chosen kind', () => {
    expect(ids('', ['alerts'])).toEqual(['ci']);
    expect(ids('', ['alerts', 'warnings'])).toEqual(['ci', 'git']);
    expect(ids('', ['omitted'])).toEqual(['logs', 'ports']);
  });

  it('finds name, id and reason whatever their case, within the chosen kinds', () => {
    expect(ids('  STATUS ', [])).toEqual(['ci']);
    expect(ids('5 s', [])).toEqual(['ci']);
    expect(ids('git', ['alerts'])).toEqual([]);
  });
});

describe('sections that earn nothing', () => {
  const waste = sectionOf({ id: 'waste', usage: usageOf({ citations: 0, citedCycles: 0 }) });
  const sections = [
    waste,
    sectionOf({ id: 'cited', usage: usageOf({ citations: 1 }) }),
    sectionOf({ id: 'unknown' }),
    sectionOf({ id: 'young', usage: usageOf({ citations: 0, loaded: 9 }) }),
    { ...waste, id: 'omitted', disclosure: 'omitted' as const },
    { ...waste, id: 'pending', isPending: true },
  ];

  it('were loaded in ten cycles and never cited, and are not left out anyway', () => {
    expect(sections.filter(earnsNothing).map(({ id }) => id)).toEqual(['waste']);
    expect(sections.filter((section) => matchesFilter(section, '', ['earnNothing'])).map(({ id }) => id)).toEqual([
      'waste',
    ]);
  });

  it('are counted in the headline, which says nothing of none', () => {
    expect(headlineView(snapshotOf(payloadOf(sections))).earnNothing).toBe('1 section earns nothing');
    expect(headlineView(snapshotOf(payloadOf([waste, { ...waste, id: 'b' }]))).earnNothing).toBe(
      '2 sections earn nothing',
    );
    expect(headlineView(snapshotOf(payloadOf(sections.slice(1)))).earnNothing).toBeUndefined();
  });
});

describe('groups', () => {
  it('come in the order of priority with subtotals, largest section first, empty ones left out', () => {
    const payload = payloadOf([
      sectionOf({ id: 'b', priority: 'P4', tokens: 5 }),
      sectionOf({ id: 'c', priority: 'P0', tokens: 1 }),
      sectionOf({ id: 'a', priority: 'P4', tokens: 1500 }),
      sectionOf({ id: 'e', priority: 'P4', tokens: 5, tokensFull: 900 }),
    ]);
    const groups = groupSections(payload, payload.sections, 'size');
    expect(groups.map((group) => [group.priority, group.label, group.subtotal])).toEqual([
      ['P0', 'never cut', '1'],
      ['P4', 'cut first', '1,510'],
    ]);
    expect(groups[1]?.sections.map((section) => section.id)).toEqual(['a', 'e', 'b']);
  });

  it('say what a priority was offered where something was cut', () => {
    const plain = payloadOf([
      sectionOf({ id: 'b', priority: 'P4', tokens: 5 }),
      sectionOf({ id: 'c', priority: 'P0' }),
    ]);
    const grants = [
      { priority: 'P0', offered: 7500, used: 5 },
      { priority: 'P4', offered: 1400, used: 5 },
    ] as const;
    const offered = (downgradeApplied: readonly string[]) => {
      const payload = { ...plain, budget: { ...plain.budget, downgradeApplied, grants } };
      return groupSections(payload, payload.sections, 'size').map((group) => group.offered);
    };
    expect(offered(['one line: b'])).toEqual([undefined, '1,400']);
    expect(offered([])).toEqual([undefined, undefined]);
  });

  it('keep the payload’s order within a priority where that is wanted', () => {
    const payload = payloadOf([
      sectionOf({ id: 'b', priority: 'P4', tokens: 5 }),
      sectionOf({ id: 'a', priority: 'P4', tokens: 1500 }),
    ]);
    const [group] = groupSections(payload, payload.sections, 'payload');
    expect(group?.sections.map(({ id }) => id)).toEqual(['b', 'a']);
  });

  it('are one by return: what earns least first, what nobody knows and what is left out last', () => {
    const payload = payloadOf([
      sectionOf({ id: 'gone', priority: 'P0', roi: 0, disclosure: 'omitted', tokens: 0 }),
      sectionOf({ id: 'pays', priority: 'P0', roi: 3 }),
      sectionOf({ id: 'new', priority: 'P1', roi: null, tokens: 300 }),
      sectionOf({ id: 'small waste', priority: 'P4', roi: 0, tokens: 10 }),
      sectionOf({ id: 'large waste', priority: 'P1', roi: 0, tokens: 900 }),
    ]);
    const groups = groupSections(payload, payload.sections, 'return');
    expect(groups.map(({ priority, label, subtotal }) => [priority, label, subtotal])).toEqual([
      [undefined, 'lowest return first', '1,310'],
    ]);
    expect(groups[0]?.sections.map(({ id }) => id)).toEqual(['large waste', 'small waste', 'pays', 'new', 'gone']);
  });

  it('are one by status: alerts, warnings, then the rest, the largest first; what was not run says nothing', () => {
    const payload = payloadOf([
      sectionOf({ id: 'fine', priority: 'P0', tokens: 900 }),
      sectionOf({ id: 'warned', priority: 'P4', status: 'WARN', tokens: 10 }),
      sectionOf({ id: 'not run', priority: 'P1', status: 'ALERT', isNotRun: true, tokens: 5 }),
      sectionOf({ id: 'small alert', priority: 'P0', status: 'ALERT', tokens: 1 }),
      sectionOf({ id: 'large alert', priority: 'P3', status: 'ALERT', tokens: 30 }),
    ]);
    const [group, ...others] = groupSections(payload, payload.sections, 'status');
    expect(others).toEqual([]);
    expect(group?.sections.map(({ id }) => id)).toEqual(['large alert', 'small alert', 'warned', 'fine', 'not run']);
  });

  it('are one by name, with numbers in their order', () => {
    const payload = payloadOf(['part10', 'Part2', 'part1'].map((id) => sectionOf({ id })));
    const [group] = groupSections(payload, payload.sections, 'name');
    expect(group?.sections.map(({ id }) => id)).toEqual(['part1', 'Part2', 'part10']);
  });

  it('are none without a section, in any order', () => {
    for (const sort of ['size', 'payload', 'status', 'return', 'name'] as const)
      expect(groupSections(payloadOf([]), [], sort)).toEqual([]);
  });

  it('have estimated subtotals only where a row is an estimate', () => {
    const payload = payloadOf(
      [
        sectionOf({ id: 'a', priority: 'P0', tokens: 123 }),
        sectionOf({ id: 'b', priority: 'P1', tokens: 123, isPending: true }),
      ],
      { isExact: false },
    );
    expect(groupSections(payload, payload.sections, 'size').map((group) => group.subtotal)).toEqual(['123', '≈120']);
  });
});

describe('rows', () => {
  it('are exact while others are counted, and none is when nobody says which', () => {
    const done = sectionOf({ id: 'done' });
    const pending = sectionOf({ id: 'pending', isPending: true });
    expect(isRowExact(payloadOf([done, pending], { isExact: false }), done)).toBe(true);
    expect(isRowExact(payloadOf([done, pending], { isExact: false }), pending)).toBe(false);
    expect(isRowExact(payloadOf([done], { isExact: false }), done)).toBe(false);
    expect(isRowExact(payloadOf([done]), done)).toBe(true);
  });

  it('show ≈ for an estimate and no number where there is not even one', () => {
    expect(formatRowTokens(sectionOf({ id: 'a', tokens: 786 }), true)).toBe('786');
    expect(formatRowTokens(sectionOf({ id: 'a', tokens: 786 }), false)).toBe('≈790');
    expect(formatRowTokens(sectionOf({ id: 'a', tokens: 0 }), false)).toBe('…');
  });
});

describe('preview', () => {
  it('shows short texts whole and long ones up to a line end', () => {
    expect(previewText('abc', 10)).toBe('abc');
    expect(previewText('aaaa\nbbbb\ncccc', 11)).toBe('aaaa\nbbbb');
    expect(previewText('a'.repeat(30), 10)).toBe('a'.repeat(10));
  });

  it('never splits a surrogate pair', () => {
    expect(previewText(`a${'😀'.repeat(10)}`, 4)).toBe('a😀');
  });
});

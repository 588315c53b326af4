import { describe, expect, it } from 'vitest';
import type { ReportSection } from '../../../src/core/model/report';
import { earnsNothing } from '../../../src/core/print/budgetTable';
import { NO_WORDS, type Phrase, phrase } from '../../../src/core/text/phrase';
import {
  citedBy,
  filterName,
  formatRowTokens,
  groupSections,
  isRowExact,
  isToldUnused,
  matchesFilter,
  previewText,
  quoted,
  rowNote,
} from '../../../webview/model';
import { payloadOf, sectionOf, usageOf } from '../../support/panelSnapshots';

describe('filter', () => {
  const alert = sectionOf({ id: 'ci', title: 'CI status', status: 'ALERT', reason: 'stopped after 5 s' });
  const warn = sectionOf({ id: 'git', status: 'WARN' });
  const omitted = sectionOf({ id: 'logs', disclosure: 'stub', isLeftOut: true });
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
    expect(ids('', ['leftOut'])).toEqual(['logs']);
  });

  it('matches any of several texts with commas between them', () => {
    expect(ids('git, 5 s,', [])).toEqual(['ci', 'git']);
    expect(ids(' , ', [])).toEqual(['ci', 'git', 'logs', 'ports']);
  });

  it('finds name, id and reason whatever their case, within the chosen kinds', () => {
    expect(ids('  STATUS ', [])).toEqual(['ci']);
    expect(ids('5 s', [])).toEqual(['ci']);
    expect(ids('git', ['alerts'])).toEqual([]);
  });
});

describe('sections that earn nothing', () => {
  const unused = { ...usageOf().return, judged: 212, citations: 0, roi: 0, interval: [0, 0.4] as const };
  const waste = sectionOf({ id: 'waste', usage: usageOf({ return: unused }) });
  const sections = [
    waste,
    sectionOf({ id: 'cited', usage: usageOf({ citations: 1 }) }),
    sectionOf({ id: 'unknown' }),
    sectionOf({ id: 'young', usage: usageOf({ citations: 0, return: { ...unused, roi: null, interval: null } }) }),
    sectionOf({ id: 'uncertain', usage: usageOf({ return: { ...unused, interval: [0, 9], isUncertain: true } }) }),
    { ...waste, id: 'followed', priority: 'P1' as const },
    { ...waste, id: 'omitted', disclosure: 'omitted' as const },
    { ...waste, id: 'pending', isPending: true },
  ];

  it('were never cited with enough evidence to say so, and are neither followed nor left out anyway', () => {
    expect(sections.filter(earnsNothing).map(({ id }) => id)).toEqual(['waste']);
    expect(sections.filter((section) => matchesFilter(section, '', ['neverUsed'])).map(({ id }) => id)).toEqual([
      'waste',
    ]);
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
    const index = groupSections(payload, payload.sections, 'size');
    expect(
      index.map(({ label }) => label),
      'an index has one line of each',
    ).toEqual(['', '']);
    const groups = groupSections({ ...payload, mode: 'expanded' }, payload.sections, 'size');
    expect(groups.map((group) => [group.priority, group.label, group.subtotal])).toEqual([
      ['P0', 'always full', '1'],
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

  it('are one by use: what returns least first, what nobody knows and what is left out last', () => {
    const payload = payloadOf([
      sectionOf({ id: 'gone', priority: 'P0', roi: 0, disclosure: 'omitted', tokens: 0 }),
      sectionOf({ id: 'pays', priority: 'P0', roi: 3 }),
      sectionOf({ id: 'new', priority: 'P1', roi: null, tokens: 300 }),
      sectionOf({ id: 'small waste', priority: 'P4', roi: 0, tokens: 10 }),
      sectionOf({ id: 'large waste', priority: 'P1', roi: 0, tokens: 900 }),
    ]);
    const groups = groupSections(payload, payload.sections, 'return');
    expect(groups.map(({ priority, label, subtotal }) => [priority, label, subtotal])).toEqual([
      [undefined, 'least used first', '1,310'],
    ]);
    expect(groups[0]?.sections.map(({ id }) => id)).toEqual(['large waste', 'small waste', 'pays', 'new', 'gone']);
  });

  it('are one by name, with numbers in their order', () => {
    const payload = payloadOf(['part10', 'Part2', 'part1'].map((id) => sectionOf({ id })));
    const [group] = groupSections(payload, payload.sections, 'name');
    expect(group?.sections.map(({ id }) => id)).toEqual(['part1', 'Part2', 'part10']);
  });

  it('are none without a section, in any order', () => {
    for (const sort of ['size', 'payload', 'return', 'name'] as const)
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
  it('are exact while others are counted, and none is before the first count', () => {
    const done = sectionOf({ id: 'done' });
    const pending = sectionOf({ id: 'pending', isPending: true });
    expect(isRowExact(payloadOf([done, pending], { isExact: false }), done)).toBe(true);
    expect(isRowExact(payloadOf([done, pending], { isExact: false }), pending)).toBe(false);
    expect(isRowExact(payloadOf([done, pending], { isExact: false, isEstimate: true }), done)).toBe(false);
    expect(isRowExact(payloadOf([done]), done)).toBe(true);
  });

  it('show ≈ for an estimate and no number where there is not even one', () => {
    expect(formatRowTokens(sectionOf({ id: 'a', tokens: 786 }), true)).toBe('786');
    expect(formatRowTokens(sectionOf({ id: 'a', tokens: 786 }), false)).toBe('≈790');
    expect(formatRowTokens(sectionOf({ id: 'a', tokens: 0 }), false)).toBe('…');
  });
});

describe('the note of a row', () => {
  const noteOf = (reason: Phrase, patch: Partial<ReportSection> = {}) =>
    rowNote(sectionOf({ id: 'a', words: { reason, explanation: NO_WORDS }, reason: 'as said', ...patch }), false);
  const grant = phrase('{0} got {1} of {2} tokens', 'P3', 1150, 7500);

  it('is nothing where the reason repeats the group, an icon or the details', () => {
    for (const message of ['always full', 'always kept', 'in full', 'index line', 'pinned', 'counting'])
      expect(noteOf(phrase(message))).toBeUndefined();
    expect(noteOf(phrase('score {0}', '0.44'))).toBeUndefined();
    expect(noteOf(phrase('status {0}', 'OK'))).toBeUndefined();
    expect(noteOf(NO_WORDS)).toBeUndefined();
  });

  it('counts entries and files, shorter where the panel is narrow, without what the priority got', () => {
    const entries = { kind: 'plain', text: '12 of 41 entries', short: '12 of 41' };
    expect(noteOf(phrase('newest {0} of {1}', 12, 41))).toEqual(entries);
    expect(noteOf(phrase('{0}: {1}', phrase('first {0} of {1}', 12, 41), grant))).toEqual(entries);
    const files = { kind: 'plain', text: '38 of 1,545 files', short: '38 of 1,545' };
    const share = phrase('{0} of {1}', 38, phrase('{0} files', 1545));
    expect(noteOf(share)).toEqual(files);
    expect(noteOf(phrase('{0}: no task', share))).toEqual(files);
    expect(noteOf(phrase('{0}: limit of {1} tokens', share, 400))).toEqual(files);
    expect(noteOf(phrase('one line for {0} of {1}', 38, phrase('{0} files', 1545)))).toEqual(files);
  });

  it('keeps what a source says itself, also where its words look like a grant', () => {
    expect(noteOf(phrase('{0} behind {1}', '2', 'main'))?.text).toBe('2 behind main');
    expect(noteOf(phrase('{0}: {1}', phrase('exit code {0}', 1), 'no such file'))?.text).toBe(
      'exit code 1: no such file',
    );
    expect(noteOf(phrase('score {0} < {1}', '0.14', '0.30'))?.text).toBe('one line');
  });

  it('is an alarm with the source’s words, else with its summary', () => {
    const errors = phrase('{0}, {1}', phrase('{0} errors', 7), phrase('{0} files', 3));
    expect(noteOf(errors, { status: 'ALERT' })).toMatchObject({ kind: 'alert', text: '7 errors, 3 files' });
    expect(noteOf(phrase('{0}; one line kept', errors), { status: 'ALERT' })?.text).toBe(
      '7 errors, 3 files; one line kept',
    );
    expect(noteOf(phrase('status {0}', 'WARN'), { status: 'WARN', summary: 'Disk is at 91%' })).toMatchObject({
      kind: 'warn',
      text: 'Disk is at 91%',
    });
    expect(noteOf(phrase('excluded'), { status: 'ALERT', isExcluded: true })).toMatchObject({ kind: 'plain' });
  });

  it('says that a section is left out with its two sizes, and that a command was not run', () => {
    expect(noteOf(phrase('left out, over budget'), { isLeftOut: true, tokens: 20, tokensFull: 250_268 })).toEqual({
      kind: 'leftOut',
      text: '20 of 250k: left out, over budget',
      short: '20 of 250k: over budget',
    });
    expect(noteOf(phrase('not trusted'), { isNotRun: true })).toMatchObject({
      kind: 'notRun',
      text: 'not run: folder is not trusted',
    });
    expect(formatRowTokens(sectionOf({ id: 'a', isNotRun: true, tokens: 0 }), true)).toBe('–');
    expect(formatRowTokens(sectionOf({ id: 'a', isNotRun: true, isExcluded: true, tokens: 0 }), true)).toBe('0');
  });

  it('names a section in the filter by its title, by its id where that could mean another or be read as two', () => {
    const sections = [
      sectionOf({ id: 'guide', title: 'style-guide.md' }),
      ...['a', 'b'].map((id) => sectionOf({ id, title: 'AGENTS.md' })),
      sectionOf({ id: 'comma', title: 'one, two' }),
    ];
    const names = [...sections.map(({ id }) => id), 'gone'].map((id) => filterName(id, sections));
    expect(names).toEqual(['style-guide.md', 'a', 'b', 'comma', 'gone']);
    expect(sections.filter((each) => matchesFilter(each, quoted('style-guide.md'), []))).toEqual([sections[0]]);
  });

  it('leaves the share of its entries out beside the tokens of a section that is cut', () => {
    const newest = phrase(
      '{0}: {1}',
      phrase('newest {0} of {1}', 12, 41),
      phrase('{0} got {1} of {2} tokens', 'P3', 1, 2),
    );
    expect(noteOf(newest)).toMatchObject({ text: '12 of 41 entries' });
    expect(noteOf(newest, { isCut: true })).toBeUndefined();
    expect(noteOf(newest, { isCut: true, status: 'WARN', summary: 'Late' })).toMatchObject({
      kind: 'warn',
      text: 'Late',
    });
    const cut = sectionOf({ id: 'a', isCut: true });
    expect([cut, sectionOf({ id: 'ab' })].filter((each) => matchesFilter(each, quoted('a'), []))).toEqual([cut]);
    expect([cut, sectionOf({ id: 'b' })].filter((each) => matchesFilter(each, '', ['cut']))).toEqual([cut]);
  });

  it('says that a section is never used, above two percent of the payload', () => {
    const unused = { ...usageOf().return, judged: 212, citations: 0, roi: 0, interval: [0, 0.4] as const };
    const toldAt = (tokens: number) => {
      const section = sectionOf({ id: 'a', tokens, usage: usageOf({ return: unused }) });
      return isToldUnused(payloadOf([section], { tokens: 7000 }), section);
    };
    expect([toldAt(140), toldAt(141)]).toEqual([false, true]);
    expect(rowNote(sectionOf({ id: 'a' }), true)).toMatchObject({ kind: 'plain', text: 'never used' });
  });
});

describe('what a reply had of a section', () => {
  it.each([
    ['handle', 'section:git', 'handle section:git'],
    ['id', '#4', 'id #4'],
    ['path', 'src/a.ts', 'path src/a.ts'],
    ['keyword', 'lease, takeover', 'keywords lease, takeover'],
    ['tag', '[ctx:soul]', 'tag [ctx:soul]'],
  ] as const)('is named by its kind: %s', (evidence, what, words) => {
    expect(citedBy({ id: 'a', evidence, what })).toBe(words);
  });

  it('is nothing without a citation', () => {
    expect(citedBy(undefined)).toBeUndefined();
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

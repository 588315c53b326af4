import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SectionRelevance } from '../../../../src/core/model/relevance';
import type { ContextReport, PayloadReport, ReportSection } from '../../../../src/core/model/report';
import { PRIORITIES, type Priority } from '../../../../src/core/model/section';
import type { SectionUsage } from '../../../../src/core/model/usage';
import { renderBudgetTable, renderCitationTable } from '../../../../src/core/print/budgetTable';
import { renderPayload, type TableFormat } from '../../../../src/core/render/renderPayload';
import { displayWidth } from '../../../../src/core/text/displayWidth';
import { asGiven, inEnglish } from '../../../../src/core/text/phrase';
import { TABLE_COLUMNS } from '../../../../src/core/text/textTable';
import { sectionOf } from '../../../support/panelSnapshots';

/** A section of a file that costs nothing yet. */
function section(id: string, changes: Partial<ReportSection> = {}): ReportSection {
  const free = { chars: 0, tokens: 0, charsFull: 0, tokensFull: 0, text: '' };
  return sectionOf({
    id,
    priority: 'P1',
    summary: id,
    source: { kind: 'file', path: id },
    path: id,
    ...free,
    ...changes,
  });
}

function report(sections: readonly ReportSection[], changes: Partial<PayloadReport['budget']> = {}): ContextReport {
  const payload: PayloadReport = {
    mode: 'expanded',
    budget: {
      budgetTokens: 7500,
      tokens: 6120,
      tokenizer: 'o200k_base',
      hardCapChars: 30_000,
      chars: 21_034,
      status: 'WARN',
      downgradeApplied: ['P4 dropped: topic-memory'],
      isExact: true,
      ...changes,
    },
    overheadTokens: 20,
    sections,
    leftOut: { sections: 1, tokens: 2180 },
    repoMap: undefined,
    notes: ['1 section was left out; ask for section:topic-memory'],
    cuts: [],
    secrets: [],
    text: '',
  };
  return { profile: 'default', payloads: { expanded: payload, index: { ...payload, mode: 'index' } }, problems: [] };
}

/** Fifty cycles without a citation. */
const IDLE: SectionUsage = {
  id: '记忆.md',
  loaded: 50,
  citedCycles: 0,
  citations: 0,
  charsMean: 2_000,
  return: { judged: 212, citations: 0, roi: 0, interval: [0, 0.4], roiClass: 'WASTE', isUncertain: false },
  citedEntries: [],
  lastCitedCycle: undefined,
  cyclesSinceCited: undefined,
  charsPerCycle: [],
  citationsPerCycle: [],
};

/** The mock's numbers in small: every group word, an alert, a file name that must be cut, wide characters. */
const SECTIONS = [
  section('AGENTS.md', { priority: 'P0', tokens: 4000, reason: 'always full' }),
  section('.github/instructions/components/react-native.instructions.md', {
    tokens: 1500,
    roi: 2.93,
    roiClass: 'MED+',
    citations: 8,
  }),
  section('记忆.md', { tokens: 588, roi: 0, roiClass: 'WASTE', usage: IDLE }),
  section('ports', { priority: 'P2', tokens: 12, disclosure: 'summary', status: 'ALERT', reason: 'stopped after 5 s' }),
  section('ci', { priority: 'P2', isNotRun: true, reason: 'not trusted' }),
  section('topic-memory', {
    priority: 'P4',
    tokensFull: 2180,
    disclosure: 'omitted',
    isLeftOut: true,
    reason: 'left out, over budget',
  }),
];

describe('renderBudgetTable', () => {
  it('says which sections the budget cuts, and how much of them is not shown', () => {
    const cut = section('notes', { priority: 'P3', tokens: 100, tokensFull: 1300, disclosure: 'summary', isCut: true });
    const text = renderBudgetTable(report([...SECTIONS, cut]), 'expanded', 'text');
    expect(text).toMatch(/^OK +notes .* cut {2,}/m);
    expect(text).toContain('1 section left out (2,180 tokens) · 1 section cut (1,200 tokens not shown) · ');
  });

  it('suggests a token cap where tokens bind far before characters', () => {
    const text = renderBudgetTable(report(SECTIONS, { suggestedTokens: 15_000, chars: 14_000 }), 'expanded', 'text');
    const line = 'Tokens run out at 47% of the characters: budget_tokens 15,000 would use both limits\n';
    expect(text).toContain(`14,000 of 30,000 characters, 47%\n${line}`);
  });

  it('lays the rows out by priority, with totals against both caps', () => {
    expect(renderBudgetTable(report(SECTIONS), 'expanded', 'text')).toBe(
      `Context budget, profile default, expanded payload

Status   Section                Tokens  Share  Size      ROI         Shown     Reason
P0       always full             4,000    65%
OK       AGENTS.md               4,000    65%  ████████  no data     full      always full
P1       always kept             2,088    34%
OK       .githu…nstructions.md   1,500    25%  ███       2.93 MED+   full      always kept
OK       记忆.md                   588    10%  █▏        0.00 WASTE  full      always kept
P2       cut last                   12    <1%
ALERT    ports                      12    <1%  ▏         no data     summary   stopped after 5 s
not run  ci                          0     0%            no data     full      not trusted
P4       cut first                   0     0%
OK       topic-memory                0     0%            no data     left out  left out, over budget
         notes                      20    <1%

6,120 of 7,500 tokens, 82%
21,034 of 30,000 characters, 70%
Status WARN · 1 section left out (2,180 tokens) · 1 alert
Note: 1 section was left out; ask for section:topic-memory
`,
    );
  });

  it('says what "never used" rests on, and never says it of P0 and P1', () => {
    const idle = (id: string, priority: Priority) => section(id, { priority, tokens: 9, usage: IDLE });
    const print = (...sections: ReportSection[]) => renderBudgetTable(report(sections), 'expanded', 'text');
    expect(print(idle('a', 'P0'), idle('b', 'P3'))).toContain(' · 1 section never used (0 of 212 cycles)\n');
    expect(print(idle('a', 'P2'), idle('b', 'P3'))).toContain('2 sections never used (0 of at least 212 cycles)\n');
    expect(print(idle('a', 'P0'), idle('b', 'P1'))).not.toContain('never used');
  });

  it('says by how much a cap is exceeded, and never 100% below it', () => {
    const over = renderBudgetTable(report([], { tokens: 8246, chars: 29_999 }), 'index', 'text');
    expect(over).toContain('8,246 of 7,500 tokens, 109%, 746 over');
    expect(over).toContain('29,999 of 30,000 characters, 99%');
    expect(over).toContain('index payload');
  });

  it('marks every token number as an estimate while it is one', () => {
    const text = renderBudgetTable(report(SECTIONS, { isExact: false }), 'expanded', 'text');
    expect(text).toContain('≈6,120 of 7,500 tokens');
    expect(text).toContain('≈1,500');
  });

  it('keeps its columns aligned and within the width for any names and numbers', () => {
    const sections = fc.array(
      fc
        .record({
          title: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }),
          reason: fc.string({ unit: 'grapheme', maxLength: 30 }),
          tokens: fc.integer({ min: 0, max: 9_999_999 }),
          priority: fc.constantFrom(...PRIORITIES),
          isPending: fc.boolean(),
        })
        .map((changes) => section('x', changes)),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(sections, (all) => {
        const total = all.reduce((sum, { tokens }) => sum + tokens, 20);
        const lines = renderBudgetTable(report(all, { tokens: total }), 'expanded', 'text').split('\n');
        const rows = lines.slice(2, lines.indexOf('', 2));
        // Each priority that occurs, each section, the head and the notes have exactly one line.
        expect(rows).toHaveLength(all.length + new Set(all.map(({ priority }) => priority)).size + 2);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(TABLE_COLUMNS);
      }),
    );
  });

  it('does not let a name rewrite the terminal or the line', () => {
    const text = renderBudgetTable(report([section('x', { title: 'a\u001b[2J\u202eb\nc' })]), 'expanded', 'text');
    expect(text).not.toContain('\u001b');
    expect(text).not.toContain('\u202e');
    expect(text).toContain('a [2J b c');
  });

  it('is a Markdown table whose cells cannot add cells', () => {
    const text = renderBudgetTable(report([section('x', { title: 'a|b<c>', tokens: 3060 })]), 'expanded', 'markdown');
    expect(text).toContain(
      '| P1 | OK | a\\|b\\<c\\> | 3,060 | 50% | ████████ | no data | full | always kept |\n|  |  | notes | 20 | \\<1% |',
    );
    expect(text).toContain('- 6,120 of 7,500 tokens, 82%\n');
  });

  it('is the payload as JSON without the texts', () => {
    const full = report([section('x', { text: 'the text', tokens: 3060 })]);
    const payload = JSON.parse(renderPayload(full, 'expanded', 'json'));
    const table = JSON.parse(renderBudgetTable(full, 'expanded', 'json'));
    expect(payload.sections[0].text).toBe('the text');
    delete payload.sections[0].text;
    expect(table).toEqual(payload);
  });

  describe('with scores explained', () => {
    const relevance: SectionRelevance = {
      score: 0.2958,
      threshold: 0.3,
      hasEnoughData: true,
      exemption: undefined,
      verdict: 'stub',
      factors: [
        { name: 'citation', value: 0.0913, weight: 0.4, why: asGiven('cited in 0 of 50 cycles') },
        { name: 'size', value: 0.5, weight: 0.1, why: asGiven('2,000 <characters>') },
      ],
    };
    const explained = (changes: Partial<SectionRelevance>, format: TableFormat = 'text') =>
      renderBudgetTable(report([section('a', { relevance: { ...relevance, ...changes } })]), 'expanded', format, true);

    it('says below the table what became of each section, and why', () => {
      expect(explained({})).toContain(
        [
          'Relevance',
          'a: 0.29 < 0.30: one line in mode dynamic',
          '  citation 0.40 × 0.09  cited in 0 of 50 cycles',
          '  size     0.10 × 0.50  2,000 <characters>',
          '',
        ].join('\n'),
      );
      const kept = { verdict: 'kept' } as const;
      expect(explained({ ...kept, exemption: 'cited' })).toContain('< 0.30: kept, because it was cited in the last 3');
      expect(explained({ ...kept, hasEnoughData: false })).toContain('< 0.30: kept, not enough data');
      expect(explained({ ...kept, score: 0.3, exemption: 'P0' })).toContain('a: 0.30 ≥ 0.30: kept\n');
    });

    it('says so when scoring is off', () => {
      expect(renderBudgetTable(report([section('a')]), 'expanded', 'text', true)).toContain('Scoring is off');
    });

    it('is an object of each section in JSON and a block in Markdown', () => {
      const [json] = JSON.parse(explained({}, 'json')).sections;
      expect(json.relevance).toEqual({
        score: 0.2958,
        threshold: 0.3,
        has_enough_data: true,
        exemption: null,
        verdict: 'stub',
        factors: relevance.factors.map((factor) => ({ ...factor, why: inEnglish(factor.why) })),
      });
      expect(explained({}, 'markdown')).toContain('~~~text\na: 0.29 < 0.30');
    });

    it('is nowhere without being asked for', () => {
      const scored = report([section('a', { relevance })]);
      for (const format of ['text', 'markdown', 'json'] as const)
        expect(renderBudgetTable(scored, 'expanded', format)).toBe(
          renderBudgetTable(report([section('a')]), 'expanded', format),
        );
    });
  });

  it('is JSON that people can read too', () => {
    const text = renderBudgetTable(report([section('a')]), 'expanded', 'json');
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
  });

  it('has a row for nothing at all', () => {
    expect(renderBudgetTable(report([], { tokens: 0, chars: 0, status: 'OK' }), 'expanded', 'text')).toContain(
      '0 of 7,500 tokens, 0%',
    );
  });
});

describe('renderCitationTable', () => {
  it('lines up by what a terminal shows, Chinese too', () => {
    expect(
      renderCitationTable([
        { id: 'agents-md', evidence: 'path', what: 'src/a.ts' },
        { id: 'soul', evidence: 'keyword', what: '预占流程, lease' },
      ]),
    ).toBe('section    evidence  what\nagents-md  path      src/a.ts\nsoul       keyword   预占流程, lease\n');
  });

  it('is empty without citations', () => {
    expect(renderCitationTable([])).toBe('');
  });
});

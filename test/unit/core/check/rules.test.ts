import { describe, expect, it } from 'vitest';
import { measureLoad } from '../../../../src/core/check/agentLoad';
import { type CheckInput, RULE_SOURCES } from '../../../../src/core/check/rules';
import type { CheckRule } from '../../../../src/core/config/checkRules';
import { parseConfig } from '../../../../src/core/config/config';
import type { ContextReport, ReportSection } from '../../../../src/core/model/report';
import type { AgentWindow, WindowItem } from '../../../../src/core/window/loaded/windowReport';

/** What the rules look at of one section. */
const section = (id: string, tokens: number, more: Partial<ReportSection> = {}): ReportSection =>
  ({
    ...{ id, tokens, tokensFull: tokens, priority: 'P1', source: { kind: 'file', path: `${id}.md` } },
    ...{ isLeftOut: false, isExcluded: false, isPending: false, reason: 'always full' },
    ...more,
  }) as ReportSection;

const BUDGET = { status: 'OK', tokens: 100, budgetTokens: 7500, chars: 400, hardCapChars: 30_000 };

/** A payload of these sections under a config. */
function input(
  sections: readonly ReportSection[],
  { budget = {}, config = '{}', secrets = [], ...more }: Record<string, unknown> & { config?: string } = {},
): CheckInput {
  const expanded = { sections, budget: { ...BUDGET, ...(budget as object) }, secrets };
  const index = { sections: [], budget: BUDGET, secrets };
  return {
    config: parseConfig(config).config!,
    configText: config,
    report: { profile: 'default', payloads: { expanded, index } } as unknown as ContextReport,
    ...{ problems: [], agents: [], lists: [], loads: [], notices: [], relay: undefined },
    ...{ comparison: undefined, maxIncrease: undefined },
    ...more,
  } as CheckInput;
}

const found = (rule: CheckRule, given: CheckInput) => RULE_SOURCES[rule](given);
const check = (limits: object): string => JSON.stringify({ version: 1, check: { limits } }, null, 1);

describe('over-cap', () => {
  const sections = [
    section('small', 10),
    section('log', 9000, { priority: 'P3' }),
    section('large', 7000),
    section('b', 20),
  ];

  it('names the largest section of those that are never cut', () => {
    const budget = { status: 'ALERT', tokens: 8000 };
    expect(found('over-cap', input(sections, { budget }))).toEqual([
      {
        message:
          'the payload of profile default has 8,000 of 7,500 tokens; the largest section is large (7,000 tokens)',
        ...{ section: 'large', path: 'large.md', tokens: 8000, limit: 7500 },
      },
    ]);
  });

  it('says characters where these are over', () => {
    const budget = { status: 'ALERT', chars: 30_001 };
    const [first] = found('over-cap', input([section('log', 1, { priority: 'P3' })], { budget }));
    expect(first).toEqual({ message: 'the payload of profile default has 30,001 of 30,000 characters' });
  });

  it('finds nothing within the caps', () => {
    expect(found('over-cap', input(sections, { budget: { status: 'WARN', tokens: 7500 } }))).toEqual([]);
  });
});

describe('limits', () => {
  it('of the total hold up to the number itself, and are found at their line', () => {
    const at = (total: number) => found('total-limit', input([], { config: check({ total }) }));
    expect(at(100)).toEqual([]);
    expect(at(99)).toEqual([
      {
        message: 'the payload has 100 of 99 tokens',
        ...{ path: '.context-budget/config.json', line: 5, tokens: 100, limit: 99 },
      },
    ]);
  });

  it('of a section count the whole file where the budget cuts it', () => {
    const limits = { section: { a: 50, b: 50, c: 50 } };
    const cut = section('a', 10, { tokensFull: 60, isCut: true });
    const whole = section('b', 10, { tokensFull: 60 });
    const small = section('c', 50);
    const messages = found('section-limit', input([cut, whole, small], { config: check(limits) }));
    expect(messages).toEqual([
      {
        message: 'a has 60 of 50 tokens',
        ...{ path: '.context-budget/config.json', line: 6, section: 'a', tokens: 60, limit: 50 },
      },
    ]);
  });
});

describe('increase', () => {
  const context = (tokens: number, sections: Readonly<Record<string, number>>) => ({
    tokens,
    sections: Object.entries(sections).map(([id, each]) => ({ id, tokens: each })),
  });
  const comparison = {
    ref: 'main',
    before: context(1000, { a: 500, b: 400, gone: 100 }),
    now: context(1200, { a: 510, new: 290, b: 400 }),
  };
  const grown = (amount: number, unit: string) =>
    found('increase', input([section('new', 290)], { comparison, maxIncrease: { amount, unit } }));

  it('names the section that grew most, a new one from nothing', () => {
    expect(grown(100, 'tokens')).toEqual([
      {
        message: 'the payload grew by 200 tokens since main, 100 allowed; new grew most (+290)',
        ...{ section: 'new', tokens: 1200, limit: 1100 },
      },
    ]);
  });

  it('may be a share of what was there, up to the number itself', () => {
    expect(grown(20, 'percent')).toEqual([]);
    expect(grown(19, 'percent')).toMatchObject([{ limit: 1190, message: expect.stringContaining('19% allowed') }]);
    expect(grown(200, 'tokens')).toEqual([]);
  });
});

describe('secret', () => {
  it('is found once where both payloads have it, at its line, else in its section', () => {
    const secrets = [
      { sectionId: 'a', path: 'a.md', line: 3, label: 'GitHub token' },
      { sectionId: 'run', line: 1, label: 'password' },
    ];
    expect(found('secret', input([], { secrets }))).toEqual([
      { message: 'GitHub token in a.md', path: 'a.md', line: 3, section: 'a' },
      { message: 'password in run', section: 'run' },
    ]);
  });
});

describe('unmeasured', () => {
  it('is what was not read, not scanned or is still counted, but not what is excluded', () => {
    const sections = [
      section('fine', 1),
      section('unread', 1, { isUnread: true, reason: 'no such file' }),
      section('pending', 1, { isPending: true }),
      section('unscanned', 1, { isNotScanned: true, reason: 'secrets could not be looked for' }),
      section('out', 1, { isUnread: true, isExcluded: true }),
    ];
    expect(found('unmeasured', input(sections)).map(({ message }) => message)).toEqual([
      'unread was not measured: no such file',
      'pending was not measured: it is still being counted',
      'unscanned was not measured: secrets could not be looked for',
    ]);
  });
});

describe('what an agent loads', () => {
  const item = (source: string, tokens: number, more: Partial<WindowItem> = {}): WindowItem =>
    ({
      ...{ id: source, kind: 'instructions', source, line: null, tokens, tokensFull: tokens },
      fate: 'loaded',
      ...more,
    }) as WindowItem;
  const load = (items: readonly WindowItem[]) =>
    measureLoad({ agent: 'codex', name: 'Codex', items } as unknown as AgentWindow, new Map());

  it('is led by the file with the most tokens, over all that it has, without the agent’s own', () => {
    const items = [
      item('a.md', 40),
      item('own', 9000, { kind: 'agent' }),
      item('b.md', 30),
      item('c.md', 50),
      item('b.md', 25, { kind: 'skills', fate: 'listed' }),
      item('d.md', 900, { fate: 'onDemand' as WindowItem['fate'] }),
    ];
    expect(load(items)).toMatchObject({ tokens: 145, largestPath: 'b.md' });
    expect(load([item('a.md', 0)])).not.toHaveProperty('largestPath');
  });

  it('is found where it is over the agent’s limit, with its kinds', () => {
    const loads = [load([item('a.md', 40), item('b.md', 30, { kind: 'skills' })])];
    const at = (codex: number) => found('agent-limit', input([], { loads, config: check({ agent: { codex } }) }));
    expect(at(70)).toEqual([]);
    expect(at(69)).toMatchObject([{ path: 'a.md', agent: 'codex', tokens: 70, limit: 69 }]);
  });
});

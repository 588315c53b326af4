import { describe, expect, it } from 'vitest';
import type { AgentCoverage, CoveredFile } from '../../../../../src/core/agents/agentCoverage';
import { editConfig } from '../../../../../src/core/config/configEdit';
import { makeProblem } from '../../../../../src/core/model/problem';
import type { BudgetSummary, CutRecord, PayloadReport, ReportSection } from '../../../../../src/core/model/report';
import {
  type Finding,
  type FindingFacts,
  findingOf,
  type WindowServer,
} from '../../../../../src/core/pipeline/report/finding';
import { inEnglish, phrase } from '../../../../../src/core/text/phrase';
import { effectOf, payloadOf, sectionOf, usageOf } from '../../../../support/panelSnapshots';

type Patch = Partial<ReportSection>;

/** An instruction file that is cited now and then. */
const agentsMd = (patch: Patch = {}): ReportSection =>
  sectionOf({ id: 'agents-md', title: 'AGENTS.md', path: 'AGENTS.md', priority: 'P0', tokens: 1000, ...patch });
const cited = (patch: Patch = {}): ReportSection =>
  sectionOf({ id: 'memory', priority: 'P3', tokens: 500, usage: usageOf({ citations: 56 }), ...patch });
/** One that 50 cycles loaded and none cited. */
const unused = (patch: Patch = {}): ReportSection =>
  sectionOf({ id: 'topics', priority: 'P4', tokens: 1000, usage: usageOf({ citations: 0, loaded: 50 }), ...patch });
const leftOut = (id: string, tokensFull: number): ReportSection =>
  sectionOf({ id, priority: 'P4', tokens: 20, disclosure: 'stub', tokensFull, isLeftOut: true });

const BUDGET_CUT = { id: 'topics', by: 'budget' } as CutRecord;
const SECRET = { sectionId: 'memory', line: 3, label: 'AWS access key' };

const codex = (patch: Partial<CoveredFile> = {}, more: Partial<AgentCoverage> = {}): AgentCoverage => ({
  agent: 'codex',
  name: 'Codex',
  files: [
    {
      path: 'AGENTS.md',
      fate: 'truncated',
      bytes: 34_000,
      lines: 420,
      bytesLost: 1232,
      cutLine: 402,
      importedBy: undefined,
      why: undefined,
      isDoubtful: false,
      ...patch,
    },
  ],
  bytesLoaded: 32_768,
  bytesLost: 1232,
  ...more,
});

/** A file of the payload that agents read. */
const claudeMd = (patch: Patch = {}): ReportSection =>
  agentsMd({ id: 'claude-md', path: 'CLAUDE.md', source: { kind: 'file', path: 'CLAUDE.md' }, ...patch });
const claude = (patch: Partial<CoveredFile> = {}): AgentCoverage => {
  const whole = { path: 'CLAUDE.md', fate: 'loaded', bytesLost: 0, cutLine: undefined } as const;
  return codex({ ...whole, ...patch }, { agent: 'claude-code', name: 'Claude Code' });
};
/** An MCP server in the window of the agent. */
const server = (tokens: number, patch: Partial<WindowServer> = {}): WindowServer => ({
  ...{ name: 'github', key: 'server .mcp.json github', tokens, isUnused: false, actions: ['disable'] },
  ...patch,
});
/** A folder of which next to nothing is shown. */
const memories = (id: string, tokensFull: number, patch: Patch = {}): ReportSection =>
  sectionOf({
    ...{ id, priority: 'P4', tokens: 466, tokensFull, disclosure: 'summary', files: [], isCut: true },
    source: { kind: 'files', pattern: `memory/${id}/**/*.md` },
    ...patch,
  });

interface Case extends Partial<Omit<FindingFacts, 'payload'>> {
  readonly sections?: readonly ReportSection[];
  readonly budget?: Partial<BudgetSummary>;
  readonly payload?: Partial<PayloadReport>;
}

function factsOf({ sections = [agentsMd(), cited()], budget, payload, ...facts }: Case): FindingFacts {
  return {
    payload: payloadOf(sections, budget, { mode: 'expanded', ...payload }),
    problems: [],
    isTrusted: true,
    scoring: { mode: 'baseline', threshold: 0.3 },
    simulation: undefined,
    offer: undefined,
    agents: undefined,
    myAgents: ['codex'],
    profile: 'default',
    hasTask: false,
    ...facts,
  };
}

const LOADED: Case = { sections: [claudeMd()], agents: [claude()], myAgents: ['claude-code'] };

const lossless = { citationsTotal: 56, citationsKept: 56 };
const at = (threshold: number, tokensAfter: number, patch = {}) => ({
  threshold,
  ...effectOf({ tokensBefore: 2000, tokensAfter, ...lossless, ...patch }),
});
const dynamic = { mode: 'dynamic', threshold: 0.3 } as const;
const offer = (patch = {}, mode: 'static' | 'dynamic' = 'static') => ({
  mode,
  cycles: 212,
  effect: effectOf({ tokensBefore: 2000, tokensAfter: 724, ...lossless, stubbed: ['topics'], ...patch }),
});

/** Title, evidence and the button, `·` between them; what Review opens. */
type Said = readonly [words: string, review: Finding['review']];
const NONE = undefined;

const CASES: readonly (readonly [name: string, facts: Case, said: Said | undefined])[] = [
  ['nothing is to say', {}, NONE],

  // Save.
  [
    'sections that no cycle cited',
    { sections: [agentsMd(), cited(), unused()] },
    ['Save 980 tokens (−39%) · 56 of 56 citations kept · Apply', { sectionIds: ['topics'] }],
  ],
  [
    'several of them, together',
    { sections: [agentsMd(), cited(), unused(), unused({ id: 'style', priority: 'P2', tokens: 316 })] },
    ['Save 1,276 tokens (−45%) · 56 of 56 citations kept · Apply', { sectionIds: ['topics', 'style'] }],
  ],
  [
    'they make room where the budget cut something',
    { sections: [agentsMd(), cited(), unused()], payload: { cuts: [BUDGET_CUT] } },
    ['Free 980 tokens for other sections · 56 of 56 citations kept · Apply', { sectionIds: ['topics'] }],
  ],
  [
    'one of at most 2% of the payload',
    { sections: [agentsMd({ tokens: 3000 }), cited(), unused({ tokens: 70 })] },
    NONE,
  ],
  [
    'one that 49 cycles loaded',
    { sections: [cited(), unused({ usage: usageOf({ citations: 0, loaded: 49 }) })] },
    NONE,
  ],
  [
    'a log with too few citations to tell',
    { sections: [agentsMd(), cited({ usage: usageOf({ citations: 9 }) }), unused()] },
    NONE,
  ],
  ['an instruction, which is followed, not cited', { sections: [cited(), unused({ priority: 'P1' })] }, NONE],
  ['a pinned one', { sections: [cited(), unused({ isPinned: true })] }, NONE],
  ['an alarm', { sections: [cited(), unused({ status: 'ALERT' })] }, NONE],
  ['one that is a stub already', { sections: [cited(), unused({ disclosure: 'stub' })] }, NONE],
  ['one row of an index', { sections: [cited(), unused()], payload: { mode: 'index' } }, NONE],
  [
    'a threshold that saves more and loses nothing',
    {
      scoring: dynamic,
      simulation: {
        cycles: 20,
        points: [
          at(0.3, 1500, { stubbed: ['run-logs'] }),
          at(0.4, 1200, { stubbed: ['run-logs', 'memory'] }),
          at(0.45, 1200, { stubbed: ['run-logs', 'memory'] }),
          at(0.5, 900, { citationsKept: 55 }),
        ],
      },
    },
    ['Save 300 tokens (−20%) · 56 of 56 citations kept · Apply', { sectionIds: ['memory'] }],
  ],
  [
    'scores that save a trifle over the rules of mode static',
    {
      scoring: { mode: 'static', threshold: 0.3 },
      simulation: { cycles: 50, tokensNow: 910, points: [at(0.3, 1500), at(0.4, 900)] },
    },
    NONE,
  ],
  [
    'a threshold that saves a trifle',
    { scoring: dynamic, simulation: { cycles: 50, points: [at(0.3, 1500), at(0.4, 1480)] } },
    NONE,
  ],

  [
    'scores in mode baseline, with the lowest threshold that saves nearly most',
    {
      simulation: {
        cycles: 36,
        points: [at(0.3, 2000), at(0.35, 745, { stubbed: ['topics', 'style'] }), at(0.4, 724, { stubbed: ['topics'] })],
      },
    },
    ['Save 1,255 tokens (−63%) · 56 of 56 citations kept · Apply', { sectionIds: ['topics', 'style'] }],
  ],
  ['scores over 19 cycles', { simulation: { cycles: 19, points: [at(0.3, 900)] } }, NONE],
  [
    'scores that are off',
    { scoring: { mode: 'off', threshold: 0.3 }, simulation: { cycles: 50, points: [at(0.3, 900)] } },
    NONE,
  ],
  [
    'scores over a log without citations',
    { simulation: { cycles: 50, points: [at(0.3, 900, { citationsTotal: 0, citationsKept: 0 })] } },
    NONE,
  ],

  // The next mode.
  [
    'the next mode',
    { offer: offer() },
    ['Switch to Rules: save 1,276 tokens · tested on 212 cycles · Switch to Rules', { sectionIds: ['topics'] }],
  ],
  [
    'the one after it',
    { offer: offer({}, 'dynamic') },
    ['Switch to Automatic: save 1,276 tokens · tested on 212 cycles · Switch to Automatic', { sectionIds: ['topics'] }],
  ],
  ['a mode that loses a citation', { offer: offer({ citationsKept: 55 }) }, NONE],
  ['a mode that saves nothing', { offer: offer({ tokensAfter: 2000 }) }, NONE],
  ['a mode of which nothing is known', { offer: { ...offer(), effect: undefined } }, NONE],

  // Left out.
  [
    'what is left out, with what takes most of the limit',
    { sections: [agentsMd({ tokens: 1282 }), cited({ path: 'docs/MEMORY.md', tokens: 3310 }), leftOut('a', 312_000)] },
    ['1 section left out: 312k tokens · MEMORY.md takes 44% of the limit', { show: 'leftOut' }],
  ],
  [
    'what takes over half of the limit and can give way, with what it leaves out',
    { sections: [agentsMd({ tokens: 1282 }), cited({ path: 'docs/MEMORY.md', tokens: 4310 }), leftOut('a', 312_000)] },
    ['MEMORY.md takes 57% of the limit · 1 section left out: 312k tokens · On Demand', { sectionIds: ['memory'] }],
  ],
  [
    'several; a file name that is there twice is told by its path',
    {
      sections: [
        agentsMd({ tokens: 3000, title: 'web/AGENTS.md', path: 'web/AGENTS.md' }),
        agentsMd({ id: 'root' }),
        ...[leftOut('a', 1240), leftOut('b', 907)],
      ],
    },
    ['2 sections left out: 2.1k tokens · web/AGENTS.md takes 40% of the limit', { show: 'leftOut' }],
  ],

  // A large section.
  [
    'an instruction over half of the limit: no action',
    { sections: [agentsMd({ tokens: 4870 })] },
    ['AGENTS.md takes 65% of the limit · 4,870 tokens', { sectionIds: ['agents-md'] }],
  ],
  [
    'another section over half of it',
    { sections: [agentsMd(), cited({ tokens: 4870 })] },
    ['memory takes 65% of the limit · frees up to 4,850 tokens · On Demand', { sectionIds: ['memory'] }],
  ],
  [
    'a file of which a part is shown, over half of it',
    { sections: [claudeMd({ priority: 'P2', tokens: 5890, tokensFull: 7427, disclosure: 'summary' })] },
    ['CLAUDE.md takes 79% of the limit · frees up to 5,870 tokens · On Demand', { sectionIds: ['claude-md'] }],
  ],
  ['exactly half of the limit', { sections: [agentsMd({ tokens: 3750 })] }, NONE],
  ['a list that fills the room that is there', { sections: [cited({ tokens: 4870, disclosure: 'summary' })] }, NONE],

  // What the agent loads by itself.
  [
    'a file that the one agent in use loads',
    { sections: [claudeMd(), cited()], agents: [claude()], myAgents: ['claude-code'] },
    ['Claude Code loads 1,000 of these tokens itself · CLAUDE.md · Leave Out', { sectionIds: ['claude-md'] }],
  ],
  [
    'the same over half of the limit',
    { sections: [claudeMd({ priority: 'P2', tokens: 4000 })], agents: [claude()], myAgents: ['claude-code'] },
    ['Claude Code loads 4,000 of these tokens itself · CLAUDE.md · Leave Out', { sectionIds: ['claude-md'] }],
  ],
  ['two agents in use', { sections: [claudeMd()], agents: [claude()], myAgents: ['claude-code', 'codex'] }, NONE],
  [
    'a profile that is for the agent already',
    {
      ...{ sections: [claudeMd()], agents: [claude()], myAgents: ['claude-code'] },
      budget: { agent: { name: 'Claude Code', tokens: 0, sections: 0 } },
    },
    NONE,
  ],
  ['a file that it may not load', { ...LOADED, agents: [claude({ isDoubtful: true })] }, NONE],
  ['a file that it loads when something asks', { ...LOADED, agents: [claude({ fate: 'onDemand' })] }, NONE],
  [
    'a file that it cuts, if by a trifle',
    { ...LOADED, agents: [claude({ fate: 'truncated', bytesLost: 9, cutLine: 402 })] },
    NONE,
  ],
  ['an index, which has one line of it', { ...LOADED, payload: { mode: 'index' } }, NONE],

  // Folders that show next to nothing.
  [
    'several of memories',
    { sections: [agentsMd(), memories('a', 43_167), memories('b', 33_465)] },
    [
      '75.7k tokens of memories are not shown · files that match a task come first · Describe Your Task',
      { sectionIds: ['a', 'b'] },
    ],
  ],
  [
    'with a task: nothing that one change does',
    { sections: [agentsMd(), memories('a', 43_167)], hasTask: true },
    ['42.7k tokens of a are not shown · AGENTS.md takes 13% of the limit', { sectionIds: ['a'] }],
  ],
  [
    'other folders too',
    {
      sections: [agentsMd(), memories('a', 9000), memories('b', 9000, { source: { kind: 'files', pattern: 'x/*' } })],
    },
    [
      '17.1k tokens of 2 folders are not shown · files that match a task come first · Describe Your Task',
      { sectionIds: ['a', 'b'] },
    ],
  ],
  ['one that shows a tenth', { sections: [agentsMd(), memories('a', 4660)] }, NONE],
  ['one that a rule cuts', { sections: [agentsMd(), sectionOf({ id: 'a', tokensFull: 43_167, files: [] })] }, NONE],
  [
    'what is left out, where that is more',
    { sections: [agentsMd(), memories('a', 5000), leftOut('b', 9000)] },
    ['1 section left out: 9k tokens · AGENTS.md takes 13% of the limit', { show: 'leftOut' }],
  ],
  [
    'beside a section over half of the limit',
    { sections: [agentsMd({ tokens: 4000 }), memories('a', 43_167)] },
    ['AGENTS.md takes 53% of the limit · 4,000 tokens', { sectionIds: ['agents-md'] }],
  ],

  // What agents cut.
  [
    'where one of my agents stops reading',
    { agents: [codex()] },
    ['Codex stops at line 402 of AGENTS.md · 19 lines are never read', { part: 'agents' }],
  ],
  [
    'the last line alone',
    { agents: [codex({ lines: 402 })] },
    ['Codex stops at line 402 of AGENTS.md · 1 line is never read', { part: 'agents' }],
  ],
  [
    'of two the one that loses more',
    { agents: [codex(), codex({ path: 'docs/AGENTS.md', bytesLost: 2000, cutLine: 300 })] },
    ['Codex stops at line 300 of docs/AGENTS.md · 121 lines are never read', { part: 'agents' }],
  ],
  [
    'of two that lose as much the first by path',
    { agents: [codex({ path: 'b/AGENTS.md' }), codex({ path: 'a/AGENTS.md' }), codex({ path: 'c/AGENTS.md' })] },
    ['Codex stops at line 402 of a/AGENTS.md · 19 lines are never read', { part: 'agents' }],
  ],
  ['an agent that is none of mine', { agents: [codex()], myAgents: ['claude-code'] }, NONE],
  ['a cut that is not certain', { agents: [codex({ isDoubtful: true })] }, NONE],
  ['a cut under 1% of the file', { agents: [codex({ bytesLost: 339 })] }, NONE],
  ['a file that is ignored', { agents: [codex({ fate: 'shadowed', cutLine: undefined })] }, NONE],

  [
    'a server that every request carries: no advice to disable what may be used',
    { servers: [server(14_100)] },
    ['MCP server github: 14.1k tokens · in every request', { part: 'window' }],
  ],
  [
    'a server that no session called',
    { servers: [server(1_000, { isUnused: true }), server(999, { name: 'small', isUnused: true })] },
    ['MCP server github: 1k tokens · in every request, never used · Disable', { part: 'window' }],
  ],
  [
    'a server that can load on demand, used or not',
    { servers: [server(14_100, { actions: ['onDemand', 'disable'] })] },
    ['MCP server github: 14.1k tokens · in every request · Load on Demand', { part: 'window' }],
  ],
  ['a small server that may be used', { servers: [server(4_999)] }, NONE],
  [
    'of several servers the largest, of equal ones by name',
    {
      servers: [
        server(6_000, { key: 'a', name: 'a' }),
        server(9_000, { key: 'c' }),
        server(9_000, { key: 'b', name: 'b' }),
      ],
    },
    ['MCP server b: 9k tokens · in every request', { part: 'window' }],
  ],
  [
    'in Restricted Mode a server without its action',
    { servers: [server(9_000, { isUnused: true })], isTrusted: false },
    ['MCP server github: 9k tokens · in every request, never used', { part: 'window' }],
  ],

  // Without a gain.
  [
    'no agent is known',
    { myAgents: [], payload: { secrets: [SECRET] } },
    ['See what your agent loads first · files, MCP servers, skills · Choose Agents…', undefined],
  ],
  [
    'masked keys, where nothing else is to say',
    { payload: { secrets: [SECRET, { ...SECRET, line: 9 }] } },
    ['2 keys masked · memory', { sectionIds: ['memory'] }],
  ],

  // Which one.
  [
    'the largest gain: room for what is left out',
    { sections: [agentsMd(), cited({ tokens: 2000 }), unused(), leftOut('a', 9000)], agents: [codex()] },
    ['1 section left out: 9k tokens · memory takes 27% of the limit', { show: 'leftOut' }],
  ],
  [
    'the largest gain: unused sections before a smaller cut',
    { sections: [agentsMd(), cited(), unused()], agents: [codex()] },
    ['Save 980 tokens (−39%) · 56 of 56 citations kept · Apply', { sectionIds: ['topics'] }],
  ],
  [
    'the largest gain: a cut before a smaller saving',
    { sections: [agentsMd(), cited(), unused({ tokens: 200 })], agents: [codex({ bytesLost: 9000 })] },
    ['Codex stops at line 402 of AGENTS.md · 19 lines are never read', { part: 'agents' }],
  ],
  [
    'of equal gains, to save before to switch',
    { sections: [agentsMd(), cited(), unused()], offer: offer({ tokensBefore: 1704 }) },
    ['Save 980 tokens (−39%) · 56 of 56 citations kept · Apply', { sectionIds: ['topics'] }],
  ],
  [
    'of two cuts, the one that loses more',
    {
      agents: [codex({}, { agent: 'claude-code', name: 'Claude Code' }), codex({ bytesLost: 1233 })],
      myAgents: ['claude-code', 'codex'],
    },
    ['Codex stops at line 402 of AGENTS.md · 19 lines are never read', { part: 'agents' }],
  ],

  // Beside a message.
  [
    'a broken config',
    { sections: [cited(), unused()], problems: [makeProblem('config', 'error', phrase('broken'))] },
    NONE,
  ],
  [
    'a remark on the config',
    { sections: [cited(), unused()], problems: [makeProblem('config', 'warning', phrase('odd'))] },
    ['Save 980 tokens (−65%) · 56 of 56 citations kept · Apply', { sectionIds: ['topics'] }],
  ],
  ['over the limit in tokens', { sections: [agentsMd({ tokens: 8246 }), leftOut('a', 900)] }, NONE],
  ['over the limit in characters', { sections: [cited(), unused()], budget: { chars: 30_001 } }, NONE],
  [
    'command sections that Restricted Mode keeps from running',
    { sections: [cited(), unused(), sectionOf({ id: 'ports', isNotRun: true })], isTrusted: false },
    NONE,
  ],
  [
    'Restricted Mode without any: no action',
    { sections: [cited(), unused()], isTrusted: false },
    ['Save 980 tokens (−65%) · 56 of 56 citations kept', { sectionIds: ['topics'] }],
  ],
];

describe('the one finding', () => {
  it.each(CASES)('%s', (_, given, expected) => {
    const finding = findingOf(factsOf(given));
    const parts = finding && [finding.title, finding.evidence, ...(finding.action ? [finding.action.label] : [])];
    expect(parts && [parts.map(inEnglish).join(' · '), finding.review]).toEqual(expected);
  });

  it.each<[string, Case, string]>([
    ['unused sections', { sections: [cited(), unused(), unused({ id: 'style' })] }, '"on_demand": ["topics", "style"]'],
    [
      'the profile of the one agent',
      { ...LOADED, profile: 'mine' },
      '"profiles": { "mine": { "agent": "claude-code" } }',
    ],
    ['a large section', { sections: [cited({ tokens: 4870 })] }, '"on_demand": ["memory"]'],
    ['the next mode', { offer: offer() }, '"scoring": { "mode": "static" }'],
    [
      'a threshold',
      { scoring: dynamic, simulation: { cycles: 50, points: [at(0.3, 1500), at(0.45, 900)] } },
      '"scoring": { "threshold": 0.45 }',
    ],
    [
      'scores instead of rules, with the threshold that is there',
      {
        scoring: { mode: 'static', threshold: 0.3 },
        simulation: { cycles: 50, tokensNow: 1900, points: [at(0.3, 900)] },
      },
      '"scoring": { "mode": "dynamic" }',
    ],
  ])('writes the config: %s', (_, given, text) => {
    const change = findingOf(factsOf(given))?.action?.change;
    expect(change && editConfig('{ "version": 1, "profiles": { "mine": {} } }', change).replace(/\s+/g, ' ')).toContain(
      text,
    );
  });

  it('has a key that numbers do not change', () => {
    const keyOf = (tokens: number) => findingOf(factsOf({ sections: [cited(), unused({ tokens })] }))?.key;
    expect(keyOf(900)).toBe(keyOf(1100));
    expect(findingOf(factsOf({ offer: offer() }))?.key).not.toBe(
      findingOf(factsOf({ offer: offer({}, 'dynamic') }))?.key,
    );
  });
});

import { describe, expect, it } from 'vitest';
import type { AgentCoverage } from '../../../../src/core/agents/agentCoverage';
import { parseConfig } from '../../../../src/core/config/config';
import { makeProblem } from '../../../../src/core/model/problem';
import { asGiven, inEnglish, type Phrase, phrase, sayPhrase } from '../../../../src/core/text/phrase';
import type { WorkspaceSnapshot } from '../../../../src/core/workspace/workspace';
import {
  emptyPanelSnapshot,
  isToldFile,
  localizedPayload,
  localizedProblems,
  panelFinding,
  saidFinding,
} from '../../../../src/vscode/panel/panelSnapshot';
import { bundleOf, type Chinese } from '../../../support/chinese';
import { effectOf, payloadOf, sectionOf } from '../../../support/panelSnapshots';

const EMPTY = emptyPanelSnapshot({ name: 'folder', uri: 'file:///folder' }, { mode: 'index', sort: 'size' }, true);

const COVERAGE: AgentCoverage = {
  agent: 'codex',
  name: 'Codex',
  files: [
    {
      path: 'docs/AGENTS.md',
      fate: 'loaded',
      bytes: 1,
      lines: 1,
      bytesLost: 0,
      cutLine: undefined,
      importedBy: undefined,
      why: undefined,
      isDoubtful: false,
    },
  ],
  bytesLoaded: 1,
  bytesLost: 0,
  unreadImports: [{ path: 'CLAUDE.md', line: 3, target: 'gone.md', reason: 'missing' }],
};

describe('isToldFile', () => {
  it('lets the panel open the files that it was told of, and no other', () => {
    const told = { ...EMPTY, agents: [COVERAGE] };
    expect(isToldFile(told, 'docs/AGENTS.md')).toBe(true);
    expect(isToldFile(told, 'CLAUDE.md')).toBe(true);
    for (const path of ['gone.md', 'docs/../docs/AGENTS.md', '../secret', '', 'AGENTS.md'])
      expect(isToldFile(told, path)).toBe(false);
    expect(isToldFile(EMPTY, 'docs/AGENTS.md')).toBe(false);
    expect(isToldFile(undefined, 'docs/AGENTS.md')).toBe(false);
  });

  it('is a file that a section lists', () => {
    const file = { path: 'memory/topics/a.md', title: 'a', date: undefined, tokens: 9, tokensShown: 4 };
    const listed = { ...file, handle: 'section:topics/a', shown: 'row' as const };
    const payload = payloadOf([sectionOf({ id: 'topics', files: [listed] }), sectionOf({ id: 'git' })]);
    const told = { ...EMPTY, payload };
    expect(isToldFile(told, 'memory/topics/a.md')).toBe(true);
    expect(isToldFile(told, 'memory/topics/b.md')).toBe(false);
  });

  it('lets it open the file that a problem is about', () => {
    const place = { path: '.context-budget/config.json', line: 6 };
    const told = { ...EMPTY, problems: [makeProblem('config', 'error', asGiven('broken'), place)] };
    expect(isToldFile(told, place.path)).toBe(true);
    expect(isToldFile(told, 'docs/AGENTS.md')).toBe(false);
  });
});

const sayIn =
  (language: Chinese) =>
  (words: Phrase): string =>
    sayPhrase(words, bundleOf(language), (value) => value.toLocaleString(language));

describe('the finding in the panel', () => {
  const file = COVERAGE.files[0]!;
  const truncated = { ...file, fate: 'truncated' as const, bytes: 40_000, bytesLost: 9000, cutLine: 402, lines: 420 };
  const coverage = { ...COVERAGE, files: [truncated] };
  const payload = payloadOf([sectionOf({ id: 'a', tokens: 4000 })], {}, { mode: 'expanded' });
  const report = { profile: 'default', payloads: { index: payload, expanded: payload }, problems: [] };
  const { config } = parseConfig('{}');
  const known = {
    report,
    config,
    problems: [],
    isTrusted: true,
    agents: [coverage],
    agentsInUse: [],
    profile: 'default',
    task: '',
  } as unknown as WorkspaceSnapshot;
  const effect = { ...effectOf({ tokensBefore: 4000, tokensAfter: 1000 }), citationsTotal: 12, citationsKept: 12 };
  const offer = { mode: 'static' as const, cycles: 50, effect };
  const usage = { cycles: [], prefix: undefined, simulation: undefined, offer };

  it('is of agents in use alone, and asks for them while none is known', () => {
    expect(panelFinding(known, 'expanded', undefined)?.kind).toBe('large');
    const used = { ...known, agentsInUse: ['codex' as const], report: { ...report, payloads: { ...report.payloads } } };
    const small = payloadOf([sectionOf({ id: 'a' })], {}, { mode: 'expanded' });
    used.report.payloads.expanded = small;
    expect(panelFinding(used, 'expanded', undefined)?.key).toBe('agentCut:codex:docs/AGENTS.md');
    const unknown = panelFinding({ ...used, agentsInUse: [] }, 'expanded', undefined);
    expect(unknown && saidFinding(unknown, inEnglish)).toEqual({
      key: 'agents',
      title: 'See what your agent loads first',
      evidence: 'files, MCP servers, skills',
      review: undefined,
      action: { label: 'Choose Agents…' },
    });
    const folder = sectionOf({
      ...{ id: 'a', tokensFull: 9000, files: [], isCut: true },
      source: { kind: 'files', pattern: 'x' },
    });
    used.report.payloads.expanded = payloadOf([folder], {}, { mode: 'expanded' });
    const [asked, told] = ['', 'fix it'].map((task) =>
      panelFinding({ ...used, agents: [], task }, 'expanded', undefined),
    );
    expect([asked && saidFinding(asked, inEnglish).action, told?.action]).toEqual([
      { label: 'Describe Your Task', isTask: true },
      undefined,
    ]);
    const large = sectionOf({ id: 'a', tokens: 5000, tokensStub: 20, priority: 'P2', disclosure: 'full' });
    used.report.payloads.expanded = payloadOf([large], {}, { mode: 'expanded' });
    const onDemand = panelFinding({ ...used, agents: [], task: '' }, 'expanded', undefined);
    expect(onDemand && saidFinding(onDemand, inEnglish).action).toEqual({
      label: 'On Demand',
      title:
        'Show only one line; the agent can ask for the full text. Stop On Demand undoes it · frees up to 4,980 tokens',
    });
    expect(panelFinding({ ...known, report: undefined }, 'expanded', usage)).toBeUndefined();
  });

  it('is said in the interface language, with what Review opens and one action', () => {
    const small = payloadOf([sectionOf({ id: 'a' })], {}, { mode: 'expanded' });
    const facts = { ...known, report: { ...report, payloads: { ...report.payloads, expanded: small } } };
    const finding = panelFinding(facts, 'expanded', usage);
    expect(finding && saidFinding(finding, inEnglish)).toEqual({
      key: 'mode:static',
      title: 'Switch to Rules: save 3,000 tokens',
      evidence: 'tested on 50 cycles',
      review: { sectionIds: [] },
      action: { label: 'Switch to Rules' },
    });
    const chinese = finding && saidFinding(finding, sayIn('zh-cn'));
    expect(`${chinese?.title} ${chinese?.evidence} ${chinese?.action?.label}`.replaceAll('token', '')).not.toMatch(
      /[a-z]/,
    );
  });
});

describe('emptyPanelSnapshot', () => {
  it('says where the classes of return begin, as the defaults have it', () => {
    expect(EMPTY.scoring.roiThresholds).toEqual({ waste: 0.5, med: 2 });
  });

  it('says which folder is being opened, if there is one', () => {
    expect(EMPTY).toMatchObject({ state: 'loading', folderName: 'folder', folderUri: 'file:///folder' });
    const none = emptyPanelSnapshot(undefined, { mode: 'index', sort: 'size' }, true);
    expect(none).toMatchObject({ state: 'noFolder', folderName: '', folderUri: '' });
  });
});

describe('what the panel is sent', () => {
  const words = {
    reason: phrase('pinned'),
    explanation: phrase('The agent can ask for {0} ({1}).', 'section:a', phrase('{0} tokens', 1234)),
  };
  const section = sectionOf({
    id: 'a',
    reason: inEnglish(words.reason),
    explanation: inEnglish(words.explanation),
    words,
  });

  it.each(['zh-cn', 'zh-tw'] as const)('has reason and explanation in %s, and the rest as it was', (language) => {
    const payload = payloadOf([section]);
    const whole = localizedPayload(payload, sayIn(language));
    // The words themselves are the bundle's business.
    const bundle = bundleOf(language);
    const cost = bundle['{0} tokens']?.replace('{0}', '1,234') ?? '';
    const reason = bundle.pinned;
    const explanation = bundle['The agent can ask for {0} ({1}).']?.replace('{0}', 'section:a').replace('{1}', cost);
    expect(whole).toEqual({ ...payload, sections: [{ ...section, reason, explanation }] });
    expect(explanation).toMatch(/^\p{Script=Han}.*section:a（1,234.*token）。$/u);
  });

  it('is the English of the core without a bundle', () => {
    expect(localizedPayload(payloadOf([section]), inEnglish)).toEqual(payloadOf([section]));
  });

  it.each([
    ['zh-cn' as const, '无法读取'],
    ['zh-tw' as const, '無法讀取'],
  ])('has problems in %s', (language, unreadable) => {
    const broken = [
      '{"version": 2}',
      '{"profiles": {"default": {"budget_tokens": "7.5k"}}}',
      '{"sections": 1',
      '{"sectons": []}',
    ];
    const problems = broken.flatMap((text) => parseConfig(text).problems);
    expect(problems).toHaveLength(4);
    const missing = makeProblem('file', 'warning', phrase('{0} could not be read: {1}.', 'a.md', asGiven('EACCES')));
    const messages = localizedProblems([...problems, missing], sayIn(language)).map(({ message }) => message);
    // Keys, values and paths are the user's own; nothing else is Latin.
    const OWN =
      /\.context-budget\/config\.json|profiles\.default\.budget_tokens|"[^"]*"|\bversion\b|\bsectons\b|a\.md|EACCES|JSON/g;
    for (const message of messages) expect(message.replace(OWN, '')).not.toMatch(/[A-Za-z]/);
    expect(messages.at(-1)).toContain(unreadable);
  });
});

import { describe, expect, it } from 'vitest';
import type { AgentCoverage } from '../../../../src/core/agents/agentCoverage';
import { parseConfig } from '../../../../src/core/config/config';
import { makeProblem } from '../../../../src/core/model/problem';
import { asGiven, inEnglish, type Phrase, phrase, sayPhrase } from '../../../../src/core/text/phrase';
import {
  emptyPanelSnapshot,
  isCoveredFile,
  localizedPayload,
  localizedProblems,
} from '../../../../src/vscode/panel/panelSnapshot';
import { bundleOf, type Chinese } from '../../../support/chinese';
import { payloadOf, sectionOf } from '../../../support/panelSnapshots';

const EMPTY = emptyPanelSnapshot('folder', { mode: 'index', sort: 'size' }, true);

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

describe('isCoveredFile', () => {
  it('lets the panel open the files that it was told of, and no other', () => {
    const told = { ...EMPTY, agents: [COVERAGE] };
    expect(isCoveredFile(told, 'docs/AGENTS.md')).toBe(true);
    expect(isCoveredFile(told, 'CLAUDE.md')).toBe(true);
    for (const path of ['gone.md', 'docs/../docs/AGENTS.md', '../secret', '', 'AGENTS.md'])
      expect(isCoveredFile(told, path)).toBe(false);
    expect(isCoveredFile(EMPTY, 'docs/AGENTS.md')).toBe(false);
    expect(isCoveredFile(undefined, 'docs/AGENTS.md')).toBe(false);
  });
});

describe('emptyPanelSnapshot', () => {
  it('says where the classes of return begin, as the defaults have it', () => {
    expect(EMPTY.scoring.roiThresholds).toEqual({ waste: 0.5, med: 2 });
  });
});

const sayIn =
  (language: Chinese) =>
  (words: Phrase): string =>
    sayPhrase(words, bundleOf(language), (value) => value.toLocaleString(language));

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

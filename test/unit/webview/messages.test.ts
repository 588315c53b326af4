import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../src/core/model/problem';
import { asGiven } from '../../../src/core/text/phrase';
import { isEmptyFolder } from '../../../src/protocol/panel';
import { messagesOf } from '../../../webview/messages';
import { payloadOf, sectionOf, snapshotOf } from '../../support/panelSnapshots';

const CONFIG: Problem = {
  kind: 'config',
  severity: 'error',
  message: 'budget_tokens must be a whole number.',
  words: asGiven('budget_tokens must be a whole number.'),
  path: '.context-budget/config.json',
  line: 6,
};

const texts = (snapshot: Parameters<typeof messagesOf>[0]) =>
  messagesOf(snapshot).map((message) => [message.kind, message.title, ...message.paragraphs].join(' | '));

describe('messages', () => {
  it('are silent when all is well', () => {
    expect(messagesOf(snapshotOf(payloadOf([sectionOf({ id: 'a' })])))).toEqual([]);
  });

  it('suggest a token limit in one line, unless the payload is over', () => {
    const dense = { suggestedTokens: 15_000, chars: 14_100, hardCapChars: 30_000 };
    const payload = payloadOf([sectionOf({ id: 'a' })]);
    const [message, ...others] = messagesOf(snapshotOf({ ...payload, budget: { ...payload.budget, ...dense } }));
    expect(message).toMatchObject({
      kind: 'info',
      title: 'The token limit is reached first.',
      paragraphs: ['Only 47% of the characters are used. A limit of 15,000 tokens would use up both limits.'],
      links: [{ label: 'Change', message: { type: 'command', command: 'changeLimit' } }],
      isBelow: true,
    });
    expect(others).toEqual([]);
    const over = { ...payload.budget, ...dense, tokens: payload.budget.budgetTokens + 1 };
    expect(messagesOf(snapshotOf({ ...payload, budget: over })).map(({ key }) => key)).toEqual(['over']);
  });

  it('name the place of a config error and what is in force instead', () => {
    expect(texts(snapshotOf(undefined, { problems: [CONFIG], configState: 'lastGood' }))).toEqual([
      'error | Config not used. | .context-budget/config.json, line 6: budget_tokens must be a whole number. The last good config stays in use.',
    ]);
    const open = { ...CONFIG, message: CONFIG.message.replace(/\.$/, '') };
    expect(texts(snapshotOf(undefined, { problems: [open], configState: 'lastGood' }))[0]).toMatch(
      /a whole number\. The last good/,
    );
    expect(texts(snapshotOf(undefined, { problems: [CONFIG], configState: 'defaults' }))[0]).toMatch(
      /Defaults are in use\.$/,
    );
  });

  it('do not repeat a path that the sentence names itself', () => {
    const named: Problem = { ...CONFIG, message: '.context-budget/config.json: line 6 is broken.' };
    expect(texts(snapshotOf(undefined, { problems: [named] }))).toEqual([
      'error | Part of the config not used. | .context-budget/config.json: line 6 is broken.',
    ]);
  });

  it('list three of many config errors and count the rest', () => {
    const problems = Array.from(
      { length: 5 },
      (_, index): Problem => ({ ...CONFIG, line: undefined, message: `e${index}` }),
    );
    expect(messagesOf(snapshotOf(undefined, { problems }))[0]?.paragraphs).toEqual([
      '.context-budget/config.json: e0',
      '.context-budget/config.json: e1',
      '.context-budget/config.json: e2',
      '2 more in the log.',
    ]);
  });

  it('tell a remark about a config that is used from an error', () => {
    const problems: readonly Problem[] = [{ ...CONFIG, severity: 'warning', message: 'unknown key "x".' }];
    expect(texts(snapshotOf(undefined, { problems }))).toEqual([
      'info | Config loaded with 1 warning. | .context-budget/config.json, line 6: unknown key "x".',
    ]);
  });

  it('open the config at the first line that is wrong, or at its start', () => {
    const first = (problems: readonly Problem[]) => messagesOf(snapshotOf(undefined, { problems }))[0]?.links[0];
    const { path = '', line } = CONFIG;
    expect(first([{ ...CONFIG, line: undefined }, CONFIG])).toEqual({
      label: 'Open at Line 6',
      message: { type: 'openFile', path, line },
    });
    expect(first([{ ...CONFIG, line: undefined }])).toEqual({
      label: 'Open Config',
      message: { type: 'command', command: 'openConfig' },
    });
  });

  it('name the two largest sections to shrink, by their files, when P0 and P1 exceed the limit', () => {
    const payload = payloadOf([
      sectionOf({ id: 'c', priority: 'P1', tokens: 100 }),
      sectionOf({ id: 'd', priority: 'P1', tokens: 966 }),
      sectionOf({ id: 'b', priority: 'P1', tokens: 2310, title: 'memory/MEMORY.md', path: 'memory/MEMORY.md' }),
      sectionOf({ id: 'a', priority: 'P0', tokens: 4870 }),
      sectionOf({ id: 'e', priority: 'P2', tokens: 12, disclosure: 'summary' }),
    ]);
    expect(texts(snapshotOf(payload))).toEqual([
      'error | P0 and P1 alone need 8,246 tokens. | They are never removed, so everything else is left out.',
    ]);
    expect(messagesOf(snapshotOf(payload))[0]?.shrinkFirst).toEqual([
      { id: 'a', name: 'a', path: undefined, tokens: 4870 },
      { id: 'b', name: 'MEMORY.md', path: 'memory/MEMORY.md', tokens: 2310 },
    ]);
  });

  it('speak of characters when only their limit is exceeded, and of nothing while counting', () => {
    const sections = [sectionOf({ id: 'a', priority: 'P0', chars: 30_950 })];
    expect(texts(snapshotOf(payloadOf(sections, { chars: 31_000 })))[0]).toContain(
      'P0 and P1 alone need 30,950 characters.',
    );
    expect(texts(snapshotOf(payloadOf(sections, { chars: 31_000, isExact: false })))).toEqual([]);
  });

  it('say which command sections were not run, only in Restricted Mode and only where one waits', () => {
    const one = payloadOf([sectionOf({ id: 'ports', isNotRun: true })]);
    const two = payloadOf([...one.sections, sectionOf({ id: 'ci-status', isNotRun: true })]);
    const restricted = (payload: typeof one) => snapshotOf(payload, { isTrusted: false });
    expect(texts(restricted(one))).toEqual([
      'info | Restricted Mode. | 1 command section was not run: ports. Everything else is counted.',
    ]);
    expect(texts(restricted(two))[0]).toContain('2 command sections were not run: ports, ci-status.');
    expect(messagesOf(restricted(one))[0]?.links).toEqual([
      {
        label: 'Manage Workspace Trust',
        title: 'Usage and observations are kept in memory until you trust this folder.',
        message: { type: 'command', command: 'manageTrust' },
      },
    ]);
    expect(texts(snapshotOf(one, { isTrusted: true }))).toEqual([]);
    expect(texts(restricted(payloadOf([sectionOf({ id: 'a' })])))).toEqual([]);
    expect(texts({ ...restricted(one), state: 'noFolder' })).toEqual([]);
  });

  it('say that nothing tells an agent how to work here, where the built-in sections have text', () => {
    const snapshot = snapshotOf(payloadOf([sectionOf({ id: 'repo-map' })]), { hasInstructions: false });
    expect(texts(snapshot)).toEqual([
      'info | No agent instructions found. | An AGENTS.md tells coding agents how to work in this folder.',
    ]);
    expect(messagesOf(snapshot)[0]?.links).toEqual([
      { label: 'Create AGENTS.md', message: { type: 'command', command: 'createInstructions' } },
    ]);
    expect(texts({ ...snapshot, state: 'loading' })).toEqual([]);
  });

  it('put errors before remarks', () => {
    const payload = payloadOf([sectionOf({ id: 'ports', isNotRun: true })]);
    const file: Problem = {
      kind: 'file',
      severity: 'error',
      message: 'a.md is binary.',
      words: asGiven('a.md is binary.'),
      path: 'a.md',
      line: undefined,
    };
    const snapshot = snapshotOf(payload, { isTrusted: false, problems: [file, CONFIG] });
    expect(messagesOf(snapshot).map((message) => message.key)).toEqual(['config', 'restricted', 'problems']);
  });

  // Seen in a project with one generated file of 1 MB: the remark pushed the summary and the copy button off the screen.
  it('put below the parts what the map leaves out, and above what could not be read', () => {
    const remark: Problem = { ...CONFIG, kind: 'index', severity: 'warning' };
    const places = (problems: readonly Problem[]) =>
      messagesOf(snapshotOf(undefined, { problems })).map(({ key, isBelow }) => `${key} ${isBelow}`);
    expect(places([remark])).toEqual(['problems true']);
    expect(places([remark, { ...remark, severity: 'error' }])).toEqual(['problems false']);
    expect(places([CONFIG])).toEqual(['config false']);
    expect(places([{ ...CONFIG, severity: 'warning' }])).toEqual(['config false']);
    expect(places([{ ...CONFIG, severity: 'hint' }])).toEqual(['config true']);
  });
});

describe('an empty folder', () => {
  const empty = sectionOf({ id: 'repo-map', tokens: 0 });
  const of = (sections: readonly (typeof empty)[], hasInstructions = false) =>
    isEmptyFolder(snapshotOf(payloadOf(sections), { hasInstructions }));

  it('has neither instructions nor a section with text', () => {
    expect(of([empty])).toBe(true);
    expect(of([])).toBe(true);
    expect(of([empty], true)).toBe(false);
    expect(of([empty, sectionOf({ id: 'git' })])).toBe(false);
  });

  it('is not called empty before it is counted', () => {
    expect(of([{ ...empty, isPending: true }])).toBe(false);
    expect(isEmptyFolder(snapshotOf(undefined, { hasInstructions: false }))).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../src/core/model/problem';
import { asGiven } from '../../../src/core/text/phrase';
import type { PanelOffer } from '../../../src/protocol/panel';
import { messagesOf } from '../../../webview/messages';
import { effectOf, payloadOf, sectionOf, snapshotOf } from '../../support/panelSnapshots';

const CONFIG: Problem = {
  kind: 'config',
  severity: 'error',
  message: 'budget_tokens must be a whole number.',
  words: asGiven('budget_tokens must be a whole number.'),
  path: '.context-budget/config.json',
  line: 6,
};

const IN_MEMORY = 'Usage and observations are kept in memory until you trust this folder.';

const texts = (snapshot: Parameters<typeof messagesOf>[0]) =>
  messagesOf(snapshot).map((message) => [message.kind, message.title, ...message.paragraphs].join(' | '));

describe('the offer of the next mode', () => {
  const usage = (effect: PanelOffer['effect']) => ({
    cycles: [],
    prefix: undefined,
    simulation: undefined,
    offer: { mode: 'dynamic' as const, cycles: 50, effect },
  });

  it('says what it would have done, and asks the host for it or puts it aside', () => {
    const [message] = messagesOf(snapshotOf(undefined, { usage: usage(effectOf()) }));
    expect([message?.kind, message?.title, ...(message?.paragraphs ?? [])]).toEqual([
      'info',
      '50 cycles recorded.',
      'Mode Dynamic can follow: Sections below the threshold become stubs.',
      'A cycle would have cost 3,870 instead of 6,120 tokens (−37\u00a0%), with 142 of 147 citations kept.',
    ]);
    expect(message?.links).toEqual([
      { label: 'Use Dynamic', message: { type: 'setScoringMode', mode: 'dynamic' } },
      { label: 'Not Now', message: { type: 'dismissOffer', mode: 'dynamic' } },
    ]);
  });

  it('claims nothing where nothing can be simulated', () => {
    const [message] = messagesOf(snapshotOf(undefined, { usage: usage(undefined) }));
    expect(message?.paragraphs).toHaveLength(1);
  });
});

describe('messages', () => {
  it('are silent when all is well', () => {
    expect(messagesOf(snapshotOf(payloadOf([sectionOf({ id: 'a' })])))).toEqual([]);
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
      'info | Config read, with a remark. | .context-budget/config.json, line 6: unknown key "x".',
    ]);
  });

  it('name the three largest sections to shrink when P0 and P1 exceed the cap', () => {
    const payload = payloadOf([
      sectionOf({ id: 'a', priority: 'P0', tokens: 4870 }),
      sectionOf({ id: 'b', priority: 'P1', tokens: 2310 }),
      sectionOf({ id: 'c', priority: 'P1', tokens: 100 }),
      sectionOf({ id: 'd', priority: 'P1', tokens: 966 }),
      sectionOf({ id: 'e', priority: 'P2', tokens: 12, disclosure: 'summary' }),
    ]);
    const [message] = messagesOf(snapshotOf(payload));
    expect(message?.paragraphs[0]).toBe(
      'The sections that are never removed (P0 and P1) need 8,246 tokens; the cap is 7,500 tokens. They go out whole, and all other sections are dropped.',
    );
    expect(messagesOf(snapshotOf({ ...payload, mode: 'expanded' }))[0]?.paragraphs[0]).toMatch(
      /dropped\. Index-only names each of them in one row\.$/,
    );
    expect(message?.shrinkFirst.map((section) => section.id)).toEqual(['a', 'b', 'd']);
  });

  it('speak of characters when only their cap is exceeded, and of nothing while counting', () => {
    const sections = [sectionOf({ id: 'a', priority: 'P0', chars: 30_950 })];
    expect(texts(snapshotOf(payloadOf(sections, { chars: 31_000 })))[0]).toContain(
      'need 30,950 characters; the cap is 30,000 characters.',
    );
    expect(texts(snapshotOf(payloadOf(sections, { chars: 31_000, isExact: false })))).toEqual([]);
  });

  it('say which command sections were not run, only in Restricted Mode', () => {
    const one = payloadOf([sectionOf({ id: 'ports', isNotRun: true })]);
    const two = payloadOf([...one.sections, sectionOf({ id: 'ci-status', isNotRun: true })]);
    expect(texts(snapshotOf(one, { isTrusted: false }))).toEqual([
      `info | Restricted Mode. | One command section was not run: ports. Everything else is counted. | ${IN_MEMORY}`,
    ]);
    expect(texts(snapshotOf(two, { isTrusted: false }))[0]).toContain(
      'Two command sections were not run: ports, ci-status.',
    );
    expect(texts(snapshotOf(one, { isTrusted: true }))).toEqual([]);
  });

  it('say in Restricted Mode that records stay in memory, and how to change that', () => {
    const snapshot = snapshotOf(payloadOf([sectionOf({ id: 'a' })]), { isTrusted: false });
    expect(texts(snapshot)).toEqual([`info | Restricted Mode. | ${IN_MEMORY}`]);
    expect(messagesOf(snapshot)[0]?.links.map(({ label }) => label)).toEqual(['Manage Workspace Trust']);
    expect(texts({ ...snapshot, state: 'noFolder' })).toEqual([]);
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
  });
});

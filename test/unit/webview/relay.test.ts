import { describe, expect, it } from 'vitest';
import { ESSENTIALS } from '../../../src/core/relay/relayContext';
import type { RelayStatus } from '../../../src/core/relay/relayWatch';
import { asGiven } from '../../../src/core/text/phrase';
import { asPanelMessage } from '../../../src/protocol/panel';
import {
  dueCaption,
  essentialRow,
  recoveryWords,
  relayAlarms,
  relayButtons,
  relayHeader,
  relaySentence,
} from '../../../webview/relay';
import { INITIAL_UI, initialState, type PanelState, reduce, restoreUi } from '../../../webview/state';
import { snapshotOf } from '../../support/panelSnapshots';
import { statusOf, viewOf } from '../../support/relayViews';

const FAILED: RelayStatus = { kind: 'failed', path: 'relay.json', message: asGiven('it is empty.') };
const STALE = { state: 'STALE', since: undefined, seenMs: 0 } as const;
const without = (...keys: readonly string[]) =>
  viewOf().essentials.map((essential) =>
    keys.includes(essential.key) ? { ...essential, texts: [], source: 'missing' as const } : essential,
  );
const POOR = statusOf({ essentials: without('latest_instruction') });

describe('the Relay part', () => {
  it('counts the essentials in its header, after the state of a recovery', () => {
    expect(relayHeader(statusOf())).toBe('5 of 5 essentials');
    expect(relayHeader(POOR)).toBe('4 of 5 essentials');
    expect(relayHeader(statusOf({}, { recovery: STALE }))).toBe('STALE · 5 of 5 essentials');
    expect(relayHeader(FAILED)).toBe('not readable');
  });

  it('shows an essential in one line, whole in its title', () => {
    const of = (texts: readonly string[], source: 'ledger' | 'missing' | 'relay_context' = 'relay_context') =>
      essentialRow({ key: 'constraints', texts, charsLeftOut: 0, source });
    expect(of(['a\nb', 'c'])).toMatchObject({
      title: 'Constraints',
      line: 'a b; c',
      tooltip: 'a\nb\nc',
      isMissing: false,
    });
    expect(of(['a'], 'ledger').tooltip).toBe('a\n(From the ledger)');
    expect(of([])).toMatchObject({ line: 'none', isMissing: false });
    expect(of([], 'missing')).toMatchObject({ line: 'missing, not in the ledger either', isMissing: true });
    expect(of(['x'.repeat(5000)]).line).toHaveLength(400);
  });

  it('says since when a recovery is: by the record, else since it was seen', () => {
    expect(recoveryWords(statusOf())).toBeUndefined();
    expect(recoveryWords(statusOf({}, { recovery: { ...STALE, since: 'cycle 7' } }))).toMatchObject({
      since: 'since cycle 7',
      advice: expect.stringMatching(/^Only report, forward and copy\./),
    });
    expect(recoveryWords(statusOf({}, { recovery: STALE }))?.since).toMatch(
      /^seen since 19(?:70|69)-\d\d-\d\d \d\d:\d\d$/,
    );
  });

  it('offers compaction unless the work is another’s to recover', () => {
    const commands = (relay: RelayStatus) => relayButtons(relay).map(({ command }) => command);
    const all = ['compactRelay', 'copyRelaySummary', 'copyObserverPrompt', 'openRelayLog'];
    expect(commands(statusOf())).toEqual(all);
    expect(commands(statusOf({}, { recovery: { ...STALE, state: 'WARNING' } }))).toEqual(all);
    for (const state of ['STALE', 'LEASE_TAKEOVER'] as const) {
      expect(commands(statusOf({}, { recovery: { ...STALE, state } }))).toEqual([
        'copyRelaySummary',
        'copyObserverPrompt',
      ]);
    }
    expect(commands(FAILED)).toEqual(['openRelayLog']);
    for (const command of all)
      expect(asPanelMessage({ type: 'command', command })).toEqual({ type: 'command', command });
    expect(asPanelMessage({ type: 'command', command: 'takeOver' })).toBeUndefined();
  });

  it('says whether compaction is due, but not where it is not offered, and how long the log is', () => {
    const due = [{ kind: 'length', why: asGiven('long') }] as const;
    expect(dueCaption(statusOf({ tokens: 1234 }))).toBe('no compaction needed · ≈1,200 of 8,000 tokens');
    expect(dueCaption(statusOf({ tokens: 9876 }, { due }))).toBe('compaction needed · ≈9,900 of 8,000 tokens');
    expect(dueCaption(statusOf({ tokens: 9876 }, { due, recovery: STALE }))).toBe('≈9,900 of 8,000 tokens');
  });

  it('tells a screen reader the most important change', () => {
    const stale = statusOf({}, { recovery: STALE });
    expect(relaySentence(statusOf(), stale)).toBe('Relay: STALE');
    expect(relaySentence(stale, statusOf())).toBe('Relay: STALE is over');
    expect(relaySentence(statusOf(), POOR)).toBe('Relay: Latest instruction missing');
    expect(relaySentence(POOR, statusOf())).toBe('Relay: no essential is missing');
    expect(relaySentence(POOR, statusOf({ essentials: POOR.view.essentials }))).toBeUndefined();
    expect(relaySentence(undefined, stale)).toBeUndefined();
  });
});

describe('the Relay part opens by itself', () => {
  const show = (state: PanelState, relay: RelayStatus | undefined): PanelState =>
    reduce(state, { type: 'snapshot', revision: state.revision + 1, snapshot: snapshotOf(undefined, { relay }) });
  const isOpen = (state: PanelState): boolean => !state.ui.foldedParts.includes('relay');
  const fold = (state: PanelState): PanelState => reduce(state, { type: 'togglePart', part: 'relay' });

  it('when an essential is missing, once, and again when another one is', () => {
    const calm = show(initialState(INITIAL_UI), statusOf());
    expect(isOpen(calm)).toBe(false);
    const poor = show(calm, POOR);
    expect(isOpen(poor)).toBe(true);
    const folded = fold(poor);
    expect(isOpen(show(folded, POOR))).toBe(false);
    expect(isOpen(show(folded, statusOf({ essentials: without('goal', 'latest_instruction') })))).toBe(true);
    expect(isOpen(show(show(folded, statusOf()), POOR))).toBe(true);
  });

  it('once in each folder, also after another one was shown', () => {
    const lib = { ...snapshotOf(undefined, { relay: statusOf() }), folderUri: 'file:///lib' };
    const folded = fold(show(initialState(INITIAL_UI), POOR));
    const away = reduce(folded, { type: 'snapshot', revision: 9, snapshot: lib });
    expect(isOpen(show(away, POOR))).toBe(false);
    expect(isOpen(reduce(away, { type: 'snapshot', revision: 9, snapshot: { ...lib, relay: POOR } }))).toBe(true);
  });

  it('for a recovery and for a log that cannot be read, and stays open when it is over', () => {
    const stale = show(initialState(INITIAL_UI), statusOf({}, { recovery: STALE }));
    expect(isOpen(stale)).toBe(true);
    expect(isOpen(show(stale, statusOf()))).toBe(true);
    expect(isOpen(show(initialState(INITIAL_UI), FAILED))).toBe(true);
  });

  it('not again when the panel comes back, whatever arrives before the log is read', () => {
    const folded = fold(show(initialState(INITIAL_UI), POOR));
    const back = initialState(restoreUi(JSON.parse(JSON.stringify(folded.ui))));
    expect(isOpen(show(show(back, undefined), POOR))).toBe(false);
  });

  it('names each essential that is missing', () => {
    expect(relayAlarms(statusOf({ essentials: without(...ESSENTIALS) }, { recovery: STALE }))).toEqual([
      ...ESSENTIALS,
      'STALE',
    ]);
  });

  it('remembers what was opened in it', () => {
    const state = initialState(INITIAL_UI);
    const opened = reduce(state, { type: 'toggleRelayItem', item: 'goal' });
    expect(restoreUi(JSON.parse(JSON.stringify(opened.ui))).openRelayItems).toEqual(['goal']);
    expect(reduce(opened, { type: 'toggleRelayItem', item: 'goal' }).ui.openRelayItems).toEqual([]);
  });
});

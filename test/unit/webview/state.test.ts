import { describe, expect, it } from 'vitest';
import type { PanelSnapshot } from '../../../src/protocol/panel';
import {
  INITIAL_UI,
  initialState,
  type PanelAction,
  type PanelState,
  reduce,
  restoreUi,
  type UiState,
} from '../../../webview/state';
import { payloadOf, sectionOf, snapshotOf } from '../../support/panelSnapshots';

const SECTIONS = [sectionOf({ id: 'a', entries: { shown: 1, total: 2 } }), sectionOf({ id: 'b' })];
const SNAPSHOT = snapshotOf(payloadOf(SECTIONS));

function play(state: PanelState, ...actions: readonly PanelAction[]): PanelState {
  return actions.reduce(reduce, state);
}

const shown = play(initialState(INITIAL_UI), { type: 'snapshot', revision: 5, snapshot: SNAPSHOT });

describe('snapshots', () => {
  it('replace what was shown, unless they are older', () => {
    const newer = snapshotOf(undefined, { profile: 'newer' });
    expect(play(shown, { type: 'snapshot', revision: 6, snapshot: newer }).snapshot?.profile).toBe('newer');
    expect(play(shown, { type: 'snapshot', revision: 4, snapshot: newer })).toBe(shown);
  });

  it('are taken again at the same revision, as a host sends them when the panel shows again', () => {
    const again = play(shown, { type: 'snapshot', revision: 5, snapshot: snapshotOf(undefined) });
    expect(again.snapshot?.payload).toBeUndefined();
  });

  it('keep the identity of sections that did not change', () => {
    const copy = structuredClone(SNAPSHOT);
    const changed = snapshotOf(
      payloadOf([...(copy.payload?.sections ?? []).slice(0, 1), sectionOf({ id: 'b', tokens: 7 })]),
    );
    const next = play(shown, { type: 'snapshot', revision: 6, snapshot: changed });
    const [a, b] = next.snapshot?.payload?.sections ?? [];
    expect(a).toBe(SECTIONS[0]);
    expect(b).not.toBe(SECTIONS[1]);
    expect(b?.tokens).toBe(7);
  });

  it('see a change deep inside a section', () => {
    const deep = snapshotOf(payloadOf([sectionOf({ id: 'a', entries: { shown: 2, total: 2 } }), SECTIONS[1]!]));
    const next = play(shown, { type: 'snapshot', revision: 6, snapshot: deep });
    expect(next.snapshot?.payload?.sections[0]?.entries).toEqual({ shown: 2, total: 2 });
  });

  it('keep the identity of what the log says while that is the same', () => {
    const usage = {
      cycles: [{ cycle: 1, chars: 4, tokens: 1 }],
      prefix: undefined,
      simulation: undefined,
      offer: undefined,
    };
    const first = play(shown, { type: 'snapshot', revision: 6, snapshot: { ...SNAPSHOT, usage } });
    const same = { ...SNAPSHOT, usage: structuredClone(usage) };
    expect(play(first, { type: 'snapshot', revision: 7, snapshot: same }).snapshot?.usage).toBe(usage);
    const other = { ...SNAPSHOT, usage: { ...usage, cycles: [] } };
    expect(play(first, { type: 'snapshot', revision: 7, snapshot: other }).snapshot?.usage?.cycles).toEqual([]);
  });

  it('leave open rows, filter and focus as they were', () => {
    const before = play(
      shown,
      { type: 'setOpen', sectionId: 'a', isOpen: true },
      { type: 'focusRow', sectionId: 'b' },
      { type: 'setFilterText', text: 'x' },
    );
    expect(play(before, { type: 'snapshot', revision: 6, snapshot: SNAPSHOT }).ui).toBe(before.ui);
  });
});

describe('the threshold’s slider', () => {
  const at = (threshold: number) =>
    snapshotOf(undefined, {
      scoring: { mode: 'dynamic', threshold, window: 50, roiThresholds: { waste: 0.5, med: 2 } },
    });
  const start = play(initialState(INITIAL_UI), { type: 'snapshot', revision: 1, snapshot: at(0.3) });
  const moved = play(start, { type: 'draftThreshold', threshold: 0.45 });

  it('stands where it was moved, whatever else changes', () => {
    expect(moved.draftThreshold).toBe(0.45);
    expect(play(moved, { type: 'draftThreshold', threshold: 0.45 })).toBe(moved);
    const later = { ...at(0.3), profile: 'planner' };
    expect(play(moved, { type: 'snapshot', revision: 2, snapshot: later }).draftThreshold).toBe(0.45);
  });

  it('is no draft where the config says the same', () => {
    expect(play(moved, { type: 'draftThreshold', threshold: 0.3 }).draftThreshold).toBeUndefined();
    expect(play(moved, { type: 'snapshot', revision: 2, snapshot: at(0.45) }).draftThreshold).toBeUndefined();
  });

  it('gives way when the config changes otherwise', () => {
    expect(play(moved, { type: 'snapshot', revision: 2, snapshot: at(0.6) }).draftThreshold).toBeUndefined();
  });

  it('is not kept over a reload', () => {
    expect(restoreUi({ ...moved.ui, draftThreshold: 0.45 })).not.toHaveProperty('draftThreshold');
  });
});

describe('several folders', () => {
  const LIB = snapshotOf(payloadOf(SECTIONS), { folderUri: 'file:///lib', task: 'rename it' });
  const to = (snapshot: PanelSnapshot): PanelAction => ({ type: 'snapshot', revision: 6, snapshot });
  const DONE: readonly (readonly [keyof UiState, PanelAction])[] = [
    ['taskDraft', { type: 'draftTask', text: 'rotate keys' }],
    ['filterText', { type: 'showSections', names: ['a'] }],
    ['reviewed', { type: 'showOnly', kind: 'leftOut', findingKey: 'save' }],
    ['show', { type: 'showOnly', kind: 'alerts' }],
    ['isFilterOpen', { type: 'openFilter' }],
    ['openIds', { type: 'setOpen', sectionId: 'a', isOpen: true }],
    ['focusedId', { type: 'focusRow', sectionId: 'b' }],
    ['openRelayItems', { type: 'toggleRelayItem', item: 'goal' }],
    ['openItems', { type: 'toggleItem', item: 'text a' }],
  ];

  it.each(DONE)('have a view each: %s stays in its folder and is there again, also after a reload', (key, action) => {
    const done = play(shown, action);
    expect(done.ui[key]).not.toEqual(INITIAL_UI[key]);
    const other = play(done, to(LIB));
    expect(other.ui[key]).toEqual(INITIAL_UI[key]);
    expect(play(other, to(SNAPSHOT)).ui[key]).toEqual(done.ui[key]);
    const reloaded = initialState(restoreUi(JSON.parse(JSON.stringify(other.ui))));
    expect(play(reloaded, to(LIB)).ui).toEqual(other.ui);
    expect(play(reloaded, to(SNAPSHOT)).ui[key]).toEqual(done.ui[key]);
  });

  it('are told apart by more than their names', () => {
    const typing = play(shown, { type: 'draftTask', text: 'rotate keys' });
    const namesake = { ...SNAPSHOT, folderUri: 'file:///other/acme-shop' };
    expect(play(typing, to(namesake)).ui.taskDraft).toBeUndefined();
  });

  it('share the folded parts and the place of the page', () => {
    const done = play(shown, { type: 'togglePart', part: 'sections' }, { type: 'scroll', top: 40 });
    const { foldedParts, scrollTop } = play(done, to(LIB)).ui;
    expect([foldedParts, scrollTop]).toEqual([done.ui.foldedParts, 40]);
  });

  it('keep the place of the window bar until that of the next one is known, and nothing else of it', () => {
    const window = { name: 'Codex' } as PanelSnapshot['window'];
    const known = { ...SNAPSHOT, window };
    const pending = { ...LIB, payload: undefined, isWindowPending: true };
    const left = play(shown, to(known), to(pending));
    expect(left.windowPlace).toEqual({ window, payload: SNAPSHOT.payload });
    expect(play(left, to(pending)).windowPlace).toEqual(left.windowPlace);
    for (const settled of [{ ...LIB, window }, LIB]) expect(play(left, to(settled)).windowPlace).toBeUndefined();
    // Where none was shown there is no place to keep.
    expect(play(shown, to(pending)).windowPlace).toBeUndefined();
  });

  it('share no slider that was moved, and no copy that is waited for', () => {
    const counting = snapshotOf(payloadOf(SECTIONS, { isExact: false }));
    const asked = play(shown, to(counting), { type: 'draftThreshold', threshold: 0.45 }, { type: 'copy' });
    const other = play(asked, to({ ...counting, folderUri: 'file:///lib' }));
    expect([asked.draftThreshold, asked.isCopyPending]).toEqual([0.45, true]);
    expect([other.draftThreshold, other.isCopyPending]).toEqual([undefined, false]);
  });
});

describe('view state', () => {
  const APPLY: PanelAction = { type: 'applyFinding', key: 'save' };

  it('opens and closes rows; doing it twice changes nothing', () => {
    const open = play(shown, { type: 'setOpen', sectionId: 'a', isOpen: true });
    expect(open.ui.openIds).toEqual(['a']);
    expect(play(open, { type: 'setOpen', sectionId: 'a', isOpen: true })).toBe(open);
    expect(play(open, { type: 'setOpen', sectionId: 'a', isOpen: false }).ui.openIds).toEqual([]);
  });

  it('drops text and toggles when the filter closes, so that nothing stays hidden unseen', () => {
    const filtered = play(
      shown,
      { type: 'openFilter' },
      { type: 'setFilterText', text: 'x' },
      { type: 'toggleShow', kind: 'alerts' },
    );
    expect(filtered.ui).toMatchObject({ isFilterOpen: true, filterText: 'x', show: ['alerts'] });
    expect(play(filtered, { type: 'closeFilter' }).ui).toMatchObject({
      isFilterOpen: false,
      filterText: '',
      show: [],
    });
  });

  it('toggles kinds in a fixed order', () => {
    const both = play(shown, { type: 'toggleShow', kind: 'leftOut' }, { type: 'toggleShow', kind: 'alerts' });
    expect(both.ui.show).toEqual(['alerts', 'leftOut']);
    expect(play(both, { type: 'toggleShow', kind: 'alerts' }).ui.show).toEqual(['leftOut']);
  });

  it('shows one kind alone, with the filter and the folded part opened', () => {
    const before = play(shown, { type: 'togglePart', part: 'sections' }, { type: 'setFilterText', text: 'x' });
    expect(play(before, { type: 'showOnly', kind: 'alerts' }).ui).toMatchObject({
      isFilterOpen: true,
      filterText: '',
      show: ['alerts'],
      foldedParts: ['window', 'agents', 'relevance', 'relay', 'history'],
    });
  });

  it('shows some sections alone, by the text of the filter', () => {
    const before = play(shown, { type: 'showOnly', kind: 'alerts' });
    expect(play(before, { type: 'showSections', names: ['a', 'b'] }).ui).toMatchObject({
      isFilterOpen: true,
      filterText: '"a", "b"',
      show: [],
    });
  });

  it.each<[string, readonly PanelAction[], string]>([
    ['goes once what was reviewed is applied', [], ''],
    ['stays where another finding is applied', [{ type: 'applyFinding', key: 'other' }], '"a"'],
    ['stays where it was changed since', [{ type: 'setFilterText', text: 'b' }, APPLY], 'b'],
    ['stays where it is another one', [{ type: 'showSections', names: ['b'] }, APPLY], '"b"'],
  ])('a filter of a review %s', (_, since, filterText) => {
    const reviewed = play(shown, { type: 'showSections', names: ['a'], findingKey: 'save' });
    const { ui } = play(reviewed, ...(since.length > 0 ? since : [APPLY]));
    expect([ui.filterText, ui.isFilterOpen]).toEqual([filterText, filterText !== '']);
  });

  it('opens a part that is folded, and leaves an open one alone', () => {
    const opened = play(shown, { type: 'openPart', part: 'agents' });
    expect(opened.ui.foldedParts).toEqual(['window', 'relevance', 'relay', 'history']);
    expect(play(opened, { type: 'openPart', part: 'agents' })).toBe(opened);
  });

  it('keeps a typed task until it is restored or in force', () => {
    const typing = play(shown, { type: 'draftTask', text: 'rotate keys' });
    expect(typing.ui.taskDraft).toBe('rotate keys');
    expect(play(typing, { type: 'draftTask', text: undefined }).ui.taskDraft).toBeUndefined();
    const again = play(typing, { type: 'snapshot', revision: 6, snapshot: SNAPSHOT });
    expect(again.ui.taskDraft).toBe('rotate keys');
    const applied = play(typing, { type: 'snapshot', revision: 6, snapshot: { ...SNAPSHOT, task: 'rotate keys' } });
    expect(applied.ui.taskDraft).toBeUndefined();
    const typedSince = play(typing, { type: 'draftTask', text: '' });
    const late = { ...SNAPSHOT, task: 'rotate keys' };
    expect(play(typedSince, { type: 'snapshot', revision: 6, snapshot: late }).ui.taskDraft).toBe('');
    expect(restoreUi({ taskDraft: 'rotate keys' }).taskDraft).toBe('rotate keys');
  });

  it('takes a filter away that hides the row to go to, and no other', () => {
    const folded = play(shown, { type: 'togglePart', part: 'sections' });
    const hidden = play(folded, { type: 'setFilterText', text: 'no such name' }, { type: 'goToRow', sectionId: 'a' });
    expect(hidden.ui).toMatchObject({ filterText: '', focusedId: 'a' });
    expect(hidden.ui.foldedParts).not.toContain('sections');
    const seen = play(folded, { type: 'setFilterText', text: 'a' }, { type: 'goToRow', sectionId: 'a' });
    expect(seen.ui.filterText).toBe('a');
  });

  it('opens and folds what has no list of its own, and remembers it', () => {
    const open = play(shown, { type: 'toggleItem', item: 'text a' }, { type: 'toggleItem', item: 'agent codex' });
    expect(open.ui.openItems).toEqual(['text a', 'agent codex']);
    expect(play(open, { type: 'toggleItem', item: 'text a' }).ui.openItems).toEqual(['agent codex']);
    expect(restoreUi({ openItems: ['text a', 7] }).openItems).toEqual(['text a']);
  });

  it('opens the agents’ part once for each file that is cut', () => {
    const file = { path: 'A.md', bytes: 9, lines: 9, bytesLost: 1, cutLine: 8, importedBy: undefined, why: undefined };
    const cut = { ...file, fate: 'truncated', isDoubtful: false } as const;
    const agents = [{ agent: 'codex', name: 'Codex', files: [cut], bytesLoaded: 8, bytesLost: 1 }] as const;
    const opened = play(shown, { type: 'snapshot', revision: 6, snapshot: { ...SNAPSHOT, agents } });
    expect(opened.ui.foldedParts).not.toContain('agents');
    const folded = play(opened, { type: 'togglePart', part: 'agents' });
    const same = { type: 'snapshot', revision: 7, snapshot: { ...SNAPSHOT, agents: structuredClone(agents) } } as const;
    expect(play(folded, same).ui.foldedParts).toContain('agents');
    expect(play(folded, same).snapshot?.agents).toBe(agents);
    const other = [{ ...agents[0], files: [cut, { ...cut, path: 'B.md' }] }];
    const more = { type: 'snapshot', revision: 8, snapshot: { ...SNAPSHOT, agents: other } } as const;
    expect(play(folded, more).ui.foldedParts).not.toContain('agents');
    const whole = [{ ...agents[0], files: [{ ...cut, path: 'A.md', fate: 'loaded' }] }] as const;
    const elsewhere = [
      { ...SNAPSHOT, agents: whole },
      { ...SNAPSHOT, agents: whole, folderUri: 'file:///lib' },
    ];
    // Another file is active, or another folder, and then this one again.
    for (const away of elsewhere) {
      const left = play(folded, { type: 'snapshot', revision: 8, snapshot: away });
      expect(play(left, { ...same, revision: 9 }).ui.foldedParts).toContain('agents');
    }
  });

  it('returns the same state for what changes nothing', () => {
    const focused = play(shown, { type: 'focusRow', sectionId: 'a' });
    expect(play(focused, { type: 'focusRow', sectionId: 'a' })).toBe(focused);
    expect(play(focused, { type: 'setFilterText', text: '' })).toBe(focused);
    expect(play(focused, { type: 'scroll', top: 0 })).toBe(focused);
  });
});

describe('copying', () => {
  it('waits only while the numbers are estimates', () => {
    expect(play(shown, { type: 'copy' })).toBe(shown);
    const counting = snapshotOf(payloadOf(SECTIONS, { isExact: false }));
    const waiting = play(shown, { type: 'snapshot', revision: 6, snapshot: counting }, { type: 'copy' });
    expect(waiting.isCopyPending).toBe(true);
    expect(play(waiting, { type: 'snapshot', revision: 7, snapshot: counting }).isCopyPending).toBe(true);
    expect(play(waiting, { type: 'snapshot', revision: 8, snapshot: SNAPSHOT }).isCopyPending).toBe(false);
  });
});

describe('restoring', () => {
  it('gives back what was kept', () => {
    const ui = { ...INITIAL_UI, openIds: ['a'], isFilterOpen: true, filterText: 'x', focusedId: 'a', scrollTop: 40 };
    expect(restoreUi(JSON.parse(JSON.stringify(ui)))).toEqual(ui);
  });

  it('falls back to the default for anything malformed', () => {
    expect([null, undefined, 7, 'x', []].map(restoreUi)).toEqual(Array(5).fill(INITIAL_UI));
    const broken = { openIds: [1, 'a', null], show: ['alerts', 'nonsense'], foldedParts: 'sections', scrollTop: -3 };
    expect(restoreUi(broken)).toEqual({ ...INITIAL_UI, openIds: ['a'], show: ['alerts'] });
    const others = restoreUi({ otherFolders: { 'file:///lib': 7, 'file:///app': broken } }).otherFolders;
    expect(Object.values(others).map(({ openIds }) => openIds)).toEqual([[], ['a']]);
  });
});

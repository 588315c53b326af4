import { describe, expect, it } from 'vitest';
import type { ReportSection } from '../../../src/core/model/report';
import type { Status } from '../../../src/core/model/section';
import { createAnnouncer, LIVE_INTERVAL_MS, sentenceFor } from '../../../webview/announce';
import { INITIAL_UI, initialState, type PanelAction, reduce } from '../../../webview/state';
import { payloadOf, sectionOf, snapshotOf } from '../../support/panelSnapshots';

function stateWith(sections: readonly ReportSection[], status: Status = 'OK', isExact = true) {
  const snapshot = snapshotOf(payloadOf(sections, { status, isExact }));
  return reduce(initialState(INITIAL_UI), { type: 'snapshot', revision: 1, snapshot });
}

const git = sectionOf({ id: 'git', title: 'git' });

describe('sentences', () => {
  it('say nothing about the first snapshot, nor about numbers', () => {
    expect(sentenceFor(initialState(INITIAL_UI), stateWith([git]))).toBeUndefined();
    expect(sentenceFor(stateWith([git]), stateWith([{ ...git, tokens: 200 }]))).toBeUndefined();
  });

  it('say a change of the budget status', () => {
    const over = [sectionOf({ id: 'git', tokens: 8246 })];
    expect(sentenceFor(stateWith([git]), stateWith(over, 'ALERT'))).toBe('Over the limit by 746 tokens');
    expect(sentenceFor(stateWith(over, 'ALERT'), stateWith([git]))).toBe('Within the limit');
    expect(sentenceFor(stateWith([git]), stateWith([git], 'WARN'))).toBe('Past the 80% mark');
  });

  it('name the cap that is exceeded when it is the characters', () => {
    const chars = [sectionOf({ id: 'git', chars: 30_500 })];
    expect(sentenceFor(stateWith([git]), stateWith(chars, 'ALERT'))).toBe('Over the limit by 500 characters');
  });

  it('do not judge estimates', () => {
    expect(sentenceFor(stateWith([git]), stateWith([git], 'WARN', false))).toBeUndefined();
  });

  it('say that a section was pinned, excluded or raises an alert', () => {
    const say = (patch: Partial<ReportSection>) => sentenceFor(stateWith([git]), stateWith([{ ...git, ...patch }]));
    expect(say({ isPinned: true })).toBe('git pinned');
    expect(say({ isExcluded: true, disclosure: 'omitted' })).toBe('git excluded');
    expect(say({ status: 'ALERT', reason: 'no answer' })).toBe('git: ALERT, no answer');
    expect(say({ status: 'WARN' })).toBeUndefined();
  });

  it('say that a section is on demand now, or no longer', () => {
    const before = stateWith([git]);
    const listed = { ...before.snapshot!, onDemand: ['git'] };
    const after = reduce(before, { type: 'snapshot', revision: 2, snapshot: listed });
    expect(sentenceFor(before, after)).toBe('git on demand');
    expect(sentenceFor(after, before)).toBe('git no longer on demand');
  });

  it('say nothing where another folder is shown, whatever it has', () => {
    const before = stateWith([git]);
    const pinned = payloadOf([{ ...git, isPinned: true }], { status: 'WARN' });
    const sameFolder = reduce(before, { type: 'snapshot', revision: 2, snapshot: snapshotOf(pinned) });
    expect(sentenceFor(before, sameFolder)).toBe('Past the 80% mark');
    const other = snapshotOf(pinned, { folderUri: 'file:///lib', onDemand: ['git'] });
    const filtered = reduce(before, { type: 'setFilterText', text: 'por' });
    for (const each of [before, filtered]) {
      const after = reduce(each, { type: 'snapshot', revision: 2, snapshot: other });
      expect(sentenceFor(each, after)).toBeUndefined();
    }
  });

  it('say how many sections a filter leaves', () => {
    const state = stateWith([git, sectionOf({ id: 'ports' })]);
    const act = (action: PanelAction) => sentenceFor(state, reduce(state, action));
    expect(act({ type: 'setFilterText', text: 'por' })).toBe('1 of 2 sections shown');
    expect(act({ type: 'setOpen', sectionId: 'git', isOpen: true })).toBeUndefined();
  });
});

/** A clock and a queue of callbacks that the test runs by hand. */
function fakeTimers() {
  let nowMs = 0;
  let queue: { readonly atMs: number; readonly callback: () => void }[] = [];
  return {
    now: () => nowMs,
    schedule: (callback: () => void, delayMs: number) => {
      queue.push({ atMs: nowMs + delayMs, callback });
    },
    advance: (byMs: number) => {
      nowMs += byMs;
      const due = queue.filter((item) => item.atMs <= nowMs);
      queue = queue.filter((item) => item.atMs > nowMs);
      for (const item of due) item.callback();
    },
  };
}

describe('announcer', () => {
  it('speaks at once after a silence, then the newest sentence when the interval is over', () => {
    const spoken: string[] = [];
    const timers = fakeTimers();
    const announce = createAnnouncer((sentence) => spoken.push(sentence), timers);
    announce('one');
    announce('two');
    announce('three');
    expect(spoken).toEqual(['one']);
    timers.advance(LIVE_INTERVAL_MS - 1);
    expect(spoken).toEqual(['one']);
    timers.advance(1);
    expect(spoken).toEqual(['one', 'three']);
    timers.advance(LIVE_INTERVAL_MS);
    announce('four');
    expect(spoken).toEqual(['one', 'three', 'four']);
  });

  it('keeps the interval after a delayed sentence too', () => {
    const spoken: string[] = [];
    const timers = fakeTimers();
    const announce = createAnnouncer((sentence) => spoken.push(sentence), timers);
    announce('one');
    announce('two');
    timers.advance(LIVE_INTERVAL_MS);
    announce('three');
    expect(spoken).toEqual(['one', 'two']);
    timers.advance(LIVE_INTERVAL_MS);
    expect(spoken).toEqual(['one', 'two', 'three']);
  });
});

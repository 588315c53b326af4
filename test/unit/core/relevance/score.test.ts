import { describe, expect, it } from 'vitest';
import { routeSection } from '../../../../src/core/attention/route';
import { scoreSections } from '../../../../src/core/relevance/score';
import type { CollectedSection } from '../../../../src/core/sections/section';
import { section } from '../sectionBuilder';

function rule(over: Partial<CollectedSection>, text = 'text') {
  return scoreSections([routeSection(section('a', text, over)).routed])[0]?.rule;
}

describe('scoreSections', () => {
  it('scores nothing yet', () => {
    const scored = scoreSections([routeSection(section('a', 'text')).routed]);
    expect(scored).toMatchObject([{ score: null, rule: undefined }]);
  });

  it('makes on-demand sections stubs, but never P0, pinned ones or alarms', () => {
    expect(rule({ onDemand: true })).toEqual({ kind: 'onDemand' });
    expect(rule({ onDemand: true, priority: 'P0' })).toBeUndefined();
    expect(rule({ onDemand: true, isPinned: true })).toBeUndefined();
    expect(rule({ onDemand: true }, 'SUMMARY:WARN:x')).toBeUndefined();
    expect(rule({ onDemand: true }, 'SUMMARY:ALERT:x')).toBeUndefined();
    expect(rule({ onDemand: true }, 'SUMMARY:OK:x')).toEqual({ kind: 'onDemand' });
  });

  it('keeps the newest N, but leaves globs to the collector', () => {
    expect(rule({ keepRecent: 5 })).toEqual({ kind: 'keepNewest', count: 5 });
    expect(rule({ keepRecent: 5, source: { kind: 'files', pattern: 'm/*.md' } })).toBeUndefined();
  });

  it('lets the user exclude anything', () => {
    expect(rule({ isExcluded: true, priority: 'P0', isPinned: true, onDemand: true })).toEqual({ kind: 'excluded' });
  });
});

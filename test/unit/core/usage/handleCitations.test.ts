import { describe, expect, it } from 'vitest';
import { buildReport } from '../../../../src/core/pipeline/report/buildReport';
import { handleCitations } from '../../../../src/core/usage/usageDraft';
import { FAKE_TOKENIZER, fakeMap } from '../../../property/payloadArbitraries';
import { request, section } from '../../../support/sectionBuilder';

const REPORT = buildReport(
  request([
    section('soul', 'calm\n', { path: 'memory/SOUL.md' }),
    section('map', '', { source: { kind: 'builtin', builtin: 'repo-map' }, body: { kind: 'repoMap' } }),
    section('events', 'rows\n', { source: { kind: 'builtin', builtin: 'observations' } }),
  ]),
  fakeMap(3, 'f(): void'),
  FAKE_TOKENIZER,
);

describe('handles that were asked for', () => {
  it.each([
    ['section:soul', 'soul'],
    ['section:soul#L41', 'soul'],
    ['section:soul/topics/a', 'soul'],
    ['section:soul/topics/a#L41', 'soul'],
    ['12#L41', 'events'],
    ['12', 'events'],
    ['sym:1f3a9c', 'map'],
    ['file:memory/SOUL.md#L3-L9', 'soul'],
    ['file:memory/SOUL.md', 'soul'],
    ['file:src/a.ts#L10', 'map'],
  ])('%s cites %s', (handle, id) => {
    expect(handleCitations(REPORT, [handle])).toEqual([{ id, evidence: 'handle', what: handle }]);
  });

  it('count once each, and not at all where no section has them', () => {
    expect(handleCitations(REPORT, [' 12', '12', '13', 'section:none', 'what'])).toEqual([
      { id: 'events', evidence: 'handle', what: '12' },
      { id: 'events', evidence: 'handle', what: '13' },
    ]);
    const bare = buildReport(request([section('soul', 'calm\n')]), undefined, FAKE_TOKENIZER);
    expect(handleCitations(bare, ['12', 'sym:1', 'file:a.ts'])).toEqual([]);
  });
});

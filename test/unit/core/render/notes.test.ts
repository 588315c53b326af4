import { describe, expect, it } from 'vitest';
import { buildNotes } from '../../../../src/core/render/notes';

const FACTS = { isIndexOnly: false, isPartial: false, dropped: [], notRun: [], over: undefined };

describe('buildNotes', () => {
  it.each([
    ['one alarm', ['ports'], '1 more alarm: section:ports'],
    ['two alarms', ['ports', 'disk'], '2 more alarms: section:ports, section:disk'],
  ])('names %s that had no room', (_, alarms, note) => {
    expect(buildNotes({ ...FACTS, alarms })).toEqual([note]);
  });

  it('says nothing of alarms when all have room', () => {
    expect(buildNotes({ ...FACTS, alarms: [] })).toEqual([]);
  });

  it.each([
    [5, 'a, b, c, d, e'],
    [6, 'a, b, c, d, e, 1 more'],
    [7, 'a, b, c, d, e, 2 more'],
  ])('names five of %i plug-ins that were not run, and counts the rest', (count, names) => {
    const notRun = [...'abcdefg'].slice(0, count).map((id) => ({ id, reason: 'no trust' }));
    expect(buildNotes({ ...FACTS, notRun, alarms: [] })).toEqual([`not run (no trust): ${names}`]);
  });

  it('puts alarms before what was dropped', () => {
    expect(buildNotes({ ...FACTS, dropped: ['notes'], alarms: ['ports'] })).toEqual([
      '1 more alarm: section:ports',
      'dropped to fit: section:notes',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { makeDraft } from '../../../../src/core/observations/observation';

const TS = '2026-02-03 21:23:34';

describe('makeDraft', () => {
  it.each([
    ['a time of another form', '2026-02-03T21:23:34Z', 'ran', 'The time must be YYYY-MM-DD HH:mm:ss'],
    ['an empty summary', TS, ' \n ', 'The summary is empty. Describe in one line what happened.'],
  ])('refuses %s', (_, ts, summary, words) => {
    expect(() => makeDraft({ ts, summary })).toThrow(words);
  });

  it('names the wrong time', () => {
    expect(() => makeDraft({ ts: 'today', summary: 'ran' })).toThrow('but is "today"');
  });

  it('keeps a summary that had to be cut at the head of the detail, once', () => {
    const long = 'word '.repeat(60).trim();
    const draft = makeDraft({ ts: TS, summary: long, detail: 'more' });
    expect(draft.summary.length).toBeLessThanOrEqual(120);
    expect(draft.detail).toBe(`${long}\n\nmore`);
    expect(makeDraft({ ts: TS, summary: long, detail: `so: ${long}` }).detail).toBe(`so: ${long}`);
  });

  it('has each reference once, without empty ones', () => {
    expect(makeDraft({ ts: TS, summary: 'ran', files: ['a', '', ' a ', 'b'] }).refs.files).toEqual(['a', 'b']);
  });
});

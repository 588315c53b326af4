import { describe, expect, it } from 'vitest';
import { makeDraft, taskLabel } from '../../../../src/core/observations/observation';

const URL = `https://example.com/issues/${'1'.repeat(200)}`;
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

describe('the label of a task', () => {
  it.each([
    ['a long id', 'x'.repeat(120), 'x'.repeat(120)],
    ['blanks and line ends', ' T\r\n 1\t2 ', 'T 1 2'],
    ['colours', '\u001b[31mT-1\u001b[0m', 'T-1'],
  ])('keeps %s', (_, text, label) => {
    expect(makeDraft({ ts: TS, summary: 'ran', taskId: text }).taskId).toBe(label);
  });

  it.each([
    ['an address', URL],
    ['a text of letters outside the first plane', '𝒳 '.repeat(200)],
    ['a megabyte', 'y'.repeat(1_000_000)],
  ])('cuts %s and stays as it is from then on', (_, text) => {
    const label = taskLabel(text);
    expect(label).toMatch(/…[0-9a-f]{8}$/);
    expect(label.length).toBeLessThanOrEqual(120);
    expect(taskLabel(label)).toBe(label);
  });

  it('tells long tasks apart that begin alike', () => {
    expect(taskLabel(`${URL}#1`)).not.toBe(taskLabel(`${URL}#2`));
  });
});

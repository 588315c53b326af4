import { describe, expect, it } from 'vitest';
import { keepNewest, readEntries } from '../../../../../src/core/pipeline/fit/entries';

function keep(text: string, count: number): string {
  const list = readEntries(text);
  if (!list) throw new Error('not a list');
  return keepNewest(list, count);
}

describe('readEntries', () => {
  it('tells a list by age from one of rules by the dates at the heads of its entries', () => {
    const dates = (count: number) =>
      Array.from({ length: 4 }, (_, at) => (at < count ? `- 2026-02-0${at + 1} done` : '- a rule')).join('\n');
    expect([0, 1, 2, 4].map((count) => readEntries(dates(count))?.isDated)).toEqual([false, false, true, true]);
  });

  it('keeps the last bullets of an undated list, with their nested and continued lines', () => {
    const text = '# Log\n\n- one\n  - nested\n    deeper\n- two\ncontinued\n- three\n';
    expect(readEntries(text)).toMatchObject({ kind: 'bullet', newestEnd: 'last' });
    expect(keep(text, 2)).toBe('# Log\n\n- two\ncontinued\n- three\n');
    expect(keep(text, 3)).toBe(text);
  });

  it.each(['* ', '+ ', '• '])('reads bullets written with %j', (mark) => {
    expect(keep(`${mark}a\n${mark}b\n`, 1)).toBe(`${mark}b\n`);
  });

  it('reads numbered lists', () => {
    expect(keep('1. a\n2. b\n10) c\n', 2)).toBe('2. b\n10) c\n');
  });

  it('keeps the first entries when dates fall along the text', () => {
    const text = '- 2026-02-03 newest\n- 2026-02-01 middle\n- 2026-01-05 oldest\n';
    expect(readEntries(text)?.newestEnd).toBe('first');
    expect(keep(text, 1)).toBe('- 2026-02-03 newest\n');
  });

  it.each([
    ['times of one day', '- [2026-02-03 09:30] new\n- [2026-02-03 08:00] old\n'],
    ['slashes', '- 2026/02/03: new\n- 2026/1/4: old\n'],
    ['Chinese dates', '- 2026年2月3日 new\n- 2026年1月30日 old\n'],
    ['ISO time', '- 2026-02-03T09:30:10Z new\n- 2026-02-03T09:30:09Z old\n'],
  ])('compares dates written as %s', (_how, text) => {
    expect(keep(text, 1)).toContain('new');
  });

  it('keeps the last entries when dates rise along the text', () => {
    expect(keep('- 2026-01-05 oldest\n- 2026-02-03 newest\n', 1)).toBe('- 2026-02-03 newest\n');
  });

  it('takes dated headings with what stands under them as entries', () => {
    const text = '# Progress\nintro\n\n## 2026-02-03\n- a\n- b\n\n## 2026-02-01\n- c\n';
    expect(readEntries(text)).toMatchObject({ kind: 'heading', newestEnd: 'first' });
    expect(keep(text, 1)).toBe('# Progress\nintro\n\n## 2026-02-03\n- a\n- b\n\n');
  });

  it('takes headings over prose as entries', () => {
    const text = '# Guide\n\n## Build\nRun make.\n\n### Windows\nUse nmake.\n\n## Test\nRun make test.\nThen look.\n';
    expect(readEntries(text)?.kind).toBe('heading');
    expect(keep(text, 1)).toBe('# Guide\n\n## Test\nRun make test.\nThen look.\n');
  });

  it('keeps headings that stand between bullets', () => {
    const text = '# Memory\n\n## User\n- a\n- b\n\n## Project\n- c\n- d\n';
    expect(readEntries(text)?.kind).toBe('bullet');
    expect(keep(text, 2)).toBe('# Memory\n\n## User\n## Project\n- c\n- d\n');
  });

  it('keeps paragraphs after a list', () => {
    expect(keep('- a\n- b\n\nAlways read this.\n', 1)).toBe('- b\n\nAlways read this.\n');
    expect(keep('- a\n- b\n\nAlways read this.\n- c\n', 1)).toBe('Always read this.\n- c\n');
  });

  it('keeps the header of a table', () => {
    const text = 'Runs:\n\n| id | what |\n|----|:----:|\n| 1 | a |\n| 2 | b |\n| 3 | c |\n\nend\n';
    expect(readEntries(text)?.kind).toBe('row');
    expect(keep(text, 1)).toBe('Runs:\n\n| id | what |\n|----|:----:|\n| 3 | c |\n\nend\n');
  });

  it('keeps the headers of two tables', () => {
    const text = '| a |\n|---|\n| 1 |\n| 2 |\n\n| b |\n|---|\n| 3 |\n| 4 |\n';
    expect(keep(text, 1)).toBe('| a |\n|---|\n| b |\n|---|\n| 4 |\n');
  });

  it('never starts an entry inside a fenced code block', () => {
    const text = '- a\n  ```md\n- not an entry\n# nor this\n  ```\n- b\n- c\n';
    expect(readEntries(text)?.newestFirst).toHaveLength(3);
    expect(keep(text, 2)).toBe('- b\n- c\n');
    expect(keep('- a\n- b\n~~~\n```\n- x\n~~~\n', 1)).toBe('- b\n~~~\n```\n- x\n~~~\n');
  });

  it('treats an unclosed fence as code to the end', () => {
    expect(readEntries('- a\n- b\n```\n- c\n- d\n')?.newestFirst).toHaveLength(2);
  });

  it('can be told what the entries are: files joined under headings', () => {
    const text = '# m/a.md\n- 1\n- 2\n\n# m/b.md\n- 3\n- 4\n';
    expect(keep(text, 1)).toContain('# m/a.md');
    const list = readEntries(text, { kind: 'heading', newestEnd: 'last' });
    expect(list && keepNewest(list, 1)).toBe('# m/b.md\n- 3\n- 4\n');
    expect(readEntries('# only.md\n- 1\n- 2\n', { kind: 'heading' })).toBeUndefined();
  });

  it('can be told the lines that entries start with, whatever headings and fences stand between', () => {
    const text = '# m/a.md\n# Title\n```\n\n# m/b.md\n# Other\n# m/a.md\n\n# m/c.md\n# Last\n';
    const list = readEntries(text, { heads: ['# m/a.md', '# m/b.md', '# m/c.md'] });
    expect(list?.newestFirst).toHaveLength(3);
    expect(list && keepNewest(list, 2)).toBe('# m/b.md\n# Other\n# m/a.md\n\n# m/c.md\n# Last\n');
  });

  it('can be told which end matters', () => {
    const list = readEntries('- error\n- warning\n- hint\n', { newestEnd: 'first' });
    expect(list && keepNewest(list, 1)).toBe('- error\n');
  });

  it.each([
    '',
    'one line',
    'two\nparagraphs\n\nof text',
    '- only one',
    '# Title\n\ntext',
    '- - -\n* * *\n',
    '-a\n-b\n',
  ])('finds no list in %j', (text) => {
    expect(readEntries(text)).toBeUndefined();
  });

  it('joins segments to the whole text and never starts one with a blank line or a slash', () => {
    const text = '/intro\n\n- a\n\n/usr/bin\n\n- b\n/etc\n\n\n- c';
    const list = readEntries(text);
    expect(list?.segments.map((segment) => segment.text).join('')).toBe(`${text}\n`);
    for (const segment of list?.segments.slice(1) ?? []) expect(segment.text).not.toMatch(/^\s*(\n|\/)/);
  });

  // What is not linear does not end within the test's time.
  it('ends on a megabyte of hostile lines', () => {
    for (const unit of ['- a\n', '```\n', '| - |\n', '# \n', ' \n', '-'.repeat(50), '2026-']) {
      const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
      expect(() => readEntries(text)).not.toThrow();
    }
  });
});

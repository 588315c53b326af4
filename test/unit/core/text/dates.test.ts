import { describe, expect, it } from 'vitest';
import { findDate, findTime, isDateFirst } from '../../../../src/core/text/dates';

describe('findDate', () => {
  it.each([
    ['2026-02-03', '2026-02-03', ''],
    ['at 2026-02-03T09:30:10Z', '2026-02-03', '09:30:10'],
    ['[2026-02-03 09:30] x', '2026-02-03', '09:30:00'],
    ['2026/2/3', '2026-02-03', ''],
    ['2026.02.03', '2026-02-03', ''],
    ['2026年2月3日', '2026-02-03', ''],
    ['2026年02月03号 下午', '2026-02-03', ''],
    ['2026년 2월 3일', '2026-02-03', ''],
    ['Feb 3, 2026', '2026-02-03', ''],
    ['Tuesday, February 3rd 2026 at 9:30 PM', '2026-02-03', '21:30:00'],
    ['Sept. 3, 2026', '2026-09-03', ''],
    ['3 February 2026', '2026-02-03', ''],
    ['03-Feb-2026', '2026-02-03', ''],
    ['3rd of May, 2026', '2026-05-03', ''],
    ['3.2.2026', '2026-02-03', ''],
    ['2/13/2026', '2026-02-13', ''],
    ['13/2/2026', '2026-02-13', ''],
    ['memory/2026-02-07-1136.md', '2026-02-07', ''],
    ['20260203-notes', '2026-02-03', ''],
    ['[02-15] x', '0000-02-15', ''],
    ['**2月15日** x', '0000-02-15', ''],
    ['Feb 15: x', '0000-02-15', ''],
  ])('reads %j', (text, day, time) => {
    expect(findDate(text)).toMatchObject({ day, time });
  });

  it.each([
    '2026',
    '2026-13-40',
    '12026-02-03',
    'v2026.1.24',
    '10-20 items',
    'May 3 people come',
    '1.2.3',
    'a 02-15',
    '',
  ])('reads no date in %j', (text) => {
    expect(findDate(text)).toBeUndefined();
  });

  it('says whether only marks stand before', () => {
    const isFirst = (text: string) => isDateFirst(text, findDate(text) ?? { day: '', time: '', index: 99, end: 99 });
    expect(['- **[2026-02-03]', '📅 2026-02-03', 'on 2026-02-03'].map(isFirst)).toEqual([true, true, false]);
  });
});

describe('findTime', () => {
  it('reads a time at the head of a line', () => {
    expect(['09:30 x', '[9:05:07] x', '深夜 23:15 - x', '16:9', '1 at 10:00', '99:99'].map(findTime)).toEqual([
      '09:30:00',
      '09:05:07',
      '23:15:00',
      '',
      '',
      '',
    ]);
  });
});

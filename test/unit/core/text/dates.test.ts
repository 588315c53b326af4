import { describe, expect, it } from 'vitest';
import { findClock, findDate, findTime, isDateAlone, isDateFirst, wholeTime } from '../../../../src/core/text/dates';

describe('findDate', () => {
  it.each([
    ['2026-02-03', '2026-02-03', ''],
    ['at 2026-02-03T09:30:10Z', '2026-02-03', '09:30:10'],
    ['[2026-02-03 09:30] x', '2026-02-03', '09:30:00'],
    ['2026/2/3', '2026-02-03', ''],
    ['2026. 2. 3', '2026-02-03', ''],
    ['2026\\-02\\-03', '2026-02-03', ''],
    ['2026.02.03', '2026-02-03', ''],
    ['2026年2月3日', '2026-02-03', ''],
    ['2026年2月3日09:06:36', '2026-02-03', '09:06:36'],
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
    ['02-15 14:30 x', '0000-02-15', '14:30:00'],
    ['2/3/26', '2026-02-03', ''],
    ['Tue Feb  3 21:23:34 UTC 2026', '2026-02-03', '21:23:34'],
    ['## Run 2026-02-03_212334 (TASK-1)', '2026-02-03', '21:23:34'],
    ['20260203T2123', '2026-02-03', '21:23:00'],
    ['2026年2月3日 下午2:30', '2026-02-03', '14:30:00'],
    ['2026年2月3日 下午12:30', '2026-02-03', '12:30:00'],
    ['2026年2月3日 深夜11:30', '2026-02-03', '23:30:00'],
    ['2026年2月3日 深夜2:30', '2026-02-03', '02:30:00'],
    ['2026年2月3日 凌晨12:30', '2026-02-03', '00:30:00'],
    ['2026-02-03 at 12:05 AM', '2026-02-03', '00:05:00'],
    ['2026-02-03 at 12:05 PM', '2026-02-03', '12:05:00'],
    ['2026年2月3日 14时30分', '2026-02-03', '14:30:00'],
    ['2026-02-03: moved the job to 12:30', '2026-02-03', ''],
    ['2026-02-03 at 7 PM', '2026-02-03', '19:00:00'],
    ['2026 Feb 3', '2026-02-03', ''],
    ['3 rows, 3 February 2026', '2026-02-03', ''],
    ['24 lipca 2025', '2025-07-24', ''],
    ['25 Aralık 2024, 03:50', '2024-12-25', '03:50:00'],
    ['Dia 1, 14 de agosto de 2026', '2026-08-14', ''],
    ['1er février 2026', '2026-02-01', ''],
    ['3 de marco de 2026', '2026-03-03', ''],
    ['24. Dez. 2025', '2025-12-24', ''],
    ['24 февраля 2026 г.', '2026-02-24', ''],
    ['2026. február 24.', '2026-02-24', ''],
    ['24 tháng 2 năm 2026', '2026-02-24', ''],
    ['24 Ιουλίου 2025', '2025-07-24', ''],
    ['## 24 lipca', '0000-07-24', ''],
    ['15 Feb: x', '0000-02-15', ''],
  ])('reads %j', (text, day, time) => {
    expect(findDate(text)).toMatchObject({ day, time });
  });

  it.each([
    '2026',
    '2026-13-40',
    '2026-02-30',
    '11/22/33/44',
    '12026-02-03',
    'v2026.1.24',
    '10-20 items',
    'May 3 people come',
    '1.2.3',
    'a 02-15',
    '3 issues 2025',
    '10:00 UTC 2026',
    '3 set',
    'Set 3: legs',
    '2026 tests 3',
    '',
  ])('reads no date in %j', (text) => {
    expect(findDate(text)).toBeUndefined();
  });

  it('says whether only marks stand before', () => {
    const isFirst = (text: string) => isDateFirst(text, findDate(text) ?? { day: '', time: '', index: 99, end: 99 });
    const texts = ['- **[2026-02-03]', '📅 2026-02-03', 'Tue, 2026-02-03', 'lundi 3 février 2026', 'on 2026-02-03'];
    expect(texts.map(isFirst)).toEqual([true, true, true, true, false]);
  });

  it('says whether nothing but a weekday stands beside', () => {
    const alone = [' (Tues)', ' 周日', '（木）', ' 목요일', ' (토)', ', Montag', ' terça-feira', ' — чт'];
    expect(alone.filter((text) => !isDateAlone(text))).toEqual([]);
    const more = [' parser', ' monitor', ' 日', ' Montag früh', ' v2', ' 木'];
    expect(more.filter(isDateAlone)).toEqual([]);
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

describe('zones', () => {
  it.each([
    ['2026-02-03T21:23:34.120Z', 0],
    ['2026-02-03 21:23 +08:00', 480],
    ['2026-02-03 21:23:34 -0530', -330],
    ['2026-02-03 21:23 UTC', 0],
    ['2026-02-03 21:23 UTC+8', 480],
    ['2026-02-03 21:23 GMT+7', 420],
    ['Sat Feb 28 08:15:00 2026 +0100', 60],
    ['Sat Feb 28 04:15 2026 -0530', -330],
    ['Tue Feb  3 21:23:34 UTC 2026', 0],
    ['Tue Feb  3 21:23:34 2026 -- 2 tests', undefined],
    ['2026-02-03 21:23 CST', undefined],
    ['2026-02-03 21:23 - 22:00', undefined],
    ['2026-02-03 21:23-22:40', undefined],
  ])('%j', (text, offset) => {
    expect(findDate(text)?.clock?.offset).toBe(offset);
  });

  it('stand behind a time of day too', () => {
    expect(findClock('**14:14 GMT+7** — x')).toMatchObject({ time: '14:14:00', hasSeconds: false, offset: 420 });
    expect(findClock('x 14:14')).toBeUndefined();
  });
});

describe('wholeTime', () => {
  const MORNING = '2026-02-12T10:05:00.000Z';
  it.each([
    ['2026-02-12T10:05:00Z', MORNING, ''],
    ['2026-02-12 10:05', MORNING, ''],
    ['2026-02-12', '2026-02-12T00:00:00.000Z', ''],
    ['2026-02-12 10:05:00+00', MORNING, ''],
    ['2026-02-12 10:05:00.5 +0000 UTC', '2026-02-12T10:05:00.500Z', ''],
    ['2026-02-12 02:05-08:00', MORNING, ''],
    ['2026-02-12T18:05:00+08:00[Asia/Shanghai]', MORNING, ''],
    ['20260212T100500Z', MORNING, ''],
    ['20260212T180500.250+0800', '2026-02-12T10:05:00.250Z', ''],
    ['Thu, 12 Feb 2026 10:05:00 GMT', MORNING, ''],
    ['Thu, 12 Feb 2026 02:05 -0800', MORNING, ''],
    ['Thu Feb 12 10:05:00 2026', MORNING, ''],
    ['Thu Feb 12 2026 18:05:00 GMT+0800 (China Standard Time)', MORNING, ''],
    ['2/12/2026, 10:05:00 PM', '2026-02-12T22:05:00.000Z', ''],
    ['2026年2月12日10:05', MORNING, ''],
    ['2026/2/12 下午10:05:00', '2026-02-12T22:05:00.000Z', ''],
    ['2026-02-12 10:05:00 CST', MORNING, 'CST'],
    ['Thu Feb 12 10:05:00 CST 2026', MORNING, 'CST'],
    ['Thu Feb 12 10:05:00 PM CST 2026', '2026-02-12T22:05:00.000Z', 'CST'],
  ])('reads %s', (text, iso, zone) => {
    expect(wholeTime(text)).toEqual({ isDated: true, ms: Date.parse(iso), zone });
  });

  it.each([
    ['10:05', 605, ''],
    ['10:05:30.5 PM', 1325.508_333, ''],
    ['10:05 CST', 605, 'CST'],
    ['10:05+01:00', 545, ''],
  ])('reads %s, which names no day', (text, minutes, zone) => {
    const time = wholeTime(text);
    expect(time).toMatchObject({ isDated: false, zone });
    expect((time?.ms ?? 0) / 60_000).toBeCloseTo(minutes, 5);
  });

  it.each(['', 'later', 'at 2026-02-12', '2026-02-12 and 13', '2026-02-12 24:30', '02-12 10:05', '36:05:00', '7'])(
    'finds none in %j',
    (text) => {
      expect(wholeTime(text)).toBeUndefined();
    },
  );
});

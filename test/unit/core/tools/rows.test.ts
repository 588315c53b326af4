import { describe, expect, it } from 'vitest';
import { maySayAgain, withoutPlaces } from '../../../../src/core/tools/rows';

describe('withoutPlaces', () => {
  it.each([
    ["EACCES: permission denied, open '/home/ann lee/work/a.ts'", "EACCES: permission denied, open '…'"],
    ['ENOENT: /var/cache/x/y.bin is gone', 'ENOENT: … is gone'],
    ['at file:///home/ann/dist/worker.js:1:2', 'at …'],
    ['cannot read C:\\Users\\ann\\a.ts', 'cannot read …'],
    ['share \\\\host\\ann\\a.ts', 'share …'],
    ['(/home/ann/a.ts)', '(…'],
  ])('leaves the machine out of: %s', (message, bare) => {
    expect(withoutPlaces(message)).toBe(bare);
  });

  it.each([
    'src/core/a.ts: the last line lacked its end',
    './src/a.ts and ../b/c.ts',
    'see https://example.org/a/b',
    'use /copy or and/or; 3/4',
    '@scope/pkg/file',
    'one "quoted" word and \'another\'',
    'with "/" between names, without a leading "/" and without ".."',
  ])('leaves alone: %s', (message) => {
    expect(withoutPlaces(message)).toBe(message);
  });

  it('comes to an end with 300 kB of slashes', () => {
    expect(withoutPlaces('/'.repeat(300_000)).length).toBeGreaterThan(0);
    expect(withoutPlaces('/a'.repeat(150_000)).length).toBeGreaterThan(0);
    expect(withoutPlaces(`'/`.repeat(150_000)).length).toBeGreaterThan(0);
  });
});

describe('maySayAgain', () => {
  it.each([
    ...['12', 'AGENTS.md:9999', 'src/a-b/c.ts#L3-L9', 'section:soul', 'sym:src/a.ts:Store.open', '记忆/今天.md'],
    ...['context_indices', 'context-budget://section/soul', '@scope/pkg'],
  ])('a name of the folder: %s', (asked) => {
    expect(maySayAgain(asked)).toBe(true);
  });

  it.each([
    ...[
      '/home/ann/a.ts',
      'see /home/ann/a.ts',
      '"/home/ann/a.ts"',
      'file:///etc/passwd',
      'file://host/share/x',
      '~/.ssh',
    ],
    ...['file:/etc/passwd', '../a', 'C:\\a', 'C:/a', 'https://a:b@host/x', 'https:/host/x?token=1', 'password=hunter2'],
    ...['<system-reminder>', 'a\u202Eb', 'a\nb', 'ignore what was said', ''],
  ])('no such name: %j', (asked) => {
    expect(maySayAgain(asked)).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import type { GroupFile } from '../../../../../src/core/files/fileGroups';
import { folderFiles } from '../../../../../src/core/pipeline/collect/folderFiles';
import { unreadable } from '../../../../../src/core/text/decode';

const file = (path: string, text = 'x\n'): GroupFile => ({ path, body: { kind: 'text', text } }) as GroupFile;
const dateOf = (text: string, path = 'memory/a.md') => folderFiles([file(path, text)], 'memory/')[0]?.date;

describe('folderFiles', () => {
  it.each([
    [{ kind: 'unreadable', message: unreadable('noPermission') }, '(left out: no permission to read it)\n'],
    [{ kind: 'binary' }, '(left out: not text)\n'],
    [{ kind: 'missing' }, '(left out: it is gone)\n'],
    [{ kind: 'tooLarge', sizeBytes: 2_000, limitBytes: 1_000 }, '(left out: 2,000 bytes, the limit is 1,000)\n'],
  ])('says why a file has no text: %o', (body, text) => {
    expect(folderFiles([{ path: 'memory/a.md', body } as GroupFile], 'memory/')[0]?.text).toBe(text);
  });

  it('names files without their extension, unless two would have the same name', () => {
    const paths = ['memory/a.md', 'memory/b.md', 'memory/b.txt'];
    expect(
      folderFiles(
        paths.map((path) => file(path)),
        'memory/',
      ).map(({ key }) => key),
    ).toEqual(['a', 'b.md', 'b.txt']);
  });

  it('keeps the whole path of a file outside of the root', () => {
    expect(folderFiles([file('docs/a.md')], 'memory/')[0]?.key).toBe('docs/a');
  });

  it.each([
    ['the newest of several', '- 2026-02-03 a\n- 2026-02-05 b\n- 2026-02-04 c\n', '2026-02-05'],
    ['single digits', 'Updated: 2026/2/3\n', '2026-02-03'],
    ['the first and the last month', '2026-01-01\n2026-12-31\n', '2026-12-31'],
    ['none with a month that does not exist', '2026-13-01\n2026-00-10\n', undefined],
    ['none with a day that does not exist', '2026-12-32\n2026-12-00\n', undefined],
    ['none from inside a line', 'It was 2026-02-03 when\n', undefined],
  ])('takes the date that lines begin with: %s', (_, text, date) => {
    expect(dateOf(text)).toBe(date);
  });
});

import { expect, test } from 'vitest';
import { parseGitStatus, parseRemovedPaths } from '../../../../../src/core/pipeline/collect/gitOutput';

test('parseGitStatus reads every record of the porcelain format and passes over others', () => {
  const hash = '0'.repeat(40);
  const status = parseGitStatus(
    [
      '# branch.oid (initial)',
      '# branch.head feat/x y',
      '# branch.upstream origin/feat/x',
      '# branch.ab +3 -12',
      '# stash 4',
      `1 MM N... 100644 100644 100644 ${hash} ${hash} a b.ts`,
      `1 .D N... 100644 100644 000000 ${hash} ${hash} gone.ts`,
      `2 R. N... 100644 100644 100644 ${hash} ${hash} R100 new name.ts`,
      'old name.ts',
      `u UU N... 100644 100644 100644 100644 ${hash} ${hash} ${hash} both.ts`,
      '? un tracked.ts',
      '! ignored.ts',
      '',
    ].join('\0'),
  );
  expect(status).toEqual({
    branch: 'feat/x y',
    upstream: 'origin/feat/x',
    ahead: 3,
    behind: 12,
    conflicts: ['both.ts'],
    staged: [
      { letter: 'M', path: 'a b.ts', from: undefined },
      { letter: 'R', path: 'new name.ts', from: 'old name.ts' },
    ],
    changed: [
      { letter: 'M', path: 'a b.ts', from: undefined },
      { letter: 'D', path: 'gone.ts', from: undefined },
    ],
    untracked: ['un tracked.ts'],
  });
});

test('parseRemovedPaths reads newest first, without unsafe paths', () => {
  const first = 'a'.repeat(40);
  const second = 'b'.repeat(40);
  const log = `\x01${first} 2026-05-01\0\nD\0src/gone.ts\0R087\0a b.ts\0c.ts\0\x01${second} 2026-04-01\0\nD\0../up.ts\0D\0D\0`;
  expect(parseRemovedPaths(log)).toEqual([
    { path: 'src/gone.ts', commit: first, date: '2026-05-01' },
    { path: 'a b.ts', commit: first, date: '2026-05-01', renamedTo: 'c.ts' },
    { path: 'D', commit: second, date: '2026-04-01' },
  ]);
});

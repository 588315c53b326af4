import { describe, expect, it } from 'vitest';
import { hidePaths } from '../../../../src/core/text/hidePaths';

const ROOTS = [
  { path: '/home/jo/app', name: 'app' },
  { path: '/home/jo/.ext/cb', name: '<extension>' },
];

describe('hidePaths', () => {
  it.each([
    ['at run (/home/jo/.ext/cb/dist/x.js:1:20)', 'at run (<extension>/dist/x.js:1:20)'],
    ["ENOENT: open '/home/jo/app/docs/a.md'", "ENOENT: open 'app/docs/a.md'"],
    ['in /home/jo/app', 'in app'],
    ['/home/jo/app-secret/plan.md', '<path>'],
    ["open '/home/jo/Other Project/a.md'", "open '<path>'"],
    ['file:///home/jo/notes.md:3', 'file://<path>:3'],
    ['~/.claude/projects/x.jsonl', '<path>'],
    [String.raw`C:\Users\Jo Doe\notes.md`, '<path>'],
    [String.raw`\\server\share\a`, String.raw`\<path>`],
  ])('%s', (text, expected) => {
    expect(hidePaths(text, ROOTS)).toBe(expected);
  });

  it('says the name of the innermost root', () => {
    const roots = [
      { path: '/home/jo', name: 'home' },
      { path: '/home/jo/app/lib', name: 'lib' },
      { path: '/home/jo/app', name: 'app' },
    ];
    expect(hidePaths('/home/jo/app/lib/a.ts, /home/jo/app/b.ts, /home/jo/c.ts', roots)).toBe(
      'lib/a.ts, app/b.ts, home/c.ts',
    );
  });

  it('leaves relative paths, numbers and words alone', () => {
    const text = 'src/a.ts:3: 4.2k / 7.5k, and/or docs\\b.md; section:a at 10:12';
    expect(hidePaths(text, ROOTS)).toBe(text);
  });

  it('knows folders of Windows whatever the case of the drive', () => {
    const roots = [{ path: String.raw`c:\work\app`, name: 'app' }];
    expect(hidePaths(String.raw`C:\work\app\src\a.ts`, roots)).toBe(String.raw`app\src\a.ts`);
  });
});

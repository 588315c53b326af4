import { describe, expect, it } from 'vitest';
import { WorkspacePaths } from '../../../../src/core/transcripts/workspacePaths';
import { APP, WINDOWS } from '../../../support/transcripts';

describe('paths of transcripts', () => {
  it.each([
    ['/work/app/src/a.ts', undefined, 'src/a.ts'],
    ['src/../docs/./a.md', undefined, 'docs/a.md'],
    ['../a.md', '/work/app/docs', 'a.md'],
    ['file:///work/app/docs/a%20b.md#L3', undefined, 'docs/a b.md'],
    ['vscode-remote://wsl+u/work/app/a.ts', undefined, 'a.ts'],
    ['app/[id]/page.tsx', undefined, 'app/[id]/page.tsx'],
  ])('%s in %s is %s', (given, cwd, expected) => {
    expect(APP.relative(given, cwd)).toBe(expected);
  });

  it.each([
    ['/work/application/a.ts'],
    ['/work/app'],
    ['/work/app/../other/a.ts'],
    ['../a.ts'],
    ['~/a.ts'],
    ['~other/a.ts'],
    ['https://example.org/a.ts'],
    ['untitled:Untitled-1'.replace(':', '://')],
    ['file:///work/app/%E0%A4%A'],
    ['C:\\work\\app\\a.ts'],
    ['src/a.ts\nsrc/b.ts'],
    ['./c:/a.ts'],
    ['A:-/a.ts'],
    ['./~me/a.ts'],
    [''],
    ['x'.repeat(2000)],
  ])('%j is none of the workspace', (given) => {
    expect(APP.relative(given)).toBeUndefined();
  });

  it('reads ~ as the home folder', () => {
    expect(new WorkspacePaths({ roots: ['/home/me/app'], home: '/home/me' }).relative('~/app/a.ts')).toBe('a.ts');
    expect(new WorkspacePaths({ roots: ['/home/me/app'] }).relative('~/app/a.ts')).toBeUndefined();
  });

  it.each([
    ['c:\\users\\ME\\app\\src\\A.ts', 'src/A.ts'],
    ['/c/Users/me/App/a.ts', 'a.ts'],
    ['file:///c%3A/Users/me/App/a.ts', 'a.ts'],
    ['src\\a.ts', 'src/a.ts'],
    ['D:\\Users\\me\\App\\a.ts', undefined],
    ['\\\\server\\share\\a.ts', undefined],
  ])('on Windows %s is %s', (given, expected) => {
    expect(WINDOWS.relative(given)).toBe(expected);
  });

  it('counts the folder, what is below it and its other names; not what is above or beside it', () => {
    const paths = new WorkspacePaths({ roots: ['/real/app', '/link/app', '/real/app/.trees/x', '/trees/y'] });
    for (const own of ['/real/app', '/real/app/', '/link/app/src', '/trees/y']) expect(paths.owns(own)).toBe(true);
    for (const other of ['/real', '/', '/real/app2', '/trees', '', 'src']) expect(paths.owns(other)).toBe(false);
    expect(paths.relative('/real/app/.trees/x/src/a.ts')).toBe('src/a.ts');
    expect(paths.relative('a.ts', '/trees/y/src')).toBe('src/a.ts');
  });

  it('takes nothing with a control character for a path', () => {
    const paths = new WorkspacePaths({ roots: ['/app'] });
    expect(paths.folderAfter('src')).toBe('/app/src');
    for (const text of ['s\nrc', 'src\u0007', '\u001f/app/src']) expect(paths.folderAfter(text)).toBeUndefined();
    expect(paths.owns('/app/s\trc')).toBe(false);
  });
});

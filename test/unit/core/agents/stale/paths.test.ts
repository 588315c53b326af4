import { describe, expect, it } from 'vitest';
import { PathIndex } from '../../../../../src/core/agents/stale/pathIndex';
import { relativeTo } from '../../../../../src/core/agents/stale/stalePaths';
import { collapsePath, resolvePath } from '../../../../../src/core/text/safePath';

describe('paths', () => {
  it.each([
    ['./a//b/', 'a/b'],
    ['a/../b', 'b'],
    ['../a/./b', '../a/b'],
    ['/', ''],
  ])('collapses %s', (path, expected) => {
    expect(collapsePath(path)).toBe(expected);
  });

  it('resolves from a folder, and not out of the root', () => {
    expect(resolvePath('a/b', '../c.md')).toBe('a/c.md');
    expect(resolvePath('', 'c.md')).toBe('c.md');
    expect(resolvePath('a', '../../c.md')).toBeUndefined();
  });

  it.each([
    ['', 'a/b.md'],
    ['a', 'a/b.md'],
    ['x/y', 'a/b.md'],
    ['a/b', 'a/b/c/d.md'],
  ])('goes from %s to where it resolves to', (folder, path) => {
    expect(resolvePath(folder, relativeTo(folder, path))).toBe(path);
  });
});

describe('PathIndex', () => {
  it('knows files and folders by the names that were asked for, in any case, each folder once', () => {
    const index = new PathIndex(['Core', 'a.ts']);
    index.add(['core/x/a.ts', 'core/y/b.ts', 'z/core/A.ts']);
    expect(index.named('core').map(({ path }) => path)).toEqual(['core', 'z/core']);
    expect(index.named('A.TS').map(({ path }) => path)).toEqual(['core/x/a.ts', 'z/core/A.ts']);
    expect(index.named('b.ts')).toEqual([]);
    expect(index.stemmed('a')).toHaveLength(2);
  });
});

import { describe, expect, it } from 'vitest';
import { pathMentions } from '../../../../../src/core/agents/stale/pathMentions';

/** Paths, each with the text that its columns select. */
function read(line: string): readonly (readonly [path: string, selected: string])[] {
  return pathMentions(line).map(({ path, start, end }) => [path, line.slice(start, end)]);
}

describe('pathMentions', () => {
  it.each([
    ['a link', '[it](src/a.ts)', 'src/a.ts'],
    ['a link in angle brackets', '[it](<docs/my notes.md>)', 'docs/my notes.md'],
    ['a definition of a link', '[it]: docs/a.md', 'docs/a.md'],
    ['a path with parentheses', 'See app/(shop)/page.tsx now', 'app/(shop)/page.tsx'],
    ['a folder whose name ends in parentheses', 'See app/(shop)', 'app/(shop)'],
    ['a path inside parentheses', 'It is there (src/a.ts).', 'src/a.ts'],
  ])('finds %s, at its columns', (_, line, path) => {
    expect(read(line)).toEqual([[path, path]]);
  });

  it('reads the target of a definition once, as a link', () => {
    expect(pathMentions('[it]: docs/a.md')).toMatchObject([{ isLink: true, line: 1 }]);
  });

  it('reads %20 in a link as a space, and selects the text as written', () => {
    expect(read('[it](docs/my%20notes.md)')).toEqual([['docs/my notes.md', 'docs/my%20notes.md']]);
  });

  it.each([
    ['an address', '[it](https://a.test/docs/a.md)'],
    ['an address without a scheme', '[it](//a.test/docs/a.md)'],
    ['a heading', '[it](#docs/a.md)'],
    ['a file of the home folder', '`~/docs/a.md`'],
    ['a link with a broken percent sign', '[it](docs/100%.md)'],
  ])('does not take %s for a path', (_, line) => {
    expect(read(line)).toEqual([]);
  });
});

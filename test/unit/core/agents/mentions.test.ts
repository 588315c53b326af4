import { describe, expect, it } from 'vitest';
import { findMentions, looksLikeFile, spellings } from '../../../../src/core/agents/mentions';

const targets = (text: string): readonly string[] => findMentions(text).map(({ target, line }) => `${line} ${target}`);

describe('findMentions', () => {
  it('finds words after an @ at the start of a line or after blank space', () => {
    expect(targets('@a.md and @./b.md\r\n\n- @c d@e.f (@g)')).toEqual(['1 a.md', '1 ./b.md', '3 c']);
  });

  it('takes a word to the next blank space', () => {
    expect(targets('(see @a.md), @b@2.md\t@c.md#top. @@d')).toEqual(['1 a.md),', '1 b@2.md', '1 c.md#top.']);
  });

  it('leaves fenced code alone, whatever its fence', () => {
    expect(targets('```md\n@a\n~~~\n@b\n```\n@c\n~~~~\n@d\n~~~\n@e\n~~~~\n@f')).toEqual(['6 c', '12 f']);
  });

  it('takes a fence without an end to the end of the text', () => {
    expect(targets('@a\n```\n@b')).toEqual(['1 a']);
  });

  it('leaves code spans alone, over lines and with longer runs, and reads on behind a run without its like', () => {
    expect(targets('` @a\n @b ` @c `` @d ` @e `` @f ` @g')).toEqual(['2 c', '2 f', '2 g']);
  });

  it('ends a span at the end of its paragraph', () => {
    expect(targets('an odd `\n\n@a `')).toEqual(['3 a']);
  });

  it('stays linear over many runs of backticks and stops at 500', () => {
    const text = Array.from({ length: 3000 }, (_, at) => '`'.repeat((at % 700) + 1)).join(' @x ');
    expect(findMentions(text).length).toBeLessThanOrEqual(500);
  });
});

describe('spellings', () => {
  it.each([
    ['docs/a.md#top.', 'punctuation', ['docs/a.md#top.', 'docs/a.md']],
    ['docs/a.md,@docs/b.md', 'punctuation', ['docs/a.md,@docs/b.md', 'docs/a.md']],
    ['a.md、@b.md.', 'punctuation', ['a.md、@b.md.', 'a.md、@b.md', 'a.md、']],
    ['v@2/a.md', 'punctuation', ['v@2/a.md', 'v']],
    ['docs/a.md,@docs/b.md#c', 'fragment', ['docs/a.md,@docs/b.md#c', 'docs/a.md,@docs/b.md']],
    ['docs/a.md,@b', 'nothing', ['docs/a.md,@b']],
  ] as const)('has what %s stands for without %s', (word, end, words) => {
    expect(spellings(word, end)).toEqual(words);
  });
});

describe('looksLikeFile', () => {
  it.each([
    ['docs/a.md', true],
    ['docs/a.md#top.', true],
    ['../x', true],
    ['~/x', true],
    ['user', false],
    ['types/node', false],
    ['user@example.org', false],
    ['user@example.org,', false],
    ['docs/a.md,@docs/b.md', true],
    ['a.md,@b.md', true],
    ['docs/v@2.md', true],
  ])('tells paths from other words: %s', (word, isFile) => {
    expect(looksLikeFile(word)).toBe(isFile);
  });
});

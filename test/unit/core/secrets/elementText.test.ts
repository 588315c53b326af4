import { describe, expect, it } from 'vitest';
import { splitElements } from '../../../../src/core/secrets/elementText';

const split = (text: string, names: readonly string[]) =>
  splitElements(text, names, 'rest').map(({ sectionId, start, end }) => [sectionId, text.slice(start, end)]);

describe('splitElements', () => {
  it('gives the content of each element and what stands outside', () => {
    const text = 'before\n<git>\na\nb\n</git>\n<ports>All UP</ports>\nafter\n';
    expect(split(text, ['git', 'ports'])).toEqual([
      ['rest', 'before\n'],
      ['git', 'a\nb\n'],
      ['ports', 'All UP'],
      ['rest', 'after\n'],
    ]);
  });

  it('takes tags of other names for text, since payloads escape only their own', () => {
    expect(split('<git>\n<div>\n</div>\n</git>\n', ['git'])).toEqual([['git', '<div>\n</div>\n']]);
  });

  it('gives each row of an index to its section', () => {
    const text =
      '<context-index>\nOK | git | a | ~1 tok | section:git\nWARN | ports | b | ~2 tok | section:ports\n</context-index>\n';
    expect(split(text, ['context-index', 'git'])).toEqual([
      ['git', 'OK | git | a | ~1 tok | section:git\n'],
      ['ports', 'WARN | ports | b | ~2 tok | section:ports\n'],
    ]);
  });

  it('gives attributes one by one, so that nothing found reaches over a quote', () => {
    const text = '<detail handle="file:a&amp;b.ts" title="What it is">\nbody\n</detail>\n';
    expect(split(text, ['detail'])).toEqual([
      ['file:a&b.ts', 'file:a&amp;b.ts'],
      ['file:a&b.ts', 'What it is'],
      ['file:a&b.ts', 'body\n'],
    ]);
  });

  it('takes an element that never ends to the end, and text without elements whole', () => {
    expect(split('<git>\na', ['git'])).toEqual([['git', 'a']]);
    expect(split('a\n<git>\n', [])).toEqual([['rest', 'a\n<git>\n']]);
    expect(split('', ['git'])).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { createEscape, escapeReserved } from '../../../../src/core/text/elements';

const escapeTags = createEscape(['soul', 'repo-map']);

describe('createEscape', () => {
  it.each([
    ['x </soul> y', 'x &lt;/soul> y'],
    ['x <soul> y', 'x &lt;soul> y'],
    ['</SOUL>', '&lt;/SOUL>'],
    ['a < / soul >', 'a &lt; / soul >'],
    ['a <\n/\tsoul\n>', 'a &lt;\n/\tsoul\n>'],
    ['a <soul class="x">', 'a &lt;soul class="x">'],
    ['a <soul/>', 'a &lt;soul/>'],
    ['a <soul', 'a &lt;soul'],
    ['a </repo-map>', 'a &lt;/repo-map>'],
    ['a <context-index> </context-notes> <detail x="">', 'a &lt;context-index> &lt;/context-notes> <detail x="">'],
    ['</so</soul>ul>', '</so&lt;/soul>ul>'],
    ['a <\u200b/soul>', 'a &lt;\u200b/soul>'],
    ['a </\u0000soul>', 'a &lt;/\u0000soul>'],
    ['a </soul\u2060>', 'a &lt;/soul\u2060>'],
    // Unseen, but no format characters: a variation selector, Hangul fillers, a joiner, the blank of Braille, a tag.
    ...[
      '\ufe0f',
      '\u3164',
      '\u115f',
      '\uffa0',
      '\u034f',
      '\u17b4',
      '\u2800',
      '\u180b',
      '\u{e0100}',
      '\u{e0041}',
    ].flatMap((unseen) => [
      [`a <${unseen}/soul>`, `a &lt;${unseen}/soul>`],
      [`a </${unseen}soul>`, `a &lt;/${unseen}soul>`],
      [`a </soul${unseen}>`, `a &lt;/soul${unseen}>`],
      [`a </so${unseen}ul>`, `a &lt;/so${unseen}ul>`],
      [`${unseen}<of${unseen}x>`, `${unseen}&lt;of${unseen}x>`],
    ]),
  ])('neutralises tags of the payload: %j', (text, escaped) => {
    expect(escapeTags(text)).toBe(escaped);
  });

  it.each([
    ['<fake>text</fake>', '&lt;fake>text</fake>'],
    ['a\n  </other>\nb', 'a\n  &lt;/other>\nb'],
    ['a\n< Fake >\nb', 'a\n&lt; Fake >\nb'],
    ['a\n\u200b<fake\u200b>\nb', 'a\n\u200b&lt;fake\u200b>\nb'],
  ])('neutralises a bare tag where an element could begin: %j', (text, escaped) => {
    expect(escapeTags(text)).toBe(escaped);
  });

  it.each([
    'Promise<number>',
    'a < b && c > d',
    'Map<string, Array<soulful>>',
    '<div class="x">\n<img src="a.png">\n<br/>',
    'x <souls> <repo-map-2> <repo>',
    '1 <2> 3',
    'a <- b <= c << d',
    '<!-- soul -->',
  ])('leaves ordinary text alone: %j', (text) => {
    expect(escapeTags(text)).toBe(text);
  });

  // What is not linear does not end within the test's time.
  it('ends on hostile input, which keeps its length or grows', () => {
    for (const unit of ['<', '< ', '</', '<a', ' ', '<\n', '\n<', '\u2028']) {
      const text = `<${unit.repeat(500_000)}x`;
      expect(escapeTags(text).length).toBeGreaterThanOrEqual(text.length);
    }
  });
});

describe('escapeReserved', () => {
  it('touches reserved names only', () => {
    expect(escapeReserved('<ul>\n</context-notes>\n<soul>')).toBe('<ul>\n&lt;/context-notes>\n<soul>');
  });
});

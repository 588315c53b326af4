import { describe, expect, it } from 'vitest';
import { unescapedTexts } from '../../../../src/core/secrets/escapedText';

const plainTexts = (text: string) => unescapedTexts(text).map((each) => each.text);

describe('unescapedTexts', () => {
  it.each([
    ['\\u0022a\\u0022', '"a"'],
    ['\\\\u0022a\\\\\\"', '"a"'],
    ['\\x3d\\/', '=/'],
    ['\\u5bc6', '密'],
    ['&#34;&#x22;&quot;&lt;', '"""<'],
    ['a%3D%2f', 'a=/'],
  ])('undoes %s', (text, plain) => {
    expect(plainTexts(text)).toEqual([plain]);
  });

  it('undoes the same escape up to three times, another one on its own', () => {
    expect(plainTexts('&amp;quot;%3A')).toEqual(['&quot;%3A', '"%3A', '&amp;quot;:']);
    expect(plainTexts('%25252525')).toEqual(['%252525', '%2525', '%25']);
  });

  it.each(['plain', 'a & b', '100%', 'a\\nb', '%E5%AF%86', '&nbsp;'])('has nothing of %s', (text) => {
    expect(plainTexts(text)).toEqual([]);
  });

  it('keeps lines with escapes alone, which are no neighbours', () => {
    expect(plainTexts('a\nb%3Ac\nd\ne%3Af\n')).toEqual(['b:c\n;\ne:f']);
  });

  it('tells where a match stands in the escaped text, with the escapes in it', () => {
    const text = 'first\nx%253D%2522ab%2540cd%2522\nlast%20line';
    for (const { text: plain, toSource } of unescapedTexts(text)) {
      const start = plain.indexOf('ab');
      const found = toSource({ start, end: plain.indexOf('cd') + 2, label: 'key' });
      if (start >= 0) expect(found && text.slice(found.start, found.end)).toBe('ab%2540cd');
    }
    const [plain] = unescapedTexts(text);
    expect(plain?.toSource({ start: 0, end: plain.text.length, label: 'key' })).toBeUndefined();
  });
});

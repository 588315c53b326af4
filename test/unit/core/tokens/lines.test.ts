import { describe, expect, it } from 'vitest';
import { estimateTokens, LineTokenCounter, splitExactly } from '../../../../src/core/tokens/lines';
import { exactTokenizer } from '../../../support/exactTokenizer';

/** Each sample exists because its pieces reach over line ends in one way or another. */
const SAMPLES: Readonly<Record<string, string>> = {
  'slash comments, which o200k joins to punctuation': 'foo();\n// a\n// b\n/* c */\n  // d\nx;\n\n/path\n',
  'blank lines and white space lines': 'a\n\n\n  \n\t\nb\n   c\n \n',
  'carriage returns': 'a\r\n\r\nb\rc\r\n \r\nd',
  'Chinese, emoji and full-width space': '第一行。\n　第二行\n\n👩‍👩‍👧‍👦\n- 三\n',
  'no newline at the end, spaces there': 'a\n   ',
  'byte order mark and no-break space lines': '\ufeffa\n\u00a0\n\ufeff\nb\n\u2028c\n\u00a0x',
  'element ends and starts': '<a>\n/x\n</a>\n<b2->y</b2->\n<c>\n</c>\n',
  'special token text': 'a<|endoftext|>\n<|endoftext|>\n',
  'numbers and punctuation at line ends': '1\n2\n...\n---\n)\n]\n// x\n',
};

describe('splitExactly', () => {
  it.each(Object.entries(SAMPLES))('keeps every character: %s', (_why, text) => {
    expect(splitExactly(text).join('')).toBe(text);
  });

  it.each(Object.entries(SAMPLES))('splits where the measured expression does: %s', (_why, text) => {
    expect(splitExactly(text)).toEqual(text.split(/(?<=\n)(?!\s*[\r\n])(?!\/)/).filter((part) => part !== ''));
  });

  // What is not linear does not end within the test's time.
  it('ends on a megabyte of newlines, spaces or slashes', () => {
    for (const text of ['\n', ' \n', '/\n', '\n/', '\r\n'].map((unit) => unit.repeat(500_000))) {
      expect(splitExactly(text).join('').length).toBe(text.length);
    }
  });
});

describe('LineTokenCounter', () => {
  for (const name of ['o200k_base', 'cl100k_base'] as const) {
    const tokenizer = exactTokenizer(name);
    const counter = new LineTokenCounter(tokenizer);

    it.each(Object.entries(SAMPLES))(`equals ${name} of the whole: %s`, (_why, text) => {
      expect(counter.count(text)).toBe(tokenizer.count(text));
      expect(counter.count(text)).toBe(tokenizer.count(text));
    });
  }

  it('counts an unchanged line once', () => {
    const counted: string[] = [];
    const counter = new LineTokenCounter({
      name: 'o200k_base',
      count: (text) => {
        counted.push(text);
        return text.length;
      },
    });
    expect(counter.count('a\nb\nc\n')).toBe(6);
    expect(counter.count('a\nB\nc\n')).toBe(6);
    expect(counted).toEqual(['a\n', 'b\n', 'c\n', 'B\n']);
  });

  it('says for which sections the tokenizer was needed, however often they are measured', () => {
    const counter = new LineTokenCounter({ name: 'o200k_base', count: (text) => text.length });
    expect(counter.watching('soul', () => counter.count('a\nb\n'))).toBe(4);
    counter.watching('soul', () => counter.count('a\n'));
    counter.watching('copy', () => counter.count('b\na\n'));
    expect(counter.worked).toEqual({ parts: 2, sections: 1, sectionsTotal: 2 });
    counter.count('c\n');
    counter.watching('copy', () => counter.count('d\n'));
    expect(counter.worked).toEqual({ parts: 4, sections: 2, sectionsTotal: 2 });
  });

  it('does not wrap a counter twice', () => {
    const counter = new LineTokenCounter({ name: 'o200k_base', count: () => 1 });
    expect(LineTokenCounter.over(counter)).toBe(counter);
  });
});

describe('estimateTokens', () => {
  const tokenizer = exactTokenizer('o200k_base');

  it.each([
    ['code', 'export function add(left: number, right: number): number {\n  return left + right;\n}\n'.repeat(20), 0.3],
    ['Chinese', '每个步骤都记录在报告里，用户和代理都能看到原因。预算永远不会超过上限。'.repeat(20), 0.4],
  ])('is near the exact count for %s', (_what, text, tolerance) => {
    const exact = tokenizer.count(text);
    expect(Math.abs(estimateTokens(text) - exact) / exact).toBeLessThan(tolerance);
  });

  it('counts bytes of UTF-8, surrogate pairs as four', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('abcd')).toBe(1);
    expect(estimateTokens('é')).toBe(1);
    expect(estimateTokens('👍👍')).toBe(2);
    expect(estimateTokens('中中中中')).toBe(3);
  });
});

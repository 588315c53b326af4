import { describe, expect, it } from 'vitest';
import { cutsWithin, ellipsize, firstLineOf, toOneLine, toSentence } from '../../../../src/core/text/sentence';

describe('ellipsize', () => {
  it('cuts to the length with an ellipsis and never inside of a character', () => {
    expect(ellipsize('abcdef', 4)).toBe('abc…');
    expect(ellipsize('ab😀cd', 4)).toBe('ab…');
    expect(ellipsize('abc', 3)).toBe('abc');
  });
});

describe('toSentence', () => {
  it('leaves a short line alone', () => {
    expect(toSentence('All 4 ports UP')).toBe('All 4 ports UP');
  });

  it('cuts a long one at a word', () => {
    const cut = toSentence('word '.repeat(60));
    expect(cut).toBe(`${'word '.repeat(23)}word…`);
    expect(cut.length).toBeLessThanOrEqual(120);
  });

  it('cuts text without spaces between characters, never inside a surrogate pair', () => {
    expect(toSentence('中'.repeat(200))).toBe(`${'中'.repeat(119)}…`);
    expect(toSentence(`a${'👍'.repeat(100)}`, 20)).toBe(`a${'👍'.repeat(9)}…`);
    expect(toSentence('👍'.repeat(100), 20)).toBe(`${'👍'.repeat(9)}…`);
  });

  it('makes one line of many', () => {
    expect(toOneLine(' a\n\tb\r\nc\u2028d\u0000e ')).toBe('a b c d e');
  });
});

describe('firstLineOf', () => {
  it.each([
    ['# Memory\n\ntext', 'Memory'],
    ['## Closed ##\n', 'Closed'],
    ['\n\n- **Login** tests share `redis`\n', 'Login tests share redis'],
    ['> quoted [link](https://example.org/a) here', 'quoted link here'],
    ['- [x] done thing', 'done thing'],
    ['1. first\n2. second', 'first'],
    ['---\nname: x\n---\n# Skill', 'Skill'],
    ['<!-- generated\nfile -->\n# Title', 'Title'],
    ['```ts\nconst a = 1;\n```', 'const a = 1;'],
    ['***\n\n| a | b |\n', 'a | b'],
    ['snake_case_name and 3 * 4', 'snake_case_name and 3 * 4'],
    ['# 记忆\n', '记忆'],
    ['---\n***\n', ''],
    ['', ''],
  ])('of %j is %j', (text, line) => {
    expect(firstLineOf(text)).toBe(line);
  });

  it('is at most 120 characters', () => {
    expect(firstLineOf(`# ${'long '.repeat(100)}`).length).toBeLessThanOrEqual(120);
  });
});

describe('cutsWithin', () => {
  it.each([
    ['It is late, e.g. by 3.5 hours. Then the next one follows', 40, 'It is late, e.g. by 3.5 hours. '],
    ['时钟是假的。测试里不是，还有更多的字', 14, '时钟是假的。'],
    ['one another third', 14, 'one another '],
    ['Short. Then words and words and words', 30, 'Short. Then words and words and'.slice(0, 28)],
    ['{"a":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}', 30, '{"a":"xxxxxxxxxxxxxxxxxxxxxxxx'],
    ['{"a":"done","b":"fine"}', 18, '{"a":"done","b":"'],
    ['word', 3, 'wor'],
    ['a\u0301\u0302b', 4, 'a\u0301\u0302b'],
    ['a\u0301\u0302b', 3, 'a\u0301\u0302'],
    ['b👩‍👩‍👧', 6, 'b'],
    ['👩‍👩‍👧', 4, '👩\u200d'],
    ['👩', 1, undefined],
    ['word', 0, undefined],
  ])('cuts %j within %d at the best place', (line, maxChars, head) => {
    const [best] = cutsWithin(line, maxChars);
    expect(best === undefined ? undefined : line.slice(0, best)).toBe(head);
  });
});

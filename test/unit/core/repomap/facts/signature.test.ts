import { describe, expect, it } from 'vitest';
import { firstDocLine, foldLines } from '../../../../../src/core/repomap/facts/signature';

describe('foldLines', () => {
  it('closes up brackets that were broken over lines and drops the last comma', () => {
    expect(foldLines('def f(\n    a,\n    b: list[\n        int\n    ],\n) -> int')).toBe(
      'def f(a, b: list[int]) -> int',
    );
  });

  it('makes one line of any white space, control characters included', () => {
    expect(foldLines(' a\t\u00a0b \\\n  c\u2028d\u0085e\u0000f ')).toBe('a b c d e f');
  });
});

describe('firstDocLine', () => {
  it.each([
    ['/**\n * Keeps things.\n * More.\n */', 'Keeps things.'],
    ['/** One line. */', 'One line.'],
    ['/// Rust.\n/// More.', 'Rust.'],
    ['// ---------\n// Go.', 'Go.'],
    ['# Python.', 'Python.'],
    ['"""Docstring."""', 'Docstring.'],
    ["r'''\n    Indented.\n    '''", 'Indented.'],
    ['"Says so."', 'Says so.'],
    ['// Says "so"', 'Says "so"'],
    ['// eslint-disable-next-line no-console\n// Logs.', 'Logs.'],
    ['/**\n * @param a what\n */', ''],
    ['// #region widgets', ''],
  ])('finds the first line that says something in %j', (block, line) => {
    expect(firstDocLine(block)).toBe(line);
  });
});

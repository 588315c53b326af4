import { expect, it } from 'vitest';
import { stemOf, testedStem } from '../../../../../src/core/repomap/ranking/mentions';

it.each([
  ['src/parser/index.ts', 'parser'],
  ['src/parser/mod.rs', 'parser'],
  ['index.ts', 'index'],
  ['src/parser/lexer.d.ts', 'lexer'],
  ['src/.eslintrc.json', '.eslintrc'],
])('%s is meant by %s', (path, stem) => {
  expect(stemOf(path)).toBe(stem);
});

it.each([
  ['test/lexer.test.ts', 'lexer'],
  ['test_lexer.py', 'lexer'],
  ['LexerTests.cs', 'Lexer'],
  ['src/lexer.ts', undefined],
])('%s is a test of %s', (path, tested) => {
  expect(testedStem(path)).toBe(tested);
});

import { expect, test } from 'vitest';
import { citedNames } from '../../../src/vscode/citedWords';

const of = (...ids: readonly string[]): string => citedNames(ids.map((id) => ({ id })));

test('names the first three sections and counts the others', () => {
  expect(of()).toBe('');
  expect(of('soul')).toBe('soul');
  expect(of('soul', 'memory', 'git')).toBe('soul, memory, git');
  expect(of('soul', 'memory', 'git', 'ports', 'repo-map')).toBe('soul, memory, git, +2');
});

import { expect, test } from 'vitest';
import { citedNames } from '../../../../src/vscode/agents/citedWords';

const of = (...ids: readonly string[]): readonly string[] => citedNames(ids.map((id) => ({ id })));

test('names the first three sections and counts the others', () => {
  expect(of()).toEqual([]);
  expect(of('soul')).toEqual(['soul']);
  expect(of('soul', 'memory', 'git')).toEqual(['soul', 'memory', 'git']);
  expect(of('soul', 'memory', 'git', 'ports', 'repo-map')).toEqual(['soul', 'memory', 'git', '+2']);
});

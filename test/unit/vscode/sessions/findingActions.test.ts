import { expect, it } from 'vitest';
import { actionFor, type FolderFacts, isInFolder } from '../../../../src/vscode/sessions/findingActions';

const FACTS: FolderFacts = {
  sections: [
    { id: 'agents-md', path: 'AGENTS.md', disclosure: 'full', priority: 'P0' },
    { id: 'memory', path: 'MEMORY.md', disclosure: 'full', priority: 'P1' },
    { id: 'soul', path: 'SOUL.md', disclosure: 'stub', priority: 'P1' },
  ],
  files: new Set(['AGENTS.md', 'MEMORY.md', 'SOUL.md', 'data.csv', 'src/a.ts']),
};

it.each([
  ['MEMORY.md', 'map', 'onDemand'],
  ['MEMORY.md', 'exclude', 'exclude'],
  // Always shown in full.
  ['AGENTS.md', 'map', 'openFile'],
  ['AGENTS.md', 'exclude', 'exclude'],
  // One line of it is all that there is, and the map has nothing but its headings.
  ['SOUL.md', 'map', 'openFile'],
  ['data.csv', 'map', 'openFile'],
  ['src/a.ts', 'map', 'copyMap'],
  ['src/a.ts', 'on-demand', 'openFile'],
  ['src/gone.ts', 'map', undefined],
  ['/etc/passwd', 'map', undefined],
  [undefined, 'fewer-tools', undefined],
] as const)('for %s, which wants %s, the action is %s', (path, fix, action) =>
  expect(actionFor({ path, fix }, FACTS)).toBe(action),
);

it.each(['../a', 'src/../../a', '/a', '\\\\server\\a', 'C:\\a', 'c:/a', '~/a', undefined])(
  'is no file of the folder: %s',
  (path) => expect(isInFolder(path)).toBe(false),
);

import { expect, it } from 'vitest';
import { actionFor, type FolderFacts, isInFolder } from '../../../../src/vscode/sessions/findingActions';

const FACTS: FolderFacts = {
  sections: [
    { id: 'memory', path: 'MEMORY.md', disclosure: 'full' },
    { id: 'soul', path: 'SOUL.md', disclosure: 'stub' },
  ],
  files: new Set(['MEMORY.md', 'SOUL.md', 'src/a.ts']),
};

it.each([
  ['MEMORY.md', 'map', 'onDemand'],
  ['MEMORY.md', 'exclude', 'exclude'],
  // One line of it is all that there is.
  ['SOUL.md', 'map', 'copyMap'],
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

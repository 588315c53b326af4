import { describe, expect, it } from 'vitest';
import { pathMentions } from '../../../../../src/core/agents/stale/pathMentions';
import {
  candidatesOf,
  dropPresent,
  findingsOf,
  noticeOf,
  type RemovedPath,
  RemovedPaths,
  relativeTo,
} from '../../../../../src/core/agents/stale/stalePaths';
import { inEnglish } from '../../../../../src/core/text/phrase';
import { collapsePath, resolvePath } from '../../../../../src/core/text/safePath';

const COMMIT = 'a'.repeat(40);
const removed = (path: string, renamedTo?: string, commit = COMMIT): RemovedPath => ({
  path,
  commit,
  date: '2026-05-01',
  ...(renamedTo === undefined ? {} : { renamedTo }),
});
const HISTORY: readonly RemovedPath[] = [
  removed('src/gone.ts'),
  removed('src/old.ts', 'src/new.ts'),
  removed('lib/core/a.ts', 'packages/core/a.ts', 'b'.repeat(40)),
  removed('lib/core/b.ts', 'packages/core/b.ts', 'b'.repeat(40)),
  removed('src/first.ts', 'src/second.ts'),
  removed('src/second.ts', 'src/third.ts'),
  removed('pkg/tools/run.ts'),
  removed('dist/main.js'),
  removed('setup.py'),
  removed('MEMORY.md'),
  removed('.claude/commands/x.md'),
  removed('short/name.ts'),
];
const TREE = new Set([
  'src/new.ts',
  'src/third.ts',
  'packages/core/a.ts',
  'packages/core/b.ts',
  'x/short/name.ts',
  'pkg/b.ts',
]);

function found(text: string, path = 'AGENTS.md', tree: ReadonlySet<string> = TREE) {
  const history = new RemovedPaths(HISTORY);
  const candidates = new Set(candidatesOf(path, pathMentions(text), history));
  dropPresent(candidates, tree);
  return findingsOf(candidates, history, tree);
}

describe('stale paths', () => {
  it('are what the history had and the tree no longer has, with commit, day, line and columns', () => {
    const [finding, ...others] = found('Rules.\n\n- Entry: `src/gone.ts:12`');
    expect(others).toEqual([]);
    expect(finding).toEqual({
      path: 'AGENTS.md',
      line: 3,
      columns: { start: 10, end: 21 },
      mention: 'src/gone.ts',
      target: 'src/gone.ts',
      commit: COMMIT,
      date: '2026-05-01',
    });
    expect(inEnglish(noticeOf(finding!).message)).toBe('“src/gone.ts” was deleted in commit aaaaaaaaaa (2026-05-01).');
  });

  it.each([
    ['a file', 'See `src/old.ts`.', 'src/new.ts', 'src/new.ts'],
    ['a file that was renamed twice', 'See `src/first.ts`.', 'src/third.ts', 'src/third.ts'],
    ['a folder', 'See `lib/core/`.', 'packages/core', 'packages/core/'],
  ])('say where %s is now', (_, text, renamedTo, replacement) => {
    const [finding] = found(text);
    expect(finding).toMatchObject({ renamedTo, replacement });
    expect(inEnglish(noticeOf(finding!).message)).toContain(`was renamed to “${replacement}”`);
  });

  it.each([
    ['code', 'Run `node src/gone.ts --fast`'],
    ['a link', '[it](src/gone.ts "Gone")'],
    ['an import', '@src/gone.ts'],
    ['plain words', 'Look at src/gone.ts, then go on.'],
    ['the form of a folder', 'All of `pkg/tools/` is ours.'],
    ['one name with an extension', 'Run `setup.py`.'],
  ])('are found in %s', (_, text) => {
    expect(found(text)).toHaveLength(1);
  });

  it.each([
    ['the history never had it', 'See `src/never.ts`.'],
    ['a longer path ends with it', 'See `short/name.ts`.'],
    ['it is a glob, an address or a placeholder', '`src/*/gone.ts` https://a.dev/src/gone.ts `<dir>/src/gone.ts`'],
    ['builds make it', 'Run `dist/main.js`.'],
    ['agents keep it for themselves', 'Read `MEMORY.md` and `.claude/commands/`.'],
    ['the line says that it is gone', 'We removed `src/gone.ts`.'],
    ['the line says that it may be missing', 'If `src/gone.ts` exists, read it.'],
    ['the line is silenced', '`src/gone.ts` <!-- context-budget-ignore -->'],
    ['the rule is silenced for the next line', '<!-- context-budget-ignore stale-path -->\n`src/gone.ts`'],
    ['one of several rules is', '<!-- context-budget-ignore secret, stale-path -->\n`src/gone.ts`'],
    ['one of several comments is', '<!--context-budget-ignore secret--><!--context-budget-ignore-->\n`src/gone.ts`'],
    ['the line before is silenced too', 'Logs. <!-- context-budget-ignore -->\n`src/gone.ts`'],
    ['the file is silenced', '`src/gone.ts`\n<!-- context-budget-ignore-file -->'],
  ])('are not found where %s', (_, text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    ['another rule is silenced', '<!-- context-budget-ignore secret -->\n`src/gone.ts`'],
    ['the comment is another', '<!-- context-budget-ignored -->\n`src/gone.ts`'],
    ['the comment is two lines above', '<!-- context-budget-ignore -->\n\n`src/gone.ts`'],
  ])('are found where %s', (_, text) => {
    expect(found(text)).toHaveLength(1);
  });

  it('are seen from the folder of the file, and written as it would write them', () => {
    expect(found('`tools/run.ts` and `../src/old.ts`', 'pkg/AGENTS.md')).toMatchObject([
      { target: 'pkg/tools/run.ts' },
      { target: 'src/old.ts', renamedTo: 'src/new.ts', replacement: '../src/new.ts' },
    ]);
    expect(found('[x](src/gone.ts)', 'pkg/AGENTS.md')).toEqual([]);
  });

  it('are no more when the path is back', () => {
    expect(found('`src/gone.ts`', 'AGENTS.md', new Set(['src/gone.ts']))).toEqual([]);
  });
});

describe('paths', () => {
  it.each([
    ['./a//b/', 'a/b'],
    ['a/../b', 'b'],
    ['../a/./b', '../a/b'],
    ['/', ''],
  ])('collapses %s', (path, expected) => {
    expect(collapsePath(path)).toBe(expected);
  });

  it('resolves from a folder, and not out of the root', () => {
    expect(resolvePath('a/b', '../c.md')).toBe('a/c.md');
    expect(resolvePath('', 'c.md')).toBe('c.md');
    expect(resolvePath('a', '../../c.md')).toBeUndefined();
  });

  it.each([
    ['', 'a/b.md'],
    ['a', 'a/b.md'],
    ['x/y', 'a/b.md'],
    ['a/b', 'a/b/c/d.md'],
  ])('goes from %s to where it resolves to', (folder, path) => {
    expect(resolvePath(folder, relativeTo(folder, path))).toBe(path);
  });
});

import { describe, expect, it } from 'vitest';
import { GlobIndex, globMatcher } from '../../../../src/core/files/glob';
import { listSources } from '../../../../src/core/observations/observationService';
import { NEVER_ABORTED } from '../../../../src/core/ports/ports';
import { mapFiles } from '../../../../src/core/workspace/mapFiles';
import { MemoryFiles } from '../../../support/memoryFiles';
import { FakeClock } from '../../../support/workspaceFakes';

const FILES = Array.from({ length: 50 }, (_, at) => `docs/page${at}.md`);

/** How often a list of files was gone through. */
function counted(paths: readonly string[]) {
  let passes = 0;
  const files = new Proxy(paths, {
    get: (target, key) => {
      if (key === Symbol.iterator) passes++;
      return Reflect.get(target, key);
    },
  });
  return { files, passes: () => passes };
}

describe('globs of many sections', () => {
  it('look at the files once each, however often they are asked', async () => {
    const { files, passes } = counted(FILES);
    const index = new GlobIndex(files);
    const answers = await Promise.all(['**/*.md', 'docs/*1.md', '**/*.md'].map((glob) => index.filesOf(glob)));
    expect(answers.map((found) => found?.length)).toEqual([50, 5, 50]);
    expect(passes()).toBe(2);
  });

  it('have a budget: those that come too late get no answer, whoever waits for whom', async () => {
    const globs = Array.from({ length: 6 }, (_, at) => `**/*${at}.md`);
    const index = new GlobIndex(FILES, undefined, 200);
    const found = await Promise.all(globs.map((glob) => index.filesOf(glob)));
    const answered = found.indexOf(undefined);
    expect(answered).toBeGreaterThan(0);
    expect(found.map((files) => files?.length)).toEqual(globs.map((_, at) => (at < answered ? 5 : undefined)));
  });

  it('let the thread go between stretches', async () => {
    const clock = new FakeClock();
    const pauses: number[] = [];
    const watched = {
      schedule: (callback: () => void, delayMs: number) => {
        pauses.push(delayMs);
        return clock.schedule(callback, delayMs);
      },
    };
    const many = Array.from({ length: 150_000 }, (_, at) => `docs/page${at}.md`);
    expect((await new GlobIndex(many, watched).filesOf('*/*.md'))?.length).toBe(many.length);
    expect(pauses.length).toBeGreaterThan(0);
  });

  it('of the map leave the files out that they come too late for', () => {
    const repoMap = { include: ['docs/**'], exclude: ['**/*1.md'] } as unknown as Parameters<typeof mapFiles>[0];
    expect(mapFiles(repoMap, FILES)).toHaveLength(45);
    const few = mapFiles(repoMap, FILES, { steps: 0 }, 60);
    expect(few.length).toBeLessThan(45);
    expect(few).toEqual(FILES.filter((path) => !path.endsWith('1.md')).slice(0, few.length));
  });

  it('of run logs list a folder once', async () => {
    const files = new MemoryFiles({ 'runs/a.json': '', 'runs/b/c.json': '' });
    const patterns = Array.from({ length: 500 }, (_, at) => `runs/**/*${at}.json`);
    const found = await listSources(files, [...patterns, 'runs/**/*.json'], NEVER_ABORTED);
    expect(found).toEqual({ paths: ['runs/a.json', 'runs/b/c.json'], cut: [] });
    expect(files.lists).toEqual(['runs', 'runs/b']);
  });
});

describe('a glob', () => {
  it.each([
    ['**/*.md', 'a/b.md', true],
    ['**/*.md', 'a/b.mdx', false],
    ['a/**/b', 'a/b', true],
    ['a/**/**/b/**', 'a/x/y/b/c', true],
    ['**/a/**/b', 'a/a/c/b/b', true],
    ['**/a/*/b', 'a/a/c/b', true],
    ['[ab]*', 'bcd', true],
    ['*.{ts,tsx}', 'x.tsx', true],
    ['a*a', 'a', false],
  ])('%s of %s: %s', (glob, path, isMatch) => {
    expect(globMatcher(glob)(path)).toBe(isMatch);
  });
});

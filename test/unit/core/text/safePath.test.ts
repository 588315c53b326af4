import { describe, expect, it } from 'vitest';
import { GIT_EXCLUDE_PATH, isClosedByGit, isInGit } from '../../../../src/core/text/safePath';

describe('isInGit', () => {
  it.each([
    '.git',
    '.git/config',
    'a/b/.git/HEAD',
    'sub/.git',
    '.GIT/config',
    '.gIt/config',
    '.git./x',
    '.git. . /x',
    '.git /x',
    '.git:stream',
    '.git::$INDEX_ALLOCATION/x',
    '.git .:$DATA',
    'git~1/x',
    'GIT~12/x',
    '.g\u200cit/x',
    '\ufeff.git/x',
    'g\u200cit~1/x',
    'a\\.git\\config',
    GIT_EXCLUDE_PATH,
    `${GIT_EXCLUDE_PATH}/x`,
    '.git/info/Exclude',
  ])('knows %j', (path) => expect(isInGit(path)).toBe(true));

  it.each([
    '',
    'a.md',
    '.github/a.md',
    '.gitignore',
    '.gitattributes',
    '.gitmodules',
    'repo.git/HEAD',
    'git/a.md',
    'git~/a.md',
    '.git-hooks/a',
    'x.git.md',
  ])('lets %j be', (path) => expect(isInGit(path)).toBe(false));
});

it("closes all of git's folder to readers but its ignore rules", () => {
  const paths = [GIT_EXCLUDE_PATH, '.git/info', `./${GIT_EXCLUDE_PATH}`, '.GIT/info/exclude', 'sub/.git/info/exclude'];
  expect(paths.map(isClosedByGit)).toEqual([false, true, true, true, true]);
});

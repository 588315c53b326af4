import { describe, expect, it } from 'vitest';
import { GIT_EXCLUDE_PATH, isGitPath } from '../../../../src/core/config/safePath';

describe('isGitPath', () => {
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
    `${GIT_EXCLUDE_PATH}/x`,
    '.git/info/Exclude',
  ])('knows %j', (path) => expect(isGitPath(path)).toBe(true));

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
    GIT_EXCLUDE_PATH,
  ])('lets %j be', (path) => expect(isGitPath(path)).toBe(false));
});

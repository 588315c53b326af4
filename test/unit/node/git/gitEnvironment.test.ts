import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { gitEnvironment } from '../../../../src/node/git/gitEnvironment';

const INHERITED = {
  LANG: 'C',
  PATH: '.:/usr/bin',
  HOME: '.',
  XDG_CONFIG_HOME: 'config',
  GIT_DIR: '/other/.git',
  GIT_SSH_COMMAND: 'x',
  GIT_EXTERNAL_DIFF: 'x',
  GIT_CONFIG_PARAMETERS: "'core.fsmonitor=x'",
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'core.fsmonitor',
  GIT_CONFIG_VALUE_0: 'x',
  GIT_EXEC_PATH: '/opt/git',
  GIT_TRACE: '/tmp/trace',
  GIT_ALTERNATE_OBJECT_DIRECTORIES: '/other',
};

const COMMON = {
  LANG: 'C',
  PATH: '/usr/bin',
  HOME: userInfo().homedir,
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_LAZY_FETCH: '1',
};

describe('gitEnvironment', () => {
  it('leaves nothing of git’s but what is given where the folder is not trusted', () => {
    const guard = { isTrusted: false, variables: { GIT_DIR: '/own', GIT_CONFIG_GLOBAL: '/own/empty' } } as const;
    expect(gitEnvironment(INHERITED, ['/usr/bin'], guard)).toEqual({
      ...COMMON,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_ATTR_NOSYSTEM: '1',
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_ALLOC_LIMIT: '1g',
      GIT_DIR: '/own',
      GIT_CONFIG_GLOBAL: '/own/empty',
    });
  });

  it('leaves the user’s own settings where it is, and no other repository', () => {
    const { GIT_CONFIG_COUNT, GIT_CONFIG_KEY_0, GIT_CONFIG_VALUE_0, GIT_EXEC_PATH } = INHERITED;
    expect(gitEnvironment(INHERITED, ['/usr/bin'], { isTrusted: true })).toEqual({
      ...COMMON,
      GIT_CONFIG_COUNT,
      GIT_CONFIG_KEY_0,
      GIT_CONFIG_VALUE_0,
      GIT_EXEC_PATH,
    });
  });
});

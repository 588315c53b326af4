import type { GitGuard } from '../../core/ports/ports';
import { HOST, type Platform } from '../platform';
import { homeFolder } from '../userFolders';

/** No lock files in a folder that we only read (git(1), GIT_OPTIONAL_LOCKS), no question that stays unseen. */
export const GIT_READS_ONLY = { GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' };

/** No protocol is allowed, whatever a config says, and a partial clone does not fetch what it lacks. */
const NO_NETWORK = { GIT_ALLOW_PROTOCOL: '', GIT_NO_LAZY_FETCH: '1' };

/**
 * Beside a git directory without a config: none of the machine either, since a folder may name its filters. One object
 * may not take all memory.
 */
const UNTRUSTED = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_ALLOC_LIMIT: '1g',
};

/** What the user may tell git about itself. The rest names a repository, which a hook that started us may have set. */
const KEPT =
  /^GIT_(?:EXEC_PATH|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+))$/i;

/**
 * The environment for git. Places of the user's own that are not absolute are corrected: git would look for them in the
 * folder that it is asked about.
 * @param folders where programs are looked up
 */
export function gitEnvironment(
  env: NodeJS.ProcessEnv,
  folders: readonly string[],
  guard: GitGuard,
  platform: Platform = HOST,
): NodeJS.ProcessEnv {
  const inherited = Object.entries(env).filter(([name, value]) => {
    if (/^PATH$/i.test(name)) return false;
    if (/^(?:HOME|XDG_CONFIG_HOME)$/.test(name)) return platform.fullPath(value) !== undefined;
    return !/^GIT_/i.test(name) || (guard.isTrusted && KEPT.test(name));
  });
  const own = { PATH: folders.join(platform.path.delimiter), ...GIT_READS_ONLY, ...NO_NETWORK };
  const home = env.HOME === undefined && platform.homeVariable !== 'HOME' ? {} : { HOME: homeFolder(env, platform) };
  return {
    ...home,
    ...Object.fromEntries(inherited),
    ...own,
    ...(guard.isTrusted ? {} : { ...UNTRUSTED, ...guard.variables }),
  };
}

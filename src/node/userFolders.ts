import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { HOST, type Platform, type UserPlace } from './platform';

/** Where the user's own files are, outside every workspace. Both absolute; neither need exist. */
interface UserFolders {
  /** Holds one folder per workspace, named by {@link cacheName}. */
  readonly caches: string;
  readonly config: string;
}

const NAME = 'context-budget';

/**
 * The platform's places (XDG on Linux), or those of `CONTEXT_BUDGET_CACHE_DIR` and `CONTEXT_BUDGET_CONFIG_DIR`. A
 * variable that is relative is ignored: it would point into the workspace, which could then trust itself.
 */
export function userFolders(env: NodeJS.ProcessEnv, platform: Platform = HOST): UserFolders {
  const standard = standardFolders(env, platform);
  return {
    caches: platform.fullPath(env.CONTEXT_BUDGET_CACHE_DIR) ?? standard.caches,
    config: platform.fullPath(env.CONTEXT_BUDGET_CONFIG_DIR) ?? standard.config,
  };
}

function standardFolders(env: NodeJS.ProcessEnv, platform: Platform): UserFolders {
  const place = ({ variable, below, end }: UserPlace): string => {
    const named = variable === undefined ? undefined : platform.fullPath(env[variable]);
    return platform.path.join(named ?? platform.path.join(homeFolder(env, platform), ...below), NAME, ...end);
  };
  return { caches: place(platform.userPlaces.caches), config: place(platform.userPlaces.config) };
}

/** The user's home, absolute: by the environment, else by the system's record. Throws when neither knows one. */
export function homeFolder(env: NodeJS.ProcessEnv, platform: Platform = HOST): string {
  const home = platform.fullPath(env[platform.homeVariable]) ?? HOST.fullPath(userInfo().homedir);
  if (home === undefined) throw new Error('No home folder is known. Set HOME to an absolute path.');
  return home;
}

/**
 * Whether a file of the user's own lies in a workspace, by its real place; one that is not there yet lies where its
 * nearest folder does. What lies there may have come with the workspace.
 */
export async function isInWorkspace(realRoot: string, file: string): Promise<boolean> {
  for (let at = file; ; at = path.dirname(at)) {
    const real = await realpath(at).catch(() => undefined);
    if (real !== undefined) return HOST.isInside(realRoot, real);
    if (path.dirname(at) === at) return false;
  }
}

/** The name of a workspace's cache folder: 16 hex digits of the real path's SHA-256. */
export function cacheName(realRoot: string): string {
  return createHash('sha256').update(realRoot).digest('hex').slice(0, 16);
}

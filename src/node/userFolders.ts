import { createHash } from 'node:crypto';
import path from 'node:path';
import envPaths from 'env-paths';

/** Where the user's own files are, outside every workspace. Both absolute; neither need exist. */
export interface UserFolders {
  /** Holds one folder per workspace, named by {@link cacheName}. */
  readonly caches: string;
  readonly config: string;
}

/**
 * The platform's places (XDG on Linux), or those of `CONTEXT_BUDGET_CACHE_DIR` and `CONTEXT_BUDGET_CONFIG_DIR`. A
 * relative override is ignored: it would point into the workspace, which could then trust itself.
 */
export function userFolders(env: NodeJS.ProcessEnv): UserFolders {
  const standard = envPaths('context-budget', { suffix: '' });
  return {
    caches: absolute(env.CONTEXT_BUDGET_CACHE_DIR) ?? standard.cache,
    config: absolute(env.CONTEXT_BUDGET_CONFIG_DIR) ?? standard.config,
  };
}

function absolute(folder: string | undefined): string | undefined {
  return folder !== undefined && path.isAbsolute(folder) ? folder : undefined;
}

/** The name of a workspace's cache folder: 16 hex digits of the real path's SHA-256. */
export function cacheName(realRoot: string): string {
  return createHash('sha256').update(realRoot).digest('hex').slice(0, 16);
}

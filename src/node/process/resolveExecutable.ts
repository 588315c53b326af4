import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import type { Platform } from '../platform';

function isProgram(candidate: string): boolean {
  try {
    if (!statSync(candidate).isFile()) return false;
    accessSync(candidate, constants.X_OK);
    return true;
  } catch {
    // Not there, not readable or not to be run: not a candidate.
    return false;
  }
}

function realPlace(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    // What is not there holds no program either.
    return folder;
  }
}

/**
 * The absolute folders of `PATH`, in its order. An empty or relative entry (`.`, `node_modules/.bin`) means the folder
 * that is open, whose own `git` would run.
 * @param opened absolute; programs of the opened folder are never looked up, trusted or not, whichever entry leads there:
 *   a repository could bring its own `git` or `node`. What is meant is named by its path.
 */
export function searchFolders(env: NodeJS.ProcessEnv, platform: Platform, opened: string): readonly string[] {
  const isIn = (folder: string): boolean => platform.isInside(opened, folder);
  return platform.searchPath(env).filter((folder) => !isIn(folder) && !isIn(realPlace(folder)));
}

/**
 * The program to start for `name`. A bare name is looked up along `folders` alone, here and not by the system: Windows
 * would look in the current folder first, others take relative entries of `PATH`. An unknown name gives `undefined`.
 * Anything with a folder in it is taken as it is.
 */
export function resolveExecutable(
  name: string,
  folders: readonly string[],
  platform: Platform,
  exists: (candidate: string) => boolean = isProgram,
): string | undefined {
  const names = platform.programNames(name);
  if (names === undefined) return name;
  for (const folder of folders) {
    for (const each of names) {
      const candidate = platform.path.join(folder, each);
      if (exists(candidate)) return candidate;
    }
  }
  return undefined;
}

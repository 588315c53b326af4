import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../fileSource';

/** Where POSIX systems look without a `PATH`. */
const STANDARD_FOLDERS = ['/usr/bin', '/bin'];

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
 * @param untrusted a folder whose programs must not run, wherever an entry finds them
 */
export function searchFolders(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
  untrusted?: string | undefined,
): readonly string[] {
  const { isAbsolute, delimiter } = platform === 'win32' ? path.win32 : path.posix;
  const pathKey = platform === 'win32' ? Object.keys(env).find((key) => key.toUpperCase() === 'PATH') : 'PATH';
  const value = pathKey === undefined ? undefined : env[pathKey];
  if (value === undefined && platform !== 'win32') return STANDARD_FOLDERS;
  const parts = (value ?? '')
    .split(delimiter)
    .map((part) => (platform === 'win32' ? part.replace(/^"|"$/g, '') : part));
  const folders = parts.filter((folder) => isAbsolute(folder));
  if (untrusted === undefined) return folders;
  return folders.filter((folder) => !isInside(untrusted, folder) && !isInside(untrusted, realPlace(folder)));
}

/**
 * The program to start for `name`. A bare name is looked up along `folders` alone, here and not by the system: Windows
 * would look in the current folder first, others take relative entries of `PATH`. An unknown name gives `undefined`.
 * Anything with a folder in it is taken as it is.
 */
export function resolveExecutable(
  name: string,
  folders: readonly string[],
  platform: NodeJS.Platform,
  exists: (candidate: string) => boolean = isProgram,
): string | undefined {
  const isWindows = platform === 'win32';
  if (isWindows ? /[\\/:]/.test(name) : name.includes('/')) return name;
  // Scripts (.cmd, .bat) would need a shell, and with it its quoting: only programs are started.
  const endings = isWindows && !/\.(?:exe|com)$/i.test(name) ? ['.exe', '.com'] : [''];
  for (const folder of folders) {
    for (const ending of endings) {
      const candidate = (isWindows ? path.win32 : path.posix).join(folder, name + ending);
      if (exists(candidate)) return candidate;
    }
  }
  return undefined;
}

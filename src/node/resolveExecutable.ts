import { statSync } from 'node:fs';
import path from 'node:path';

function isFile(candidate: string): boolean {
  try {
    return statSync(candidate).isFile();
  } catch {
    // Not there or not readable: not a candidate.
    return false;
  }
}

/**
 * The program to start for `name`. On Windows a bare name is looked up in the current folder before `PATH`, so that a
 * `git.exe` in a workspace would run instead of git: there the search is done here, along `PATH` alone, and an unknown
 * name gives `undefined`. Elsewhere, and for anything with a folder in it, the name itself.
 */
export function resolveExecutable(
  name: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
  exists: (candidate: string) => boolean = isFile,
): string | undefined {
  if (platform !== 'win32' || /[\\/:]/.test(name)) return name;
  // Scripts (.cmd, .bat) would need a shell, and with it its quoting: only programs are started.
  const endings = /\.(?:exe|com)$/i.test(name) ? [''] : ['.exe', '.com'];
  const pathKey = Object.keys(env).find((key) => key.toUpperCase() === 'PATH');
  const folders = ((pathKey !== undefined && env[pathKey]) || '').split(';').map((part) => part.replace(/^"|"$/g, ''));
  for (const folder of folders) {
    if (!path.win32.isAbsolute(folder)) continue;
    for (const ending of endings) {
      const candidate = path.win32.join(folder, name + ending);
      if (exists(candidate)) return candidate;
    }
  }
  return undefined;
}

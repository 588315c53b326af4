import path from 'node:path';
import type { CliContext } from './context';
import type { WorkFolder } from './workFolder';

/** What a path given on the command line stands for inside of the folder. */
export interface GivenPath {
  readonly kind: 'file' | 'folder';
  /** As the session knows it. */
  readonly realPath: string;
}

/**
 * Looks a path up as a shell completes it, relative to the current folder, and else relative to the root. `undefined`
 * for what is not there or lies outside.
 */
export async function findGivenPath(
  { io }: CliContext,
  { files, realRoot }: WorkFolder,
  given: string,
): Promise<GivenPath | undefined> {
  for (const base of [io.cwd, realRoot]) {
    const relative = path.relative(realRoot, path.resolve(base, given)).split(path.sep).join('/');
    const found = await files.resolveLink(relative);
    if (found.kind === 'file' || found.kind === 'folder') return found;
  }
  return undefined;
}

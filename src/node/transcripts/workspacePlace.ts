import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { WorkspacePlace } from '../../core/transcripts/workspacePaths';

/** A folder with more work trees than this is no repository of a person. */
const MAX_WORK_TREES = 50;

/**
 * What counts as the workspace in a transcript: the folder by its real path and as it was opened, and the Git work trees
 * that belong to it. A folder may claim any work tree, so each must say the same of itself: without that a downloaded
 * folder could have somebody else's sessions read.
 */
export async function workspacePlace(realRoot: string, opened: string, home: string): Promise<WorkspacePlace> {
  const trees = await workTrees(realRoot);
  const realHome = await realpath(home).catch(() => home);
  return {
    roots: [realRoot, ...new Set([path.resolve(opened), ...trees].filter((root) => root !== realRoot))],
    home: realHome,
  };
}

async function workTrees(realRoot: string): Promise<readonly string[]> {
  const administered = path.join(realRoot, '.git', 'worktrees');
  try {
    // A `.git` that is a link or a file belongs to another folder.
    if (!(await lstat(path.join(realRoot, '.git'))).isDirectory()) return [];
    const names = (await readdir(administered)).slice(0, MAX_WORK_TREES);
    const trees = await Promise.all(names.map((name) => workTree(path.join(administered, name))));
    return trees.filter((tree) => tree !== undefined);
  } catch {
    // No repository, or one without work trees.
    return [];
  }
}

/** The work tree that an entry of `.git/worktrees` names, if that names the entry too. */
async function workTree(entry: string): Promise<string | undefined> {
  try {
    const pointer = (await readFile(path.join(entry, 'gitdir'), 'utf8')).trim();
    const file = path.resolve(entry, pointer);
    const back = /^gitdir: (.+)$/m.exec(await readFile(file, 'utf8'))?.[1];
    if (back === undefined || path.basename(file) !== '.git') return undefined;
    const named = await realpath(path.resolve(path.dirname(file), back.trim()));
    return named === (await realpath(entry)) ? await realpath(path.dirname(file)) : undefined;
  } catch {
    // Pruned, moved or not readable.
    return undefined;
  }
}

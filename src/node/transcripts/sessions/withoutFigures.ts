/** Sessions of the workspace whose agents record no tokens: they are counted, and not read. */
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { cwdIn } from '../../../core/transcripts/jsonFields';
import { WorkspacePaths, type WorkspacePlace } from '../../../core/transcripts/workspacePaths';
import type { SessionsWithoutFigures } from '../../../core/window/sessions/sessionJson';
import { HOST } from '../../platform';
import { readAt } from '../../readWhole';

/** The folder of a session stands before its messages. */
const HEAD_BYTES = 4_096;

/** @param from where the agents' folders are, as for sessions that are read */
export async function sessionsWithoutFigures(
  place: WorkspacePlace,
  env: NodeJS.ProcessEnv,
  home: string,
  from: string | undefined,
): Promise<readonly SessionsWithoutFigures[]> {
  const base = from ?? home;
  const kiro = (from === undefined ? HOST.fullPath(env.KIRO_HOME) : undefined) ?? path.join(base, '.kiro');
  const found: readonly SessionsWithoutFigures[] = [
    { agent: 'kiro', sessions: await kiroSessions(place, path.join(kiro, 'sessions', 'cli')) },
    { agent: 'cursor', sessions: await cursorSessions(place, path.join(base, '.cursor', 'projects')) },
  ];
  return found.filter(({ sessions }) => sessions > 0);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  // The agent is not installed, or has no sessions.
  return readdir(folder).catch(() => []);
}

/** Kiro notes credits and a share of the window. */
async function kiroSessions(place: WorkspacePlace, folder: string): Promise<number> {
  const paths = new WorkspacePaths(place);
  const names = (await namesIn(folder)).filter((name) => name.endsWith('.json'));
  const folders = await Promise.all(names.map((name) => folderIn(path.join(folder, name)).catch(() => undefined)));
  return folders.filter((cwd) => cwd !== undefined && paths.owns(cwd)).length;
}

async function folderIn(file: string): Promise<string | undefined> {
  const handle = await open(file, 'r');
  try {
    return cwdIn((await readAt(handle, 0, HEAD_BYTES)).toString('utf8'));
  } finally {
    await handle.close();
  }
}

/** Cursor's counts are 0. Its folders are named after workspaces, with one character for all that is no letter or digit. */
async function cursorSessions({ roots }: WorkspacePlace, folder: string): Promise<number> {
  const plain = (name: string): string => name.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
  const own = new Set(roots.map(plain));
  const projects = (await namesIn(folder)).filter((name) => own.has(plain(name)));
  const lists = await Promise.all(projects.map((name) => namesIn(path.join(folder, name, 'agent-transcripts'))));
  return lists.flat().length;
}

import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { AgentName } from '../../core/transcripts/transcriptAdapter';
import type { WorkspacePlace } from '../../core/transcripts/workspacePaths';
import type { AgentFolders } from './agentFolders';

/** A file that may be a transcript of the workspace. What it holds decides. */
export interface FoundTranscript {
  readonly agent: AgentName;
  /** Absolute. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

/** How far back is looked. */
interface TranscriptLimits {
  /** Files last written before are left alone. Milliseconds since the epoch. */
  readonly since: number;
  readonly maxFiles: number;
}

/** Claude Code shortens names of longer paths with a hash. */
const LONG_NAME_CHARS = 200;
/** Days of Codex that are listed, newest first: a session is kept under the day of its start, however long it goes on. */
const MAX_CODEX_DAYS = 120;

type Candidate = Pick<FoundTranscript, 'agent' | 'path'>;

/** Newest first, at most `maxFiles`. Folders that are not there are as good as empty. */
export async function findTranscripts(
  agents: readonly AgentName[],
  place: WorkspacePlace,
  folders: AgentFolders,
  { since, maxFiles }: TranscriptLimits,
): Promise<readonly FoundTranscript[]> {
  const lists = await Promise.all(agents.map((agent) => candidates(agent, place, folders)));
  const found = await Promise.all(lists.flat().map(measure));
  return found
    .filter((file) => file !== undefined)
    .filter(({ mtimeMs, sizeBytes }) => mtimeMs >= since && sizeBytes > 0)
    .sort((left, right) => right.mtimeMs - left.mtimeMs || (left.path < right.path ? -1 : 1))
    .slice(0, maxFiles);
}

function candidates(agent: AgentName, place: WorkspacePlace, folders: AgentFolders): Promise<readonly Candidate[]> {
  switch (agent) {
    case 'claude-code':
      return claudeFiles(place, folders);
    case 'codex':
      return codexFiles(folders);
    case 'aider':
      return aiderFiles(place);
    case 'copilot-chat':
      // An export lies where the user saved it: it is read when it is named.
      return Promise.resolve([]);
  }
}

async function measure({ agent, path: file }: Candidate): Promise<FoundTranscript | undefined> {
  try {
    const { size, mtimeMs } = await stat(file);
    return { agent, path: file, sizeBytes: size, mtimeMs };
  } catch {
    // Gone since it was listed.
    return undefined;
  }
}

async function names(folder: string, kind: 'file' | 'folder'): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => (kind === 'file' ? entry.isFile() : entry.isDirectory())).map(({ name }) => name);
  } catch {
    // The agent is not installed, or has no sessions.
    return [];
  }
}

/** The name of a folder in Claude Code's `projects`: everything but letters and digits becomes `-`. */
export function claudeProjectName(folder: string): string {
  return folder.replace(/[^A-Za-z\d]/g, '-').slice(0, LONG_NAME_CHARS - 20);
}

/** Only folders whose names begin like the workspace's are looked into; each file then says its working folder. */
async function claudeFiles({ roots }: WorkspacePlace, { claude }: AgentFolders): Promise<readonly Candidate[]> {
  const own = roots.map((root) => claudeProjectName(root).toLowerCase());
  const projects = [...new Set(claude)].map((config) => path.join(config, 'projects'));
  const found = projects.map(async (parent) => {
    const folders = (await names(parent, 'folder')).filter((name) =>
      own.some((each) => name.toLowerCase().startsWith(each)),
    );
    const files = folders.map(async (folder) =>
      (await names(path.join(parent, folder), 'file'))
        .filter((name) => name.endsWith('.jsonl'))
        .map((name): Candidate => ({ agent: 'claude-code', path: path.join(parent, folder, name) })),
    );
    return (await Promise.all(files)).flat();
  });
  return (await Promise.all(found)).flat();
}

async function codexFiles({ codex }: AgentFolders): Promise<readonly Candidate[]> {
  const sessions = path.join(codex, 'sessions');
  const days: string[] = [];
  for (const year of newest(await names(sessions, 'folder'))) {
    for (const month of newest(await names(path.join(sessions, year), 'folder'))) {
      if (days.length >= MAX_CODEX_DAYS) break;
      const inMonth = newest(await names(path.join(sessions, year, month), 'folder'));
      days.push(...inMonth.map((day) => path.join(sessions, year, month, day)));
    }
  }
  const folders = [...days.slice(0, MAX_CODEX_DAYS), path.join(codex, 'archived_sessions')];
  const files = folders.map(async (folder) =>
    (await names(folder, 'file'))
      .filter((name) => /^rollout-.*\.jsonl$/.test(name))
      .map((name): Candidate => ({ agent: 'codex', path: path.join(folder, name) })),
  );
  return (await Promise.all(files)).flat();
}

/** Dates sort as text. */
function newest(folders: readonly string[]): readonly string[] {
  return folders.filter((name) => /^\d{2,4}$/.test(name)).sort((left, right) => (left < right ? 1 : -1));
}

/** In the folder and its work trees. A link is not followed: it may lead out of them. */
async function aiderFiles({ roots }: WorkspacePlace): Promise<readonly Candidate[]> {
  const found = roots.map(async (root) => {
    const file = path.join(root, '.aider.chat.history.md');
    try {
      return (await lstat(file)).isFile() ? await realpath(file) : undefined;
    } catch {
      // Aider is not used here.
      return undefined;
    }
  });
  const files = new Set((await Promise.all(found)).filter((file) => file !== undefined));
  return [...files].map((file): Candidate => ({ agent: 'aider', path: file }));
}

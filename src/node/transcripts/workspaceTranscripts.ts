import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { type Logger, NEVER_ABORTED } from '../../core/ports/ports';
import type { WorkspacePlace } from '../../core/transcripts/workspacePaths';
import { cacheName, homeFolder, userFolders } from '../userFolders';
import { agentFolders } from './agentFolders';
import type { OpenJob } from './transcriptJob';
import { TranscriptPositions } from './transcriptPositions';
import type { TranscriptScanRequest, TurnSource } from './transcriptScan';

/** A folder with more work trees than this is no repository of a person. */
const MAX_WORK_TREES = 50;

/**
 * What counts as the workspace in a transcript: the folder by its real path and as it was opened, and the Git work trees
 * that belong to it. A folder may claim any work tree, so each must name the folder too: else a downloaded folder could
 * have the sessions of another one read.
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

/** What the transcripts of a workspace are found by. */
interface WorkspaceTranscriptsOptions {
  readonly realRoot: string;
  /** The folder as it was opened, which may be a link to it. */
  readonly opened: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logger: Logger;
}

/** One look at the agents' own places. */
interface WorkspaceLook extends TurnSource {
  /** Keeps how far was read; call it once the turns' citations are kept. */
  commit(): Promise<void>;
}

/** The transcripts of one workspace on this machine. Nothing is looked at before it is asked for. */
export class WorkspaceTranscripts {
  /** `openJob` decides which thread reads. */
  constructor(
    private readonly options: WorkspaceTranscriptsOptions,
    private readonly openJob: OpenJob,
  ) {}

  /** Sessions that agents left at their own places. */
  async scan({
    signal = NEVER_ABORTED,
    ...asked
  }: Pick<
    TranscriptScanRequest,
    'agents' | 'nowMs' | 'since' | 'isAfresh' | 'maxBytes' | 'signal'
  >): Promise<WorkspaceLook> {
    const { realRoot, env, logger } = this.options;
    const request = { ...asked, place: await this.#place(), folders: agentFolders(env, homeFolder(env)) };
    const positionsFolder = path.join(userFolders(env).caches, cacheName(realRoot));
    const source = this.openJob({ kind: 'scan', request, positionsFolder }, signal, logger);
    const positions = new TranscriptPositions(positionsFolder, logger);
    return { turns: () => source.turns(), commit: () => positions.add(source.read, asked.nowMs) };
  }

  /** One file, by its absolute path; `label` names it in messages, else its name does. */
  async named(file: string, label?: string): Promise<TurnSource> {
    const place = await this.#place();
    return this.openJob({ kind: 'file', file, place, label }, NEVER_ABORTED, this.options.logger);
  }

  #place(): ReturnType<typeof workspacePlace> {
    const { realRoot, opened, env } = this.options;
    return workspacePlace(realRoot, opened, homeFolder(env));
  }
}

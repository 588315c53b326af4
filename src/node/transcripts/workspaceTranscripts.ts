import path from 'node:path';
import { type Logger, NEVER_ABORTED } from '../../core/ports/ports';
import { cacheName, homeFolder, userFolders } from '../userFolders';
import { agentFolders } from './agentFolders';
import type { OpenJob } from './transcriptJob';
import { TranscriptPositions } from './transcriptPositions';
import type { TranscriptScanRequest, TurnSource } from './transcriptScan';
import { workspacePlace } from './workspacePlace';

/** What the transcripts of a workspace are found by. */
export interface WorkspaceTranscriptsOptions {
  readonly realRoot: string;
  /** The folder as it was opened, which may be a link to it. */
  readonly opened: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logger: Logger;
}

/** One look at the agents' own places. */
export interface WorkspaceLook extends TurnSource {
  /** Keeps how far was read; call it once the turns' citations are kept. */
  commit(): Promise<void>;
}

/** The transcripts of one workspace on this machine. Nothing is looked at before it is asked for. */
export class WorkspaceTranscripts {
  readonly #options: WorkspaceTranscriptsOptions;
  readonly #openJob: OpenJob;

  /** `openJob` decides which thread reads. */
  constructor(options: WorkspaceTranscriptsOptions, openJob: OpenJob) {
    this.#options = options;
    this.#openJob = openJob;
  }

  /** Sessions that agents left at their own places. */
  async scan({
    signal = NEVER_ABORTED,
    ...asked
  }: Pick<
    TranscriptScanRequest,
    'agents' | 'nowMs' | 'since' | 'isAfresh' | 'maxBytes' | 'signal'
  >): Promise<WorkspaceLook> {
    const { realRoot, env, logger } = this.#options;
    const request = { ...asked, place: await this.#place(), folders: agentFolders(env, homeFolder(env)) };
    const positionsFolder = path.join(userFolders(env).caches, cacheName(realRoot));
    const source = this.#openJob({ kind: 'scan', request, positionsFolder }, signal, logger);
    const positions = new TranscriptPositions(positionsFolder, logger);
    return { turns: () => source.turns(), commit: () => positions.add(source.read, asked.nowMs) };
  }

  /** One file, by its absolute path; `label` names it in messages, else its name does. */
  async named(file: string, label?: string): Promise<TurnSource> {
    const place = await this.#place();
    return this.#openJob({ kind: 'file', file, place, label }, NEVER_ABORTED, this.#options.logger);
  }

  #place(): ReturnType<typeof workspacePlace> {
    const { realRoot, opened, env } = this.#options;
    return workspacePlace(realRoot, opened, homeFolder(env));
  }
}

import os from 'node:os';
import path from 'node:path';
import type { Logger } from '../../core/ports';
import { cacheName, userFolders } from '../userFolders';
import { agentFolders } from './agentFolders';
import { NamedTranscript } from './namedTranscript';
import { TranscriptPositions } from './transcriptPositions';
import { TranscriptScan, type TranscriptScanRequest, type TurnSource } from './transcriptScan';
import { workspacePlace } from './workspacePlace';

/** What the transcripts of a workspace are found by. */
export interface WorkspaceTranscriptsOptions {
  readonly realRoot: string;
  /** The folder as it was opened, which may be a link to it. */
  readonly opened: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logger: Logger;
}

/** The transcripts of one workspace on this machine. Nothing is looked at before it is asked for. */
export class WorkspaceTranscripts {
  readonly #options: WorkspaceTranscriptsOptions;

  constructor(options: WorkspaceTranscriptsOptions) {
    this.#options = options;
  }

  /** Sessions that agents left at their own places. */
  async scan(
    request: Pick<TranscriptScanRequest, 'agents' | 'nowMs' | 'since' | 'isAfresh' | 'maxBytes' | 'cancel'>,
  ): Promise<TranscriptScan> {
    const { realRoot, env, logger } = this.#options;
    const place = await this.#place();
    const positions = new TranscriptPositions(path.join(userFolders(env).caches, cacheName(realRoot)), logger);
    return new TranscriptScan({ ...request, place, folders: agentFolders(env, home(env)) }, positions, logger);
  }

  /** One file, by its absolute path; `label` names it in messages, else its name does. */
  async named(file: string, label?: string): Promise<TurnSource> {
    return new NamedTranscript(file, await this.#place(), label);
  }

  #place(): ReturnType<typeof workspacePlace> {
    const { realRoot, opened, env } = this.#options;
    return workspacePlace(realRoot, opened, home(env));
  }
}

/** As the agents find it: by the environment, else by the user's record. */
function home(env: NodeJS.ProcessEnv): string {
  const named = process.platform === 'win32' ? env.USERPROFILE : env.HOME;
  return named !== undefined && path.isAbsolute(named) ? named : os.homedir();
}

import * as vscode from 'vscode';
import type { SessionAgent } from '../../core/transcripts/sessions/sessionLog';
import type { SessionProblem } from '../../core/window/sessions/sessionJson';
import type { SessionPage, SessionRow } from '../../core/window/sessions/sessionPage';
import { EditorError, requireTrust } from '../base/editorError';
import { allowedSessionAgents } from '../base/transcriptConsent';

/** What is to be read of a folder. */
interface SessionsWanted {
  readonly agents: readonly SessionAgent[];
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** The session whose page is wanted too. */
  readonly id?: string | undefined;
}

/** The folder's sessions as they may be shown. */
interface SessionsRead {
  /** Newest first. */
  readonly sessions: readonly SessionRow[];
  /** Undefined for a session that is not there any more. */
  readonly page: SessionPage | undefined;
  readonly problems: readonly SessionProblem[];
}

/** The agents' logs on this machine; made in a host's composition root, absent in hosts without a disk. */
export interface SessionSource {
  /** Rejects when the folder cannot be read or `signal` aborts. */
  read(folder: vscode.WorkspaceFolder, wanted: SessionsWanted, signal: AbortSignal): Promise<SessionsRead>;
}

/** As with transcripts: agents themselves delete most of what is older. */
const DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether sessions of a folder can be read here, and are allowed to be. */
type Access =
  | { readonly state: 'noFolder' | 'restricted' | 'elsewhere' | 'off' }
  | { readonly state: 'allowed'; readonly folder: vscode.WorkspaceFolder; readonly agents: readonly SessionAgent[] };

/** Reads sessions where the user allowed it; before that, nothing is looked at. */
export class SessionReader {
  constructor(private readonly source: SessionSource | undefined) {}

  accessTo(folder: vscode.WorkspaceFolder | undefined): Access {
    if (!folder) return { state: 'noFolder' };
    if (!this.source || folder.uri.scheme !== 'file') return { state: 'elsewhere' };
    if (!vscode.workspace.isTrusted) return { state: 'restricted' };
    const agents = allowedSessionAgents();
    return agents.length === 0 ? { state: 'off' } : { state: 'allowed', folder, agents };
  }

  /**
   * Sessions of the last days; with `id` the page of one of them too.
   * @throws EditorError where sessions are not read; Error when reading fails or `signal` aborts
   */
  async read(folder: vscode.WorkspaceFolder, signal: AbortSignal, id?: string): Promise<SessionsRead> {
    const access = this.accessTo(folder);
    if (access.state === 'restricted') requireTrust();
    if (access.state !== 'allowed' || !this.source)
      throw new EditorError(
        'noTranscripts',
        access.state === 'off'
          ? vscode.l10n.t('Sessions are read once you allow it. Refresh in the Sessions view asks for that.')
          : vscode.l10n.t(
              'Transcripts are on the machine where the agent runs. Open {0} there, in VS Code with this extension.',
              folder.name,
            ),
      );
    return this.source.read(folder, { agents: access.agents, since: Date.now() - DAYS * DAY_MS, id }, signal);
  }
}

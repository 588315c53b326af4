import * as vscode from 'vscode';
import type { ContextReport } from '../../core/model/report';
import { NEVER_ABORTED } from '../../core/ports/ports';
import { formatCount } from '../../core/text/numbers';
import { AGENT_NAMES, type AgentName, isAgentName } from '../../core/transcripts/transcriptAdapter';
import type { UsageDraft } from '../../core/usage/usageRecord';
import type { Workspace } from '../../core/workspace/workspace';
import { DisposableStore } from '../base/disposables';
import { chosen, EditorError, mayWrite } from '../base/editorError';
import { COMMANDS, type CommandHandlers, SETTINGS, VIEWS } from '../base/ids';
import { listed } from '../base/language';
import { isSettingOn, onDidChangeSettings } from '../base/preferences';
import { allowedAgents, askForAgents, readableName } from '../base/transcriptConsent';
import type { EditorServices } from '../copy/editorServices';
import { type FolderWorkspace, requireReport } from '../workspace/workspaceRegistry';

/** What to look for in a folder's transcripts. */
interface TranscriptLook {
  readonly report: ContextReport;
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  /** Files are read until so much was; the rest is for the next look. Everything unless given. */
  readonly maxBytes?: number;
}

/** What a look gave. */
interface FoundTurns {
  readonly turns: number;
  /** Oldest first. */
  readonly drafts: readonly UsageDraft[];
  /** Keeps how far was read; for after the drafts are recorded. */
  commit(): Promise<void>;
}

/** The transcripts on this machine; made in a host's composition root, absent in hosts without a disk. */
export interface TranscriptSource {
  /** New turns of the folder. */
  look(folder: vscode.WorkspaceFolder, agents: readonly AgentName[], look: TranscriptLook): Promise<FoundTurns>;
  /** All turns of one file. Rejects with words for the user when it is no transcript of the folder. */
  open(folder: vscode.WorkspaceFolder, file: vscode.Uri, look: TranscriptLook): Promise<FoundTurns>;
}

/** Between two reads in the background. Milliseconds. */
const INTERVAL_MS = 5 * 60_000;
/** A window that has just come to the front has better things to do. Milliseconds. */
const SETTLE_MS = 15_000;
/** Limit of one read in the background: a second or two of work, in pieces of a millisecond. */
const MAX_BYTES = 16 * 1024 * 1024;

/** What a look found and recorded. */
interface TranscriptResult {
  readonly turns: number;
  readonly cycles: readonly number[];
  readonly citations: number;
}

/** The agents that the user turned on and whose turns can be read. */
function chosenAgents(): readonly AgentName[] {
  return allowedAgents().filter(isAgentName);
}

/**
 * Reads agents' transcripts on command and, where that is turned on, every few minutes while the window has the focus.
 * Only folders that are open, trusted and record their use are read.
 */
export class TranscriptActions extends DisposableStore {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastLook = 0;
  /** One look after another. */
  #under: Promise<unknown> = Promise.resolve();

  readonly commands = {
    /** *Read Agent Transcripts*: offers to turn it on, then reads what is new. */
    [COMMANDS.readTranscripts]: async () => {
      const active = await this.editor.registry.require();
      const source = this.#sourceOf(active.folder);
      if (!source) throw noTranscripts(active.folder.name);
      const allowed = allowedAgents().length > 0 ? allowedAgents() : await askForAgents();
      if (allowed.length === 0) return;
      const agents = allowed.filter(isAgentName);
      if (agents.length === 0) throw noTurns();
      const file = agents.includes('copilot-chat') ? await askForExport(agents) : 'none';
      const result = await vscode.window.withProgress(
        { location: { viewId: VIEWS.budget }, title: vscode.l10n.t('Reading agents’ transcripts') },
        () =>
          this.#look(active, NEVER_ABORTED, (folder, look) =>
            file === 'none' ? source.look(folder, agents, look) : source.open(folder, file, look),
          ),
      );
      this.editor.statusBar.done(describe(result));
    },
  } satisfies CommandHandlers;

  constructor(
    private readonly editor: EditorServices,
    private readonly source: TranscriptSource | undefined,
  ) {
    super();
    this.add(vscode.window.onDidChangeWindowState(() => this.#schedule()));
    this.add(onDidChangeSettings([SETTINGS.transcripts], () => this.#schedule()));
    this.add({ dispose: () => clearTimeout(this.#timer) });
    this.#schedule();
  }

  /** Agents work in folders on a disk. */
  #sourceOf(folder: vscode.WorkspaceFolder): TranscriptSource | undefined {
    return folder.uri.scheme === 'file' ? this.source : undefined;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.source || !vscode.window.state.focused || chosenAgents().length === 0) return;
    const dueMs = Math.max(SETTLE_MS, this.#lastLook + INTERVAL_MS - Date.now());
    this.#timer = setTimeout(() => void this.#lookByItself(), dueMs);
  }

  async #lookByItself(): Promise<void> {
    this.#lastLook = Date.now();
    const look = new AbortController();
    const focus = vscode.window.onDidChangeWindowState(({ focused }) => !focused && look.abort());
    if (!vscode.window.state.focused) look.abort();
    for (const active of this.editor.registry.all) {
      const { folder, workspace } = active;
      const isRecorded = isSettingOn(SETTINGS.recordUsage, true, folder);
      const source = this.#sourceOf(folder);
      if (!isRecorded || !workspace.usage || !source || !vscode.workspace.isTrusted) continue;
      try {
        const { turns, cycles } = await this.#look(active, look.signal, (of, asked) =>
          source.look(of, chosenAgents(), { ...asked, maxBytes: MAX_BYTES }),
        );
        if (turns > 0)
          this.editor.log.info(`${folder.name}: ${turns} turns read from transcripts, ${cycles.length} recorded`);
      } catch (error) {
        this.editor.log.error(`The transcripts of ${folder.name} could not be read`, error);
      }
    }
    focus.dispose();
    this.#schedule();
  }

  #look(
    active: FolderWorkspace,
    signal: AbortSignal,
    find: (folder: vscode.WorkspaceFolder, look: TranscriptLook) => Promise<FoundTurns>,
  ): Promise<TranscriptResult> {
    const work = this.#under.then(async (): Promise<TranscriptResult> => {
      const { folder, workspace } = active;
      const report = requireReport(await active.whenReady());
      const { turns, drafts, commit } = await find(folder, { report, workspace, signal });
      const cycles = (drafts.length > 0 && (await workspace.usage?.recordDrafts(drafts))) || [];
      // What is only in memory may go with the window: its turns have to be found again then.
      if (mayWrite()) await commit();
      return { turns, cycles, citations: drafts.reduce((sum, { cited }) => sum + cited.length, 0) };
    });
    // The caller reports a failure; the next read runs all the same.
    this.#under = work.catch(() => undefined);
    return work;
  }
}

function noTranscripts(folderName: string): EditorError {
  const message = vscode.l10n.t(
    'Transcripts are on the machine where the agent runs. Open {0} there, in VS Code with this extension.',
    folderName,
  );
  return new EditorError('noTranscripts', message);
}

/** Where only sessions of the agents that were chosen can be read. */
function noTurns(): EditorError {
  const message = vscode.l10n.t(
    'The setting “Context Budget: Transcripts” has no agent whose turns can be read. Add one of these: {0}.',
    listed(AGENT_NAMES.map(readableName)),
  );
  return new EditorError('noTurns', message);
}

function describe({ turns, cycles, citations }: TranscriptResult): string {
  if (turns === 0) return vscode.l10n.t('No new turns in transcripts');
  return vscode.l10n.t(
    'Read {0} turns, recorded {1} of them with {2} citations',
    formatCount(turns),
    formatCount(cycles.length),
    formatCount(citations),
  );
}

/** A file that was exported, `none` for the agents' own places. */
async function askForExport(agents: readonly AgentName[]): Promise<vscode.Uri | 'none'> {
  const others = agents.filter((agent) => agent !== 'copilot-chat').map(readableName);
  const exported = { label: vscode.l10n.t('An exported chat (Chat: Export Chat…)'), isFile: true };
  const own = { label: vscode.l10n.t('New turns of {0}', listed(others)), isFile: false };
  const items = others.length === 0 ? [exported] : [own, exported];
  const [only] = items;
  const { isFile } = chosen(items.length === 1 ? only : await vscode.window.showQuickPick(items));
  if (!isFile) return 'none';
  const picked = await vscode.window.showOpenDialog({ filters: { JSON: ['json'] }, canSelectMany: false });
  return chosen(picked?.[0]);
}

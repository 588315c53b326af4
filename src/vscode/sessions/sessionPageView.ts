import * as vscode from 'vscode';
import type { PayloadMode } from '../../core/model/section';
import type { Disposable } from '../../core/ports/ports';
import type { SessionPage, SessionRow } from '../../core/window/sessions/sessionPage';
import type { Workspace } from '../../core/workspace/workspace';
import {
  asSessionMessage,
  type FindingAction,
  type SessionSnapshot,
  type SessionToHost,
} from '../../protocol/sessionPanel';
import { DisposableStore } from '../base/disposables';
import { EditorError } from '../base/editorError';
import { EditorPage } from '../base/editorPage';
import { isMultiRoot, openAtLine } from '../base/folders';
import { sayError } from '../base/language';
import type { ProblemReporter } from '../base/problems';
import { readableName } from '../base/transcriptConsent';
import type { EditorServices } from '../copy/editorServices';
import { actionFor, type FolderFacts, isInFolder, sectionOf } from './findingActions';
import type { SessionReader } from './sessionSource';

/** What other features do for a finding, in the session's folder. */
export interface SectionDoers {
  onDemand(sectionId: string, folder: vscode.WorkspaceFolder): Promise<void>;
  exclude(sectionId: string, folder: vscode.WorkspaceFolder): Promise<void>;
  copyRepoMap(task: string, folder: vscode.WorkspaceFolder): Promise<void>;
  readonly config: {
    readonly onDidChangeUndo: vscode.Event<void>;
    /** What the last change did, while it is offered to be taken back. */
    undoLine(workspace: Workspace, mode: PayloadMode): { readonly sentence: string } | undefined;
    undo(): Promise<void>;
  };
}

/** The session that the page is of. */
interface Shown {
  readonly folder: vscode.WorkspaceFolder;
  readonly id: string;
  readonly name: string;
  readonly agent: string;
  readonly page: SessionPage | undefined;
  /** Files of the folder that findings name and that are there. */
  readonly files: ReadonlySet<string>;
}

/** Where the window went in one session, as a document of the editor. Another session takes the place of the one shown. */
export class SessionPageView extends DisposableStore {
  readonly #page: EditorPage<SessionSnapshot, SessionToHost>;
  #shown: Shown | undefined;
  #reading: AbortController | undefined;
  #followed: { readonly workspace: Workspace; readonly listener: Disposable } | undefined;

  constructor(
    private readonly editor: EditorServices,
    private readonly reader: SessionReader,
    private readonly doers: SectionDoers,
    private readonly problems: ProblemReporter,
  ) {
    super();
    const kind = {
      viewType: 'contextBudget.session',
      name: 'session',
      read: asSessionMessage,
      onMessage: (message: SessionToHost) => void this.#receive(message),
      onVisibility: (isVisible: boolean) => {
        // Findings are compared with the sections, which are counted only while the page is visible.
        editor.registry.want('sessionPage', isVisible);
        if (isVisible) this.#tell();
      },
      onClosed: () => this.#closed(),
    } as const;
    this.#page = this.add(new EditorPage(kind, editor.context.extensionUri, editor.log));
    this.add(
      editor.registry.onDidChange(() => {
        this.#follow();
        this.#tell();
      }),
    );
    this.add({ dispose: () => this.#followed?.listener.dispose() });
    this.add(doers.config.onDidChangeUndo(() => this.#tell()));
  }

  /** What the page was told last; undefined while it is not open. */
  get snapshot(): SessionSnapshot | undefined {
    return this.#page.snapshot;
  }

  /** Opens the page of a session; resolves once it is there. */
  async open(folder: vscode.WorkspaceFolder, row: SessionRow): Promise<void> {
    const agent = readableName(row.agent);
    const name = row.title ?? agent;
    this.#shown = { folder, id: row.id, name, agent, page: undefined, files: new Set() };
    this.#follow();
    this.#page.open(vscode.l10n.t('Session: {0}', name));
    this.#tell('loading');
    await this.readAgain();
  }

  /** Reads the session that is shown again; nothing where none is. Never rejects: the page says what went wrong. */
  async readAgain(): Promise<void> {
    const shown = this.#shown;
    if (!shown) return;
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    try {
      const { page } = await this.reader.read(shown.folder, reading.signal, shown.id);
      const files = await filesThere(shown.folder, page);
      if (reading.signal.aborted) return;
      this.#shown = { ...shown, page, files };
      this.#tell(page ? 'ready' : 'gone');
    } catch (error) {
      if (reading.signal.aborted) return;
      this.editor.log.error('The session could not be read', error);
      this.#tell('failed', sayError(error));
    }
  }

  #closed(): void {
    this.#reading?.abort();
    this.#shown = undefined;
    this.#follow();
    this.editor.registry.want('sessionPage', false);
  }

  /** The workspace of the session's folder if it is open, whichever folder is active. */
  #workspace(): Workspace | undefined {
    const key = this.#shown?.folder.uri.toString();
    return this.editor.registry.all.find(({ folder }) => folder.uri.toString() === key)?.workspace;
  }

  /** Listens to a workspace of its own: the registry tells of the active folder alone. */
  #follow(): void {
    const workspace = this.#workspace();
    if (workspace === this.#followed?.workspace) return;
    this.#followed?.listener.dispose();
    this.#followed = workspace && { workspace, listener: workspace.onDidChange(() => this.#tell()) };
  }

  #facts(): FolderFacts {
    const report = this.#workspace()?.snapshot.report;
    return { sections: report?.payloads.expanded.sections ?? [], files: this.#shown?.files ?? new Set() };
  }

  /** Tells the page what is known, in the state that it is in unless another is given. */
  #tell(given?: SessionSnapshot['state'], message?: string): void {
    const [shown, before] = [this.#shown, this.#page.snapshot];
    const state = given ?? before?.state;
    if (!shown || !state || (!given && !this.#page.isVisible)) return;
    const facts = this.#facts();
    const workspace = this.#workspace();
    const { name, agent, page, folder } = shown;
    const snapshot: SessionSnapshot = {
      state,
      name,
      agent,
      folder: isMultiRoot() ? folder.name : undefined,
      page,
      actions: page?.list.map((finding) => actionFor(finding, facts)) ?? [],
      undo: workspace && this.doers.config.undoLine(workspace, this.editor.preferences.mode)?.sentence,
      message: given ? message : before?.message,
    };
    if (!before || page !== before.page || isOther(snapshot, before)) this.#page.tell(snapshot);
  }

  async #receive(message: SessionToHost): Promise<void> {
    if (message.type === 'showLog') return this.editor.log.show();
    const label = vscode.l10n.t('Session');
    if (message.type === 'undo') await this.problems.runAsked(label, 'session undo', () => this.doers.config.undo());
    if (message.type === 'act')
      await this.problems.runAsked(label, `session ${message.action}`, () =>
        this.#act(message.finding, message.action),
      );
  }

  async #act(at: number, action: FindingAction): Promise<void> {
    const finding = this.#shown?.page?.list[at];
    const facts = this.#facts();
    // The page may not know yet that something else can be done now.
    if (!this.#shown || !finding || actionFor(finding, facts) !== action) return;
    const { folder } = this.#shown;
    if (!vscode.workspace.getWorkspaceFolder(folder.uri))
      throw new EditorError('noFolder', vscode.l10n.t('The folder of this session is no longer open.'));
    const { path = '', line } = finding;
    const sectionId = sectionOf(path, facts) ?? '';
    switch (action) {
      case 'onDemand':
        return this.doers.onDemand(sectionId, folder);
      case 'exclude':
        return this.doers.exclude(sectionId, folder);
      case 'copyMap':
        return this.doers.copyRepoMap(path, folder);
      case 'openFile':
        return openAtLine(folder, path, line);
    }
  }
}

/** Besides the page, which may be large. */
function isOther(one: SessionSnapshot, other: SessionSnapshot): boolean {
  const small = (snapshot: SessionSnapshot): string => JSON.stringify({ ...snapshot, page: undefined });
  return small(one) !== small(other);
}

async function filesThere(folder: vscode.WorkspaceFolder, page: SessionPage | undefined): Promise<ReadonlySet<string>> {
  const named = [...new Set(page?.list.flatMap(({ path }) => (isInFolder(path) ? path : [])))];
  const found = await Promise.all(
    named.map(async (path) => {
      try {
        const { type } = await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder.uri, path));
        return type === vscode.FileType.File ? [path] : [];
      } catch {
        // Gone since the session.
        return [];
      }
    }),
  );
  return new Set(found.flat());
}
